/* Inputs of a call: tensors, and numbers that take the dtype of the tensors beside them. */
#include "function.h"

static bool refuse(const py_function *f, PyObject *name, PyObject *value) {
  PyErr_Format(PyExc_TypeError, "%s: %U is %R, it takes a Tensor (tessera.asarray makes one)", f->method.ml_name, name,
               Py_TYPE(value));
  return false;
}

/* Inputs of a dtype of their own (masks, indices) have no say in that of a number. */
static bool follows_rule(const tsr_op_param *param) { return param->takes == 0; }

/* What the tensors among the inputs promote to; TSR_NONE where there are none. */
static int dtype_of_tensors(const py_function *f, const py_arguments *a) {
  int dtype = TSR_NONE;
  for (int i = 0; i < f->inputs; i++) {
    PyObject *const value = a->value[i];
    if (value == NULL || !py_is_tensor(value) || !follows_rule(f->param[i])) continue;
    const int own = py_handle(value)->dtype;
    dtype = dtype == TSR_NONE ? own : tsr_dtype_promote(dtype, own);
  }
  return dtype;
}

static bool has_tensor(const py_function *f, const py_arguments *a) {
  for (int i = 0; i < f->inputs; i++)
    if (a->value[i] != NULL && py_is_tensor(a->value[i])) return true;
  return false;
}

/* All numbers take the same dtype, so that where(mask, 1, 0.5) gives floats. */
static bool read_numbers(const py_function *f, const py_arguments *a, py_inputs *out) {
  int dtype = dtype_of_tensors(f, a);
  bool is_number[PY_MOST_INPUTS] = {false};
  for (int i = 0; i < f->inputs; i++) {
    if (a->value[i] == NULL || a->value[i] == Py_None || py_is_tensor(a->value[i])) continue;
    const int is = has_tensor(f, a) && follows_rule(f->param[i]) ? py_number_read(a->value[i], &out->number[i]) : 0;
    if (is <= 0) return is < 0 ? false : refuse(f, f->name[i], a->value[i]);
    is_number[i] = true;
    const int own = py_number_dtype(&out->number[i], dtype);
    dtype = dtype == TSR_NONE ? own : tsr_dtype_promote(dtype, own);
  }
  for (int i = 0; i < f->inputs; i++)
    if (is_number[i] && !py_number_as(&out->number[i], dtype)) return false;
  return true;
}

static bool read_few(const py_function *f, const py_arguments *a, py_inputs *out) {
  bool all = true;
  for (int i = 0; i < f->inputs; i++) all = all && a->value[i] != NULL && py_is_tensor(a->value[i]);
  if (!all && !read_numbers(f, a, out)) return false;
  for (int i = 0; i < f->inputs; i++) {
    PyObject *const value = a->value[i];
    const tsr_tensor *in = NULL;
    if (value != NULL && value != Py_None) in = py_is_tensor(value) ? py_handle(value) : &out->number[i].tensor;
    if (in == NULL && (f->param[i]->flags & TSR_OP_OPTIONAL) == 0) return refuse(f, f->name[i], value);
    if (in != NULL) out->size += tsr_size(in);
    out->in[f->slot[i]] = in;
  }
  out->count = f->inputs;
  return true;
}

/* A sequence of tensors, which is copied: another thread might change a list meanwhile. */
static bool read_many(const py_function *f, PyObject *sequence, py_inputs *out) {
  if (py_is_tensor(sequence)) return refuse(f, f->name[0], sequence);
  out->held = PySequence_Tuple(sequence);
  if (out->held == NULL) return false;
  const Py_ssize_t n = PyTuple_Size(out->held);
  if (n > INT32_MAX) return refuse(f, f->name[0], sequence);
  if (n > PY_MOST_INPUTS) out->in = PyMem_Malloc((size_t)n * sizeof *out->in);
  if (out->in == NULL) {
    PyErr_NoMemory();
    return false;
  }
  out->count = (int)n;
  for (int i = 0; i < out->count; i++) {
    PyObject *const value = PyTuple_GetItem(out->held, i);
    if (!py_is_tensor(value)) return refuse(f, f->name[0], value);
    out->in[i] = py_handle(value);
    out->size += tsr_size(out->in[i]);
  }
  return true;
}

bool py_inputs_read(const py_function *f, const py_arguments *arguments, py_inputs *out) {
  out->count = 0;
  out->in = out->few;
  out->held = NULL;
  out->size = 0;
  return f->many_in ? read_many(f, arguments->value[0], out) : read_few(f, arguments, out);
}

void py_inputs_end(py_inputs *inputs) {
  if (inputs->in != inputs->few) PyMem_Free(inputs->in);
  Py_XDECREF(inputs->held);
}
