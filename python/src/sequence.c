/* Tensors of numbers of Python in nested sequences. */
#include "module.h"

/* What a first look at the nest finds: its shape, and what holds all of its numbers. */
typedef struct nest {
  int ndim; /* -1: no number was reached yet */
  tsr_index shape[TSR_MAX_DIMS];
  int class_;      /* the widest of the numbers */
  bool is_signed;  /* one of them is below 0 */
  bool has_tensor; /* tensors among the sequences: they are taken apart as lists */
} nest;

static bool is_sequence(PyObject *object) { return PyList_Check(object) || PyTuple_Check(object); }

static PyObject *entry_at(PyObject *sequence, Py_ssize_t i) {
  return PyList_Check(sequence) ? PyList_GetItem(sequence, i) : PyTuple_GetItem(sequence, i);
}

static Py_ssize_t length_of(PyObject *sequence) {
  return PyList_Check(sequence) ? PyList_Size(sequence) : PyTuple_Size(sequence);
}

static bool ragged(void) {
  PyErr_SetString(PyExc_ValueError, "asarray: sequences at one depth have different lengths");
  return false;
}

static bool look_at_number(PyObject *object, int depth, nest *n) {
  py_number number;
  const int is = py_number_read(object, &number);
  if (is == 0) PyErr_Format(PyExc_TypeError, "asarray: %R is no number", Py_TYPE(object));
  if (is <= 0) return false;
  if (n->ndim >= 0 && n->ndim != depth) return ragged();
  n->ndim = depth;
  if (number.class_ > n->class_) n->class_ = number.class_;
  n->is_signed = n->is_signed || (number.class_ == TSR_CLASS_INT && !number.is_huge && number.value.whole < 0);
  return true;
}

/* first: no sequence of this depth was seen yet. */
static bool look(PyObject *object, int depth, bool first, nest *n) {
  if (!is_sequence(object)) return look_at_number(object, depth, n);
  const Py_ssize_t length = length_of(object);
  if (depth == TSR_MAX_DIMS) {
    PyErr_Format(PyExc_ValueError, "asarray: sequences are nested more than %d deep", TSR_MAX_DIMS);
    return false;
  }
  if (n->ndim >= 0 && depth >= n->ndim) return ragged();
  if (!first && n->shape[depth] != length) return ragged();
  n->shape[depth] = length;
  for (Py_ssize_t i = 0; i < length; i++)
    if (!look(entry_at(object, i), depth + 1, first && i == 0, n)) return false;
  if (length == 0 && n->ndim < 0) n->ndim = depth + 1;
  return true;
}

static bool store(PyObject *object, int depth, const nest *n, int dtype, char **at) {
  if (depth < n->ndim) {
    for (Py_ssize_t i = 0; i < n->shape[depth]; i++) {
      /* A number's own code may run meanwhile and change a list. */
      if (!is_sequence(object) || length_of(object) <= i) return ragged();
      if (!store(entry_at(object, i), depth + 1, n, dtype, at)) return false;
    }
    return true;
  }
  py_number number;
  const int is = py_number_read(object, &number);
  if (is == 0) return ragged();
  if (is < 0 || !py_number_store(&number, dtype, *at)) return false;
  *at += tsr_dtype_size(dtype);
  return true;
}

static int dtype_of(const nest *n) {
  switch (n->class_) {
    case TSR_CLASS_BOOL: return TSR_BOOL;
    case TSR_CLASS_INT: return TSR_I64;
    case TSR_CLASS_UINT: return n->is_signed ? TSR_F64 : TSR_U64;
    case TSR_CLASS_COMPLEX: return TSR_C128;
    default: return TSR_F64;
  }
}

static PyObject *from_sequence(PyObject *object, int dtype) {
  nest n = {.ndim = -1};
  if (!look(object, 0, true, &n)) return NULL;
  if (dtype == TSR_NONE) dtype = dtype_of(&n);
  tsr_tensor t = {0};
  if (!py_ok(tsr_empty(NULL, dtype, n.ndim, n.shape, &t))) return NULL;
  char *at = t.data;
  if (!store(object, 0, &n, dtype, &at)) {
    tsr_release(&t);
    return NULL;
  }
  return py_tensor_wrap(&t, TSR_OK);
}

/* Sequences in which there are tensors or arrays: those are stacked. NULL and no exception: there are none. */
static bool has_array(PyObject *object) {
  if (PyFloat_CheckExact(object) || PyLong_CheckExact(object) || PyBool_Check(object)) return false;
  if (!is_sequence(object)) return PyObject_HasAttrString(object, "__dlpack__");
  return length_of(object) > 0 && has_array(entry_at(object, 0));
}

static PyObject *stack(PyObject *sequence) {
  const Py_ssize_t n = length_of(sequence);
  PyObject *const parts = PyTuple_New(n);
  const tsr_tensor **const in = n > INT32_MAX ? NULL : PyMem_Malloc((size_t)(n + 1) * sizeof *in);
  bool fine = parts != NULL && in != NULL;
  for (Py_ssize_t i = 0; i < n && fine; i++) {
    PyObject *const part = i < length_of(sequence) ? py_asarray(entry_at(sequence, i)) : NULL;
    fine = part != NULL && PyTuple_SetItem(parts, i, part) == 0;
    if (fine) in[i] = py_handle(part);
  }
  PyObject *result = NULL;
  if (fine) {
    tsr_tensor out = {0};
    const tsr_status st = tsr_stack(NULL, (int)n, in, 0, &out);
    result = py_tensor_wrap(&out, st);
  }
  PyMem_Free((void *)in);
  Py_XDECREF(parts);
  if (result == NULL && !PyErr_Occurred()) PyErr_NoMemory();
  return result;
}

static PyObject *as_tensor(PyObject *object, int dtype) {
  PyObject *tensor = NULL;
  if (py_is_tensor(object)) return py_ref(object);
  py_number number;
  const int is = py_number_read(object, &number);
  if (is < 0) return NULL;
  if (is == 0 && !is_sequence(object)) {
    int found = py_from_buffer(object, &tensor);
    if (found == 0) found = py_from_dlpack(object, &tensor);
    if (found != 0) return tensor;
  }
  if (is_sequence(object) && has_array(object)) return stack(object);
  if (is > 0 || is_sequence(object)) return from_sequence(object, dtype);
  PyObject *const list = PySequence_Check(object) && !PyUnicode_Check(object) ? PySequence_List(object) : NULL;
  if (list == NULL) {
    PyErr_Clear();
    return PyErr_Format(PyExc_TypeError, "asarray: %R holds no numbers", Py_TYPE(object));
  }
  tensor = from_sequence(list, dtype);
  Py_DECREF(list);
  return tensor;
}

PyObject *py_asarray(PyObject *object) { return as_tensor(object, TSR_NONE); }

/* With a dtype where numbers are made; whoever has elements already keeps theirs. */
static PyObject *make(PyObject *module, PyObject *args) {
  PyObject *object, *name;
  (void)module;
  if (!PyArg_ParseTuple(args, "OO", &object, &name)) return NULL;
  const int dtype = name == Py_None ? TSR_NONE : py_dtype_of(name);
  return dtype < 0 ? NULL : as_tensor(object, dtype);
}

static const PyMethodDef functions[] = {
    {"make", make, METH_VARARGS,
     "make(object, dtype, /)\n--\n\nThe tensor that holds the numbers of an object, shared where that is possible."},
    {0},
};
const py_part py_sequence_part = {.functions = functions};
