/* Three things are done for caches: an output larger than all of them is written by non-temporal stores; an input that
 * lies across the output is transposed in blocks, so that every line of it is read once; an input that repeats over an
 * outer axis is used again while it is still near. */
#include "ops/elementwise/cache_blocking.h"

#include "cpu/move.h"
#include "cpu/parallel.h"

#if TSR_HAVE_MALLOC /* a host: microcontrollers have no caches to speak of */

enum {
  STREAM_BYTES = 1024, /* longer bursts of such stores hold up the reads between them: 4 KB took half as long again */
  TRANSPOSE_BYTES = 4096, /* of the blocks on the stack, for all inputs that are transposed */
  BLOCKS_HIGH = 2,    /* blocks above each other before those beside them: 2048 x 2048 took 2.2 ms; 1: 2.5, 4: 2.8 */
  NEAR_BYTES = 65536, /* an input that repeats and is not larger is near anyway */
  REUSE_BYTES = 8192, /* else so much of it is used again and again */
  ACROSS_LEAST = 16,  /* axes that are shorter are not worth transposing */
  ACROSS_ELEMENTS = 4096
};

static tsr_index smaller(tsr_index a, tsr_index b) { return a < b ? a : b; }

/* ---- outputs beyond the caches ---- */

typedef struct streaming {
  const tsr__row_loop *rows;
  const tsr__move_kernels *move;
} streaming;

/* A block at a time on the stack, and from there by non-temporal stores. */
static void stream_blocks(const streaming *s, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const tsr__row_loop *const r = s->rows;
  const size_t item = (size_t)step[0];
  _Alignas(64) char block[STREAM_BYTES];
  const tsr_index most = (tsr_index)(STREAM_BYTES / item);
  const tsr__row_args one = tsr__one_row(r->param);
  for (tsr_index i = 0; i < n; i += most) {
    char *now[TSR__MAX_OPERANDS] = {block};
    const tsr_index count = smaller(n - i, most);
    for (int k = 1; k < r->operands; k++) now[k] = at[k] + (ptrdiff_t)i * step[k];
    r->row(&one, count, now, step);
    s->move->stream(at[0] + (ptrdiff_t)i * step[0], block, (size_t)count * item);
  }
}

static void move_on(const tsr__row_loop *r, tsr_index n, char **at, const ptrdiff_t *step) {
  for (int k = 0; k < r->operands; k++) at[k] += (ptrdiff_t)n * step[k];
}

/* Whether the kernel itself writes such a row by non-temporal stores. */
static bool can_stream(const tsr__row_loop *r, const char *out, const ptrdiff_t *step) {
  bool can = r->row_batches && (uintptr_t)out % 64 == 0;
  for (int k = 1; k < r->operands; k++) can = can && (step[k] == 0 || step[k] == (ptrdiff_t)r->item[k]);
  return can;
}

/* Whole lines, and what lies before and behind them. */
static void stream_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const streaming *const s = args->param;
  const tsr__row_loop *const r = s->rows;
  const tsr_index head = smaller(n, tsr__before_line(at[0], (size_t)step[0]));
  char *now[TSR__MAX_OPERANDS] = {NULL};
  for (int k = 0; k < r->operands; k++) now[k] = at[k];
  tsr__row_args one = tsr__one_row(r->param);
  if (head > 0) r->row(&one, head, now, step);
  move_on(r, head, now, step);
  if (can_stream(r, now[0], step)) {
    const tsr_index lines = (n - head) & -(tsr_index)(64 / step[0]);
    one.stream = true;
    r->row(&one, lines, now, step);
    one.stream = false;
    move_on(r, lines, now, step);
    if (n - head > lines) r->row(&one, n - head - lines, now, step);
  } else {
    stream_blocks(s, n - head, now, step);
  }
  s->move->fence();
}

/* The bytes of operand k that a loop touches. */
static size_t touched(const tsr__row_loop *r, const tsr__loop *loop, int k) {
  size_t bytes = r->item[k];
  for (int axis = 0; axis < loop->ndim; axis++)
    if (loop->step[k][axis] != 0) bytes *= (size_t)loop->length[axis];
  return bytes;
}

/* Whether the output is apart from the inputs, contiguous along axis 0, and larger with them than the caches. */
static bool is_nontemporal(const tsr_ctx *ctx, const tsr__row_loop *r, const tsr__loop *loop) {
  size_t read = 0;
  for (int k = 1; k < r->operands; k++) read += touched(r, loop, k);
  return r->no_alias && loop->step[0][0] == (ptrdiff_t)r->item[0] &&
         tsr__is_nontemporal(ctx, touched(r, loop, 0), read, r->grain <= TSR__GRAIN_HEAVY);
}

/* ---- inputs that lie across the output ---- */

typedef struct transposing {
  const tsr__row_loop *rows;
  const tsr__loop *loop;
  const tsr__move_kernels *move;
  int across; /* the axis along which transposed inputs have no gaps */
  bool transposed[TSR__MAX_OPERANDS];
  ptrdiff_t place[TSR__MAX_OPERANDS]; /* of a transposed input's block on the stack */
  tsr_index high, wide;               /* of a block: along across, along axis 0 */
  tsr_index rows_at_once;             /* of a strip of blocks */
  int staged; /* the transposed input whose block takes a result that goes out by non-temporal stores; or 0 */
} transposing;

/* Asks for n rows of bytes, next bytes apart. */
static void fetch(const char *at, tsr_index n, ptrdiff_t next, size_t bytes) {
  for (tsr_index i = 0; i < n; i++, at += next)
    for (size_t byte = 0; byte < bytes; byte += 64) __builtin_prefetch(at + byte, 0, 2);
}

/* The inputs' lines of the next block in these rows: they lie far apart, and nothing else would ask for them in
 * time. */
static void fetch_next(const transposing *t, tsr_index rows, char *const *at) {
  const tsr__loop *const loop = t->loop;
  const tsr__row_loop *const r = t->rows;
  for (int k = 1; k < loop->operands; k++) {
    const ptrdiff_t along = loop->step[k][0], across = loop->step[k][t->across];
    const char *const next = at[k] + along * (ptrdiff_t)t->wide;
    if (t->transposed[k])
      fetch(next, t->wide, along, (size_t)rows * r->item[k]);
    else if (along == (ptrdiff_t)r->item[k] && across != 0)
      fetch(next, rows, across, (size_t)t->wide * r->item[k]);
  }
}

/* So many rows of n elements, one after the other; at goes on. With as little between them as can be. */
static void run_row_batch(const tsr__row_loop *r, tsr_index rows, tsr_index n, char **at, const ptrdiff_t *step,
                          const ptrdiff_t *next) {
  if (r->row_batches) {
    r->row(&(const tsr__row_args){.param = r->param, .count = rows, .next = next}, n, at, step);
    for (int k = 0; k < r->operands; k++) at[k] += next[k] * (ptrdiff_t)rows;
    return;
  }
  const tsr__row_args one = tsr__one_row(r->param);
  for (tsr_index i = 0; i < rows; i++) {
    r->row(&one, n, at, step);
    at[0] += next[0];
    at[1] += next[1];
    if (r->operands > 2) at[2] += next[2];
    if (r->operands > 3) at[3] += next[3];
  }
}

/* One block: the transposed inputs to the stack, then row by row. */
static void transpose_block(const transposing *t, tsr_index high, tsr_index wide, char *const *at, char *stack) {
  const tsr__loop *const loop = t->loop;
  char *now[TSR__MAX_OPERANDS] = {NULL};
  ptrdiff_t step[TSR__MAX_OPERANDS] = {0}, next[TSR__MAX_OPERANDS] = {0};
  for (int k = 0; k < loop->operands; k++) {
    now[k] = at[k];
    step[k] = loop->step[k][0];
    next[k] = loop->step[k][t->across];
    if (!t->transposed[k]) continue;
    const ptrdiff_t item = next[k], row = (ptrdiff_t)t->wide * item;
    const tsr__block block = {.src = at[k],
                              .dst = stack + t->place[k],
                              .n = {wide, high},
                              .src_step = {step[k], item},
                              .dst_step = {item, row},
                              .item = (size_t)item};
    t->move->transpose(&block);
    now[k] = stack + t->place[k];
    step[k] = item;
    next[k] = row;
  }
  if (t->staged != 0) {
    now[0] = now[t->staged];
    next[0] = next[t->staged];
  }
  const char *staged = now[0];
  run_row_batch(t->rows, high, wide, now, step, next);
  char *out = at[0];
  for (tsr_index row = 0; row < high && t->staged != 0; row++, out += loop->step[0][t->across], staged += next[0])
    t->move->stream(out, staged, (size_t)wide * (size_t)step[0]);
}

/* Blocks one above the other, to the end of these rows. */
static void transpose_rows(const transposing *t, tsr_index rows, tsr_index wide, char *const *at, char *stack) {
  const tsr__loop *const loop = t->loop;
  char *now[TSR__MAX_OPERANDS] = {NULL};
  for (int k = 0; k < loop->operands; k++) now[k] = at[k];
  for (tsr_index row = 0; row < rows; row += t->high) {
    transpose_block(t, smaller(t->high, rows - row), wide, now, stack);
    for (int k = 0; k < loop->operands; k++) now[k] += loop->step[k][t->across] * (ptrdiff_t)t->high;
  }
}

/* Where strip number number begins; returns how many rows it has. */
static tsr_index go_to_strip(const transposing *t, tsr_index number, char **at) {
  const tsr__loop *const loop = t->loop;
  for (int k = 0; k < loop->operands; k++) at[k] = loop->base[k];
  const tsr_index strips = (loop->length[t->across] - 1) / t->rows_at_once + 1;
  const tsr_index first = number % strips * t->rows_at_once;
  number /= strips;
  for (int k = 0; k < loop->operands; k++) at[k] += loop->step[k][t->across] * (ptrdiff_t)first;
  for (int axis = 1; axis < loop->ndim; axis++) {
    if (axis == t->across) continue;
    const tsr_index index = number % loop->length[axis];
    number /= loop->length[axis];
    for (int k = 0; k < loop->operands; k++) at[k] += loop->step[k][axis] * (ptrdiff_t)index;
  }
  return smaller(t->rows_at_once, loop->length[t->across] - first);
}

static void transpose_strips(void *arg, tsr_index begin, tsr_index end, int worker) {
  const transposing *const t = arg;
  const tsr__loop *const loop = t->loop;
  _Alignas(64) char stack[TRANSPOSE_BYTES];
  (void)worker;
  for (tsr_index strip = begin; strip < end; strip++) {
    char *at[TSR__MAX_OPERANDS];
    const tsr_index rows = go_to_strip(t, strip, at);
    for (tsr_index i = 0; i < loop->length[0]; i += t->wide) {
      if (i + 2 * t->wide <= loop->length[0]) fetch_next(t, rows, at);
      transpose_rows(t, rows, smaller(t->wide, loop->length[0] - i), at, stack);
      for (int k = 0; k < loop->operands; k++) at[k] += loop->step[k][0] * (ptrdiff_t)t->wide;
    }
  }
  if (t->staged != 0) t->move->fence();
}

/* Whether operand k moves by whole elements along axis, and by more along axis 0. */
static bool is_transposed_along(const tsr__loop *loop, int k, int axis, ptrdiff_t item) {
  const ptrdiff_t along = loop->step[k][0];
  return along != 0 && along != item && loop->step[k][axis] == item;
}

/* The axis and the inputs to transpose, two at most; false when there is none. */
static bool find_across(const tsr__row_loop *r, const tsr__loop *loop, transposing *t) {
  int found = 0;
  for (int k = 1; k < loop->operands; k++) {
    const ptrdiff_t item = (ptrdiff_t)r->item[k];
    for (int axis = 1; axis < loop->ndim && found == 0; axis++)
      if (is_transposed_along(loop, k, axis, item) && loop->length[axis] >= ACROSS_LEAST) t->across = axis;
    t->transposed[k] = t->across > 0 && found < 2 && is_transposed_along(loop, k, t->across, item);
    found += t->transposed[k];
  }
  return found > 0;
}

/* How large blocks are: a line of the input high, and as wide as the stack has room for. */
static void size_blocks(const tsr__row_loop *r, const tsr__loop *loop, transposing *t) {
  int lead = 1; /* the one with the largest elements */
  for (int k = 1; k < loop->operands; k++)
    if (t->transposed[k] && (!t->transposed[lead] || r->item[k] > r->item[lead])) lead = k;
  t->high = (tsr_index)(64 / r->item[lead]);
  t->rows_at_once = t->high * BLOCKS_HIGH;
  size_t column = 64; /* bytes that one of the output takes in all blocks */
  for (int k = 1; k < loop->operands; k++)
    if (t->transposed[k] && k != lead) column += r->item[k] * (size_t)t->high;
  t->wide = (tsr_index)(TRANSPOSE_BYTES / column) & -(tsr_index)16;
  ptrdiff_t place = 0;
  for (int k = 1; k < loop->operands; k++) {
    if (!t->transposed[k]) continue;
    t->place[k] = place;
    place += (ptrdiff_t)t->wide * (ptrdiff_t)(r->item[k] * (size_t)t->high);
    if (r->item[k] == r->item[0]) t->staged = k;
  }
}

/* Whether rows of the output begin with a line: parts of lines are not for non-temporal stores. */
static bool has_whole_lines(const tsr__loop *loop) {
  uintptr_t all = (uintptr_t)loop->base[0];
  for (int axis = 1; axis < loop->ndim; axis++) all |= (uintptr_t)loop->step[0][axis];
  return all % 64 == 0;
}

static bool plan_transposing(const tsr_ctx *ctx, const tsr__row_loop *r, const tsr__loop *loop, transposing *t) {
  if (loop->size < ACROSS_ELEMENTS || loop->length[0] < ACROSS_LEAST || loop->step[0][0] != (ptrdiff_t)r->item[0] ||
      !find_across(r, loop, t))
    return false;
  size_blocks(r, loop, t);
  if (!is_nontemporal(ctx, r, loop) || !has_whole_lines(loop)) t->staged = 0;
  return true;
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
  tsr__row_loop rows;
} walking;

/* From the end of axis 1 to its begin, one further along the axes outside of it. */
static void go_on(const tsr__loop *loop, tsr_index *index, char **at) {
  for (int axis = 1; axis < loop->ndim; axis++) {
    const bool more = axis > 1 && ++index[axis] < loop->length[axis];
    const tsr_index by = more ? 1 : axis > 1 ? 1 - loop->length[axis] : -loop->length[axis];
    for (int k = 0; k < loop->operands; k++) at[k] += loop->step[k][axis] * (ptrdiff_t)by;
    if (more) return;
    index[axis] = 0;
  }
}

/* Rows along axis 1, as many as come without a break. */
static void walk_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const walking *const w = arg;
  const tsr__loop *const loop = w->loop;
  tsr_index index[TSR_MAX_DIMS] = {0};
  char *at[TSR__MAX_OPERANDS] = {NULL};
  ptrdiff_t step[TSR__MAX_OPERANDS] = {0}, next[TSR__MAX_OPERANDS] = {0};
  (void)worker;
  for (int k = 0; k < loop->operands; k++) {
    step[k] = loop->step[k][0];
    next[k] = loop->step[k][1];
  }
  tsr__loop_go_to_row(loop, begin, index, at);
  while (begin < end) {
    const tsr_index rows = smaller(end - begin, loop->length[1] - index[1]);
    run_row_batch(&w->rows, rows, loop->length[0], at, step, next);
    begin += rows;
    go_on(loop, index, at);
  }
}

static void run_rows(const tsr_ctx *ctx, walking *w) {
  const tsr__loop *const loop = w->loop;
  const tsr_index grain = w->rows.grain;
  if (loop->ndim == 1 || loop->length[0] > grain) {
    tsr__loop_run_parallel(ctx, loop, grain, w->rows.row, w->rows.param);
    return;
  }
  tsr__parallel_for(ctx, loop->size / loop->length[0], (grain - 1) / loop->length[0] + 1, walk_rows, w);
}

/* ---- the choice ---- */

void tsr__run_cache_blocked(const tsr_ctx *ctx, const tsr__row_loop *rows, tsr__loop *loop) {
  transposing t = {.rows = rows, .loop = loop};
  if (loop->size == 0) return;
  if (plan_transposing(ctx, rows, loop, &t)) {
    const tsr_index strips = (loop->length[t.across] - 1) / t.rows_at_once + 1;
    const tsr_index tasks = loop->size / loop->length[0] / loop->length[t.across] * strips;
    t.move = tsr__move_kernels_of(ctx);
    tsr__parallel_for(ctx, tasks, rows->grain / (t.rows_at_once * loop->length[0]) + 1, transpose_strips, &t);
    return;
  }
  reuse_rows(loop);
  streaming s = {rows, NULL};
  const bool stream = is_nontemporal(ctx, rows, loop) && (size_t)loop->length[0] * rows->item[0] >= STREAM_BYTES;
  if (stream) s.move = tsr__move_kernels_of(ctx);
  walking w = {loop, *rows};
  if (stream) {
    w.rows.row = stream_row;
    w.rows.param = &s;
    w.rows.row_batches = false;
  }
  run_rows(ctx, &w);
}

#endif
