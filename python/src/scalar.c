/* Elements as numbers of Python: bool(), int(), float(), complex(), item(), tolist(), iteration. */
#include "module.h"

/* A float of any dtype, by the library's own conversion. */
static PyObject *small_float(int dtype, const void *address) {
  double real = 0;
  tsr_tensor from = {.dtype = (uint8_t)dtype}, to = {.dtype = TSR_F64, .data = &real};
  for (int i = 0; i < TSR_MAX_DIMS; i++) from.shape[i] = to.shape[i] = 1;
  memcpy(&from.data, &address, sizeof address); /* it is only read */
  return py_ok(tsr_cast(NULL, &from, TSR_F64, &to)) ? PyFloat_FromDouble(real) : NULL;
}

PyObject *py_element(int dtype, const void *address) {
  switch (dtype) {
    case TSR_BOOL: return PyBool_FromLong(*(const uint8_t *)address);
    case TSR_I8: return PyLong_FromLong(*(const int8_t *)address);
    case TSR_I16: return PyLong_FromLong(*(const int16_t *)address);
    case TSR_I32: return PyLong_FromLong(*(const int32_t *)address);
    case TSR_I64: return PyLong_FromLongLong(*(const int64_t *)address);
    case TSR_U8: return PyLong_FromLong(*(const uint8_t *)address);
    case TSR_U16: return PyLong_FromLong(*(const uint16_t *)address);
    case TSR_U32: return PyLong_FromUnsignedLong(*(const uint32_t *)address);
    case TSR_U64: return PyLong_FromUnsignedLongLong(*(const uint64_t *)address);
    case TSR_F32: return PyFloat_FromDouble((double)*(const float *)address);
    case TSR_F64: return PyFloat_FromDouble(*(const double *)address);
    case TSR_C64:
      return PyComplex_FromDoubles((double)((const float *)address)[0], (double)((const float *)address)[1]);
    case TSR_C128: return PyComplex_FromDoubles(((const double *)address)[0], ((const double *)address)[1]);
    default: return small_float(dtype, address);
  }
}

bool py_on_host(const tsr_tensor *t, tsr_tensor *host) {
  memset(host, 0, sizeof *host);
  if (tsr_device_of(t)->is_host) return py_ok(tsr_view(NULL, t, host));
  return py_ok(tsr_to_device(NULL, t, NULL, host));
}

/* ---- one element ---- */

static PyObject *only_element(PyObject *self, const char *what) {
  const tsr_tensor *const t = py_handle(self);
  if (t->ndim != 0)
    return PyErr_Format(PyExc_TypeError, "%s: a tensor of rank %d is no number; one of rank 0 is", what, t->ndim);
  tsr_tensor host;
  if (!py_on_host(t, &host)) return NULL;
  PyObject *const element = py_element(t->dtype, host.data);
  tsr_release(&host);
  return element;
}

static int to_bool(PyObject *self) {
  PyObject *const element = only_element(self, "bool");
  const int is = element == NULL ? -1 : PyObject_IsTrue(element);
  Py_XDECREF(element);
  return is;
}

/* The element by a type of Python: int(element). */
static PyObject *converted(PyObject *self, PyTypeObject *type, const char *what) {
  PyObject *const element = only_element(self, what);
  if (element == NULL) return NULL;
  PyObject *const result = PyObject_CallFunctionObjArgs((PyObject *)type, element, NULL);
  Py_DECREF(element);
  return result;
}

static PyObject *to_int(PyObject *self) { return converted(self, &PyLong_Type, "int"); }
static PyObject *to_float(PyObject *self) { return converted(self, &PyFloat_Type, "float"); }

static PyObject *to_complex(PyObject *self, PyObject *unused) {
  (void)unused;
  return converted(self, &PyComplex_Type, "complex");
}

static PyObject *to_index(PyObject *self) {
  const int class_ = py_class_of(py_handle(self)->dtype);
  if (class_ == TSR_CLASS_INT || class_ == TSR_CLASS_UINT) return only_element(self, "index");
  return PyErr_Format(PyExc_TypeError, "a tensor of %s is no index; one of integers is",
                      py_dtype_name(py_handle(self)->dtype));
}

/* ---- many ---- */

static PyObject *item(PyObject *self, PyObject *unused) {
  const tsr_tensor *const t = py_handle(self);
  (void)unused;
  if (tsr_size(t) != 1) return PyErr_Format(PyExc_ValueError, "item: the tensor has %lld elements, not 1", tsr_size(t));
  tsr_tensor host;
  if (!py_on_host(t, &host)) return NULL;
  PyObject *const element = py_element(t->dtype, host.data);
  tsr_release(&host);
  return element;
}

/* The elements from axis on, which begin at address. */
static PyObject *listed(const tsr_tensor *t, int axis, const char *address) {
  if (axis == t->ndim) return py_element(t->dtype, address);
  PyObject *const list = PyList_New((Py_ssize_t)t->shape[axis]);
  const ptrdiff_t step = (ptrdiff_t)t->stride[axis] * (ptrdiff_t)tsr_dtype_size(t->dtype);
  for (tsr_index i = 0; i < t->shape[axis] && list != NULL; i++) {
    PyObject *const part = listed(t, axis + 1, address + i * step);
    if (part == NULL || PyList_SetItem(list, (Py_ssize_t)i, part) < 0) {
      Py_DECREF(list);
      return NULL;
    }
  }
  return list;
}

static PyObject *to_list(PyObject *self, PyObject *unused) {
  tsr_tensor host;
  (void)unused;
  if (!py_on_host(py_handle(self), &host)) return NULL;
  PyObject *const list = listed(&host, 0, host.data);
  tsr_release(&host);
  return list;
}

static Py_ssize_t length(PyObject *self) {
  const tsr_tensor *const t = py_handle(self);
  if (t->ndim > 0) return (Py_ssize_t)t->shape[0];
  PyErr_SetString(PyExc_TypeError, "len: a tensor of rank 0 has no length");
  return -1;
}

/* The tensors along the first axis: what makes `for row in x` and unpacking work. */
static PyObject *nth(PyObject *self, Py_ssize_t i) {
  const tsr_tensor *const t = py_handle(self);
  if (t->ndim == 0) return PyErr_Format(PyExc_TypeError, "a tensor of rank 0 has no rows to go through");
  if (i < 0 || i >= t->shape[0]) return PyErr_Format(PyExc_IndexError, "index %zd is out of range", i);
  tsr_tensor out = {0};
  const tsr_status st = tsr_select(NULL, t, 0, i, &out);
  return py_tensor_wrap(&out, st);
}

static PyObject *iterate(PyObject *self) {
  if (py_handle(self)->ndim > 0) return PySeqIter_New(self);
  return PyErr_Format(PyExc_TypeError, "iter: a tensor of rank 0 has no rows");
}

static const PyMethodDef methods[] = {
    {"__complex__", to_complex, METH_NOARGS, "__complex__($self, /)\n--\n\ncomplex(self)"},
    {"item", item, METH_NOARGS, "item($self, /)\n--\n\nThe only element as a number of Python."},
    {"tolist", to_list, METH_NOARGS, "tolist($self, /)\n--\n\nThe elements as nested lists of numbers of Python."},
    {0},
};
static const PyType_Slot slots[] = {
    {Py_nb_bool, (void *)to_bool},   {Py_nb_int, (void *)to_int},    {Py_nb_float, (void *)to_float},
    {Py_nb_index, (void *)to_index}, {Py_mp_length, (void *)length}, {Py_sq_length, (void *)length},
    {Py_sq_item, (void *)nth},       {Py_tp_iter, (void *)iterate},  {0, NULL},
};
const py_part py_scalar_part = {.slots = slots, .methods = methods};
