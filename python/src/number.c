/* Numbers of Python: they have no dtype of their own, and take that of the tensor that they meet. */
#include "module.h"

static void read_complex(PyObject *object, py_number *number) {
  number->class_ = TSR_CLASS_COMPLEX;
  number->value.real[0] = PyComplex_RealAsDouble(object);
  number->value.real[1] = PyComplex_ImagAsDouble(object);
}

static int read_float(PyObject *object, py_number *number) {
  number->class_ = TSR_CLASS_FLOAT;
  number->value.real[0] = PyFloat_AsDouble(object);
  number->value.real[1] = 0;
  return number->value.real[0] == -1 && PyErr_Occurred() ? -1 : 1;
}

/* An int past 64 bits, which floats may hold. */
static int read_huge(PyObject *object, py_number *number) {
  number->is_huge = true;
  number->class_ = TSR_CLASS_INT;
  number->value.real[0] = PyLong_AsDouble(object);
  number->value.real[1] = 0;
  if (number->value.real[0] != -1 || !PyErr_Occurred()) return 1;
  if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return -1;
  PyErr_Clear();
  PyErr_SetString(py_.range_error, "the integer does not fit float64");
  return -1;
}

static int read_int(PyObject *object, py_number *number) {
  int past = 0;
  number->class_ = TSR_CLASS_INT;
  number->value.whole = PyLong_AsLongLongAndOverflow(object, &past);
  if (past == 0) return number->value.whole == -1 && PyErr_Occurred() ? -1 : 1;
  if (past < 0) return read_huge(object, number);
  number->class_ = TSR_CLASS_UINT;
  number->value.natural = PyLong_AsUnsignedLongLong(object);
  if (number->value.natural != UINT64_MAX || !PyErr_Occurred()) return 1;
  PyErr_Clear();
  return read_huge(object, number);
}

/* What NumPy's scalars say of themselves: 'b', 'c', …; 0: nothing. */
static char kind_of(PyObject *object) {
  PyObject *const dtype = PyObject_GetAttrString(object, "dtype");
  PyObject *const kind = dtype == NULL ? NULL : PyObject_GetAttrString(dtype, "kind");
  const char *const text = kind != NULL && PyUnicode_Check(kind) ? PyUnicode_AsUTF8AndSize(kind, NULL) : NULL;
  const char first = text == NULL ? 0 : text[0];
  PyErr_Clear();
  Py_XDECREF(dtype);
  Py_XDECREF(kind);
  return first;
}

static int read_bool(PyObject *object, py_number *number) {
  number->class_ = TSR_CLASS_BOOL;
  number->value.whole = PyObject_IsTrue(object);
  return number->value.whole < 0 ? -1 : 1;
}

static int read_as_int(PyObject *object, py_number *number) {
  PyObject *const whole = PyNumber_Index(object);
  const int is = whole == NULL ? -1 : read_int(whole, number);
  Py_XDECREF(whole);
  return is;
}

/* Numbers of other libraries. Arrays are none, though they have the same slots. */
static int read_foreign(PyObject *object, py_number *number) {
  if (!PyNumber_Check(object) || PyType_Check(object)) return 0;
  if (PyObject_HasAttrString(object, "__len__") || PyObject_HasAttrString(object, "__dlpack__")) return 0;
  const char kind = kind_of(object);
  if (kind == 'b') return read_bool(object, number);
  if (kind == 'c') {
    PyObject *const value = PyObject_CallFunctionObjArgs((PyObject *)&PyComplex_Type, object, NULL);
    if (value == NULL) return -1;
    read_complex(value, number);
    Py_DECREF(value);
    return 1;
  }
  if (PyIndex_Check(object)) return read_as_int(object, number);
  return PyObject_HasAttrString(object, "__float__") ? read_float(object, number) : 0;
}

int py_number_read(PyObject *object, py_number *number) {
  number->is_huge = false;
  if (PyFloat_Check(object)) return read_float(object, number);
  if (PyBool_Check(object)) return read_bool(object, number);
  if (PyLong_Check(object)) return read_int(object, number);
  if (PyComplex_Check(object)) {
    read_complex(object, number);
    return 1;
  }
  if (py_is_tensor(object) || object == Py_None) return 0;
  return read_foreign(object, number);
}

int py_number_dtype(const py_number *number, int dtype) {
  static const int alone[] = {[TSR_CLASS_BOOL] = TSR_BOOL,
                              [TSR_CLASS_INT] = TSR_I64,
                              [TSR_CLASS_UINT] = TSR_U64,
                              [TSR_CLASS_FLOAT] = TSR_F64,
                              [TSR_CLASS_COMPLEX] = TSR_C128};
  if (dtype == TSR_NONE) return alone[number->class_];
  const int class_ = py_class_of(dtype);
  const bool is_whole = class_ == TSR_CLASS_INT || class_ == TSR_CLASS_UINT;
  if (number->class_ <= class_ || (is_whole && number->class_ == TSR_CLASS_UINT)) return dtype;
  if (number->class_ != TSR_CLASS_COMPLEX || class_ != TSR_CLASS_FLOAT) return alone[number->class_];
  return dtype == TSR_F64 ? TSR_C128 : TSR_C64;
}

/* ---- as an element ---- */

/* Whether a whole number fits an integer dtype of so many bytes. */
static bool fits(const py_number *number, int class_, size_t bytes) {
  const unsigned bits = (unsigned)bytes * 8;
  if (number->class_ == TSR_CLASS_UINT) return class_ == TSR_CLASS_UINT && bytes == 8;
  const int64_t whole = number->value.whole;
  if (class_ == TSR_CLASS_UINT) return whole >= 0 && (bytes == 8 || (uint64_t)whole >> bits == 0);
  return bytes == 8 || (whole >= -((int64_t)1 << (bits - 1)) && whole < (int64_t)1 << (bits - 1));
}

static bool store_whole(const py_number *number, int dtype, void *address) {
  const tsr_dtype_info *const info = tsr_dtype_describe(dtype);
  if (number->is_huge) {
    PyErr_Format(py_.range_error, "the integer does not fit the 64 bits of %s", py_dtype_name(dtype));
    return false;
  }
  if (!fits(number, info->class_, info->bytes)) {
    PyErr_Format(py_.range_error, number->class_ == TSR_CLASS_UINT ? "%llu does not fit %s" : "%lld does not fit %s",
                 number->value.whole, py_dtype_name(dtype));
    return false;
  }
  const uint64_t bits = (uint64_t)number->value.whole; /* of an unsigned one as well: they share their bytes */
  switch (info->bytes) {
    case 1: *(uint8_t *)address = (uint8_t)bits; break;
    case 2: *(uint16_t *)address = (uint16_t)bits; break;
    case 4: *(uint32_t *)address = (uint32_t)bits; break;
    default: *(uint64_t *)address = bits;
  }
  return true;
}

static double real_of(const py_number *number) {
  if (number->is_huge) return number->value.real[0];
  if (number->class_ == TSR_CLASS_UINT) return (double)number->value.natural;
  return number->class_ < TSR_CLASS_FLOAT ? (double)number->value.whole : number->value.real[0];
}

/* A number of rank 0 in memory of the caller's. */
static void describe(int dtype, void *address, tsr_tensor *t) {
  memset(t, 0, sizeof *t);
  t->dtype = (uint8_t)dtype;
  for (int i = 0; i < TSR_MAX_DIMS; i++) t->shape[i] = 1;
  t->data = address;
}

/* As a cast does: wholes saturate, small floats round once. */
static bool store_cast(double real, int dtype, void *address) {
  tsr_tensor from, to;
  describe(TSR_F64, &real, &from);
  describe(dtype, address, &to);
  return py_ok(tsr_cast(NULL, &from, dtype, &to));
}

bool py_number_store(const py_number *number, int dtype, void *address) {
  const int class_ = py_class_of(dtype);
  const double real = real_of(number);
  if (class_ == TSR_CLASS_COMPLEX) {
    const double imaginary = number->class_ == TSR_CLASS_COMPLEX ? number->value.real[1] : 0;
    if (dtype == TSR_C64)
      ((float *)address)[0] = (float)real, ((float *)address)[1] = (float)imaginary;
    else
      ((double *)address)[0] = real, ((double *)address)[1] = imaginary;
    return true;
  }
  if (number->class_ == TSR_CLASS_COMPLEX && class_ != TSR_CLASS_BOOL) {
    PyErr_Format(PyExc_TypeError, "a complex number is no %s", py_dtype_name(dtype));
    return false;
  }
  if (class_ == TSR_CLASS_BOOL) {
    *(uint8_t *)address = real != 0 || (number->class_ == TSR_CLASS_COMPLEX && number->value.real[1] != 0);
  } else if (dtype == TSR_F64) {
    *(double *)address = real;
  } else if (dtype == TSR_F32) {
    *(float *)address = (float)real;
  } else if (class_ == TSR_CLASS_FLOAT || number->class_ == TSR_CLASS_FLOAT) {
    return store_cast(real, dtype, address);
  } else {
    return store_whole(number, dtype, address);
  }
  return true;
}

bool py_number_as(py_number *number, int dtype) {
  describe(dtype, &number->element, &number->tensor);
  return py_number_store(number, dtype, &number->element);
}
