/* Expressions: a line of mathematics over tensors of names. */
#include "module.h"

/* A compiled text as an object. One thread at a time runs it, which the interpreter's lock and `busy` see to. */
typedef struct py_expression {
  PyObject_HEAD /* clang-format off */
  tsr_expr *expr; /* clang-format on */
  bool busy;
} py_expression;

/* Names and what they stand for. */
typedef struct bindings {
  int count;
  tsr_named named[TSR_EXPR_NAMES];
  py_number number[TSR_EXPR_NAMES];
  tsr_index size;
} bindings;

/* A tensor, or a number without a dtype of its own. */
static bool bind(bindings *b, const char *name, PyObject *value) {
  const int i = b->count++;
  b->named[i].name = name;
  b->named[i].tensor = py_is_tensor(value) ? py_handle(value) : &b->number[i].tensor;
  if (py_is_tensor(value)) {
    b->size += tsr_size(py_handle(value));
    return true;
  }
  const int is = py_number_read(value, &b->number[i]);
  if (is == 0) PyErr_Format(PyExc_TypeError, "eval: '%s' is %R, it takes a Tensor or a number", name, Py_TYPE(value));
  if (is <= 0) return false;
  const bool is_real = b->number[i].class_ >= TSR_CLASS_FLOAT || b->number[i].class_ == TSR_CLASS_UINT;
  const bool is_complex = b->number[i].class_ == TSR_CLASS_COMPLEX;
  if (!py_number_as(&b->number[i], is_complex ? TSR_C128 : is_real ? TSR_F64 : TSR_I64)) return false;
  b->number[i].tensor.flags |= TSR_IS_NUMBER;
  return true;
}

static bool bind_all(bindings *b, PyObject *names) {
  PyObject *name, *value;
  Py_ssize_t at = 0;
  b->count = 0;
  b->size = 0;
  while (names != NULL && PyDict_Next(names, &at, &name, &value)) {
    const char *const text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    if (text == NULL) PyErr_SetString(PyExc_TypeError, "eval: names are texts");
    if (text != NULL && b->count == TSR_EXPR_NAMES)
      PyErr_Format(PyExc_ValueError, "eval: more than %d names", TSR_EXPR_NAMES);
    if (PyErr_Occurred() || !bind(b, text, value)) return false;
  }
  return true;
}

static PyObject *run(tsr_expr *expr, PyObject *names) {
  bindings *const b = PyMem_Malloc(sizeof *b);
  if (b == NULL) return PyErr_NoMemory();
  PyObject *result = NULL;
  PyObject *const held = names == NULL ? NULL : PyDict_Copy(names); /* its tensors stay while the lock is given back */
  if ((names == NULL || held != NULL) && bind_all(b, held)) {
    tsr_tensor out = {0};
    PyThreadState *const state = py_unlock(b->size);
    const tsr_status st = tsr_expr_run(NULL, expr, b->count, b->named, &out);
    py_lock(state);
    result = py_tensor_wrap(&out, st);
  }
  Py_XDECREF(held);
  PyMem_Free(b);
  return result;
}

/* ---- the type ---- */

static PyObject *new_expression(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"text", NULL};
  const char *text;
  tsr_expr *expr = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "s", names, &text)) return NULL;
  if (!py_ok(tsr_expr_new(NULL, text, &expr))) return NULL;
  py_expression *const object = PyObject_New(py_expression, type);
  if (object == NULL) {
    tsr_expr_release(expr);
    return NULL;
  }
  object->expr = expr;
  object->busy = false;
  return (PyObject *)object;
}

static void dealloc(PyObject *self) {
  PyTypeObject *const type = Py_TYPE(self);
  tsr_expr_release(((py_expression *)self)->expr);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *call(PyObject *self, PyObject *args, PyObject *names) {
  py_expression *const object = (py_expression *)self;
  if (PyTuple_Size(args) > 0) return PyErr_Format(PyExc_TypeError, "an expression takes its tensors by their names");
  if (object->busy) return PyErr_Format(PyExc_RuntimeError, "another thread runs this expression");
  object->busy = true;
  PyObject *const result = run(object->expr, names);
  object->busy = false;
  return result;
}

static PyObject *get_names(PyObject *self, void *unused) {
  const tsr_expr *const expr = ((const py_expression *)self)->expr;
  PyObject *const list = PyList_New(0);
  const char *name;
  (void)unused;
  for (int i = 0; list != NULL && (name = tsr_expr_name_at(expr, i)) != NULL; i++) {
    PyObject *const text = PyUnicode_FromString(name);
    const int failed = text == NULL ? -1 : PyList_Append(list, text);
    Py_XDECREF(text);
    if (failed == 0) continue;
    Py_DECREF(list);
    return NULL;
  }
  return list;
}

static PyGetSetDef attributes[] = {{"names", get_names, NULL, "The names that have to be given.", NULL}, {0}};
static PyType_Slot slots[] = {
    {Py_tp_doc, "Expression(text)\n--\n\nA line of mathematics, compiled: Expression('a*b + c')(a=x, b=y, c=1)."},
    {Py_tp_new, (void *)new_expression},
    {Py_tp_dealloc, (void *)dealloc},
    {Py_tp_call, (void *)call},
    {Py_tp_getset, attributes},
    {0, NULL},
};
static PyType_Spec spec = {"tessera.Expression", sizeof(py_expression), 0, Py_TPFLAGS_DEFAULT, slots};

static int eval_init(PyObject *module) {
  py_.expression_type = (PyTypeObject *)PyType_FromSpec(&spec);
  return py_.expression_type == NULL ? -1
                                     : PyObject_SetAttrString(module, "Expression", (PyObject *)py_.expression_type);
}

/* eval(text, /, **names). */
static PyObject *eval(PyObject *module, PyObject *args, PyObject *names) {
  const char *text;
  tsr_expr *expr = NULL;
  (void)module;
  if (!PyArg_ParseTuple(args, "s:eval", &text) || !py_ok(tsr_expr_new(NULL, text, &expr))) return NULL;
  PyObject *const result = run(expr, names);
  tsr_expr_release(expr);
  return result;
}

static const PyMethodDef functions[] = {
    {"eval", (PyCFunction)(void (*)(void))eval, METH_VARARGS | METH_KEYWORDS,
     "eval(text, /, **names)\n--\n\nThe value of a line of mathematics: eval('a*b + c', a=x, b=y, c=1)."},
    {0},
};
const py_part py_eval_part = {.functions = functions, .init = eval_init};
