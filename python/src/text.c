/* Tensors as text: repr and str as NumPy has them. */
#include "module.h"

/* The numbers as the library prints them, without the newline at the end. */
static PyObject *printed(const tsr_tensor *t, char separator, int width) {
  const tsr_print_options options = {.separator = separator, .line_width = width};
  size_t needed = 0;
  if (!py_ok(tsr_print_text(NULL, t, &options, NULL, 0, &needed))) return NULL;
  char *const text = PyMem_Malloc(needed + 1);
  if (text == NULL) return PyErr_NoMemory();
  PyObject *plain = NULL;
  if (py_ok(tsr_print_text(NULL, t, &options, text, needed + 1, NULL)))
    plain =
        PyUnicode_FromStringAndSize(text, (Py_ssize_t)(needed > 0 && text[needed - 1] == '\n' ? needed - 1 : needed));
  PyMem_Free(text);
  return plain;
}

static PyObject *numbers(const tsr_tensor *t, char separator, int width) {
  tsr_tensor host;
  if (!py_on_host(t, &host)) return NULL;
  PyObject *const text = printed(&host, separator, width);
  tsr_release(&host);
  return text;
}

/* text with one thing for another; takes it over. */
static PyObject *replaced(PyObject *text, const char *from_text, const char *to_text) {
  PyObject *const from = PyUnicode_FromString(from_text), *const to = PyUnicode_FromString(to_text);
  PyObject *const result = text == NULL || from == NULL || to == NULL ? NULL : PyUnicode_Replace(text, from, to, -1);
  Py_XDECREF(from);
  Py_XDECREF(to);
  Py_XDECREF(text);
  return result;
}

/* The lines after the first begin below the first bracket, but for empty ones. */
static PyObject *indented(PyObject *text) { return replaced(replaced(text, "\n", "\n       "), "\n       \n", "\n\n"); }

/* What numbers alone do not say: the shape where there are none, the dtype where it is no default, the device. A new reference. */
static PyObject *suffix(const tsr_tensor *t) {
  const bool is_empty = tsr_size(t) == 0, is_host = tsr_device_of(t)->is_host;
  const bool is_plain = t->dtype == TSR_F64 || t->dtype == TSR_I64 || t->dtype == TSR_BOOL || t->dtype == TSR_C128;
  PyObject *const shape = py_tuple_of(t->ndim, t->shape);
  if (shape == NULL) return NULL;
  PyObject *const size =
      is_empty && t->ndim != 1 ? PyUnicode_FromFormat(", shape=%R", shape) : PyUnicode_FromString("");
  Py_DECREF(shape);
  if (size == NULL) return NULL;
  PyObject *const text = PyUnicode_FromFormat(
      "%U%s%s%s%s%s", size,
      is_plain && !is_empty ? "" : ", dtype=", is_plain && !is_empty ? "" : py_dtype_name(t->dtype),
      is_host ? "" : ", device='", is_host ? "" : py_device_name(t), is_host ? "" : "'");
  Py_DECREF(size);
  return text;
}

static PyObject *repr(PyObject *self) {
  PyObject *const elements = indented(numbers(py_handle(self), ',', 68));
  PyObject *const rest = elements == NULL ? NULL : suffix(py_handle(self));
  PyObject *const text = rest == NULL ? NULL : PyUnicode_FromFormat("Tensor(%U%U)", elements, rest);
  Py_XDECREF(elements);
  Py_XDECREF(rest);
  return text;
}

static PyObject *str(PyObject *self) { return numbers(py_handle(self), 0, 75); }

/* A specification is for the number that a tensor of rank 0 is. */
static PyObject *format(PyObject *self, PyObject *specification) {
  if (PyUnicode_Check(specification) && PyUnicode_GetLength(specification) == 0) return str(self);
  PyObject *const element = PyObject_CallMethod(self, "item", NULL);
  PyObject *const text = element == NULL ? NULL : PyObject_Format(element, specification);
  Py_XDECREF(element);
  return text;
}

/* What notebooks show, which Python's text writes. */
static PyObject *repr_html(PyObject *self, PyObject *unused) {
  (void)unused;
  PyObject *const module = PyImport_ImportModule("tessera._html");
  PyObject *const text = module == NULL ? NULL : PyObject_CallMethod(module, "render", "O", self);
  Py_XDECREF(module);
  return text;
}

static const PyMethodDef methods[] = {
    {"__format__", format, METH_O, "__format__($self, format_spec, /)\n--\n\nformat(self)"},
    {"_repr_html_", repr_html, METH_NOARGS, "_repr_html_($self, /)\n--\n\nFor notebooks."},
    {0}};
static const PyType_Slot slots[] = {{Py_tp_repr, (void *)repr}, {Py_tp_str, (void *)str}, {0, NULL}};
const py_part py_text_part = {.slots = slots, .methods = methods};
