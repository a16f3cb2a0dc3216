/* Copies of tensors: copy.copy, copy.deepcopy, pickle. */
#include "module.h"

static PyObject *cloned(PyObject *self, PyObject *unused) {
  tsr_tensor out = {0};
  (void)unused;
  PyThreadState *const state = py_unlock(tsr_size(py_handle(self)));
  const tsr_status st = tsr_clone(NULL, py_handle(self), &out);
  py_lock(state);
  return py_tensor_wrap(&out, st);
}

/* The elements in row-major order. */
static PyObject *to_bytes(PyObject *self, PyObject *unused) {
  tsr_tensor host;
  (void)unused;
  if (!py_on_host(py_handle(self), &host)) return NULL;
  PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)tsr_nbytes(&host));
  const tsr_index size = tsr_size(&host);
  if (bytes != NULL && size > 0) {
    PyThreadState *const state = py_unlock(size);
    const tsr_status st = tsr_to_array(NULL, &host, TSR_ROW_MAJOR, size, PyBytes_AsString(bytes));
    py_lock(state);
    if (!py_ok(st)) Py_CLEAR(bytes);
  }
  tsr_release(&host);
  return bytes;
}

static PyObject *reduce(PyObject *self, PyObject *unused) {
  const tsr_tensor *const t = py_handle(self);
  PyObject *const module = PyImport_ImportModule("tessera._core");
  PyObject *const rebuild = module == NULL ? NULL : PyObject_GetAttrString(module, "rebuild");
  PyObject *const bytes = rebuild == NULL ? NULL : to_bytes(self, unused);
  PyObject *const shape = bytes == NULL ? NULL : py_tuple_of(t->ndim, t->shape);
  PyObject *const result =
      shape == NULL ? NULL : Py_BuildValue("(O(sOO))", rebuild, py_dtype_name(t->dtype), shape, bytes);
  Py_XDECREF(module);
  Py_XDECREF(rebuild);
  Py_XDECREF(bytes);
  Py_XDECREF(shape);
  return result;
}

static bool read_shape(PyObject *tuple, int *ndim, tsr_index *shape) {
  const Py_ssize_t n = PyTuple_Size(tuple);
  if (n > TSR_MAX_DIMS) {
    PyErr_Format(PyExc_ValueError, "rebuild: rank %zd", n);
    return false;
  }
  for (int i = 0; i < (int)n; i++) {
    shape[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
    if (shape[i] == -1 && PyErr_Occurred()) return false;
  }
  *ndim = (int)n;
  return true;
}

static PyObject *rebuild(PyObject *module, PyObject *args) {
  PyObject *name, *tuple;
  Py_buffer bytes;
  tsr_index shape[TSR_MAX_DIMS];
  int ndim;
  tsr_tensor out = {0};
  (void)module;
  if (!PyArg_ParseTuple(args, "OO!y*", &name, &PyTuple_Type, &tuple, &bytes)) return NULL;
  const int dtype = py_dtype_of(name);
  PyObject *result = NULL;
  if (dtype >= 0 && read_shape(tuple, &ndim, shape)) {
    const size_t item = tsr_dtype_size(dtype);
    if ((size_t)bytes.len % item != 0)
      PyErr_SetString(PyExc_ValueError, "rebuild: the bytes are no whole elements");
    else {
      const tsr_status st =
          tsr_from_array(NULL, bytes.buf, bytes.len / (Py_ssize_t)item, dtype, ndim, shape, TSR_ROW_MAJOR, &out);
      result = py_tensor_wrap(&out, st);
    }
  }
  PyBuffer_Release(&bytes);
  return result;
}

static const PyMethodDef methods[] = {
    {"__copy__", cloned, METH_NOARGS, "__copy__($self, /)\n--\n\nA copy with memory of its own."},
    {"__deepcopy__", cloned, METH_O, "__deepcopy__($self, memo, /)\n--\n\nA copy with memory of its own."},
    {"__reduce__", reduce, METH_NOARGS, "__reduce__($self, /)\n--\n\nFor pickle."},
    {"copy", cloned, METH_NOARGS, "copy($self, /)\n--\n\nA copy with memory of its own."},
    {"tobytes", to_bytes, METH_NOARGS, "tobytes($self, /)\n--\n\nThe elements in row-major order, as bytes."},
    {0},
};
static const PyMethodDef functions[] = {
    {"rebuild", rebuild, METH_VARARGS, "rebuild(dtype, shape, bytes, /)\n--\n\nThe tensor of pickled bytes."},
    {0},
};
const py_part py_copy_part = {.methods = methods, .functions = functions};
