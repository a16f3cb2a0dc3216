/* Arguments into their places, by position and by name. */
#include "function.h"

static bool too_many(const py_function *f, Py_ssize_t count) {
  PyErr_Format(PyExc_TypeError, "%s() takes %d arguments by position, and has %zd", f->method.ml_name, f->plain, count);
  return false;
}

/* Whether the function takes what stands at a place by its name. */
static bool is_there(const py_function *f, int place) {
  if (place < f->placed) return false;
  if (place == f->params) return f->counts;
  return place != f->params + 2 || f->inputs == 0;
}

/* The place of a name; -1: there is none. Names are interned, as those in calls are. */
static int place_of(const py_function *f, PyObject *name) {
  const int n = f->params + PY_OTHERS;
  for (int i = f->placed; i < n; i++)
    if (f->name[i] == name) return is_there(f, i) ? i : -1;
  for (int i = f->placed; i < n; i++)
    if (PyUnicode_Compare(f->name[i], name) == 0) return is_there(f, i) ? i : -1;
  return -1;
}

static bool refuse_name(const py_function *f, PyObject *name) {
  PyObject *all = PyUnicode_FromString("");
  for (int i = 0; i < f->params + PY_OTHERS && all != NULL; i++) {
    if (!is_there(f, i)) continue;
    PyObject *const longer = PyUnicode_FromFormat("%U%s%U", all, PyUnicode_GetLength(all) == 0 ? "" : ", ", f->name[i]);
    Py_DECREF(all);
    all = longer;
  }
  if (all != NULL)
    PyErr_Format(PyExc_TypeError, "%s() has no argument '%U'; it takes %U", f->method.ml_name, name, all);
  Py_XDECREF(all);
  return false;
}

bool py_arguments_read(const py_function *f, PyObject *const *args, Py_ssize_t count, PyObject *names,
                       py_arguments *out) {
  memset(out->value, 0, (size_t)(f->params + PY_OTHERS) * sizeof out->value[0]);
  if (count > f->plain) return too_many(f, count);
  for (Py_ssize_t i = 0; i < count; i++) out->value[i] = args[i];
  const Py_ssize_t named = names == NULL ? 0 : PyTuple_Size(names);
  for (Py_ssize_t i = 0; i < named; i++) {
    PyObject *const name = PyTuple_GetItem(names, i);
    const int place = place_of(f, name);
    if (place < 0) return refuse_name(f, name);
    if (out->value[place] != NULL) {
      PyErr_Format(PyExc_TypeError, "%s() has '%U' twice", f->method.ml_name, name);
      return false;
    }
    out->value[place] = args[count + i];
  }
  for (int i = 0; i < f->params; i++)
    if (out->value[i] == NULL && (f->param[i]->flags & TSR_OP_OPTIONAL) == 0) {
      PyErr_Format(PyExc_TypeError, "%s() misses its argument '%U'", f->method.ml_name, f->name[i]);
      return false;
    }
  return true;
}
