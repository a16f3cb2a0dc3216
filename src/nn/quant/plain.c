/* Quantised layers in plain loops: what microcontrollers run, and the reference of every other kernel. Outputs are
 * computed two by two: the numbers of x that each meets are gathered into a patch, which then meets the filters. */
#include "cpu/parallel.h"
#include "nn/quant/dot.h"
#include "nn/quant/layer.h"

enum { GRAIN = 1 << 16 }; /* products that are worth a thread */

static tsr_index patch_length(const tsr__q_run *q) { return q->c.i * q->c.kh * q->c.kw; }

/* Whether patches are bytes as they lie in x. */
static bool is_narrow(const tsr__q_run *q) {
#if defined(TSR__DOT_MVE)
  return q->layer->x_dtype == TSR_I8;
#else
  (void)q;
  return false;
#endif
}

/* ---- patches ---- */

/* n numbers of x, step bytes apart, or its zero point (x NULL). */
static void gather_i16(const tsr__q_run *q, tsr_index n, const char *x, ptrdiff_t step, int16_t *to) {
  const int dtype = q->layer->x_dtype;
  if (x == NULL)
    for (tsr_index i = 0; i < n; i++) to[i] = (int16_t)q->layer->x_zero;
  else if (dtype == TSR_I8)
    for (tsr_index i = 0; i < n; i++, x += step) to[i] = *(const int8_t *)x;
  else if (dtype == TSR_U8)
    for (tsr_index i = 0; i < n; i++, x += step) to[i] = *(const uint8_t *)x;
  else
    for (tsr_index i = 0; i < n; i++, x += step) to[i] = *(const int16_t *)(const void *)x;
}

static void gather_i8(const tsr__q_run *q, tsr_index n, const char *x, ptrdiff_t step, int8_t *to) {
  if (x == NULL)
    memset(to, (int)q->layer->x_zero & 255, (size_t)n);
  else if (step == 1)
    memcpy(to, x, (size_t)n);
  else
    for (tsr_index i = 0; i < n; i++, x += step) to[i] = *(const int8_t *)x;
}

static void gather(const tsr__q_run *q, tsr_index n, const char *x, ptrdiff_t step, char *patch, tsr_index at) {
  if (is_narrow(q))
    gather_i8(q, n, x, step, (int8_t *)patch + at);
  else
    gather_i16(q, n, x, step, (int16_t *)(void *)patch + at);
}

/* Groups of four as the dots want them. */
static void order_pairs(const tsr__q_run *q, char *patch) {
#if defined(TSR__DOT_PAIRS)
  int16_t *p = (int16_t *)(void *)patch;
  for (tsr_index k = patch_length(q) / 4; k > 0; k--, p += 4) {
    const int16_t second = p[1];
    p[1] = p[2];
    p[2] = second;
  }
#else
  (void)q;
  (void)patch;
#endif
}

/* The patch of output (y, x) of an image, of one group of channels. */
static void gather_patch(const tsr__q_run *q, const char *image, tsr_index group, tsr_index y, tsr_index x,
                         char *patch) {
  const tsr__conv *const c = &q->c;
  const char *const channels = image + (ptrdiff_t)(group * c->i) * q->xs[1];
  tsr_index at = 0;
  for (tsr_index ky = 0; ky < c->kh; ky++) {
    const tsr_index iy = y * c->sh - c->top + ky * c->dh;
    for (tsr_index kx = 0; kx < c->kw; kx++, at += c->i) {
      const tsr_index ix = x * c->sw - c->left + kx * c->dw;
      const bool inside = iy >= 0 && iy < c->h && ix >= 0 && ix < c->w;
      gather(q, c->i, inside ? channels + (ptrdiff_t)iy * q->xs[2] + (ptrdiff_t)ix * q->xs[3] : NULL, q->xs[1], patch,
             at);
    }
  }
  order_pairs(q, patch);
}

static int32_t sum_patch(const tsr__q_run *q, const char *patch) {
  uint32_t sum = 0;
  for (tsr_index i = 0; i < patch_length(q); i++) {
    const int32_t value = is_narrow(q) ? ((const int8_t *)patch)[i] : ((const int16_t *)(const void *)patch)[i];
    sum += (uint32_t)value;
  }
  return (int32_t)sum;
}

/* ---- outputs ---- */

static void dots(const tsr__q_run *q, char *const *patch, const int8_t *w0, const int8_t *w1, int32_t *sums) {
  const int16_t *const p0 = (const int16_t *)(const void *)patch[0], *const p1 =
                                                                         (const int16_t *)(const void *)patch[1];
#if defined(TSR__DOT_MVE)
  if (is_narrow(q))
    tsr__dots_bytes((const int8_t *)patch[0], (const int8_t *)patch[1], w0, w1, patch_length(q), sums);
  else
    tsr__dots_plain(p0, p1, w0, w1, patch_length(q), sums);
#elif defined(TSR__DOT_PAIRS)
  tsr__dots_pairs(p0, p1, w0, w1, patch_length(q), sums);
#else
  tsr__dots_plain(p0, p1, w0, w1, patch_length(q), sums);
#endif
}

/* Filters o and o + 1 (or o alone) with both patches. */
static void run_filters(const tsr__q_run *q, char *const *patch, const int32_t *patch_sums, tsr_index o, bool second,
                        char *const *out) {
  const tsr_index k = patch_length(q), next = o + (second ? 1 : 0);
  const int32_t *const bias = q->table[TSR__Q_BIAS], *const zero = q->table[TSR__Q_W_ZERO];
  int32_t sums[4] = {bias[o], bias[next], bias[o], bias[next]};
  dots(q, patch, q->w + o * k, q->w + next * k, sums);
  for (int i = 0; i < 4; i++) {
    const tsr_index at = i % 2 == 0 ? o : next;
    if (q->asymmetric) sums[i] = (int32_t)((uint32_t)sums[i] - (uint32_t)zero[at] * (uint32_t)patch_sums[i / 2]);
    tsr__q_store(q->layer->out_dtype, out[i / 2] + (ptrdiff_t)at * q->os[1], tsr__q_result(q, at, sums[i]));
  }
}

/* Outputs x0 and x1 (which may be the same) of row y. */
static void run_two(const tsr__q_run *q, const char *image, char *out_row, tsr_index y, tsr_index x0, tsr_index x1,
                    char *room) {
  const tsr_index filters = q->c.o / q->c.groups;
  char *const patch[2] = {room, room + q->each / 2};
  char *const out[2] = {out_row + (ptrdiff_t)x0 * q->os[3], out_row + (ptrdiff_t)x1 * q->os[3]};
  for (tsr_index g = 0; g < q->c.groups; g++) {
    int32_t patch_sums[2] = {0};
    gather_patch(q, image, g, y, x0, patch[0]);
    gather_patch(q, image, g, y, x1, patch[1]);
    for (int i = 0; i < 2 && q->asymmetric; i++) patch_sums[i] = sum_patch(q, patch[i]);
    for (tsr_index o = g * filters; o < (g + 1) * filters; o += 2)
      run_filters(q, patch, patch_sums, o, o + 1 < (g + 1) * filters, out);
  }
}

/* ---- depthwise: channels side by side ---- */

enum { CHANNELS = 16 };

/* One tap of n channels: sums += x · (w - zero), x NULL where it is outside. */
static void add_tap(const tsr__q_run *q, tsr_index first, int n, const char *x, const int8_t *w, int32_t *sums) {
  const tsr_index each = q->c.o / q->c.groups;
  const int32_t *const zero = q->table[TSR__Q_W_ZERO] + first;
  const int dtype = q->layer->x_dtype;
  for (int i = 0; i < n; i++) {
    const char *const at = x != NULL ? x + (ptrdiff_t)((first + i) / each) * q->xs[1] : NULL;
    const int32_t value = at == NULL        ? q->layer->x_zero
                          : dtype == TSR_I8 ? *(const int8_t *)at
                          : dtype == TSR_U8 ? *(const uint8_t *)at
                                            : *(const int16_t *)(const void *)at;
    sums[i] = (int32_t)((uint32_t)sums[i] + (uint32_t)value * (uint32_t)(w[i] - zero[i]));
  }
}

static void run_channels(const tsr__q_run *q, const char *image, char *out, tsr_index y, tsr_index x, tsr_index first,
                         int n) {
  const tsr__conv *const c = &q->c;
  int32_t sums[CHANNELS];
  for (int i = 0; i < n; i++) sums[i] = q->table[TSR__Q_BIAS][first + i];
  for (tsr_index ky = 0; ky < c->kh; ky++) {
    const tsr_index iy = y * c->sh - c->top + ky * c->dh;
    for (tsr_index kx = 0; kx < c->kw; kx++) {
      const tsr_index ix = x * c->sw - c->left + kx * c->dw;
      const bool inside = iy >= 0 && iy < c->h && ix >= 0 && ix < c->w;
      add_tap(q, first, n, inside ? image + (ptrdiff_t)iy * q->xs[2] + (ptrdiff_t)ix * q->xs[3] : NULL,
              q->w + (ky * c->kw + kx) * c->o + first, sums);
    }
  }
  for (int i = 0; i < n; i++)
    tsr__q_store(q->layer->out_dtype, out + (ptrdiff_t)(first + i) * q->os[1], tsr__q_result(q, first + i, sums[i]));
}

static void run_depthwise(const tsr__q_run *q, const char *image, char *out_row, tsr_index y) {
  for (tsr_index x = 0; x < q->c.ow; x++)
    for (tsr_index first = 0; first < q->c.o; first += CHANNELS)
      run_channels(q, image, out_row + (ptrdiff_t)x * q->os[3], y, x, first,
                   (int)(q->c.o - first < CHANNELS ? q->c.o - first : CHANNELS));
}

/* ---- the run ---- */

/* Rows of outputs of all images; of dense layers pairs of images. */
static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const tsr__q_run *const q = arg;
  char *const room = q->scratch + q->shared + (size_t)worker * q->each;
  for (tsr_index row = begin; row < end; row++) {
    const tsr_index n = row / q->c.oh, y = row % q->c.oh;
    const char *const image = q->x + (ptrdiff_t)n * q->xs[0];
    char *const out = q->out + (ptrdiff_t)n * q->os[0] + (ptrdiff_t)y * q->os[2];
    if (q->depthwise)
      run_depthwise(q, image, out, y);
    else
      for (tsr_index x = 0; x < q->c.ow; x += 2) run_two(q, image, out, y, x, x + 1 < q->c.ow ? x + 1 : x, room);
  }
}

size_t tsr__q_plain_scratch(const tsr_ctx *ctx, tsr__q_run *q) {
  size_t bytes = (size_t)patch_length(q), all;
  q->shared = 0;
  if (q->depthwise) bytes = 0;
  if (!tsr__mul_size(bytes, is_narrow(q) ? 1 : 2, &bytes)) return SIZE_MAX;
  bytes = tsr__align_up(bytes, 8);
  if (!tsr__mul_size(bytes, 2, &q->each) || !tsr__mul_size(q->each, (size_t)tsr__parallel(ctx)->max_workers, &all))
    return SIZE_MAX;
  return all;
}

void tsr__q_plain_go(const tsr_ctx *ctx, const tsr__q_run *q) {
  const tsr_index row = q->c.ow * q->c.o * patch_length(q) + 1;
  tsr__parallel_for(ctx, q->c.n * q->c.oh, GRAIN / row + 1, run_rows, (void *)(uintptr_t)q);
}
