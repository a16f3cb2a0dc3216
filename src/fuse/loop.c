#include "fuse/loop.h"

#if TSR_HAVE_OPS

typedef tsr__group_loop group_loop;

static ptrdiff_t magnitude(ptrdiff_t step) { return step < 0 ? -step : step; }

static tsr_index smaller(tsr_index a, tsr_index b) { return a < b ? a : b; }

/* ---- axes ---- */

static void exchange_axes(group_loop *loop, int a, int b) {
  const tsr_index length = loop->length[a];
  loop->length[a] = loop->length[b];
  loop->length[b] = length;
  for (int k = 0; k < loop->operands; k++) {
    const ptrdiff_t step = loop->step[k][a];
    loop->step[k][a] = loop->step[k][b];
    loop->step[k][b] = step;
  }
}

/* Whether axis a belongs inside axis b: the first operand that tells them apart decides. */
static bool is_inside(const group_loop *loop, int a, int b) {
  for (int k = 0; k < loop->operands; k++) {
    const ptrdiff_t step_a = magnitude(loop->step[k][a]), step_b = magnitude(loop->step[k][b]);
    if (step_a != step_b && step_a != 0 && step_b != 0) return step_a < step_b;
  }
  return false;
}

static bool goes_on(const group_loop *loop, int a, int b) {
  for (int k = 0; k < loop->operands; k++)
    if (loop->step[k][b] != loop->step[k][a] * (ptrdiff_t)loop->length[a]) return false;
  return true;
}

static void order_axes(group_loop *loop) {
  for (int i = 1; i < loop->ndim; i++)
    for (int at = i; at > 0 && is_inside(loop, at, at - 1); at--) exchange_axes(loop, at, at - 1);
  int last = 0;
  for (int i = 1; i < loop->ndim; i++) {
    if (goes_on(loop, last, i))
      loop->length[last] *= loop->length[i];
    else if (++last != i)
      exchange_axes(loop, last, i);
  }
  loop->ndim = last + 1;
}

/* An axis that every operand walks downwards, or not at all, is walked upwards. */
static void flip_axes(group_loop *loop) {
  for (int i = 0; i < loop->ndim; i++) {
    bool downwards = true;
    for (int k = 0; k < loop->operands; k++) downwards = downwards && loop->step[k][i] <= 0;
    if (!downwards) continue;
    for (int k = 0; k < loop->operands; k++) {
      loop->base[k] += loop->step[k][i] * (ptrdiff_t)(loop->length[i] - 1);
      loop->step[k][i] = -loop->step[k][i];
    }
  }
}

static void add_axes(group_loop *loop, const tsr_tensor *const *tensors) {
  for (int axis = tensors[0]->ndim - 1; axis >= 0; axis--) {
    if (tensors[0]->shape[axis] == 1) continue;
    loop->length[loop->ndim] = tensors[0]->shape[axis];
    for (int k = 0; k < loop->operands; k++)
      loop->step[k][loop->ndim] = (ptrdiff_t)tensors[k]->stride[axis] * (ptrdiff_t)loop->item[k];
    loop->ndim++;
  }
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
  add_axes(loop, tensors);
  if (loop->ndim == 0) { /* one element */
    loop->ndim = 1;
    loop->length[0] = 1;
    for (int k = 0; k < operands; k++) loop->step[k][0] = (ptrdiff_t)loop->item[k];
    return;
  }
  flip_axes(loop);
  order_axes(loop);
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
  if (across > 1) exchange_axes(loop, 1, across);
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
