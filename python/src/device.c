/* Devices by their names: "cpu", "cuda:0". */
#include "module.h"

bool py_device_of(PyObject *object, const tsr_device **device) {
  *device = NULL;
  if (object == NULL || object == Py_None) return true;
  const char *const name = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, NULL) : NULL;
  if (name == NULL) {
    if (!PyErr_Occurred())
      PyErr_Format(PyExc_TypeError, "a device is a text, as 'cpu' or 'cuda:0', not %R", Py_TYPE(object));
    return false;
  }
  const tsr_status st = tsr_device_open(NULL, name, device);
  if (st == TSR_OK && (*device)->is_host) *device = NULL;
  if (st == TSR_ENAME) PyErr_SetString(PyExc_ValueError, tsr_error(NULL));
  return st == TSR_ENAME ? false : py_ok(st);
}

const char *py_device_name(const tsr_tensor *t) {
  const tsr_device *const device = tsr_device_of(t);
  return device->is_host ? "cpu" : device->name;
}

static PyObject *get_device(PyObject *self, void *unused) {
  (void)unused;
  return PyUnicode_FromString(py_device_name(py_handle(self)));
}

/* The tensor itself where it is there already. */
static PyObject *to_device(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"", "stream", NULL};
  PyObject *name, *stream = NULL;
  const tsr_device *device;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$O", names, &name, &stream)) return NULL;
  if (stream != NULL && stream != Py_None)
    return PyErr_Format(PyExc_ValueError, "to_device: streams are the library's; it takes stream=None");
  if (!py_device_of(name, &device)) return NULL;
  const tsr_device *const now = tsr_device_of(py_handle(self));
  if (now == device || (now->is_host && device == NULL)) return py_ref(self);
  tsr_tensor out = {0};
  PyThreadState *const state = PyEval_SaveThread();
  const tsr_status st = tsr_to_device(NULL, py_handle(self), device, &out);
  PyEval_RestoreThread(state);
  return py_tensor_wrap(&out, st);
}

static PyObject *count_devices(PyObject *module, PyObject *kind) {
  int count = 0;
  (void)module;
  const char *const name = PyUnicode_AsUTF8AndSize(kind, NULL);
  if (name == NULL || !py_ok(tsr_device_count(NULL, name, &count))) return NULL;
  return PyLong_FromLong(count);
}

static PyObject *synchronize(PyObject *module, PyObject *name) {
  const tsr_device *device;
  (void)module;
  if (!py_device_of(name, &device)) return NULL;
  PyThreadState *const state = PyEval_SaveThread();
  const tsr_status st = tsr_device_sync(NULL, device == NULL ? tsr_device_cpu() : device);
  PyEval_RestoreThread(state);
  return py_ok(st) ? py_ref(Py_None) : NULL;
}

static const PyGetSetDef attributes[] = {{"device", get_device, NULL, "Where its memory is: 'cpu', 'cuda:0'.", NULL},
                                         {0}};
static const PyMethodDef methods[] = {
    {"to_device", (PyCFunction)(void (*)(void))to_device, METH_VARARGS | METH_KEYWORDS,
     "to_device($self, device, /, *, stream=None)\n--\n\nA copy on a device; the tensor itself where it is there."},
    {0},
};
static const PyMethodDef functions[] = {
    {"device_count", count_devices, METH_O,
     "device_count(kind, /)\n--\n\nHow many devices of a kind there are: 'cpu', 'cuda'."},
    {"synchronize", synchronize, METH_O, "synchronize(device, /)\n--\n\nWaits until a device has done all calls."},
    {0},
};
const py_part py_device_part = {.methods = methods, .attributes = attributes, .functions = functions};
