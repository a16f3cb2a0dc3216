/* An op as a function of Python: which parameters it has there, in which order. */
#ifndef TESSERA_PYTHON_FUNCTION_H
#define TESSERA_PYTHON_FUNCTION_H

#include "module.h"

enum { PY_MOST_PARAMS = 40, PY_MOST_INPUTS = 12, PY_OTHERS = 3 };

/* What stands behind a built-in function: it is its `self`. Inputs come first, then attributes, as tsr_op_format has them; behind them `n` of
 * ops whose number of outputs nothing else says, `out`, and `device` of ops without inputs. */
typedef struct py_function {
  PyObject_HEAD /* clang-format off */
  const tsr_op *op; /* clang-format on */
  PyMethodDef method;
  int params;  /* without n, out and device */
  int inputs;  /* the first of them */
  int outputs; /* 1 where they are a list */
  int plain;   /* so many may be given by their places, the others by name */
  int placed;  /* the first of them have places alone */
  bool many_in, many_out;
  bool counts;              /* takes n */
  int slot[PY_MOST_INPUTS]; /* where an input stands in C's call: those that must be given come first in Python */
  const tsr_op_param *param[PY_MOST_PARAMS];
  PyObject *name[PY_MOST_PARAMS + PY_OTHERS];
} py_function;

/* The arguments of a call, by parameter; NULL: not given. Borrowed. */
typedef struct py_arguments {
  PyObject *value[PY_MOST_PARAMS + PY_OTHERS];
} py_arguments;
static inline PyObject *py_argument_n(const py_function *f, const py_arguments *a) { return a->value[f->params]; }
static inline PyObject *py_argument_out(const py_function *f, const py_arguments *a) { return a->value[f->params + 1]; }
static inline PyObject *py_argument_device(const py_function *f, const py_arguments *a) {
  return a->value[f->params + 2];
}

/* arguments.c: puts arguments into their places. false and an exception where they do not fit. */
bool py_arguments_read(const py_function *f, PyObject *const *args, Py_ssize_t count, PyObject *names,
                       py_arguments *out);

/* attributes.c: the attributes of a call, with the memory of their lists. */
typedef struct py_attributes {
  int count;
  tsr_attr attr[PY_MOST_PARAMS];
  int used; /* of few */
  union {
    tsr_index whole;
    tsr_real real;
  } few[64];
  void *many[PY_MOST_PARAMS]; /* lists that are longer; NULL */
  int list;                   /* numbers in the last list */
  tsr_index product;          /* of all numbers in lists of wholes: the elements of a shape */
} py_attributes;
bool py_attributes_read(const py_function *f, const py_arguments *arguments, py_attributes *out);
void py_attributes_end(py_attributes *attributes);

/* inputs.c: the inputs of a call: tensors, numbers beside them, a sequence of them. */
typedef struct py_inputs {
  int count;
  const tsr_tensor **in; /* few, or memory of its own */
  const tsr_tensor *few[PY_MOST_INPUTS];
  PyObject *held; /* a sequence as a tuple */
  tsr_index size; /* elements of all */
  py_number number[PY_MOST_INPUTS];
} py_inputs;
bool py_inputs_read(const py_function *f, const py_arguments *arguments, py_inputs *out);
void py_inputs_end(py_inputs *inputs);

/* signature.c: the text of the function's documentation, in memory of PyMem_Malloc. */
char *py_signature(const py_function *f, const char *name);

/* call.c: the function itself. */
PyObject *py_function_call(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names);

#endif
