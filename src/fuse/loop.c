#include "fuse/loop.h"

#if TSR_HAVE_OPS

typedef tsr__group_loop group_loop;

static ptrdiff_t magnitude(ptrdiff_t step) { return step < 0 ? -step : step; }

static tsr_index smaller(tsr_index a, tsr_index b) { return a < b ? a : b; }

/* ---- axes ---- */

static tsr__axes axes_of(group_loop *loop) {
  return (tsr__axes){loop->ndim, loop->operands, loop->length, loop->base, loop->step};
}

void tsr__group_loop_init(group_loop *loop, int operands, const tsr_tensor *const *tensors) {
  loop->ndim = 0;
  loop->operands = operands;
  for (int k = 0; k < operands; k++) {
    loop->base[k] = tensors[k]->data;
    loop->item[k] = tsr__item_sizes[tensors[k]->dtype];
  }
  loop->size = tsr_size(tensors[0]);
  if (loop->size == 0) return;
  tsr__axes axes = axes_of(loop);
  tsr__axes_init(&axes, tensors);
  loop->ndim = axes.ndim;
}

/* ---- tiles ---- */

enum {
  TILE_ACROSS = 32,      /* of a tile along the axis where a transposed operand is contiguous */
  TILE_ACROSS_LEAST = 16 /* shorter axes are not worth it */
};

static bool is_across(const group_loop *loop, int k, int axis) {
  const ptrdiff_t item = (ptrdiff_t)loop->item[k], along = magnitude(loop->step[k][0]);
  return along > item && loop->step[k][axis] == item;
}

/* The axis along which an operand is contiguous that is not along axis 0; 0: there is none. */
static int find_across(const group_loop *loop) {
  if (loop->length[0] < TILE_ACROSS_LEAST) return 0;
  for (int k = 0; k < loop->operands; k++)
    for (int axis = 1; axis < loop->ndim; axis++)
      if (loop->length[axis] >= TILE_ACROSS_LEAST && is_across(loop, k, axis)) return axis;
  return 0;
}

/* All pieces of an axis alike, whole lines of them. */
static tsr_index even_piece(tsr_index length, tsr_index most) {
  if (length <= most) return length;
  const tsr_index pieces = (length - 1) / most + 1, piece = (length - 1) / pieces + 1;
  return smaller((piece + 63) & -(tsr_index)64, length);
}

tsr__tile_way tsr__tile_way_of(const group_loop *loop, int k, const tsr_index *n) {
  const ptrdiff_t item = (ptrdiff_t)loop->item[k], along = loop->step[k][0];
  const bool rows = n[1] > 1;
  const ptrdiff_t across = rows ? loop->step[k][1] : 0;
  if (along == 0) return across == 0 ? TSR__TILE_REPEATED : TSR__TILE_FILLED;
  if (along == item) return !rows || across == item * (ptrdiff_t)n[0] ? TSR__TILE_DIRECT : TSR__TILE_ROWS;
  return rows && across == item ? TSR__TILE_TRANSPOSED : TSR__TILE_STRIDED;
}

void tsr__tiling_init(tsr__tiling *t, group_loop *loop, tsr_index elements, bool in_order) {
  const int across = loop->ndim > 1 && !in_order ? find_across(loop) : 0;
  const tsr_index second = loop->ndim > 1 ? loop->length[across > 0 ? across : 1] : 1;
  const tsr__axes axes = axes_of(loop);
  if (across > 1) tsr__axes_swap(&axes, 1, across);
  if (across > 0) {
    t->most[1] = even_piece(second, TILE_ACROSS);
    t->most[0] = smaller(loop->length[0], elements / t->most[1]);
  } else {
    t->most[0] = even_piece(loop->length[0], elements);
    t->most[1] = t->most[0] == loop->length[0] ? smaller(second, elements / t->most[0]) : 1;
  }
  t->count[0] = (loop->length[0] - 1) / t->most[0] + 1;
  t->count[1] = (second - 1) / t->most[1] + 1;
  t->tiles = loop->size / loop->length[0] / second * t->count[0] * t->count[1];
}

void tsr__tile_at(const tsr__tiling *t, const group_loop *loop, tsr_index number, char **at, tsr_index *n) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  for (int axis = 0; axis < loop->ndim; axis++) {
    const tsr_index count = axis < 2 ? t->count[axis] : loop->length[axis];
    index[axis] = number % count;
    number /= count;
    if (axis < 2) index[axis] *= t->most[axis];
  }
  n[0] = smaller(t->most[0], loop->length[0] - index[0]);
  n[1] = loop->ndim > 1 ? smaller(t->most[1], loop->length[1] - index[1]) : 1;
  for (int k = 0; k < loop->operands; k++) {
    at[k] = loop->base[k];
    for (int axis = 0; axis < loop->ndim; axis++) at[k] += loop->step[k][axis] * (ptrdiff_t)index[axis];
  }
}

tsr_index tsr__group_loop_at(const group_loop *loop, tsr_index number, char **at) {
  if (loop->ndim == 1) { /* nearly always, and without a division */
    for (int k = 0; k < loop->operands; k++) at[k] = loop->base[k] + loop->step[k][0] * (ptrdiff_t)number;
    return number;
  }
  const tsr_index first = number % loop->length[0];
  for (int k = 0; k < loop->operands; k++) at[k] = loop->base[k];
  for (int axis = 0; axis < loop->ndim; axis++) {
    const tsr_index index = number % loop->length[axis];
    number /= loop->length[axis];
    for (int k = 0; k < loop->operands; k++) at[k] += loop->step[k][axis] * (ptrdiff_t)index;
  }
  return first;
}

#endif
