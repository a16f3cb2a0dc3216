/* Quantised layers on hosts: tiles of outputs by panels of weights. x is read where it lies, or from a copy with its
 * padding, channels last, in the numbers that the tiles take. */
#include "cpu/parallel.h"
#include "nn/conv/work.h"
#include "nn/quant/panels.h"
#include "ops/copy/copy.h"

#include <string.h>

#if TSR__Q_FAST

/* Pixels that meet a panel while it is in the cache, and that threads share out: whole tiles of 12, 8, 6 and 4. */
enum { CHUNK = 96, PIECE = 24 };

typedef struct fast {
  const tsr__q_run *q;
  tsr__q_run own; /* the run, where dense rows have become pixels */
  tsr__q_panels p;
  bool staged;
  ptrdiff_t item;              /* of what the tiles read */
  const char *x;               /* of this image */
  char *out;                   /* of this image */
  ptrdiff_t image, row, pixel; /* steps of what is read */
  const ptrdiff_t *offset;     /* of the taps */
  tsr_index pixels, splits;
} fast;

/* Rows of a dense layer are the pixels of one image. */
static void bind(fast *f, const tsr__q_run *run) {
  f->own = *run;
  f->q = &f->own;
  tsr__conv *const c = &f->own.c;
  if (c->h == 1 && c->w == 1 && c->kh == 1 && c->kw == 1 && c->oh == 1 && c->ow == 1 && c->top == 0 && c->left == 0) {
    c->w = c->ow = c->pw = c->n;
    c->sw = 1;
    c->n = 1;
    f->own.xs[3] = run->xs[0];
    f->own.os[3] = run->os[0];
  }
  const tsr__q_filters filters = {.o = c->o,
                                  .i = c->i,
                                  .kh = c->kh,
                                  .kw = c->kw,
                                  .groups = c->groups,
                                  .contiguous_rows = c->groups == 1 && c->dw == 1};
  const tsr__q_kernel kernel = run->kernel;
  tsr__q_panels_init(kernel, run->isa, &filters, &f->p);
  f->item = kernel == TSR__Q_KERNEL_BYTES ? 1 : 2;
  /* in place: the right numbers, no padding, channels side by side (pixels too where a tap has several), whole groups
   */
  const bool right = run->layer->x_dtype == (kernel == TSR__Q_KERNEL_BYTES ? TSR_U8 : TSR_I16);
  const bool inside = c->top == 0 && c->left == 0 && c->ph <= c->h && c->pw <= c->w;
  const bool beside =
      (f->own.xs[1] == f->item || c->c == 1) && (f->p.run == c->i || f->own.xs[3] == f->item * (ptrdiff_t)c->c);
  f->staged = !(right && inside && beside && f->p.run * (tsr_index)f->item % 4 == 0);
  f->pixel = f->staged ? f->item * (ptrdiff_t)c->c : f->own.xs[3];
  f->row = f->staged ? f->pixel * (ptrdiff_t)c->pw : f->own.xs[2];
  f->pixels = c->oh * c->ow;
}

/* Bytes past the copy of an image that tiles read, for 0 times what is there. */
enum { PAST = 64 };

/* Offsets of the taps, then the copy of one image. */
static size_t offset_bytes(const fast *f) {
  return tsr__align_up((size_t)f->p.taps * sizeof(ptrdiff_t), TSR_DATA_ALIGN);
}

size_t tsr__q_fast_scratch(const tsr_ctx *ctx, tsr__q_run *run) {
  fast f;
  size_t bytes;
  (void)ctx;
  bind(&f, run);
  if (!f.staged) return offset_bytes(&f);
  if (!tsr__mul_size((size_t)f.q->c.ph, (size_t)f.q->c.pw, &bytes) ||
      !tsr__mul_size(bytes, (size_t)f.q->c.c * (size_t)f.item, &bytes) || bytes > PTRDIFF_MAX / 2)
    return SIZE_MAX;
  return offset_bytes(&f) + bytes + PAST;
}

/* ---- the copy of an image ---- */

typedef struct staging {
  const fast *f;
  const char *from;
  char *to;
} staging;

/* n numbers that are the zero point of x. */
static void fill(const fast *f, tsr_index n, char *to) {
  const tsr_qlayer *const l = f->q->layer;
  const int32_t zero = l->x_zero + (f->item == 1 && l->x_dtype == TSR_I8 ? 128 : 0);
  if (f->item == 1)
    memset(to, zero, (size_t)n);
  else
    for (tsr_index i = 0; i < n; i++) ((int16_t *)(void *)to)[i] = (int16_t)zero;
}

static void convert(const fast *f, tsr_index n, const char *from, char *to) {
#define X(isa) tsr__q_flip_##isa,
  static tsr__q_flip_fn *const flips[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X
#define X(isa) {tsr__q_widen_i8_##isa, tsr__q_widen_u8_##isa},
  static tsr__q_widen_fn *const widens[TSR__ISA_COUNT][2] = {TSR_ISA_LIST(X)};
#undef X
  const tsr_qlayer *const l = f->q->layer;
  if (l->x_dtype == TSR_I16)
    memcpy(to, from, (size_t)n * 2);
  else if (f->item == 2)
    widens[f->q->isa][l->x_dtype == TSR_U8](n, from, to);
  else if (l->x_dtype == TSR_I8)
    flips[f->q->isa](n, from, to);
  else
    memcpy(to, from, (size_t)n);
}

/* Rows of the copy: padding, x, padding. Channels lie side by side in x, or have been copied here already. */
static void stage_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const staging *const s = arg;
  const fast *const f = s->f;
  const tsr__conv *const c = &f->q->c;
  const tsr_index left = c->left < c->pw ? c->left : c->pw, room = c->pw - left, n = c->w < room ? c->w : room;
  (void)worker;
  for (tsr_index y = begin; y < end; y++) {
    char *const to = s->to + (ptrdiff_t)y * f->row;
    const tsr_index iy = y - c->top;
    if (iy < 0 || iy >= c->h) {
      fill(f, c->pw * c->c, to);
      continue;
    }
    fill(f, left * c->c, to);
    fill(f, (room - n) * c->c, to + (ptrdiff_t)(left + n) * f->pixel);
    if (s->from == NULL) continue;
    const char *const from = s->from + (ptrdiff_t)iy * f->q->xs[2];
    if (f->q->xs[3] * f->item == f->pixel * (ptrdiff_t)(f->q->layer->x_dtype == TSR_I16 ? 2 : 1))
      convert(f, n * c->c, from, to + (ptrdiff_t)left * f->pixel);
    else
      for (tsr_index x = 0; x < n; x++)
        convert(f, c->c, from + (ptrdiff_t)x * f->q->xs[3], to + (ptrdiff_t)(left + x) * f->pixel);
  }
}

/* Numbers whose channels do not lie side by side: the part of x that is read, transposed. */
static void transpose(const tsr_ctx *ctx, const fast *f, const char *from, char *to) {
  const tsr__conv *const c = &f->q->c;
  const tsr_qlayer *const l = f->q->layer;
  const ptrdiff_t item = l->x_dtype == TSR_I16 ? 2 : 1, *const xs = f->q->xs;
  const tsr_index rows = c->ph - c->top < c->h ? c->ph - c->top : c->h,
                  columns = c->pw - c->left < c->w ? c->pw - c->left : c->w;
  if (rows <= 0 || columns <= 0) return;
  char *const first = to + (ptrdiff_t)c->top * f->row + (ptrdiff_t)c->left * f->pixel;
  tsr_tensor src = {.dtype = l->x_dtype, .ndim = 3, .shape = {rows, columns, c->c}, .data = (void *)(uintptr_t)from};
  tsr_tensor dst = {
      .dtype = f->item == 1 ? l->x_dtype : TSR_I16, .ndim = 3, .shape = {rows, columns, c->c}, .data = first};
  src.stride[0] = (tsr_index)(xs[2] / item);
  src.stride[1] = (tsr_index)(xs[3] / item);
  src.stride[2] = (tsr_index)(xs[1] / item);
  dst.stride[0] = (tsr_index)(f->row / f->item);
  dst.stride[1] = (tsr_index)(f->pixel / f->item);
  dst.stride[2] = 1;
  tsr__copy_no_alias(ctx, &src, &dst);
  if (f->item == 1 && l->x_dtype == TSR_I8)
    for (tsr_index y = 0; y < rows; y++)
      convert(f, columns * c->c, first + (ptrdiff_t)y * f->row, first + (ptrdiff_t)y * f->row);
}

static void stage(const tsr_ctx *ctx, const fast *f, const char *from, char *to) {
  const bool beside = f->q->xs[1] == (f->q->layer->x_dtype == TSR_I16 ? 2 : 1) || f->q->c.c == 1;
  staging s = {f, beside ? from : NULL, to};
  tsr__parallel_for(ctx, f->q->c.ph, (1 << 14) / (f->q->c.pw * f->q->c.c + 1) + 1, stage_rows, &s);
  if (!beside) transpose(ctx, f, from, to);
  memset(to + (ptrdiff_t)f->q->c.ph * f->row, 0, PAST);
}

/* ---- tiles ---- */

/* Pixels first … first + count; behind them the last one again, for tiles that are not full. */
static void locate(const fast *f, tsr_index first, tsr_index count, const char **in, char **out) {
  const tsr__conv *const c = &f->q->c;
  const ptrdiff_t *const os = f->q->os, x_step = (ptrdiff_t)c->sw * f->pixel;
  const ptrdiff_t x_row = (ptrdiff_t)c->sh * f->row - (ptrdiff_t)c->ow * x_step,
                  o_row = os[2] - (ptrdiff_t)c->ow * os[3];
  const tsr_index y = first / c->ow, column = first % c->ow;
  const char *x = f->x + (ptrdiff_t)(y * c->sh) * f->row + (ptrdiff_t)column * x_step, *last_x = x;
  char *to = f->out + (ptrdiff_t)y * os[2] + (ptrdiff_t)column * os[3], *last_to = to;
  for (tsr_index k = 0, left = c->ow - column; k < count; left = c->ow, x += x_row, to += o_row)
    for (const tsr_index end = left < count - k ? k + left : count; k < end; k++, x += x_step, to += os[3]) {
      in[k] = last_x = x;
      out[k] = last_to = to;
    }
  for (tsr_index k = count; k < count + TSR__Q_ROWS; k++) {
    in[k] = last_x;
    out[k] = last_to;
  }
}

static tsr__q_tile tile_of(const fast *f, tsr_index group, tsr_index number) {
  const tsr__q_panels *const p = &f->p;
  const tsr_qlayer *const l = f->q->layer;
  const tsr_index first = tsr__q_panel_vector(p, number), next = tsr__q_panel_vector(p, number + 1);
  const tsr_index column = (group * p->vectors + first) * p->tiles->lanes, left = p->columns - first * p->tiles->lanes;
  const tsr_index all = f->q->c.groups * p->vectors * p->tiles->lanes, wide = (next - first) * p->tiles->lanes;
  const int32_t *const ends = (const int32_t *)(const void *)(f->q->w + p->table);
  return (tsr__q_tile){.out_step = f->q->os[1],
                       .offset = f->offset,
                       .taps = p->taps,
                       .groups = p->steps,
                       .panel = (const int32_t *)(const void *)f->q->w + column * p->taps * p->steps,
                       .bias = ends + column,
                       .multiplier = ends + all + column,
                       .shift = ends + 2 * all + column,
                       .zero = l->out_zero,
                       .low = l->low,
                       .high = l->high,
                       .vectors = (int)(next - first),
                       .columns = (int)(left < wide ? left : wide),
                       .out_dtype = l->out_dtype,
                       .fast_end = f->q->high,
                       .bytes_end = f->q->high && f->q->os[1] == 1 && l->out_dtype != TSR_I16};
}

/* One panel of one group with a chunk of pixels. */
static void run_panel(const fast *f, tsr_index group, tsr_index number, tsr_index count, const char *const *in,
                      char *const *out) {
  const tsr__q_panels *const p = &f->p;
  tsr__q_tile tile = tile_of(f, group, number);
  const tsr_index column = group * p->columns + tsr__q_panel_vector(p, number) * p->tiles->lanes;
  tile.x = in;
  tile.out = out;
  tile.rows = (int)count;
  tile.x_first = (ptrdiff_t)(group * f->q->c.i) * f->item;
  tile.out_first = (ptrdiff_t)column * tile.out_step;
  p->tiles->run(&tile);
}

/* Tasks are pieces, or chunks where several share the panels of one. */
static void run_tasks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const fast *const f = arg;
  const tsr_index panels = f->q->c.groups * f->p.panels;
  const bool shared = f->splits > 1;
  (void)worker;
  for (tsr_index task = begin; task < end; task += shared ? 1 : CHUNK / PIECE) {
    const tsr_index first = shared ? task / f->splits * CHUNK : task * PIECE, part = task % f->splits;
    const tsr_index most = shared || (end - task) * PIECE > CHUNK ? CHUNK : (end - task) * PIECE;
    const tsr_index count = f->pixels - first < most ? f->pixels - first : most;
    const char *in[CHUNK + TSR__Q_ROWS];
    char *out[CHUNK + TSR__Q_ROWS];
    locate(f, first, count, in, out);
    for (tsr_index k = panels * part / f->splits; k < panels * (part + 1) / f->splits; k++)
      run_panel(f, k / f->p.panels, k % f->p.panels, count, in, out);
  }
}

static void set_offsets(const fast *f, ptrdiff_t *offset) {
  const tsr__conv *const c = &f->q->c;
  const tsr_index across = f->p.taps / c->kh; /* taps of a row of the filter */
  for (tsr_index tap = 0; tap < f->p.taps; tap++)
    offset[tap] = (ptrdiff_t)(tap / across * c->dh) * f->row + (ptrdiff_t)(tap % across * c->dw) * f->pixel;
}

void tsr__q_run_fast(const tsr_ctx *ctx, const tsr__q_run *run) {
  fast f;
  bind(&f, run);
  const tsr__conv *const c = &f.q->c;
  ptrdiff_t *const offset = (ptrdiff_t *)(void *)run->scratch;
  char *const copy = run->scratch + offset_bytes(&f);
  set_offsets(&f, offset);
  f.offset = offset;
  const tsr_index chunks = f.pixels / CHUNK + (f.pixels % CHUNK != 0), panels = c->groups * f.p.panels;
  f.splits = tsr__conv_splits(tsr__parallel(ctx)->max_workers, chunks, panels);
  const tsr_index tasks = f.splits > 1 ? chunks * f.splits : f.pixels / PIECE + (f.pixels % PIECE != 0);
  const tsr__conv_work each = {f.splits > 1 ? CHUNK : PIECE, f.p.taps * f.p.run, c->o / f.splits + 1};
  for (tsr_index n = 0; n < c->n; n++) {
    const char *const x = f.q->x + (ptrdiff_t)n * f.q->xs[0];
    if (f.staged) stage(ctx, &f, x, copy);
    f.x = f.staged ? copy : x;
    f.out = f.q->out + (ptrdiff_t)n * f.q->os[0];
    tsr__parallel_for(ctx, tasks, tsr__conv_grain(&each) / 4 + 1, run_tasks, &f);
  }
}

#else

size_t tsr__q_fast_scratch(const tsr_ctx *ctx, tsr__q_run *run) {
  (void)ctx, (void)run;
  return 0;
}

void tsr__q_run_fast(const tsr_ctx *ctx, const tsr__q_run *run) { (void)ctx, (void)run; }

#endif
