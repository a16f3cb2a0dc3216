/* DLPack, both versions: tensors from and to other libraries of the process without a copy. */
#include "module.h"

#define OLD_NAME "dltensor"
#define NEW_NAME "dltensor_versioned"

/* ---- out ---- */

/* A capsule that nobody took ends what it holds. */
static void end_old(PyObject *capsule) {
  if (!PyCapsule_IsValid(capsule, OLD_NAME)) return;
  tsr_dl_managed *const managed = PyCapsule_GetPointer(capsule, OLD_NAME);
  if (managed->deleter != NULL) managed->deleter(managed);
}

static void end_new(PyObject *capsule) {
  if (!PyCapsule_IsValid(capsule, NEW_NAME)) return;
  tsr_dl_managed_versioned *const managed = PyCapsule_GetPointer(capsule, NEW_NAME);
  if (managed->deleter != NULL) managed->deleter(managed);
}

static PyObject *export_old(const tsr_tensor *t, bool copy) {
  tsr_dl_managed *managed = NULL;
  if (!py_ok(tsr_dlpack_export_unversioned(NULL, t, copy, &managed))) return NULL;
  PyObject *const capsule = PyCapsule_New(managed, OLD_NAME, end_old);
  if (capsule == NULL) managed->deleter(managed);
  return capsule;
}

static PyObject *export_new(const tsr_tensor *t, bool copy, bool has_stream, void *stream) {
  tsr_dl_managed_versioned *managed = NULL;
  if (!py_ok(has_stream ? tsr_dlpack_export_to(NULL, t, copy, stream, &managed)
                        : tsr_dlpack_export(NULL, t, copy, &managed)))
    return NULL;
  PyObject *const capsule = PyCapsule_New(managed, NEW_NAME, end_new);
  if (capsule == NULL) managed->deleter(managed);
  return capsule;
}

/* Whether a tuple (major, minor) knows capsules with a version. */
static int is_new(PyObject *version) {
  if (version == NULL || version == Py_None) return 0;
  if (!PyTuple_Check(version) || PyTuple_Size(version) != 2) {
    PyErr_SetString(PyExc_TypeError, "max_version is a tuple (major, minor)");
    return -1;
  }
  const long major = PyLong_AsLong(PyTuple_GetItem(version, 0));
  return major == -1 && PyErr_Occurred() ? -1 : major >= 1;
}

static void device_of(const tsr_tensor *t, int *type, int *index) {
  const tsr_device *const device = tsr_device_of(t);
  *type = device->is_host ? TSR_DL_CPU : device->kind;
  *index = device->is_host ? 0 : device->index;
}

/* A tensor where dl_device asks for it: itself (borrowed by *out), or a copy. false and an exception: it cannot be there. */
static bool bring(const tsr_tensor *t, PyObject *asked, int *copy, tsr_tensor *out) {
  int type, index, to_type, to_index;
  device_of(t, &type, &index);
  if (asked == NULL || asked == Py_None) return py_ok(tsr_view(NULL, t, out));
  if (!PyTuple_Check(asked)) {
    PyErr_SetString(PyExc_TypeError, "dl_device is a tuple (type, index)");
    return false;
  }
  if (!PyArg_ParseTuple(asked, "ii;dl_device is a tuple (type, index)", &to_type, &to_index)) return false;
  if (to_type == type && to_index == index) return py_ok(tsr_view(NULL, t, out));
  if (to_type != TSR_DL_CPU || *copy == 0) {
    PyErr_SetString(PyExc_BufferError, *copy == 0 ? "another device needs a copy"
                                                  : "tensors are handed out where they are, or on the CPU");
    return false;
  }
  *copy = -1; /* it is one */
  return py_ok(tsr_to_device(NULL, t, NULL, out));
}

/* None: -1. */
static int truth_or_none(PyObject *object) {
  return object == NULL || object == Py_None ? -1 : PyObject_IsTrue(object);
}

static PyObject *to_dlpack(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
  PyObject *stream = NULL, *version = NULL, *device = NULL, *copy_object = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO", names, &stream, &version, &device, &copy_object))
    return NULL;
  const int newer = is_new(version);
  const bool has_stream = stream != NULL && stream != Py_None;
  const long long number = has_stream ? PyLong_AsLongLong(stream) : 0;
  if (newer < 0 || (number == -1 && PyErr_Occurred())) return NULL;
  int copy = truth_or_none(copy_object);
  if (PyErr_Occurred()) return NULL;
  if (has_stream && tsr_device_of(py_handle(self))->is_host) {
    PyErr_SetString(PyExc_BufferError, "a tensor in host memory has no stream: stream is None");
    return NULL;
  }
  tsr_tensor t = {0};
  if (!bring(py_handle(self), device, &copy, &t)) return NULL;
  PyObject *const capsule =
      newer ? export_new(&t, copy > 0, has_stream && number != -1, (void *)(intptr_t)number) : export_old(&t, copy > 0);
  tsr_release(&t);
  if (capsule == NULL && PyErr_ExceptionMatches(PyExc_ValueError)) { /* consumers look for this one */
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_Format(PyExc_BufferError, "%S", value);
    Py_XDECREF(type), Py_XDECREF(value), Py_XDECREF(trace);
  }
  return capsule;
}

static PyObject *dlpack_device(PyObject *self, PyObject *unused) {
  int type, index;
  (void)unused;
  device_of(py_handle(self), &type, &index);
  return Py_BuildValue("(ii)", type, index);
}

/* ---- in ---- */

/* Takes what a capsule holds, which is then marked as used. */
static PyObject *take(PyObject *capsule) {
  tsr_tensor t = {0};
  if (PyCapsule_IsValid(capsule, NEW_NAME)) {
    tsr_dl_managed_versioned *const managed = PyCapsule_GetPointer(capsule, NEW_NAME);
    if (PyCapsule_SetName(capsule, "used_" NEW_NAME) < 0) return NULL;
    const tsr_status st = tsr_dlpack_import(NULL, managed, &t);
    return py_tensor_wrap(&t, st);
  }
  if (PyCapsule_IsValid(capsule, OLD_NAME)) {
    tsr_dl_managed *const managed = PyCapsule_GetPointer(capsule, OLD_NAME);
    if (PyCapsule_SetName(capsule, "used_" OLD_NAME) < 0) return NULL;
    const tsr_status st = tsr_dlpack_import_unversioned(NULL, managed, &t);
    return py_tensor_wrap(&t, st);
  }
  return PyErr_Format(PyExc_TypeError, "%R is no DLPack capsule that is still to be taken", capsule);
}

/* What the producer gives; older ones do not know max_version. */
static PyObject *ask(PyObject *object, PyObject *copy, PyObject *device) {
  PyObject *const function = PyObject_GetAttrString(object, "__dlpack__");
  if (function == NULL) return NULL;
  PyObject *const none = PyTuple_New(0), *const names =
                                             Py_BuildValue("{s(ii)}", "max_version", TSR_DL_MAJOR, TSR_DL_MINOR);
  PyObject *capsule = NULL;
  if (none != NULL && names != NULL && (copy == NULL || PyDict_SetItemString(names, "copy", copy) == 0) &&
      (device == NULL || PyDict_SetItemString(names, "dl_device", device) == 0)) {
    capsule = PyObject_Call(function, none, names);
    if (capsule == NULL && copy == NULL && device == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
      PyErr_Clear();
      capsule = PyObject_CallObject(function, NULL);
    }
  }
  Py_XDECREF(none);
  Py_XDECREF(names);
  Py_DECREF(function);
  return capsule;
}

static PyObject *import(PyObject *object, PyObject *copy, PyObject *device) {
  PyObject *const capsule = PyCapsule_CheckExact(object) ? py_ref(object) : ask(object, copy, device);
  PyObject *const tensor = capsule == NULL ? NULL : take(capsule);
  Py_XDECREF(capsule);
  return tensor;
}

int py_from_dlpack(PyObject *object, PyObject **tensor) {
  if (!PyObject_HasAttrString(object, "__dlpack__")) return 0;
  *tensor = import(object, NULL, NULL);
  return *tensor == NULL ? -1 : 1;
}

static PyObject *take_dlpack(PyObject *module, PyObject *args) {
  PyObject *object, *copy, *device;
  (void)module;
  if (!PyArg_ParseTuple(args, "OOO", &object, &copy, &device)) return NULL;
  return import(object, copy == Py_None ? NULL : copy, device == Py_None ? NULL : device);
}

static const PyMethodDef methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))to_dlpack, METH_VARARGS | METH_KEYWORDS,
     "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\nThe tensor as a DLPack "
     "capsule."},
    {"__dlpack_device__", dlpack_device, METH_NOARGS,
     "__dlpack_device__($self, /)\n--\n\nDLPack's numbers of its device."},
    {0},
};
static const PyMethodDef functions[] = {
    {"take_dlpack", take_dlpack, METH_VARARGS,
     "take_dlpack(object, copy, device, /)\n--\n\nThe tensor that __dlpack__ of an object hands out, or that a capsule "
     "holds."},
    {0},
};
const py_part py_dlpack_part = {.methods = methods, .functions = functions};
