#include "cpu/iterate.h"

#include "cpu/parallel.h"

static ptrdiff_t magnitude(ptrdiff_t step) { return step < 0 ? -step : step; }

/* Whether axis a belongs inside axis b: the first operand that tells them apart decides. */
static bool runs_faster(const tsr__axes *axes, int a, int b) {
  for (int k = 0; k < axes->operands; k++) {
    const ptrdiff_t step_a = magnitude(axes->step[k][a]), step_b = magnitude(axes->step[k][b]);
    if (step_a != step_b && step_a != 0 && step_b != 0) return step_a < step_b;
  }
  return false;
}

void tsr__axes_swap(const tsr__axes *axes, int a, int b) {
  const tsr_index length = axes->length[a];
  axes->length[a] = axes->length[b];
  axes->length[b] = length;
  for (int k = 0; k < axes->operands; k++) {
    const ptrdiff_t step = axes->step[k][a];
    axes->step[k][a] = axes->step[k][b];
    axes->step[k][b] = step;
  }
}

static void sort_axes(const tsr__axes *axes) {
  for (int i = 1; i < axes->ndim; i++)
    for (int at = i; at > 0 && runs_faster(axes, at, at - 1); at--) tsr__axes_swap(axes, at, at - 1);
}

/* Whether axis b goes on where axis a ends, in every operand. */
static bool is_mergeable(const tsr__axes *axes, int a, int b) {
  for (int k = 0; k < axes->operands; k++)
    if (axes->step[k][b] != axes->step[k][a] * (ptrdiff_t)axes->length[a]) return false;
  return true;
}

static void merge_axes(tsr__axes *axes) {
  int last = 0; /* the axis that grows */
  for (int i = 1; i < axes->ndim; i++) {
    if (is_mergeable(axes, last, i)) {
      axes->length[last] *= axes->length[i];
    } else if (++last != i) {
      tsr__axes_swap(axes, last, i);
    }
  }
  axes->ndim = last + 1;
}

/* Turns axes that run backwards in every operand that moves along them, so that memory is walked upwards. */
static void flip_axes(const tsr__axes *axes) {
  for (int i = 0; i < axes->ndim; i++) {
    bool backwards = true;
    for (int k = 0; k < axes->operands; k++) backwards = backwards && axes->step[k][i] <= 0;
    if (!backwards) continue;
    for (int k = 0; k < axes->operands; k++) {
      axes->base[k] += axes->step[k][i] * (ptrdiff_t)(axes->length[i] - 1);
      axes->step[k][i] = -axes->step[k][i];
    }
  }
}

static void gather_axes(tsr__axes *axes, const tsr_tensor *const *tensors) {
  const tsr_tensor *const first = tensors[0];
  for (int axis = first->ndim - 1; axis >= 0; axis--) {
    if (first->shape[axis] == 1) continue;
    axes->length[axes->ndim] = first->shape[axis];
    for (int k = 0; k < axes->operands; k++)
      axes->step[k][axes->ndim] = (ptrdiff_t)tensors[k]->stride[axis] * (ptrdiff_t)tsr_dtype_size(tensors[k]->dtype);
    axes->ndim++;
  }
}

void tsr__axes_init(tsr__axes *axes, const tsr_tensor *const *tensors) {
  axes->ndim = 0;
  gather_axes(axes, tensors);
  if (axes->ndim == 0) { /* one element: a row of length 1 */
    axes->ndim = 1;
    axes->length[0] = 1;
    for (int k = 0; k < axes->operands; k++) axes->step[k][0] = (ptrdiff_t)tsr_dtype_size(tensors[k]->dtype);
    return;
  }
  flip_axes(axes);
  sort_axes(axes);
  merge_axes(axes);
}

void tsr__loop_init(tsr__loop *loop, int operands, const tsr_tensor *const *tensors) {
  tsr__axes axes = {.operands = operands, .length = loop->length, .base = loop->base, .step = loop->step};
  loop->ndim = 0;
  loop->operands = operands;
  loop->size = tsr_size(tensors[0]);
  for (int k = 0; k < operands; k++) loop->base[k] = tensors[k]->data;
  if (loop->size == 0) return;
  tsr__axes_init(&axes, tensors);
  loop->ndim = axes.ndim;
}

/* Goes to the next row; false after the last. */
static bool advance(const tsr__loop *loop, tsr_index *index, char **at) {
  for (int axis = 1; axis < loop->ndim; axis++) {
    index[axis]++;
    for (int k = 0; k < loop->operands; k++) at[k] += loop->step[k][axis];
    if (index[axis] < loop->length[axis]) return true;
    index[axis] = 0;
    for (int k = 0; k < loop->operands; k++) at[k] -= loop->step[k][axis] * (ptrdiff_t)loop->length[axis];
  }
  return false;
}

void tsr__loop_run(const tsr__loop *loop, tsr__row_fn *row, void *param) {
  if (loop->size == 0) return;
  tsr_index index[TSR_MAX_DIMS] = {0};
  char *at[TSR__MAX_OPERANDS];
  ptrdiff_t step[TSR__MAX_OPERANDS];
  for (int k = 0; k < loop->operands; k++) {
    at[k] = loop->base[k];
    step[k] = loop->step[k][0];
  }
  const tsr__row_args args = {.param = param, .count = 1, .next = step}; /* of one row, next is not used */
  do {
    row(&args, loop->length[0], at, step);
  } while (advance(loop, index, at));
}

/* ---- on several threads ---- */

typedef struct split {
  const tsr__loop *loop;
  tsr__row_fn *row;
  tsr__row_args args;
  tsr_index pieces; /* of every row */
  tsr_index piece;  /* elements of each but the last */
} split;

void tsr__loop_go_to_row(const tsr__loop *loop, tsr_index number, tsr_index *index, char **at) {
  for (int k = 0; k < loop->operands; k++) at[k] = loop->base[k];
  for (int axis = 1; axis < loop->ndim; axis++) {
    index[axis] = number % loop->length[axis];
    number /= loop->length[axis];
    for (int k = 0; k < loop->operands; k++) at[k] += loop->step[k][axis] * (ptrdiff_t)index[axis];
  }
}

static void run_piece(const split *s, tsr_index piece, char *const *row_at, const ptrdiff_t *step) {
  const tsr_index first = piece * s->piece, left = s->loop->length[0] - first;
  char *at[TSR__MAX_OPERANDS];
  for (int k = 0; k < s->loop->operands; k++) at[k] = row_at[k] + step[k] * (ptrdiff_t)first;
  s->row(&s->args, left < s->piece ? left : s->piece, at, step);
}

static void run_pieces(void *arg, tsr_index begin, tsr_index end, int worker) {
  const split *const s = arg;
  const tsr__loop *const loop = s->loop;
  tsr_index index[TSR_MAX_DIMS] = {0}, piece = begin % s->pieces;
  char *at[TSR__MAX_OPERANDS];
  ptrdiff_t step[TSR__MAX_OPERANDS];
  (void)worker;
  for (int k = 0; k < loop->operands; k++) step[k] = loop->step[k][0];
  tsr__loop_go_to_row(loop, begin / s->pieces, index, at);
  for (tsr_index i = begin; i < end; i++) {
    run_piece(s, piece, at, step);
    if (++piece < s->pieces) continue;
    piece = 0;
    (void)advance(loop, index, at);
  }
}

/* Elements of a piece of a row: about grain, all pieces alike, and as many that every worker has its share. */
static tsr_index piece_of(const tsr_ctx *ctx, tsr_index length, tsr_index grain) {
  if (length <= grain) return length;
  const tsr_index workers = tsr__parallel(ctx)->max_workers, least = (length - 1) / grain + 1;
  const tsr_index pieces = least > workers ? (least - 1) / workers * workers + workers : least;
  return ((length - 1) / pieces / TSR__PIECE + 1) * TSR__PIECE;
}

void tsr__loop_run_parallel(const tsr_ctx *ctx, const tsr__loop *loop, tsr_index grain, tsr__row_fn *row, void *param) {
  if (loop->size <= grain || !TSR_HAVE_THREADS) {
    tsr__loop_run(loop, row, param);
    return;
  }
  const tsr_index length = loop->length[0], piece = piece_of(ctx, length, grain);
  split s = {loop, row, tsr__one_row(param), (length - 1) / piece + 1, piece};
  const tsr_index tasks = loop->size / length * s.pieces;
  tsr__parallel_for(ctx, tasks, grain > piece ? grain / piece : 1, run_pieces, &s);
}
