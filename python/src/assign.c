/* Writing by a key: x[key] = value. */
#include "module.h"

/* A number beside a tensor, or any array; *held is a reference to give back. */
static const tsr_tensor *value_of(PyObject *value, int dtype, py_number *number, PyObject **held) {
  const int is = py_number_read(value, number);
  if (is < 0) return NULL;
  if (is > 0) return py_number_as(number, dtype) ? &number->tensor : NULL;
  *held = py_asarray(value);
  return *held == NULL ? NULL : py_handle(*held);
}

/* Into a view, with conversion; leading axes of length 1 are left out. */
static bool copy_into(tsr_tensor *view, const tsr_tensor *value) {
  tsr_tensor from = {0};
  if (!py_ok(tsr_squeeze_leading(NULL, value, view->ndim, &from))) return false;
  if (!py_ok(tsr_broadcast_to(NULL, &from, view->ndim, view->shape, &from))) return false;
  PyThreadState *const state = py_unlock(tsr_size(view));
  const tsr_status st = tsr_copy(NULL, &from, view);
  py_lock(state);
  return py_ok(st);
}

/* One number where a mask of the tensor's own shape is true. */
static bool fill_masked(const tsr_tensor *t, const tsr_tensor *mask, const tsr_tensor *number) {
  tsr_tensor out = *t;
  out.flags &= (uint8_t)~TSR_OWNS;
  PyThreadState *const state = py_unlock(tsr_size(t));
  const tsr_status st = tsr_where(NULL, mask, number, t, &out);
  py_lock(state);
  return py_ok(st);
}

static bool set(const tsr_tensor *t, PyObject *key, const tsr_tensor *value) {
  if (py_is_tensor(key) && py_handle(key)->dtype == TSR_BOOL && value->ndim == 0 && value->dtype == t->dtype &&
      tsr_same_shape(t, py_handle(key)))
    return fill_masked(t, py_handle(key), value);
  py_selection selection;
  if (!py_select(t, key, &selection)) return false;
  const bool fine = selection.arrays == 0 ? copy_into(&selection.view, value) : py_put(&selection, value);
  py_selection_end(&selection);
  return fine;
}

static int set_item(PyObject *self, PyObject *key, PyObject *value) {
  const tsr_tensor *const t = py_handle(self);
  py_number number;
  PyObject *held = NULL;
  if (value == NULL) {
    PyErr_SetString(PyExc_TypeError, "elements of a tensor cannot be deleted");
    return -1;
  }
  const tsr_tensor *const from = value_of(value, t->dtype, &number, &held);
  const bool fine = from != NULL && set(t, key, from);
  Py_XDECREF(held);
  return fine ? 0 : -1;
}

static const PyType_Slot slots[] = {{Py_mp_ass_subscript, (void *)set_item}, {0, NULL}};
const py_part py_assign_part = {.slots = slots};
