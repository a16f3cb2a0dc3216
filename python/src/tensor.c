/* The type of tensors: making and ending objects, and what a tensor says of itself. */
#include "module.h"

#include <structmember.h>

/* ---- making and ending ---- */

py_tensor *py_tensor_new(void) {
  py_tensor *const object = PyObject_New(py_tensor, py_.tensor_type);
  if (object == NULL) return NULL;
  memset(&object->tensor, 0, sizeof object->tensor);
  object->weak = NULL;
  return object;
}

/* Views borrow from the tensor that they were made of, which may end before them: here they count. */
static tsr_status count(tsr_tensor *t) {
  if (t->storage == NULL || (t->flags & TSR_OWNS) != 0) return TSR_OK;
  tsr_tensor shared = {0};
  const tsr_status st = tsr_share(NULL, t, &shared);
  if (st == TSR_OK) *t = shared;
  return st;
}

PyObject *py_tensor_done(py_tensor *object, tsr_status status) {
  if (object == NULL) return NULL;
  if (status == TSR_OK) status = count(&object->tensor);
  if (status == TSR_OK) return (PyObject *)object;
  py_raise(NULL, status);
  Py_DECREF(object);
  return NULL;
}

PyObject *py_tensor_wrap(tsr_tensor *handle, tsr_status status) {
  py_tensor *const object = status == TSR_OK ? py_tensor_new() : NULL;
  if (status != TSR_OK) py_raise(NULL, status);
  if (object == NULL) {
    tsr_release(handle);
    return NULL;
  }
  object->tensor = tsr_move(handle);
  return py_tensor_done(object, TSR_OK);
}

static void dealloc(PyObject *self) {
  py_tensor *const object = (py_tensor *)self;
  PyTypeObject *const type = Py_TYPE(self);
  if (object->weak != NULL) PyObject_ClearWeakRefs(self);
  tsr_release(&object->tensor);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *refuse_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  (void)type, (void)args, (void)keywords;
  return PyErr_Format(PyExc_TypeError, "tensors are made by functions: tessera.asarray, tessera.zeros");
}

/* ---- what it says of itself ---- */

PyObject *py_tuple_of(int n, const tsr_index *numbers) {
  PyObject *const tuple = PyTuple_New(n);
  for (int i = 0; i < n && tuple != NULL; i++) {
    PyObject *const number = PyLong_FromLongLong(numbers[i]);
    if (number == NULL || PyTuple_SetItem(tuple, i, number) < 0) {
      Py_DECREF(tuple);
      return NULL;
    }
  }
  return tuple;
}

static PyObject *get_shape(PyObject *self, void *unused) {
  (void)unused;
  return py_tuple_of(py_handle(self)->ndim, py_handle(self)->shape);
}

static PyObject *get_stride(PyObject *self, void *unused) {
  (void)unused;
  return py_tuple_of(py_handle(self)->ndim, py_handle(self)->stride);
}

static PyObject *get_dtype(PyObject *self, void *unused) {
  (void)unused;
  return py_ref(py_.dtypes[py_handle(self)->dtype]);
}

static PyObject *get_ndim(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromLong(py_handle(self)->ndim);
}

static PyObject *get_size(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromLongLong(tsr_size(py_handle(self)));
}

static PyObject *get_nbytes(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromSize_t(tsr_nbytes(py_handle(self)));
}

static PyObject *get_itemsize(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromSize_t(tsr_dtype_size(py_handle(self)->dtype));
}

static PyObject *get_layout(PyObject *self, void *unused) {
  (void)unused;
  return PyUnicode_FromString(tsr_layout_name(py_handle(self)->layout));
}

static PyObject *get_readonly(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(py_handle(self)->flags & TSR_READONLY);
}

static PyObject *get_transposed(PyObject *self, void *matrix) {
  const tsr_tensor *const t = py_handle(self);
  if (t->ndim < 2 || (matrix == NULL && t->ndim != 2))
    return PyErr_Format(PyExc_ValueError, "%s of a tensor of rank %d; it needs %s", matrix == NULL ? "T" : "mT",
                        t->ndim, matrix == NULL ? "rank 2" : "two axes at least");
  tsr_tensor out = {0};
  const tsr_status st = tsr_transpose(NULL, t, -2, -1, &out);
  return py_tensor_wrap(&out, st);
}

/* The versions of the standard that the module serves: each is a part of the next one. */
static bool knows_version(const char *version) {
  static const char *const versions[] = {"2021.12", "2022.12", "2023.12", "2024.12", "2025.12"};
  for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
    if (strcmp(versions[i], version) == 0) return true;
  return false;
}

static PyObject *get_package(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"api_version", NULL};
  const char *version = NULL;
  (void)self;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$z", names, &version)) return NULL;
  if (version == NULL || knows_version(version)) return PyImport_ImportModule("tessera");
  return PyErr_Format(PyExc_ValueError, "there is no version '%s' of the array API here; 2021.12 to 2025.12 are",
                      version);
}

/* ---- the type ---- */

static const PyGetSetDef attributes[] = {
    {"shape", get_shape, NULL, "Lengths of the axes.", NULL},
    {"strides", get_stride, NULL, "Steps of the axes, in elements; 0 repeats.", NULL},
    {"dtype", get_dtype, NULL, "What an element is.", NULL},
    {"ndim", get_ndim, NULL, "How many axes it has.", NULL},
    {"size", get_size, NULL, "How many elements it has.", NULL},
    {"nbytes", get_nbytes, NULL, "Bytes of its elements.", NULL},
    {"itemsize", get_itemsize, NULL, "Bytes of an element.", NULL},
    {"layout", get_layout, NULL, "What its axes mean: 'plain', 'NCHW'.", NULL},
    {"readonly", get_readonly, NULL, "Whether its elements must not be written.", NULL},
    {"T", get_transposed, NULL, "The matrix transposed, a view.", NULL},
    {"mT", get_transposed, NULL, "Every matrix of a stack transposed, a view.", (void *)1},
    {0},
};
static PyMemberDef members[] = {{"__weaklistoffset__", T_PYSSIZET, offsetof(py_tensor, weak), READONLY, NULL}, {0}};
/* A second object for the same elements, which does not write them. */
static PyObject *read_only(PyObject *module, PyObject *object) {
  tsr_tensor out = {0};
  (void)module;
  if (!py_is_tensor(object)) return PyErr_Format(PyExc_TypeError, "read_only: takes a Tensor");
  const tsr_status st = tsr_share(NULL, py_handle(object), &out);
  out.flags |= TSR_READONLY;
  return py_tensor_wrap(&out, st);
}

static const PyMethodDef functions[] = {
    {"read_only", read_only, METH_O, "read_only(x, /)\n--\n\nThe same elements, not to be written by this object."},
    {0},
};
static const PyMethodDef methods[] = {
    {"__array_namespace__", (PyCFunction)(void (*)(void))get_package, METH_VARARGS | METH_KEYWORDS,
     "__array_namespace__($self, /, *, api_version=None)\n--\n\nThe module, which is the array API's namespace."},
    {0},
};
static const PyType_Slot slots[] = {
    {Py_tp_doc, "A tensor: dtype, shape, strides and elements, which other tensors may share."},
    {Py_tp_new, (void *)refuse_new},
    {Py_tp_dealloc, (void *)dealloc},
    {Py_tp_hash, (void *)PyObject_HashNotImplemented},
    {Py_tp_members, members},
    {0, NULL},
};
const py_part py_tensor_part = {.slots = slots, .methods = methods, .attributes = attributes, .functions = functions};
