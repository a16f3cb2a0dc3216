/* The library's sentences as exceptions. */
#include "module.h"

/* Out of range is an OverflowError for Python's numbers and a ValueError for the rest: what the library refuses is both. An axis
 * is an index and a value. */
static PyObject *exception_of(tsr_status status) {
  switch (status) {
    case TSR_ENOMEM:
    case TSR_ESCRATCH: return PyExc_MemoryError;
    case TSR_EDTYPE: return PyExc_TypeError;
    case TSR_EINDEX: return PyExc_IndexError;
    case TSR_EAXIS: return py_.axis_error;
    case TSR_ERANGE:
    case TSR_EOVERFLOW: return py_.range_error;
    case TSR_ESINGULAR:
    case TSR_ENOTPOSITIVE:
    case TSR_ECONVERGENCE: return py_.linalg_error;
    case TSR_EIO: return PyExc_OSError;
    case TSR_EUNSUPPORTED: return PyExc_NotImplementedError;
    case TSR_EDEVICE: return PyExc_RuntimeError;
    default: return PyExc_ValueError;
  }
}

PyObject *py_raise(const tsr_ctx *ctx, tsr_status status) {
  const char *const text = tsr_error(ctx);
  PyObject *const type = exception_of(status);
  PyObject *const error = PyObject_CallFunction(type, "s", text[0] != 0 ? text : tsr_status_text(status));
  if (error == NULL) return NULL;
  PyObject *const name = PyUnicode_FromString(tsr_status_name(status));
  if (name != NULL && PyObject_SetAttrString(error, "status", name) == 0) PyErr_SetObject(type, error);
  Py_XDECREF(name);
  Py_DECREF(error);
  return NULL;
}

bool py_ok(tsr_status status) {
  if (status != TSR_OK) py_raise(NULL, status);
  return status == TSR_OK;
}

/* An exception of two bases, or of one where other is NULL. */
static PyObject *new_error(PyObject *module, const char *name, const char *doc, PyObject *base, PyObject *other) {
  PyObject *const bases = other == NULL ? PyTuple_Pack(1, base) : PyTuple_Pack(2, base, other);
  PyObject *error = bases == NULL ? NULL : PyErr_NewExceptionWithDoc(name, doc, bases, NULL);
  Py_XDECREF(bases);
  if (error != NULL && PyObject_SetAttrString(module, strrchr(name, '.') + 1, error) < 0) Py_CLEAR(error);
  return error;
}

static int errors_init(PyObject *module) {
  py_.axis_error = new_error(module, "tessera.AxisError", "There is no such axis.", PyExc_ValueError, PyExc_IndexError);
  py_.range_error =
      new_error(module, "tessera.RangeError", "A number does not fit its type.", PyExc_ValueError, PyExc_OverflowError);
  py_.linalg_error = new_error(module, "tessera.LinAlgError", "A matrix has no such result.", PyExc_ValueError, NULL);
  return py_.axis_error == NULL || py_.range_error == NULL || py_.linalg_error == NULL ? -1 : 0;
}

const py_part py_errors_part = {.init = errors_init};
