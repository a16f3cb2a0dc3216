/* Attributes of a call: objects of Python as the values that the table of ops takes. */
#include "function.h"

static bool refuse(const py_function *f, int i, const char *wanted, PyObject *value) {
  if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) return false;
  PyErr_Clear();
  PyErr_Format(PyExc_TypeError, "%s: %U is %R, it takes %s", f->method.ml_name, f->name[i], Py_TYPE(value), wanted);
  return false;
}

/* ---- single values ---- */

static bool read_whole(PyObject *value, long long *number) {
  PyObject *const whole = PyNumber_Index(value);
  if (whole == NULL) return false;
  int past = 0;
  *number = PyLong_AsLongLongAndOverflow(whole, &past);
  if (past != 0) PyErr_Format(py_.range_error, "the integer %S does not fit 64 bits", whole);
  Py_DECREF(whole);
  return past == 0 && !(*number == -1 && PyErr_Occurred());
}

static bool read_int(const py_function *f, int i, PyObject *value, tsr_attr *attr) {
  long long number;
  if (PyFloat_Check(value) || !read_whole(value, &number)) return refuse(f, i, "an integer", value);
  *attr = tsr_attr_int(f->param[i]->name, number);
  return true;
}

static bool read_bool(const py_function *f, int i, PyObject *value, tsr_attr *attr) {
  if (!PyBool_Check(value) && !PyLong_Check(value)) return refuse(f, i, "True or False", value);
  *attr = tsr_attr_bool(f->param[i]->name, PyObject_IsTrue(value) > 0);
  return true;
}

static bool read_real(const py_function *f, int i, PyObject *value, tsr_attr *attr) {
  const double number = PyUnicode_Check(value) ? -1 : PyFloat_AsDouble(value);
  if (PyUnicode_Check(value) || (number == -1 && PyErr_Occurred())) return refuse(f, i, "a number", value);
  *attr = tsr_attr_real(f->param[i]->name, number);
  return true;
}

static bool read_text(const py_function *f, int i, PyObject *value, tsr_attr *attr) {
  const char *const text = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
  if (text == NULL) return refuse(f, i, "a text", value);
  *attr = tsr_attr_text(f->param[i]->name, text);
  return true;
}

/* A word, or its number. */
static bool read_word(const py_function *f, int i, PyObject *value, tsr_attr *attr) {
  return PyUnicode_Check(value) ? read_text(f, i, value, attr) : read_int(f, i, value, attr);
}

static bool read_dtype(const py_function *f, int i, PyObject *value, tsr_attr *attr) {
  const int dtype = py_dtype_of(value);
  *attr = tsr_attr_int(f->param[i]->name, dtype);
  return dtype >= 0;
}

static bool read_rng(const py_function *f, int i, PyObject *value, tsr_attr *attr) {
  if (Py_TYPE(value) != py_.rng_type) return refuse(f, i, "a tessera.random.Rng", value);
  *attr = tsr_attr_rng(f->param[i]->name, &((py_rng *)value)->rng);
  return true;
}

/* ---- lists ---- */

/* Memory of n numbers: of the call, or its own where they are many. */
static void *room(py_attributes *a, Py_ssize_t n) {
  if (n <= (Py_ssize_t)(sizeof a->few / sizeof a->few[0]) - a->used) {
    a->used += (int)n;
    return &a->few[a->used - n];
  }
  void *const many = n > INT32_MAX ? NULL : PyMem_Malloc((size_t)n * sizeof a->few[0]);
  if (many == NULL) PyErr_NoMemory();
  return a->many[a->count] = many;
}

static bool read_wholes(const py_function *f, int i, PyObject *list, py_attributes *a) {
  const int n = (int)PyTuple_Size(list);
  tsr_index *const numbers = room(a, n);
  for (int k = 0; k < n && numbers != NULL; k++) {
    long long number;
    PyObject *const value = PyTuple_GetItem(list, k);
    if (PyFloat_Check(value) || !read_whole(value, &number)) return refuse(f, i, "integers", value);
    numbers[k] = number;
    if (number >= 0 && !__builtin_mul_overflow(a->product, number, &a->product)) continue;
    a->product = INT64_MAX;
  }
  a->attr[a->count] = tsr_attr_ints(f->param[i]->name, n, numbers);
  a->list = n;
  return numbers != NULL;
}

static bool read_reals(const py_function *f, int i, PyObject *list, py_attributes *a) {
  const int n = (int)PyTuple_Size(list);
  tsr_real *const numbers = room(a, n);
  for (int k = 0; k < n && numbers != NULL; k++) {
    PyObject *const value = PyTuple_GetItem(list, k);
    numbers[k] = PyFloat_AsDouble(value);
    if (numbers[k] == -1 && PyErr_Occurred()) return refuse(f, i, "numbers", value);
  }
  a->attr[a->count] = tsr_attr_reals(f->param[i]->name, n, numbers);
  a->list = n;
  return numbers != NULL;
}

/* A sequence, or one number, which is a list of one. */
static bool read_list(const py_function *f, int i, PyObject *value, py_attributes *a) {
  const bool real = f->param[i]->type == TSR_OP_REALS;
  const bool single =
      PyLong_Check(value) || (real && PyFloat_Check(value)) || (py_is_tensor(value) && py_handle(value)->ndim == 0);
  PyObject *const list = single ? PyTuple_Pack(1, value) : PyUnicode_Check(value) ? NULL : PySequence_Tuple(value);
  if (list == NULL) return refuse(f, i, real ? "numbers" : "integers", value);
  const bool fine = PyTuple_Size(list) > INT32_MAX ? refuse(f, i, "fewer numbers", value)
                    : real                         ? read_reals(f, i, list, a)
                                                   : read_wholes(f, i, list, a);
  Py_DECREF(list);
  return fine;
}

/* ---- all ---- */

static bool read_value(const py_function *f, int i, PyObject *value, py_attributes *a) {
  tsr_attr *const attr = &a->attr[a->count];
  switch (f->param[i]->type) {
    case TSR_OP_BOOL: return read_bool(f, i, value, attr);
    case TSR_OP_INT:
    case TSR_OP_AXIS: return read_int(f, i, value, attr);
    case TSR_OP_REAL: return read_real(f, i, value, attr);
    case TSR_OP_WORD:
    case TSR_OP_LAYOUT: return read_word(f, i, value, attr);
    case TSR_OP_DTYPE: return read_dtype(f, i, value, attr);
    case TSR_OP_INTS:
    case TSR_OP_AXES:
    case TSR_OP_REALS: return read_list(f, i, value, a);
    case TSR_OP_TEXT: return read_text(f, i, value, attr);
    case TSR_OP_RNG: return read_rng(f, i, value, attr);
    default: return refuse(f, i, "weights that C packed, which there are none of in Python", value);
  }
}

/* None stands for an optional attribute that is left out. */
static bool is_left_out(const tsr_op_param *param, PyObject *value) {
  return value == NULL || (value == Py_None && (param->flags & TSR_OP_OPTIONAL) != 0);
}

bool py_attributes_read(const py_function *f, const py_arguments *arguments, py_attributes *out) {
  out->count = out->used = out->list = 0;
  out->product = 1;
  for (int i = f->inputs; i < f->params; i++) {
    PyObject *const value = arguments->value[i];
    if (is_left_out(f->param[i], value)) continue;
    out->many[out->count] = NULL;
    const bool fine = read_value(f, i, value, out);
    out->count++; /* also what failed: it may have memory */
    if (!fine) return false;
  }
  return true;
}

void py_attributes_end(py_attributes *attributes) {
  for (int i = 0; i < attributes->count; i++) PyMem_Free(attributes->many[i]);
}
