/* The documentation of an op's function, out of the table: its signature in Python, what it does, and its dtypes. */
#include "function.h"

/* A text that grows by what is written to it; with capacity 0 it only counts. */
typedef struct writer {
  char *text;
  size_t length, capacity;
} writer;

static void put(writer *w, const char *text) {
  const size_t n = strlen(text);
  if (w->length + n < w->capacity) memcpy(w->text + w->length, text, n + 1);
  w->length += n;
}

static void put_number(writer *w, double number, bool is_real) {
  char *const text = PyOS_double_to_string(number, 'r', 0, is_real ? Py_DTSF_ADD_DOT_0 : 0, NULL);
  if (text != NULL) put(w, text);
  PyMem_Free(text);
}

/* What an optional parameter is where it is left out, as Python writes it. */
static void put_default(writer *w, const tsr_op_param *param) {
  const int64_t integer = param->default_value.integer;
  const double real = param->default_value.real;
  put(w, "=");
  if (param->type == TSR_OP_BOOL) {
    put(w, integer ? "True" : "False");
  } else if (param->type == TSR_OP_DTYPE && integer > 0) {
    put(w, "'"), put(w, py_dtype_name((int)integer)), put(w, "'");
  } else if (param->type == TSR_OP_WORD && tsr_op_word(param, (int)integer) != NULL) {
    put(w, "'"), put(w, tsr_op_word(param, (int)integer)), put(w, "'");
  } else if (param->type == TSR_OP_REAL && real == real) {
    put_number(w, real, true);
  } else if ((param->type == TSR_OP_INT || (param->type == TSR_OP_AXIS && integer > -100)) && integer > INT32_MIN) {
    put_number(w, (double)integer, false);
  } else {
    put(w, "None");
  }
}

static void put_parameters(writer *w, const py_function *f) {
  for (int i = 0; i < f->params; i++) {
    if (i > 0) put(w, ", ");
    if (i > 0 && i == f->placed) put(w, "/, ");
    if (i == f->plain) put(w, "*, ");
    put(w, PyUnicode_AsUTF8AndSize(f->name[i], NULL));
    if ((f->param[i]->flags & TSR_OP_OPTIONAL) != 0) put_default(w, f->param[i]);
  }
  if (f->params > 0) put(w, ", ");
  if (f->params > 0 && f->placed == f->params) put(w, "/, ");
  if (f->plain == f->params) put(w, "*, ");
  put(w, f->counts ? "n, out=None" : "out=None");
  if (f->inputs == 0) put(w, ", device=None");
}

static void put_all(writer *w, const py_function *f, const char *name) {
  char text[1024];
  put(w, name), put(w, "("), put_parameters(w, f), put(w, ")\n--\n\n");
  put(w, tsr_op_brief(f->op)), put(w, ".\n\n");
  tsr_op_format(f->op, text, sizeof text);
  put(w, text), put(w, "\n");
  tsr_op_format_dtypes(f->op, text, sizeof text);
  put(w, text);
}

char *py_signature(const py_function *f, const char *name) {
  writer w = {NULL, 0, 0};
  put_all(&w, f, name);
  w.capacity = w.length + 1;
  w.text = PyMem_Malloc(w.capacity);
  w.length = 0;
  if (w.text != NULL) put_all(&w, f, name);
  return w.text;
}
