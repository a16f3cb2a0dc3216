/* Dtypes as objects: one for each, equal to itself and to nothing else. */
#include "module.h"

typedef struct py_dtype {
  PyObject_HEAD /* clang-format off */
  int dtype; /* clang-format on */
} py_dtype;

/* The standard's names, by number; the library's own for what the standard does not know. */
static const char *const names[TSR_DTYPE_COUNT] = {
    [TSR_BOOL] = "bool",       [TSR_I8] = "int8",       [TSR_I16] = "int16",           [TSR_I32] = "int32",
    [TSR_I64] = "int64",       [TSR_U8] = "uint8",      [TSR_U16] = "uint16",          [TSR_U32] = "uint32",
    [TSR_U64] = "uint64",      [TSR_F16] = "float16",   [TSR_BF16] = "bfloat16",       [TSR_F32] = "float32",
    [TSR_F64] = "float64",     [TSR_C64] = "complex64", [TSR_F8_E4M3] = "float8_e4m3", [TSR_F8_E5M2] = "float8_e5m2",
    [TSR_C128] = "complex128",
};

const char *py_dtype_name(int dtype) { return names[dtype]; }

static int find(const char *name) {
  for (int i = 1; i < TSR_DTYPE_COUNT; i++)
    if (strcmp(names[i], name) == 0) return i;
  return tsr_dtype_find(name);
}

/* The name that an object has for a dtype: a text, NumPy's dtypes and types, PyTorch's. A new reference, or NULL without an
 * exception. */
static PyObject *name_of(PyObject *object) {
  if (PyUnicode_Check(object)) return py_ref(object);
  PyObject *name = PyObject_GetAttrString(object, PyType_Check(object) ? "__name__" : "name");
  if (name == NULL) PyErr_Clear();
  if (name != NULL && !PyUnicode_Check(name)) Py_CLEAR(name);
  return name;
}

int py_dtype_of(PyObject *object) {
  if (Py_TYPE(object) == py_.dtype_type) return ((const py_dtype *)object)->dtype;
  if (object == (PyObject *)&PyBool_Type) return TSR_BOOL;
  if (object == (PyObject *)&PyLong_Type) return TSR_I64;
  if (object == (PyObject *)&PyFloat_Type) return TSR_F64;
  if (object == (PyObject *)&PyComplex_Type) return TSR_C128;
  PyObject *const name = name_of(object);
  const char *const text = name == NULL ? NULL : PyUnicode_AsUTF8AndSize(name, NULL);
  const int dtype = text == NULL ? TSR_NONE : find(text);
  if (dtype == TSR_NONE && !PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "%R is no dtype", object);
  Py_XDECREF(name);
  return dtype == TSR_NONE ? -1 : dtype;
}

/* ---- the type ---- */

static PyObject *repr(PyObject *self) {
  return PyUnicode_FromFormat("tessera.%s", names[((const py_dtype *)self)->dtype]);
}

static PyObject *str(PyObject *self) { return PyUnicode_FromString(names[((const py_dtype *)self)->dtype]); }

static PyObject *get_itemsize(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromSize_t(tsr_dtype_size(((const py_dtype *)self)->dtype));
}

static PyObject *get_name(PyObject *self, void *unused) {
  (void)unused;
  return str(self);
}

static PyObject *get_short(PyObject *self, void *unused) {
  (void)unused;
  return PyUnicode_FromString(tsr_dtype_name(((const py_dtype *)self)->dtype));
}

static PyObject *get_kind(PyObject *self, void *unused) {
  static const char *const kinds[] = {
      "none", "bool", "signed integer", "unsigned integer", "real floating", "complex floating"};
  (void)unused;
  return PyUnicode_FromString(kinds[py_class_of(((const py_dtype *)self)->dtype)]);
}

/* Pickled and copied as the attribute of the module that it is. */
static PyObject *reduce(PyObject *self, PyObject *unused) {
  (void)unused;
  return str(self);
}

static PyObject *refuse_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  (void)type, (void)args, (void)keywords;
  return PyErr_Format(PyExc_TypeError, "dtypes are there already: tessera.float32");
}

static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, NULL}, {0}};
static PyGetSetDef attributes[] = {
    {"name", get_name, NULL, "The standard's name: 'float32'.", NULL},
    {"short", get_short, NULL, "The library's name: 'f32'.", NULL},
    {"kind", get_kind, NULL, "What isdtype calls it: 'real floating'.", NULL},
    {"itemsize", get_itemsize, NULL, "Bytes of an element.", NULL},
    {0},
};
static PyType_Slot slots[] = {
    {Py_tp_doc, "A dtype of tensors: tessera.float32, tessera.bfloat16. There is one object for each."},
    {Py_tp_new, (void *)refuse_new},
    {Py_tp_repr, (void *)repr},
    {Py_tp_str, (void *)str},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, NULL},
};
static PyType_Spec spec = {"tessera.DType", sizeof(py_dtype), 0, Py_TPFLAGS_DEFAULT, slots};

static int dtype_init(PyObject *module) {
  py_.dtype_type = (PyTypeObject *)PyType_FromSpec(&spec);
  if (py_.dtype_type == NULL || PyObject_SetAttrString(module, "DType", (PyObject *)py_.dtype_type) < 0) return -1;
  for (int i = 1; i < TSR_DTYPE_COUNT; i++) {
    py_dtype *const object = PyObject_New(py_dtype, py_.dtype_type);
    if (object == NULL) return -1;
    object->dtype = i;
    py_.dtypes[i] = (PyObject *)object;
    if (PyObject_SetAttrString(module, names[i], py_.dtypes[i]) < 0) return -1;
  }
  return 0;
}

/* ---- functions of the module ---- */

static PyObject *promote(PyObject *module, PyObject *args) {
  PyObject *a, *b;
  (void)module;
  if (!PyArg_ParseTuple(args, "OO", &a, &b)) return NULL;
  const int one = py_dtype_of(a), two = one < 0 ? -1 : py_dtype_of(b);
  return two < 0 ? NULL : py_ref(py_.dtypes[tsr_dtype_promote(one, two)]);
}

static PyObject *to_dtype(PyObject *module, PyObject *object) {
  (void)module;
  const int dtype = py_dtype_of(object);
  return dtype < 0 ? NULL : py_ref(py_.dtypes[dtype]);
}

static const PyMethodDef functions[] = {
    {"promote", promote, METH_VARARGS, "promote(a, b, /)\n--\n\nThe dtype of a result of two dtypes."},
    {"to_dtype", to_dtype, METH_O, "to_dtype(object, /)\n--\n\nThe dtype that an object names."},
    {0},
};

const py_part py_dtype_part = {.functions = functions, .init = dtype_init};
