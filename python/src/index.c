/* Keys: indices, slices, None, Ellipsis as views; arrays of indices and masks are kept for pick.c. */
#include "module.h"

/* How a key is gone through. */
typedef struct walk {
  py_selection *selection;
  int axis;       /* the next one of the view */
  int left;       /* axes that the rest of the key takes: what Ellipsis leaves */
  bool has_array; /* integers count as arrays beside arrays */
  int seen;       /* 0: no array yet, 1: the last entry was one, 2: something came after one */
} walk;

static bool is_bool(PyObject *entry) {
  return PyBool_Check(entry) || (py_is_tensor(entry) && py_handle(entry)->dtype == TSR_BOOL);
}

static bool is_array(PyObject *entry) {
  if (py_is_tensor(entry)) return py_handle(entry)->ndim > 0 || py_handle(entry)->dtype == TSR_BOOL;
  return !PySlice_Check(entry) && !PyUnicode_Check(entry) && entry != Py_None && entry != Py_Ellipsis &&
         !PyBool_Check(entry) && !PyLong_Check(entry) &&
         (PyObject_HasAttrString(entry, "__len__") || PyObject_HasAttrString(entry, "__dlpack__"));
}

/* ---- entries that make views ---- */

/* The number of an int; one past 64 bits is out of range of any axis. */
static bool read_index(PyObject *number, long long *index) {
  int past = 0;
  *index = PyLong_AsLongLongAndOverflow(number, &past);
  if (past != 0) PyErr_Format(PyExc_IndexError, "index %S is out of range", number);
  return past == 0 && !(*index == -1 && PyErr_Occurred());
}

static bool take_index(walk *w, PyObject *entry) {
  long long index;
  PyObject *const number = PyNumber_Index(entry);
  const bool fine = number != NULL && read_index(number, &index);
  Py_XDECREF(number);
  if (!fine) return false;
  tsr_tensor *const view = &w->selection->view;
  return py_ok(tsr_select(NULL, view, w->axis, index, view));
}

/* Bounds as Python clips them: the least number is what TSR_OMIT is. */
static bool take_slice(walk *w, PyObject *entry) {
  Py_ssize_t start, stop, step;
  if (PySlice_Unpack(entry, &start, &stop, &step) < 0) return false;
  tsr_tensor *const view = &w->selection->view;
  if (start == PY_SSIZE_T_MIN) start++;
  if (step < 0 && stop == PY_SSIZE_T_MIN) stop = TSR_OMIT;
  if (step < 0 && start == PY_SSIZE_T_MAX) start = TSR_OMIT;
  return py_ok(tsr_slice(NULL, view, w->axis++, start, stop, step, view));
}

static bool take_none(walk *w) {
  tsr_tensor *const view = &w->selection->view;
  return py_ok(tsr_unsqueeze(NULL, view, w->axis++, view));
}

/* A bool is a new axis of length 1 or 0. */
static bool take_bool(walk *w, bool value) {
  tsr_tensor *const view = &w->selection->view;
  return py_ok(tsr_unsqueeze(NULL, view, w->axis, view)) &&
         (value || py_ok(tsr_narrow(NULL, view, w->axis, 0, 0, view))) && ++w->axis > 0;
}

/* ---- arrays ---- */

static bool add_array(walk *w, PyObject *index) {
  py_selection *const s = w->selection;
  if (index == NULL) return false;
  if (w->axis >= s->view.ndim) {
    Py_DECREF(index);
    PyErr_SetString(PyExc_IndexError, "more indices than axes");
    return false;
  }
  s->axis[s->arrays] = w->axis++;
  s->index[s->arrays++] = index;
  s->apart = s->apart || w->seen == 2;
  w->seen = 1;
  return true;
}

/* A mask is the indices of its true elements along as many axes as it has; one of length 0 has none, whatever the axis has. */
static bool take_mask(walk *w, PyObject *mask) {
  const tsr_tensor *const m = py_handle(mask), *const view = &w->selection->view;
  for (int i = 0; i < m->ndim; i++) {
    if (w->axis + i < view->ndim && (view->shape[w->axis + i] == m->shape[i] || m->shape[i] == 0)) continue;
    PyErr_Format(PyExc_IndexError, "the mask has length %lld along its axis %d, the tensor %lld",
                 (long long)m->shape[i], i, w->axis + i < view->ndim ? (long long)view->shape[w->axis + i] : 0LL);
    return false;
  }
  tsr_tensor all = {0};
  bool fine = py_ok(tsr_nonzero(NULL, m, &all));
  for (int i = 0; i < m->ndim && fine; i++) {
    tsr_tensor column = {0};
    const tsr_status st = tsr_select(NULL, &all, 1, i, &column);
    fine = add_array(w, py_tensor_wrap(&column, st));
  }
  tsr_release(&all);
  return fine;
}

static bool take_array(walk *w, PyObject *entry) {
  PyObject *const array = py_asarray(entry);
  if (array == NULL) return false;
  const tsr_tensor *const t = py_handle(array);
  const int class_ = py_class_of(t->dtype);
  if (class_ == TSR_CLASS_BOOL && t->ndim > 0) {
    const bool fine = take_mask(w, array);
    Py_DECREF(array);
    return fine;
  }
  if (class_ == TSR_CLASS_INT || class_ == TSR_CLASS_UINT) return add_array(w, array);
  const bool is_empty = tsr_size(t) == 0; /* a list of nothing has no dtype of its own */
  tsr_tensor none = {0};
  if (is_empty && py_ok(tsr_cast(NULL, t, TSR_I64, &none))) {
    Py_DECREF(array);
    return add_array(w, py_tensor_wrap(&none, TSR_OK));
  }
  if (!is_empty) PyErr_Format(PyExc_IndexError, "a tensor of %s is no index", py_dtype_name(t->dtype));
  Py_DECREF(array);
  return false;
}

/* ---- the whole key ---- */

static bool take_entry(walk *w, PyObject *entry) {
  if (entry == Py_Ellipsis) {
    const int skip = w->selection->view.ndim - w->axis - w->left;
    w->axis += skip;
    return true;
  }
  if (PySlice_Check(entry)) return take_slice(w, entry);
  if (entry == Py_None) return take_none(w);
  if (is_bool(entry) && (!py_is_tensor(entry) || py_handle(entry)->ndim == 0)) {
    const int value = PyObject_IsTrue(entry);
    return value >= 0 && take_bool(w, value > 0);
  }
  if (is_array(entry) || (w->has_array && PyIndex_Check(entry))) return take_array(w, entry);
  if (PyIndex_Check(entry)) return take_index(w, entry);
  PyErr_Format(PyExc_IndexError, "an index is an integer, a slice, None, ..., a mask or integers, not %R",
               Py_TYPE(entry));
  return false;
}

/* How many axes an entry takes. */
static int axes_of(PyObject *entry) {
  if (entry == Py_None || entry == Py_Ellipsis || PyBool_Check(entry)) return 0;
  return py_is_tensor(entry) && py_handle(entry)->dtype == TSR_BOOL ? py_handle(entry)->ndim : 1;
}

static bool is_between(PyObject *entry) { return PySlice_Check(entry) || entry == Py_None || entry == Py_Ellipsis; }

/* Looks through the key first: Ellipsis must be there once, and the axes must be enough. */
static bool look(walk *w, PyObject *const *entries, Py_ssize_t n) {
  int ellipses = 0;
  for (Py_ssize_t i = 0; i < n; i++) {
    w->left += axes_of(entries[i]);
    ellipses += entries[i] == Py_Ellipsis;
    w->has_array = w->has_array || is_array(entries[i]);
  }
  if (ellipses > 1) PyErr_SetString(PyExc_IndexError, "an index has one ... at most");
  if (w->left > w->selection->view.ndim && !PyErr_Occurred())
    PyErr_Format(PyExc_IndexError, "%d indices for a tensor of rank %d", w->left, w->selection->view.ndim);
  return !PyErr_Occurred();
}

static bool go(walk *w, PyObject *const *entries, Py_ssize_t n) {
  for (Py_ssize_t i = 0; i < n; i++) {
    w->left -= axes_of(entries[i]);
    if (w->seen == 1 && is_between(entries[i])) w->seen = 2;
    if (!take_entry(w, entries[i])) return false;
  }
  return true;
}

enum { ENTRIES = 4 * TSR_MAX_DIMS };

bool py_select(const tsr_tensor *t, PyObject *key, py_selection *selection) {
  PyObject *entries[ENTRIES] = {key};
  Py_ssize_t n = 1;
  memset(selection, 0, sizeof *selection);
  selection->view = *t;
  selection->view.flags &= (uint8_t)~TSR_OWNS;
  if (PyTuple_Check(key)) {
    n = PyTuple_Size(key);
    if (n > ENTRIES) {
      PyErr_Format(PyExc_IndexError, "%zd indices are too many", n);
      return false;
    }
    for (Py_ssize_t i = 0; i < n; i++) entries[i] = PyTuple_GetItem(key, i);
  }
  walk w = {.selection = selection};
  if (look(&w, entries, n) && go(&w, entries, n)) return true;
  py_selection_end(selection);
  return false;
}

void py_selection_end(py_selection *selection) {
  for (int i = 0; i < selection->arrays; i++) Py_DECREF(selection->index[i]);
  selection->arrays = 0;
}

/* One integer, the most common key. */
static PyObject *get_row(const tsr_tensor *t, PyObject *key) {
  long long index;
  if (!read_index(key, &index)) return NULL;
  py_tensor *const object = py_tensor_new();
  return object == NULL ? NULL : py_tensor_done(object, tsr_select(NULL, t, 0, index, &object->tensor));
}

/* A mask of the tensor's own shape. */
static PyObject *get_masked(const tsr_tensor *t, const tsr_tensor *mask) {
  tsr_tensor out = {0};
  PyThreadState *const state = py_unlock(tsr_size(t));
  const tsr_status st = tsr_masked_select(NULL, t, mask, &out);
  py_lock(state);
  return py_tensor_wrap(&out, st);
}

static PyObject *get_item(PyObject *self, PyObject *key) {
  const tsr_tensor *const t = py_handle(self);
  if (PyLong_CheckExact(key) && t->ndim > 0) return get_row(t, key);
  if (py_is_tensor(key) && py_handle(key)->dtype == TSR_BOOL && t->ndim > 0 && tsr_same_shape(t, py_handle(key)))
    return get_masked(t, py_handle(key));
  py_selection selection;
  if (!py_select(t, key, &selection)) return NULL;
  PyObject *const result = selection.arrays == 0 ? py_tensor_wrap(&selection.view, TSR_OK) : py_pick(&selection);
  py_selection_end(&selection);
  return result;
}

static const PyType_Slot slots[] = {{Py_mp_subscript, (void *)get_item}, {0, NULL}};
const py_part py_index_part = {.slots = slots};
