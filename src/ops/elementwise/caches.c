/* Three things are done for caches: an output larger than all of them is written past them; an input that lies
 * across the output is turned in blocks, so that every line of it is read once; an input that repeats over an outer
 * axis is used again while it is still near. */
#include "ops/elementwise/caches.h"

#include "cpu/move.h"
#include "cpu/parallel.h"

#if TSR_HAVE_MALLOC /* a host: microcontrollers have no caches to speak of */

enum {
  STREAM_BYTES = 1024,  /* longer bursts of such stores hold up the reads between them: 4 KB took half as long again */
  TURN_BYTES = 2048,    /* of a block on the stack, for each of two inputs */
  NEAR_BYTES = 16384,   /* an input that repeats and is not larger is in the first cache anyway */
  REUSE_BYTES = 8192,   /* else so much of it is used again and again */
  ACROSS_LEAST = 16,    /* axes that are shorter are not worth turning */
  ACROSS_ELEMENTS = 4096
};

static tsr_index smaller(tsr_index a, tsr_index b) { return a < b ? a : b; }

/* ---- outputs beyond the caches ---- */

typedef struct streaming {
  const tsr__elementwise  *e;
  const tsr__move_kernels *move;
} streaming;

/* A block at a time on the stack, and from there past the caches. */
static void stream_row(void *arg, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const streaming *const s = arg;
  const tsr__elementwise *const e = s->e;
  const size_t item = (size_t)step[0];
  _Alignas(64) char block[STREAM_BYTES];
  const tsr_index head = smaller(n, tsr__before_line(at[0], item)), most = (tsr_index)(STREAM_BYTES / item);
  if (head > 0) e->kernel(e->arg, head, at, step);
  for (tsr_index i = head; i < n; i += most) {
    char *now[TSR__MAX_OPERANDS] = {block};
    const tsr_index count = smaller(n - i, most);
    for (int k = 1; k <= e->inputs; k++) now[k] = at[k] + (ptrdiff_t)i * step[k];
    e->kernel(e->arg, count, now, step);
    s->move->stream(at[0] + (ptrdiff_t)i * step[0], block, (size_t)count * item);
  }
  s->move->fence();
}

static bool is_beyond_caches(const tsr__elementwise *e, const tsr__loop *loop) {
  const ptrdiff_t item = tsr__item_sizes[e->result];
  return loop->step[0][0] == item && (size_t)loop->size >= tsr__stream_bytes / (size_t)item &&
         loop->length[0] * item >= STREAM_BYTES;
}

/* ---- inputs that lie across the output ---- */

typedef struct turning {
  const tsr__elementwise  *e;
  const tsr__loop         *loop;
  const tsr__move_kernels *move;
  int                      across; /* the axis along which turned inputs have no gaps */
  bool                     turned[TSR__MAX_OPERANDS];
  tsr_index                high, wide; /* of a block: along across, along axis 0 */
} turning;

/* One block: the turned inputs to the stack, then row by row. */
static void turn_block(const turning *t, tsr_index high, tsr_index wide, char *const *at, char (*blocks)[TURN_BYTES]) {
  const tsr__loop *const loop = t->loop;
  char *now[TSR__MAX_OPERANDS];
  ptrdiff_t step[TSR__MAX_OPERANDS], next[TSR__MAX_OPERANDS];
  int used = 0;
  for (int k = 0; k < loop->operands; k++) {
    now[k] = at[k];
    step[k] = loop->step[k][0];
    next[k] = loop->step[k][t->across];
    if (!t->turned[k]) continue;
    const ptrdiff_t item = next[k];
    const tsr__block block = {.src = at[k], .dst = blocks[used], .n = {wide, high}, .src_step = {step[k], item},
                              .dst_step = {item, (ptrdiff_t)t->wide * item}, .item = (size_t)item};
    t->move->transpose(&block);
    now[k] = blocks[used++];
    step[k] = item;
    next[k] = (ptrdiff_t)t->wide * item;
  }
  for (tsr_index row = 0; row < high; row++) {
    t->e->kernel(t->e->arg, wide, now, step);
    for (int k = 0; k < loop->operands; k++) now[k] += next[k];
  }
}

/* Where strip number number begins; returns how high it is. */
static tsr_index go_to_strip(const turning *t, tsr_index number, char **at) {
  const tsr__loop *const loop = t->loop;
  for (int k = 0; k < loop->operands; k++) at[k] = loop->base[k];
  const tsr_index strips = (loop->length[t->across] - 1) / t->high + 1, first = number % strips * t->high;
  number /= strips;
  for (int k = 0; k < loop->operands; k++) at[k] += loop->step[k][t->across] * (ptrdiff_t)first;
  for (int axis = 1; axis < loop->ndim; axis++) {
    if (axis == t->across) continue;
    const tsr_index index = number % loop->length[axis];
    number /= loop->length[axis];
    for (int k = 0; k < loop->operands; k++) at[k] += loop->step[k][axis] * (ptrdiff_t)index;
  }
  return smaller(t->high, loop->length[t->across] - first);
}

static void turn_strips(void *arg, tsr_index begin, tsr_index end, int worker) {
  const turning *const t = arg;
  const tsr__loop *const loop = t->loop;
  _Alignas(64) char blocks[2][TURN_BYTES];
  (void)worker;
  for (tsr_index strip = begin; strip < end; strip++) {
    char *at[TSR__MAX_OPERANDS];
    const tsr_index high = go_to_strip(t, strip, at);
    for (tsr_index i = 0; i < loop->length[0]; i += t->wide) {
      turn_block(t, high, smaller(t->wide, loop->length[0] - i), at, blocks);
      for (int k = 0; k < loop->operands; k++) at[k] += loop->step[k][0] * (ptrdiff_t)t->wide;
    }
  }
}

/* Whether operand k moves by whole elements along axis, and by more along axis 0. */
static bool lies_across(const tsr__loop *loop, int k, int axis, ptrdiff_t item) {
  const ptrdiff_t along = loop->step[k][0];
  return along != 0 && along != item && loop->step[k][axis] == item;
}

/* Finds the axis and the inputs to turn, two at most: false when there is none. */
static bool plan_turning(const tsr__elementwise *e, const tsr__loop *loop, turning *t) {
  if (loop->size < ACROSS_ELEMENTS || loop->length[0] < ACROSS_LEAST || loop->step[0][0] != tsr__item_sizes[e->result])
    return false;
  int found = 0;
  size_t largest = 1;
  for (int k = 1; k < loop->operands; k++) {
    const ptrdiff_t item = tsr__item_sizes[tsr__kernel_dtype(e, k - 1)];
    for (int axis = 1; axis < loop->ndim && found == 0; axis++)
      if (lies_across(loop, k, axis, item) && loop->length[axis] >= ACROSS_LEAST) t->across = axis;
    t->turned[k] = t->across > 0 && found < 2 && lies_across(loop, k, t->across, item);
    found += t->turned[k];
    if (t->turned[k] && (size_t)item > largest) largest = (size_t)item;
  }
  t->high = (tsr_index)(64 / largest); /* a line of the input */
  t->wide = (tsr_index)(TURN_BYTES / 64);
  return found > 0;
}

/* ---- inputs that repeat ---- */

/* The largest divisor of length that is at most most. */
static tsr_index divisor(tsr_index length, tsr_index most) {
  tsr_index best = 1;
  for (tsr_index d = 2; d <= most && d <= length; d++)
    if (length % d == 0) best = d;
  return best;
}

/* The bytes of axes 0 … last that operand k walks before it repeats. */
static size_t walked(const tsr__loop *loop, int k, int last) {
  size_t bytes = 1;
  for (int axis = 0; axis <= last; axis++) {
    const ptrdiff_t step = loop->step[k][axis];
    if (step != 0) bytes = (size_t)loop->length[axis] * (size_t)(step < 0 ? -step : step);
  }
  return bytes;
}

/* Axis 1 in parts, and axis 2 inside of a part: rows of an input that repeats along axis 2 are used again while
 * near. */
static void reuse_rows(tsr__loop *loop) {
  if (loop->ndim < 3 || loop->ndim == TSR_MAX_DIMS) return;
  size_t row = 0;
  for (int k = 1; k < loop->operands; k++)
    if (loop->step[k][2] == 0 && loop->step[k][1] != 0 && walked(loop, k, 1) > NEAR_BYTES) row = walked(loop, k, 0);
  if (row == 0 || row > REUSE_BYTES / 2) return;
  const tsr_index part = divisor(loop->length[1], (tsr_index)(REUSE_BYTES / row));
  if (part < 2 || part == loop->length[1]) return;
  for (int axis = loop->ndim; axis > 3; axis--) {
    loop->length[axis] = loop->length[axis - 1];
    for (int k = 0; k < loop->operands; k++) loop->step[k][axis] = loop->step[k][axis - 1];
  }
  loop->length[3] = loop->length[1] / part;
  loop->length[1] = part;
  for (int k = 0; k < loop->operands; k++) loop->step[k][3] = loop->step[k][1] * (ptrdiff_t)part;
  loop->ndim++;
}

/* ---- short rows ---- */

typedef struct walking {
  const tsr__loop *loop;
  tsr__row_fn     *row;
  void            *arg;
} walking;

/* Where row number number begins; returns how many rows there are from it to the end of axis 1. */
static tsr_index go_to_row(const tsr__loop *loop, tsr_index number, char **at) {
  const tsr_index first = number % loop->length[1];
  for (int k = 0; k < loop->operands; k++) at[k] = loop->base[k];
  for (int axis = 1; axis < loop->ndim; axis++) {
    const tsr_index index = number % loop->length[axis];
    number /= loop->length[axis];
    for (int k = 0; k < loop->operands; k++) at[k] += loop->step[k][axis] * (ptrdiff_t)index;
  }
  return loop->length[1] - first;
}

/* Rows along axis 1 one after the other, with as little between them as can be: a row may be a few nanoseconds. */
static void walk_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const walking *const w = arg;
  const tsr__loop *const loop = w->loop;
  ptrdiff_t step[TSR__MAX_OPERANDS] = {0}, next[TSR__MAX_OPERANDS] = {0};
  (void)worker;
  for (int k = 0; k < loop->operands; k++) {
    step[k] = loop->step[k][0];
    next[k] = loop->step[k][1];
  }
  while (begin < end) {
    char *at[TSR__MAX_OPERANDS] = {NULL};
    const tsr_index rows = smaller(end - begin, go_to_row(loop, begin, at));
    for (tsr_index i = 0; i < rows; i++) {
      w->row(w->arg, loop->length[0], at, step);
      for (int k = 0; k < 3; k++) at[k] += next[k];
      if (loop->operands > 3) at[3] += next[3];
    }
    begin += rows;
  }
}

static void run_rows(const tsr_ctx *ctx, const tsr__loop *loop, tsr_index grain, tsr__row_fn *row, void *arg) {
  if (loop->ndim == 1 || loop->length[0] > grain) {
    tsr__loop_run_parallel(ctx, loop, grain, row, arg);
    return;
  }
  walking w = {loop, row, arg};
  tsr__parallel_for(ctx, loop->size / loop->length[0], (grain - 1) / loop->length[0] + 1, walk_rows, &w);
}

/* ---- the choice ---- */

void tsr__run_cached(const tsr_ctx *ctx, const tsr__elementwise *e, tsr__loop *loop, bool apart) {
  const tsr_index grain = e->grain > 0 ? e->grain : TSR__GRAIN_LIGHT;
  turning t = {.e = e, .loop = loop};
  if (loop->size == 0) return;
  if (plan_turning(e, loop, &t)) {
    const tsr_index strips = (loop->length[t.across] - 1) / t.high + 1;
    const tsr_index tasks = loop->size / loop->length[0] / loop->length[t.across] * strips;
    t.move = tsr__move_kernels_of(ctx);
    tsr__parallel_for(ctx, tasks, grain / (t.high * loop->length[0]) + 1, turn_strips, &t);
    return;
  }
  reuse_rows(loop);
  streaming s = {e, NULL};
  const bool stream = apart && is_beyond_caches(e, loop);
  if (stream) s.move = tsr__move_kernels_of(ctx);
  run_rows(ctx, loop, grain, stream ? stream_row : e->kernel, stream ? (void *)&s : e->arg);
}

#endif
