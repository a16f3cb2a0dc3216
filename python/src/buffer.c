/* Tensors as buffers: memoryview(x), numpy.asarray(x), without a copy. */
#include "module.h"

#include "format.h"

/* A buffer lends its shape and steps: they lie with a handle of their own, so that they stay whatever becomes of the tensor. */
typedef struct lent {
  Py_ssize_t shape[TSR_MAX_DIMS], strides[TSR_MAX_DIMS];
} lent;

static int refuse(const char *why) {
  PyErr_SetString(PyExc_BufferError, why);
  return -1;
}

static bool asks(int flags, int flag) { return (flags & flag) == flag; }

/* Whether the order of the elements is one that was asked for. */
static int check_order(const tsr_tensor *t, int flags) {
  const bool rows = tsr_is_contiguous(t, TSR_ROW_MAJOR), columns = tsr_is_contiguous(t, TSR_FORTRAN);
  if (asks(flags, PyBUF_C_CONTIGUOUS) && !rows)
    return refuse("the elements of the tensor are not contiguous in row-major order");
  if (asks(flags, PyBUF_F_CONTIGUOUS) && !columns)
    return refuse("the elements of the tensor are not contiguous in column-major order");
  if (asks(flags, PyBUF_ANY_CONTIGUOUS) && !rows && !columns)
    return refuse("the elements of the tensor are not contiguous");
  if (!asks(flags, PyBUF_STRIDES) && !rows)
    return refuse("the elements of the tensor are not contiguous in row-major order");
  return 0;
}

static int check(const tsr_tensor *t, int flags) {
  if (!tsr_device_of(t)->is_host) return refuse("the tensor is on a device: x.to_device('cpu') has a buffer");
  if (asks(flags, PyBUF_WRITABLE) && (t->flags & TSR_READONLY) != 0) return refuse("the tensor is read-only");
  if (asks(flags, PyBUF_FORMAT) && py_format_of(t->dtype) == NULL)
    return refuse("buffers have no such dtype: cast it, or use DLPack");
  return check_order(t, flags);
}

static int get_buffer(PyObject *self, Py_buffer *view, int flags) {
  const tsr_tensor *const t = py_handle(self);
  view->obj = NULL;
  if (check(t, flags) < 0) return -1;
  lent *const l = PyMem_Malloc(sizeof *l);
  if (l == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  const Py_ssize_t item = (Py_ssize_t)tsr_dtype_size(t->dtype);
  for (int i = 0; i < t->ndim; i++) {
    l->shape[i] = (Py_ssize_t)t->shape[i];
    l->strides[i] = (Py_ssize_t)t->stride[i] * item;
  }
  view->obj = py_ref(self);
  view->buf = t->data != NULL ? t->data : l; /* of no elements: an address all the same */
  view->len = (Py_ssize_t)tsr_nbytes(t);
  view->itemsize = item;
  view->readonly = (t->flags & TSR_READONLY) != 0;
  view->ndim = t->ndim;
  view->format = asks(flags, PyBUF_FORMAT) ? (char *)(uintptr_t)py_format_of(t->dtype) : NULL;
  view->shape = asks(flags, PyBUF_ND) ? l->shape : NULL;
  view->strides = asks(flags, PyBUF_STRIDES) ? l->strides : NULL;
  view->suboffsets = NULL;
  view->internal = l;
  return 0;
}

static void release_buffer(PyObject *self, Py_buffer *view) {
  (void)self;
  PyMem_Free(view->internal);
}

/* A copy that has a buffer: in host memory, and dtypes that buffers have not as float32. */
static PyObject *with_buffer(const tsr_tensor *t) {
  tsr_tensor host, out = {0};
  if (!py_on_host(t, &host)) return NULL;
  const tsr_status st = tsr_cast(NULL, &host, py_format_of(t->dtype) == NULL ? TSR_F32 : t->dtype, &out);
  tsr_release(&host);
  return py_tensor_wrap(&out, st);
}

static PyObject *array(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"dtype", "copy", NULL};
  PyObject *dtype = Py_None, *copy = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|OO", names, &dtype, &copy)) return NULL;
  const tsr_tensor *const t = py_handle(self);
  const bool has_buffer = py_format_of(t->dtype) != NULL && tsr_device_of(t)->is_host;
  if (!has_buffer && copy == Py_False)
    return PyErr_Format(PyExc_ValueError, "an array of this tensor is a copy; copy=False");
  PyObject *const source = has_buffer ? py_ref(self) : with_buffer(t);
  PyObject *const numpy = source == NULL ? NULL : PyImport_ImportModule("numpy");
  PyObject *const view = numpy == NULL ? NULL : PyMemoryView_FromObject(source);
  PyObject *const result =
      view == NULL ? NULL : PyObject_CallMethod(numpy, copy == Py_True ? "array" : "asarray", "OO", view, dtype);
  Py_XDECREF(view);
  Py_XDECREF(numpy);
  Py_XDECREF(source);
  return result;
}

static const PyMethodDef methods[] = {
    {"__array__", (PyCFunction)(void (*)(void))array, METH_VARARGS | METH_KEYWORDS,
     "__array__($self, /, dtype=None, copy=None)\n--\n\nThe tensor as an array of NumPy, which shares its memory where "
     "it can."},
    {0},
};
static const PyType_Slot slots[] = {
    {Py_bf_getbuffer, (void *)get_buffer}, {Py_bf_releasebuffer, (void *)release_buffer}, {0, NULL}};
const py_part py_buffer_part = {.slots = slots, .methods = methods};
