/* Quantised layers in plain loops: what microcontrollers run, and the reference of every other kernel. Outputs are
 * computed two by two: the numbers of x that each meets are gathered into a patch, which then meets the filters. */
#if defined(__OPTIMIZE_SIZE__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O2") /* where everything else is small, this is fast */
#endif

#include "cpu/parallel.h"
#include "nn/quant/dot.h"
#include "nn/quant/layer.h"

enum { GRAIN = 1 << 16 }; /* products that are worth a thread */
enum { CHANNELS = 16 };   /* of the output, at a time */

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

static void gather_i8(const tsr__q_run *q, tsr_index n, const char *x, ptrdiff_t step, char *to) {
#if defined(TSR__DOT_MVE)
  if (x == NULL || step == 1) {
    if (x == NULL)
      tsr__fill_bytes(n, (int8_t)q->layer->x_zero, to);
    else
      tsr__copy_bytes(n, x, to);
    return;
  }
#endif
  if (x == NULL) {
    for (tsr_index i = 0; i < n; i++) to[i] = (char)q->layer->x_zero;
    return;
  }
  for (tsr_index i = 0; i < n; i++, x += step) to[i] = *x;
}

/* Whether gather leaves numbers in the order of pairs: bytes side by side, in whole groups. */
static bool in_pairs(const tsr__q_run *q) {
#if defined(TSR__DOT_PAIRS)
  return q->layer->x_dtype != TSR_I16 && q->xs[1] == 1 && q->c.i % 4 == 0;
#else
  (void)q;
  return false;
#endif
}

static void gather(const tsr__q_run *q, tsr_index n, const char *x, char *patch, tsr_index at) {
#if defined(TSR__DOT_PAIRS)
  if (x != NULL && in_pairs(q)) {
    int16_t *const to = (int16_t *)(void *)patch + at;
    if (q->layer->x_dtype == TSR_I8)
      tsr__pairs_of(n, x, true, to);
    else
      tsr__pairs_of(n, x, false, to);
    return;
  }
#endif
  if (is_narrow(q))
    gather_i8(q, n, x, q->xs[1], patch + at);
  else
    gather_i16(q, n, x, q->xs[1], (int16_t *)(void *)patch + at);
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

/* One row of a filter at row (NULL: outside) of x, from column ix on. What lies side by side is one run. */
static void gather_row(const tsr__q_run *q, const char *row, tsr_index ix, char *patch, tsr_index at) {
  const tsr__conv *const c = &q->c;
  const bool inside = ix >= 0 && ix + (c->kw - 1) * c->dw < c->w && c->dw == 1 && c->groups == 1 &&
                      q->xs[3] == q->xs[1] * (ptrdiff_t)c->c;
  if (inside || row == NULL) {
    gather(q, c->i * c->kw, row != NULL ? row + (ptrdiff_t)ix * q->xs[3] : NULL, patch, at);
    return;
  }
  for (tsr_index kx = 0; kx < c->kw; kx++, at += c->i, ix += c->dw)
    gather(q, c->i, ix >= 0 && ix < c->w ? row + (ptrdiff_t)ix * q->xs[3] : NULL, patch, at);
}

/* The patch of output (y, x) of an image, of one group of channels: in room, or where it lies. */
static const char *patch_of(const tsr__q_run *q, const char *image, tsr_index group, tsr_index y, tsr_index x,
                            char *room) {
  const tsr__conv *const c = &q->c;
  const char *const channels = image + (ptrdiff_t)(group * c->i) * q->xs[1];
  const tsr_index ix = x * c->sw - c->left;
  for (tsr_index ky = 0; ky < c->kh; ky++) {
    const tsr_index iy = y * c->sh - c->top + ky * c->dh;
    const char *const row = iy >= 0 && iy < c->h ? channels + (ptrdiff_t)iy * q->xs[2] : NULL;
    if (is_narrow(q) && c->kh == 1 && c->kw == 1 && q->xs[1] == 1 && row != NULL && ix >= 0 && ix < c->w)
      return row + (ptrdiff_t)ix * q->xs[3];
    gather_row(q, row, ix, room, ky * c->kw * c->i);
  }
  if (!in_pairs(q)) order_pairs(q, room);
  return room;
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

static inline void dots(const tsr__q_run *q, const char *const *patch, const int8_t *w0, const int8_t *w1, tsr_index k,
                        int32_t *sums) {
  const int16_t *const p0 = (const int16_t *)(const void *)patch[0];
  const int16_t *const p1 = (const int16_t *)(const void *)patch[1];
  (void)q;
#if defined(TSR__DOT_MVE)
  if (is_narrow(q))
    tsr__dots_bytes((const int8_t *)patch[0], (const int8_t *)patch[1], w0, w1, k, sums);
  else
    tsr__dots_plain(p0, p1, w0, w1, k, sums);
#elif defined(TSR__DOT_PAIRS)
  tsr__dots_pairs(patch[0], patch[1] - patch[0], (const char *)w0, w1 - w0, k, sums);
  (void)p0, (void)p1;
#else
  tsr__dots_plain(p0, p1, w0, w1, k, sums);
#endif
}

/* Results of n channels from first on, of one output. */
static void end_any(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out) {
  out += (ptrdiff_t)first * q->os[1];
  for (int i = 0; i < n; i++, out += q->os[1])
    tsr__q_store(q->layer->out_dtype, out, tsr__q_result(q, first + i, sums[i]));
}

#if defined(TSR__DOT_MVE)
/* Four channels at once; what is left over is returned. */
static int end_fours(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out) {
  const int32_t *multiplier = q->table[TSR__Q_MULTIPLIER] + first, *shift = q->table[TSR__Q_SHIFT] + first;
  const int32x4_t low = vdupq_n_s32(q->layer->low), high = vdupq_n_s32(q->layer->high), one = vdupq_n_s32(1);
  const int32_t zero = q->layer->out_zero;
  for (; n >= 4; n -= 4, out += 4, sums += 4, multiplier += 4, shift += 4) {
    const int32x4_t down = vsubq_n_s32(vldrwq_s32(shift), 32), half = vshlq_s32(one, vsubq_n_s32(down, 1));
    const int32x4_t y = vaddq_s32(vmulhq_s32(vldrwq_s32(sums), vldrwq_s32(multiplier)), half);
    vstrbq_s32((int8_t *)out, vminq_s32(vmaxq_s32(vaddq_n_s32(vshlq_s32(y, vnegq_s32(down)), zero), low), high));
  }
  return n;
}
#endif

static inline char end_one(int32_t sum, int32_t multiplier, int32_t half, int32_t down, const tsr_qlayer *l) {
  const int32_t y = (((int32_t)(((int64_t)sum * multiplier) >> 32) + half) >> down) + l->out_zero;
  const int32_t above = y < l->low ? l->low : y;
  return (char)(above > l->high ? l->high : above);
}

/* Of two outputs: bytes, every shift TSR__FIXED_HIGH or more. */
static void end_two(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out0, char *out1) {
  const int32_t *multiplier = q->table[TSR__Q_MULTIPLIER] + first, *shift = q->table[TSR__Q_SHIFT] + first;
  const tsr_qlayer l = {.out_zero = q->layer->out_zero, .low = q->layer->low, .high = q->layer->high};
  const ptrdiff_t step = q->os[1];
  for (int i = 0; i < n; i++, out0 += step, out1 += step) {
    const int32_t down = shift[i] - 32, half = 1 << (down - 1);
    *out0 = end_one(sums[i], multiplier[i], half, down, &l);
    *out1 = end_one(sums[i + CHANNELS], multiplier[i], half, down, &l);
  }
}

/* sums: CHANNELS for each output. */
static void end_rows(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out0, char *out1) {
  if (!q->high || q->layer->out_dtype == TSR_I16) {
    end_any(q, first, n, sums, out0);
    end_any(q, first, n, sums + CHANNELS, out1);
    return;
  }
  out0 += (ptrdiff_t)first * q->os[1];
  out1 += (ptrdiff_t)first * q->os[1];
#if defined(TSR__DOT_MVE)
  if (q->os[1] == 1) {
    const int left = end_fours(q, first, n, sums, out0), done = n - left;
    (void)end_fours(q, first, n, sums + CHANNELS, out1);
    if (left > 0) end_two(q, first + done, left, sums + done, out0 + done, out1 + done);
    return;
  }
#endif
  end_two(q, first, n, sums, out0, out1);
}

/* Takes the zero points of the weights into account. */
static void correct(const tsr__q_run *q, const char *patch, tsr_index first, int n, int32_t *sums) {
  const uint32_t of_patch = (uint32_t)sum_patch(q, patch);
  for (int i = 0; i < n; i++)
    sums[i] = (int32_t)((uint32_t)sums[i] - (uint32_t)q->table[TSR__Q_W_ZERO][first + i] * of_patch);
}

/* Filters first … first + n - 1, two at a time, with both patches. */
static void run_filters(const tsr__q_run *q, const char *const *patch, tsr_index first, int n, char *const *out) {
  const tsr_index k = patch_length(q);
  const int32_t *const bias = q->table[TSR__Q_BIAS] + first;
  const int8_t *w = q->w + first * k;
  int32_t sums[2][CHANNELS];
  for (int i = 0; i < n; i += 2, w += 2 * k) {
    const int both = i + 1 < n;
    int32_t four[4] = {bias[i], bias[i + both], bias[i], bias[i + both]};
    dots(q, patch, w, both ? w + k : w, k, four);
    sums[0][i] = four[0];
    sums[1][i] = four[2];
    if (both) {
      sums[0][i + 1] = four[1];
      sums[1][i + 1] = four[3];
    }
  }
  for (int i = 0; i < 2 && q->asymmetric; i++) correct(q, patch[i], first, n, sums[i]);
  end_rows(q, first, n, sums[0], out[0], out[1]);
}

/* Outputs x0 and x1 (which may be the same) of row y. */
static void run_two(const tsr__q_run *q, const char *image, char *out_row, tsr_index y, tsr_index x0, tsr_index x1,
                    char *room) {
  const tsr_index filters = q->c.o / q->c.groups;
  char *const out[2] = {out_row + (ptrdiff_t)x0 * q->os[3], out_row + (ptrdiff_t)x1 * q->os[3]};
  for (tsr_index g = 0; g < q->c.groups; g++) {
    const char *patch[2] = {patch_of(q, image, g, y, x0, room), NULL};
    patch[1] = x1 == x0 ? patch[0] : patch_of(q, image, g, y, x1, room + q->each / 2);
    for (tsr_index o = 0; o < filters; o += CHANNELS)
      run_filters(q, patch, g * filters + o, (int)(filters - o < CHANNELS ? filters - o : CHANNELS), out);
  }
}

/* ---- depthwise: channels side by side ---- */

static int32_t number_at(int dtype, const char *at) {
  return dtype == TSR_I8   ? *(const int8_t *)at
         : dtype == TSR_U8 ? *(const uint8_t *)at
                           : *(const int16_t *)(const void *)at;
}

/* One tap of n channels: sums += x · (w - zero), x NULL where it is outside. */
static void add_tap(const tsr__q_run *q, tsr_index first, int n, const char *x, const int8_t *w, int32_t *sums) {
  const tsr_index each = q->c.o / q->c.groups;
  const int32_t *const zero = q->table[TSR__Q_W_ZERO] + first;
  const int dtype = q->layer->x_dtype;
  if (x != NULL && dtype == TSR_I8 && each == 1 && q->xs[1] == 1 &&
      !q->asymmetric) { /* what microcontrollers do most */
    const int8_t *const from = (const int8_t *)x + first;
    for (int i = 0; i < n; i++) sums[i] = (int32_t)((uint32_t)sums[i] + (uint32_t)(from[i] * w[i]));
    return;
  }
  for (int i = 0; i < n; i++) {
    const int32_t value =
        x == NULL ? q->layer->x_zero : number_at(dtype, x + (ptrdiff_t)((first + i) / each) * q->xs[1]);
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
  end_any(q, first, n, sums, out);
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
