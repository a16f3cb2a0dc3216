/* Quantised layers on hosts: tiles of outputs by panels of weights. x is read where it lies, or from a copy with its
 * padding, channels last, in the numbers that the tiles take. */
#include "cpu/parallel.h"
#include "nn/conv/work.h"
#include "nn/quant/fast/panels.h"
#include "nn/quant/fast/stage.h"

#if TSR__Q_FAST

/* Pixels that meet a panel while it is in the cache, and that threads share out: whole tiles of 12, 8, 6 and 4. */
enum { CHUNK = 96, PIECE = 24 };

typedef struct fast {
  tsr__q_run q; /* the run, in which dense rows have become pixels */
  tsr__q_panels p;
  bool staged;
  ptrdiff_t item, row, pixel; /* bytes of a number, and steps, of what the tiles read */
  const char *x;              /* of this image */
  char *out;                  /* of this image */
  const ptrdiff_t *offset;    /* of the taps */
  tsr_index pixels, splits;
} fast;

/* Rows of a dense layer are the pixels of one image. */
static void bind(fast *f, const tsr__q_run *run) {
  f->q = *run;
  tsr__conv *const c = &f->q.c;
  if (c->h == 1 && c->w == 1 && c->kh == 1 && c->kw == 1 && c->oh == 1 && c->ow == 1 && c->top == 0 && c->left == 0) {
    c->w = c->ow = c->pw = c->n;
    c->sw = 1;
    c->n = 1;
    f->q.xs[3] = run->xs[0];
    f->q.os[3] = run->os[0];
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
  const bool right = run->layer->x_dtype == tsr__q_panels_x_dtype(kernel, run->isa);
  const bool inside = c->top == 0 && c->left == 0 && c->ph <= c->h && c->pw <= c->w;
  const bool beside =
      (f->q.xs[1] == f->item || c->c == 1) && (f->p.run == c->i || f->q.xs[3] == f->item * (ptrdiff_t)c->c);
  f->staged = !(right && inside && beside && f->p.run * (tsr_index)f->item % 4 == 0);
  f->pixel = f->staged ? f->item * (ptrdiff_t)c->c : f->q.xs[3];
  f->row = f->staged ? f->pixel * (ptrdiff_t)c->pw : f->q.xs[2];
  f->pixels = c->oh * c->ow;
}

/* Offsets of the taps, then the copy of one image. */
static size_t offset_bytes(const fast *f) {
  return tsr__align_up((size_t)f->p.taps * sizeof(ptrdiff_t), TSR_DATA_ALIGN);
}

size_t tsr__q_fast_scratch(const tsr__q_run *run) {
  fast f;
  size_t bytes;
  bind(&f, run);
  if (!f.staged) return offset_bytes(&f);
  if (!tsr__mul_size((size_t)f.q.c.ph, (size_t)f.q.c.pw, &bytes) ||
      !tsr__mul_size(bytes, (size_t)f.q.c.c * (size_t)f.item, &bytes) || bytes > PTRDIFF_MAX / 2)
    return SIZE_MAX;
  return offset_bytes(&f) + bytes + TSR__Q_STAGE_PAST;
}

/* ---- tiles ---- */

/* Pixels first … first + count; behind them the last one again, for tiles that are not full. */
static void locate(const fast *f, tsr_index first, tsr_index count, const char **in, char **out) {
  const tsr__conv *const c = &f->q.c;
  const ptrdiff_t *const os = f->q.os, x_step = (ptrdiff_t)c->sw * f->pixel;
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

/* One panel of one group with a chunk of pixels. */
static void run_panel(const fast *f, tsr_index group, tsr_index number, tsr_index count, const char *const *in,
                      char *const *out) {
  const tsr__q_panels *const p = &f->p;
  const tsr_qlayer *const l = f->q.layer;
  const tsr_index lanes = p->tiles->lanes, first = tsr__q_panel_vector(p, number),
                  vectors = tsr__q_panel_vector(p, number + 1) - first;
  const tsr_index column = (group * p->vectors + first) * lanes, left = p->columns - first * lanes;
  const tsr_index all = f->q.c.groups * p->vectors * lanes, wide = vectors * lanes;
  const int32_t *const bias = (const int32_t *)(const void *)(f->q.w + p->table) + column;
  const tsr__q_tile tile = {.x = in,
                            .out = out,
                            .x_first = (ptrdiff_t)(group * f->q.c.i) * f->item,
                            .out_first = (ptrdiff_t)(group * p->columns + first * lanes) * f->q.os[1],
                            .out_step = f->q.os[1],
                            .offset = f->offset,
                            .taps = p->taps,
                            .groups = p->steps,
                            .panel = (const int32_t *)(const void *)f->q.w + column * p->taps * p->steps,
                            .end = tsr__q_ends_of(l, f->q.high, bias, bias + all, bias + 2 * all),
                            .rows = (int)count,
                            .vectors = (int)vectors,
                            .columns = (int)(left < wide ? left : wide),
                            .bytes_end = f->q.high && f->q.os[1] == 1 && l->out_dtype != TSR_I16};
  p->tiles->run(&tile);
}

/* Tasks are pieces, or chunks where several share the panels of one. */
static void run_tasks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const fast *const f = arg;
  const tsr_index panels = f->q.c.groups * f->p.panels;
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
  const tsr__conv *const c = &f->q.c;
  const tsr_index across = f->p.taps / c->kh; /* taps of a row of the filter */
  for (tsr_index tap = 0; tap < f->p.taps; tap++)
    offset[tap] = (ptrdiff_t)(tap / across * c->dh) * f->row + (ptrdiff_t)(tap % across * c->dw) * f->pixel;
}

void tsr__q_fast_run(const tsr_ctx *ctx, const tsr__q_run *run) {
  fast f;
  bind(&f, run);
  const tsr__conv *const c = &f.q.c;
  ptrdiff_t *const offset = (ptrdiff_t *)(void *)run->scratch;
  tsr__q_stage stage = {.run = &f.q, f.item, f.row, f.pixel, .to = run->scratch + offset_bytes(&f)};
  set_offsets(&f, offset);
  f.offset = offset;
  const tsr_index chunks = f.pixels / CHUNK + (f.pixels % CHUNK != 0), panels = c->groups * f.p.panels;
  f.splits = tsr__conv_splits(tsr__parallel(ctx)->max_workers, chunks, panels);
  const tsr_index tasks = f.splits > 1 ? chunks * f.splits : f.pixels / PIECE + (f.pixels % PIECE != 0);
  const tsr__conv_work each = {f.splits > 1 ? CHUNK : PIECE, f.p.taps * f.p.run, c->o / f.splits + 1};
  for (tsr_index n = 0; n < c->n; n++) {
    const char *const x = f.q.x + (ptrdiff_t)n * f.q.xs[0];
    if (f.staged) tsr__q_stage_image(ctx, &stage, x);
    f.x = f.staged ? stage.to : x;
    f.out = f.q.out + (ptrdiff_t)n * f.q.os[0];
    tsr__parallel_for(ctx, tasks, tsr__conv_grain(&each) / 4 + 1, run_tasks, &f);
  }
}

#endif
