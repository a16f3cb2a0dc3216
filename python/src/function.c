/* Ops of the table as built-in functions, made when the module is imported. */
#include "function.h"

/* A keyword of Python is no name of a parameter. */
static const char *python_name(const char *name) { return strcmp(name, "in") == 0 ? "x" : name; }

static bool is_required(const tsr_op_param *param) { return (param->flags & TSR_OP_OPTIONAL) == 0; }

/* Attributes in Python's order: those that must be given, those that may be left out by their places, and by name alone those that in C
 * come before one that must be given, and fields of structs of options. */
enum group { REQUIRED, OPTIONAL, NAMED, GROUPS };

static enum group group_of(const tsr_op *op, int i) {
  const tsr_op_param *const param = tsr_op_param_at(op, TSR_OP_ATTRIBUTE, i), *later;
  if ((param->flags & TSR_OP_FIELD) != 0) return NAMED;
  if (is_required(param)) return REQUIRED;
  while ((later = tsr_op_param_at(op, TSR_OP_ATTRIBUTE, ++i)) != NULL)
    if (is_required(later)) return NAMED;
  return OPTIONAL;
}

static bool add(py_function *f, const tsr_op_param *param) {
  if (f->params == PY_MOST_PARAMS) return false;
  f->param[f->params++] = param;
  return true;
}

static bool add_inputs(py_function *f) {
  const tsr_op_param *param;
  for (int optional = 0; optional < 2; optional++)
    for (int i = 0; (param = tsr_op_param_at(f->op, TSR_OP_INPUT, i)) != NULL; i++) {
      if (is_required(param) == (optional == 1)) continue;
      if (f->params == PY_MOST_INPUTS || !add(f, param)) return false;
      f->slot[f->params - 1] = i;
    }
  f->inputs = f->params;
  return true;
}

static bool add_params(py_function *f) {
  const tsr_op_param *param;
  if (!add_inputs(f)) return false;
  /* Behind an input that may be left out, what must be given has a name. */
  const bool optional = f->inputs > 0 && !is_required(f->param[f->inputs - 1]);
  f->plain = 0;
  for (int group = REQUIRED; group < GROUPS; group++)
    for (int i = 0; (param = tsr_op_param_at(f->op, TSR_OP_ATTRIBUTE, i)) != NULL; i++) {
      if ((int)group_of(f->op, i) != group) continue;
      if (f->plain == 0 && (group == NAMED || (group == REQUIRED && optional))) f->plain = f->params;
      if (!add(f, param)) return false;
    }
  if (f->plain == 0) f->plain = f->params;
  return true;
}

static bool describe(py_function *f) {
  const tsr_op_param *param;
  if (!add_params(f)) return false;
  for (int i = 0; i < f->inputs; i++) f->many_in = f->many_in || f->param[i]->type == TSR_OP_TENSORS;
  for (int i = 0; (param = tsr_op_param_at(f->op, TSR_OP_OUTPUT, i)) != NULL; i++, f->outputs++)
    if (param->type == TSR_OP_TENSORS) {
      f->many_out = true;
      f->counts = param->most != TSR_OP_AS_BEFORE;
    }
  return true;
}

static bool set_names(py_function *f) {
  static const char *const others[PY_OTHERS] = {"n", "out", "device"};
  for (int i = 0; i < f->params + PY_OTHERS; i++) {
    f->name[i] = PyUnicode_InternFromString(i < f->params ? python_name(f->param[i]->name) : others[i - f->params]);
    if (f->name[i] == NULL) return false;
  }
  return true;
}

static bool rename_to(py_function *f, int i, const char *name, size_t length) {
  PyObject *text = PyUnicode_FromStringAndSize(name, (Py_ssize_t)length);
  if (text == NULL) return false;
  PyUnicode_InternInPlace(&text);
  Py_XDECREF(f->name[i]);
  f->name[i] = text;
  return true;
}

/* Parameters as a signature of the standard has them: "x1 x2 /" has two that have places alone, "x / * axis keepdims" one, and two that go by
 * name. What it does not list goes by name. */
static bool set_params(py_function *f, const char *signature) {
  int i = 0;
  bool has_star = false;
  for (const char *at = signature; *at != 0;) {
    const size_t length = strcspn(at, " ");
    if (*at == '/') {
      f->placed = i;
    } else if (*at == '*') {
      f->plain = i;
      has_star = true;
    } else if (i == f->params || !rename_to(f, i++, at, length)) {
      if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "%s has %d parameters", f->op->name, f->params);
      return false;
    }
    at += length + (at[length] == ' ');
  }
  if (!has_star) f->plain = i;
  return true;
}

static void dealloc(PyObject *self) {
  py_function *const f = (py_function *)self;
  PyTypeObject *const type = Py_TYPE(self);
  for (int i = 0; i < f->params + PY_OTHERS; i++) Py_XDECREF(f->name[i]);
  PyMem_Free((void *)(uintptr_t)f->method.ml_doc);
  PyMem_Free((void *)(uintptr_t)f->method.ml_name);
  PyObject_Free(self);
  Py_DECREF(type);
}

static char *copy_of(const char *text) {
  char *const copy = PyMem_Malloc(strlen(text) + 1);
  return copy == NULL ? NULL : strcpy(copy, text);
}

/* The built-in function of an op under a name; signature: NULL for that of its C function. */
static PyObject *make(const tsr_op *op, const char *name, const char *signature, PyObject *module_name) {
  py_function *const f = PyObject_New(py_function, py_.function_type);
  if (f == NULL) return NULL;
  memset((char *)f + sizeof f->ob_base, 0, sizeof *f - sizeof f->ob_base);
  f->op = op;
  PyObject *function = NULL;
  if (!describe(f)) PyErr_Format(PyExc_SystemError, "%s has more parameters than there is room for", op->name);
  if (!PyErr_Occurred() && set_names(f) && (signature == NULL || set_params(f, signature))) {
    f->method = (PyMethodDef){copy_of(name), (PyCFunction)(void (*)(void))py_function_call,
                              METH_FASTCALL | METH_KEYWORDS, py_signature(f, name)};
    if (f->method.ml_name == NULL || f->method.ml_doc == NULL)
      PyErr_NoMemory();
    else
      function = PyCFunction_NewEx(&f->method, (PyObject *)f, module_name);
  }
  Py_DECREF(f);
  return function;
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "An op of the table, behind its function."}, {Py_tp_dealloc, (void *)dealloc}, {0, NULL}};
static PyType_Spec spec = {"tessera.Op", sizeof(py_function), 0, Py_TPFLAGS_DEFAULT, slots};

/* ---- functions of the module ---- */

static PyObject *all_functions(PyObject *module, PyObject *unused) {
  PyObject *const all = PyDict_New(), *const where = PyUnicode_FromString("tessera.ops");
  (void)module, (void)unused;
  for (int i = 0; all != NULL && where != NULL && i < tsr_op_count(); i++) {
    const tsr_op *const op = tsr_op_at(i);
    PyObject *const function = make(op, op->name, NULL, where);
    const int failed = function == NULL ? -1 : PyDict_SetItemString(all, op->name, function);
    Py_XDECREF(function);
    if (failed) break;
  }
  Py_XDECREF(where);
  if (!PyErr_Occurred()) return all;
  Py_XDECREF(all);
  return NULL;
}

static PyObject *alias(PyObject *module, PyObject *args) {
  const char *op_name, *name, *signature, *module_name = "tessera";
  const tsr_op *op = NULL;
  (void)module;
  if (!PyArg_ParseTuple(args, "sss|s", &op_name, &name, &signature, &module_name) ||
      !py_ok(tsr_op_get(NULL, op_name, &op)))
    return NULL;
  PyObject *const where = PyUnicode_FromString(module_name);
  PyObject *const function = where == NULL ? NULL : make(op, name, signature, where);
  Py_XDECREF(where);
  return function;
}

static const PyMethodDef functions[] = {
    {"functions", all_functions, METH_NOARGS, "functions()\n--\n\nEvery op of the table by its name, as functions."},
    {"alias", alias, METH_VARARGS,
     "alias(op, name, signature, module='tessera', /)\n--\n\nThe function of an op under a name and with parameters of "
     "its own: 'x1 x2 /'."},
    {0},
};

static int function_init(PyObject *module) {
  (void)module;
  py_.function_type = (PyTypeObject *)PyType_FromSpec(&spec);
  return py_.function_type == NULL ? -1 : 0;
}

const py_part py_call_part = {.functions = functions, .init = function_init};
