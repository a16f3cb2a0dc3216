/* Where the elements of a tensor lie: spans, strides, overlaps. */
#include "core/check.h"

bool tsr__extent_of(int dtype, int ndim, const tsr_index *shape, const tsr_index *stride, tsr__extent *extent) {
  const ptrdiff_t item = (ptrdiff_t)tsr_dtype_size(dtype);
  ptrdiff_t low = 0, high = item;
  extent->low = extent->high = 0;
  for (int i = 0; i < ndim; i++)
    if (shape[i] == 0) return true;
  for (int i = 0; i < ndim; i++) {
    ptrdiff_t reach;
    if (shape[i] == 1) continue;
    if (__builtin_mul_overflow(shape[i] - 1, stride[i], &reach) || __builtin_mul_overflow(reach, item, &reach))
      return false;
    if (reach < 0 ? __builtin_add_overflow(low, reach, &low) : __builtin_add_overflow(high, reach, &high)) return false;
  }
  ptrdiff_t bytes;
  if (__builtin_sub_overflow(high, low, &bytes)) return false;
  extent->low = low;
  extent->high = high;
  return true;
}

void tsr__span(const tsr_tensor *t, uintptr_t *low, uintptr_t *high) {
  tsr__extent extent;
  (void)tsr__extent_of(t->dtype, t->ndim, t->shape, t->stride, &extent); /* the tensor is well formed */
  *low = (uintptr_t)t->data + (uintptr_t)extent.low;
  *high = (uintptr_t)t->data + (uintptr_t)extent.high;
}

bool tsr__overlap(const tsr_tensor *a, const tsr_tensor *b) {
  uintptr_t a_low, a_high, b_low, b_high;
  tsr__span(a, &a_low, &a_high);
  tsr__span(b, &b_low, &b_high);
  return a_low < b_high && b_low < a_high;
}

bool tsr__same_view(const tsr_tensor *a, const tsr_tensor *b) {
  if (a->data != b->data || tsr_dtype_size(a->dtype) != tsr_dtype_size(b->dtype) || !tsr_same_shape(a, b)) return false;
  for (int i = 0; i < a->ndim; i++)
    if (a->shape[i] > 1 && a->stride[i] != b->stride[i]) return false;
  return true;
}

void tsr__strides_for(int ndim, const tsr_index *shape, tsr_order order, tsr_index *stride) {
  tsr_index next = 1;
  for (int k = 0; k < ndim; k++) { /* k counts from the fastest axis */
    int axis = order == TSR_FORTRAN ? k : ndim - 1 - k;
    if (order == TSR_COL_MAJOR && ndim >= 2 && k < 2) axis = ndim - 2 + k;
    stride[axis] = next;
    next *= shape[axis] > 0 ? shape[axis] : 1;
  }
}

static tsr_index magnitude(tsr_index stride) { return stride < 0 ? tsr__negated(stride) : stride; }

void tsr__axes_by_stride(const tsr_tensor *t, int *axes) {
  for (int i = 0; i < t->ndim; i++) {
    int at = i;
    /* An axis moves before faster ones; axes of length 1 say nothing about the order, and it may pass them. */
    for (int k = i; k > 0 && t->shape[i] != 1; k--) {
      const int before = axes[k - 1];
      if (t->shape[before] == 1) continue;
      if (magnitude(t->stride[before]) >= magnitude(t->stride[i])) break;
      at = k - 1;
    }
    for (int k = i; k > at; k--) axes[k] = axes[k - 1];
    axes[at] = i;
  }
}

/* ---- does a tensor meet itself? ---- */

/* Distances in elements. Where addresses have 32 bits so have they: dividing 64 would take flash. */
#if UINTPTR_MAX == UINT32_MAX
typedef int32_t distance;
#define DISTANCE_MAX INT32_MAX
#else
typedef int64_t distance;
#define DISTANCE_MAX INT64_MAX
#endif

/* Axes longer than 1, the smallest stride first. */
typedef struct lattice {
  int ndim;
  distance step[TSR_MAX_DIMS];
  distance last[TSR_MAX_DIMS]; /* length - 1 */
  distance span[TSR_MAX_DIMS]; /* sum of step·last of this axis and the smaller ones */
  int work;                    /* nodes the search may still visit */
} lattice;

static void lattice_insert(lattice *l, distance step, distance last) {
  int at = l->ndim++;
  for (; at > 0 && l->step[at - 1] > step; at--) {
    l->step[at] = l->step[at - 1];
    l->last[at] = l->last[at - 1];
  }
  l->step[at] = step;
  l->last[at] = last;
}

static distance smaller(distance a, distance b) { return a < b ? a : b; }
static distance larger(distance a, distance b) { return a > b ? a : b; }
static distance divide_up(distance a, distance b) { return a / b + (a % b > 0); }
static distance divide_down(distance a, distance b) { return a / b - (a % b < 0); }

/* Whether differences d[0..k] of two indices, at most last in size, make the steps sum to -rest; all 0 does not count
 * unless an axis above has moved. Says yes when it runs out of work. */
static bool can_cancel(lattice *l, int k, distance rest, bool moved) {
  if (l->work-- <= 0 || l->step[k] == 0) return true; /* a step of 0 meets itself */
  if (k == 0) {
    const distance d = -rest / l->step[0];
    return rest % l->step[0] == 0 && d >= -l->last[0] && d <= l->last[0] && (moved || d != 0);
  }
  const distance below = l->span[k - 1];
  const distance from = larger(moved ? -l->last[k] : 0, divide_up(-below - rest, l->step[k]));
  const distance to = smaller(l->last[k], divide_down(below - rest, l->step[k]));
  for (distance d = from; d <= to; d++)
    if (can_cancel(l, k - 1, rest + d * l->step[k], moved || d != 0)) return true;
  return false;
}

/* Whether each axis leaps over all that those after it reach: the common case, at little cost. */
static bool is_nested(const tsr_tensor *t) {
  int64_t span = 0;
  for (int i = t->ndim - 1; i >= 0; i--) {
    if (t->shape[i] == 1) continue;
    if (t->stride[i] <= span) return false;
    span += (int64_t)t->stride[i] * (t->shape[i] - 1);
  }
  return true;
}

bool tsr__self_overlaps(const tsr_tensor *t) {
  if (tsr_size(t) == 0 || is_nested(t)) return false;
  lattice l = {0};
  for (int i = 0; i < t->ndim; i++) {
    if (t->shape[i] == 1) continue;
    if (t->stride[i] == 0) return true;
    lattice_insert(&l, (distance)magnitude(t->stride[i]), (distance)(t->shape[i] - 1));
  }
  bool separate = true; /* each step leaps over all that the smaller ones reach */
  int64_t span = 0;
  for (int k = 0; k < l.ndim; k++) {
    separate = separate && l.step[k] > span;
    span += (int64_t)l.step[k] * l.last[k];
    if (span > DISTANCE_MAX / 4) return !separate || k + 1 < l.ndim; /* the search adds three of them: it may overlap */
    l.span[k] = (distance)span;
  }
  if (separate) return false;
  l.work = 20000;
  return can_cancel(&l, l.ndim - 1, 0, false);
}
