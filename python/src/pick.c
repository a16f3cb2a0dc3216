/* Arrays of indices: reading and writing the elements that they list, as gather_nd and scatter_nd of lists of coordinates. */
#include "module.h"

/* What the arrays broadcast to, and the lists of coordinates made of them: [shape..., arrays]. */
typedef struct places {
  int ndim;
  tsr_index shape[TSR_MAX_DIMS];
  tsr_tensor lists;
} places;

static bool broadcast(const py_selection *s, places *p) {
  for (int i = 0; i < s->arrays; i++) {
    const tsr_tensor *const t = py_handle(s->index[i]);
    if (t->ndim > p->ndim) p->ndim = t->ndim;
  }
  for (int i = 0; i < p->ndim; i++) p->shape[i] = 1;
  for (int i = 0; i < s->arrays; i++) {
    const tsr_tensor *const t = py_handle(s->index[i]);
    tsr_index *const to = p->shape + p->ndim - t->ndim;
    for (int k = 0; k < t->ndim; k++) {
      if (to[k] == 1) to[k] = t->shape[k];
      if (t->shape[k] == to[k] || t->shape[k] == 1) continue;
      PyErr_Format(PyExc_IndexError, "indices of lengths %lld and %lld do not broadcast", (long long)to[k],
                   (long long)t->shape[k]);
      return false;
    }
  }
  return true;
}

static bool fill_column(const places *p, const tsr_tensor *index, int i) {
  tsr_tensor column = {0}, all = {0};
  return py_ok(tsr_select(NULL, &p->lists, -1, i, &column)) &&
         py_ok(tsr_broadcast_to(NULL, index, p->ndim, p->shape, &all)) && py_ok(tsr_copy(NULL, &all, &column));
}

static bool make_places(const py_selection *s, places *p) {
  memset(p, 0, sizeof *p);
  if (!broadcast(s, p)) return false;
  if (p->ndim == TSR_MAX_DIMS) {
    PyErr_Format(PyExc_IndexError, "indices of rank %d are too many axes", p->ndim);
    return false;
  }
  tsr_index shape[TSR_MAX_DIMS];
  memcpy(shape, p->shape, sizeof shape);
  shape[p->ndim] = s->arrays;
  if (!py_ok(tsr_empty(NULL, TSR_I64, p->ndim + 1, shape, &p->lists))) return false;
  for (int i = 0; i < s->arrays; i++)
    if (!fill_column(p, py_handle(s->index[i]), i)) {
      tsr_release(&p->lists);
      return false;
    }
  return true;
}

/* The view with the listed axes first, the others behind them. */
static bool listed_first(const py_selection *s, tsr_tensor *out) {
  int axes[TSR_MAX_DIMS], n = s->arrays;
  memset(out, 0, sizeof *out);
  memcpy(axes, s->axis, (size_t)s->arrays * sizeof *axes);
  for (int i = 0, k = 0; i < s->view.ndim; i++) {
    if (k < s->arrays && s->axis[k] == i)
      k++;
    else
      axes[n++] = i;
  }
  return py_ok(tsr_permute(NULL, &s->view, axes, out));
}

/* Axis i of the result is axis axes[i] of [places..., others...]: the axes of the places stand where the first array did, or first
 * where something lay between two arrays. */
static int result_axes(const py_selection *s, const places *p, int *axes) {
  const int first = s->apart ? 0 : s->axis[0], others = s->view.ndim - s->arrays;
  int n = 0;
  for (int i = 0; i < first; i++) axes[n++] = p->ndim + i;
  for (int i = 0; i < p->ndim; i++) axes[n++] = i;
  for (int i = first; i < others; i++) axes[n++] = p->ndim + i;
  return n;
}

static tsr_status gather(const tsr_tensor *from, const places *p, tsr_tensor *out) {
  PyThreadState *const state = py_unlock(tsr_size(&p->lists));
  const tsr_status st = tsr_gather_nd(NULL, from, &p->lists, 0, out);
  py_lock(state);
  return st;
}

static PyObject *pick_one(const py_selection *s) {
  tsr_tensor out = {0};
  const tsr_tensor *const index = py_handle(s->index[0]);
  PyThreadState *const state = py_unlock(tsr_size(index));
  const tsr_status st = tsr_take(NULL, &s->view, index, s->axis[0], &out);
  py_lock(state);
  return py_tensor_wrap(&out, st);
}

PyObject *py_pick(const py_selection *s) {
  if (s->arrays == 1) return pick_one(s);
  places p;
  tsr_tensor from, out = {0};
  int axes[2 * TSR_MAX_DIMS];
  if (!make_places(s, &p)) return NULL;
  tsr_status st = listed_first(s, &from) ? gather(&from, &p, &out) : TSR_EARG;
  tsr_release(&p.lists);
  if (st != TSR_OK) return PyErr_Occurred() ? NULL : py_raise(NULL, st);
  result_axes(s, &p, axes);
  st = tsr_permute(NULL, &out, axes, &out); /* in place: it keeps its count */
  return py_tensor_wrap(&out, st);
}

/* ---- writing ---- */

/* value, broadcast to the shape of the result, as [places..., others...] of the tensor's dtype. */
static bool arrange(const py_selection *s, const places *p, const tsr_tensor *value, tsr_tensor *out) {
  int axes[2 * TSR_MAX_DIMS], back[2 * TSR_MAX_DIMS];
  tsr_index shape[2 * TSR_MAX_DIMS];
  tsr_tensor from;
  const int n = result_axes(s, p, axes);
  if (n > TSR_MAX_DIMS) {
    PyErr_Format(PyExc_IndexError, "%d axes are too many", n);
    return false;
  }
  if (!listed_first(s, &from)) return false;
  for (int i = 0; i < n; i++) {
    shape[i] = axes[i] < p->ndim ? p->shape[axes[i]] : from.shape[s->arrays + axes[i] - p->ndim];
    back[axes[i]] = i;
  }
  tsr_tensor all = {0};
  if (!py_ok(tsr_squeeze_leading(NULL, value, n, &all))) return false;
  if (!py_ok(tsr_broadcast_to(NULL, &all, n, shape, &all)) || !py_ok(tsr_permute(NULL, &all, back, &all))) return false;
  if (value->dtype != s->view.dtype) return py_ok(tsr_cast(NULL, &all, s->view.dtype, out));
  *out = all;
  return true;
}

bool py_put(py_selection *s, const tsr_tensor *value) {
  places p;
  tsr_tensor from, source = {0};
  if (!make_places(s, &p)) return false;
  bool fine = arrange(s, &p, value, &source) && listed_first(s, &from);
  if (fine) {
    tsr_tensor to = from;
    PyThreadState *const state = py_unlock(tsr_size(&source));
    const tsr_status st = tsr_scatter_nd(NULL, &from, &p.lists, &source, TSR_SCATTER_SET, &to);
    py_lock(state);
    fine = py_ok(st);
  }
  tsr_release(&source);
  tsr_release(&p.lists);
  return fine;
}
