/* Depthwise filters in plain loops: channels side by side. */
#include "cpu/fast_when_small.h"

#include "cpu/parallel.h"
#include "nn/quant/plain/plain.h"

enum { CHANNELS = TSR__Q_PLAIN_CHANNELS };
enum { TAPS = 25 }; /* that an output may meet, else it goes tap by tap */

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
  tsr__q_plain_end(q, first, n, sums, out);
}

/* ---- bytes side by side, one output for each channel ---- */

/* Which taps an output meets: those outside are zeros, the zero point of x for every channel. */
typedef struct taps {
  const char *x[TAPS];
  int count;
} taps;

static bool is_fast(const tsr__q_run *q) {
  return q->c.o == q->c.c && q->xs[1] == 1 && !q->asymmetric && q->layer->x_dtype != TSR_I16 && q->c.kh <= TAPS &&
         q->c.kw <= TAPS && q->c.kh * q->c.kw <= TAPS;
}

static void find_taps(const tsr__q_run *q, const char *image, tsr_index y, tsr_index x, taps *t) {
  const tsr__conv *const c = &q->c;
  const tsr_index left = x * c->sw - c->left, w = c->w, dw = c->dw, kw = c->kw;
  const ptrdiff_t right = (ptrdiff_t)dw * q->xs[3];
  const bool whole = left >= 0 && left + (kw - 1) * dw < w;
  const char *const zeros = q->scratch, **to = t->x;
  tsr_index iy = y * c->sh - c->top;
  t->count = (int)(c->kh * kw);
  for (tsr_index ky = c->kh; ky > 0; ky--, iy += c->dh) {
    const bool inside = iy >= 0 && iy < c->h;
    const char *at = image + (ptrdiff_t)iy * q->xs[2] + (ptrdiff_t)left * q->xs[3];
    tsr_index ix = left;
    if (whole && inside)
      for (tsr_index kx = kw; kx > 0; kx--, at += right) *to++ = at;
    else
      for (tsr_index kx = kw; kx > 0; kx--, ix += dw, at += right) *to++ = inside && ix >= 0 && ix < w ? at : zeros;
  }
}

#if defined(TSR__SMLAD)

/* Four channels: 12 instructions and the loop for four products. */
#define ADD_FOUR(extend)                                                                                 \
  for (; x != end; w += next) {                                                                          \
    uint32_t x0, x1, w0, w1;                                                                             \
    memcpy(&x1, *x++ + first, sizeof x1);                                                                \
    memcpy(&w1, w, sizeof w1);                                                                           \
    __asm__(extend " %[x0], %[x1]\n " extend                                                             \
                   " %[x1], %[x1], ror #8\n"                                                             \
                   "sxtb16 %[w0], %[w1]\n sxtb16 %[w1], %[w1], ror #8\n"                                 \
                   "smlabb %[s0], %[x0], %[w0], %[s0]\n smlatt %[s2], %[x0], %[w0], %[s2]\n"             \
                   "smlabb %[s1], %[x1], %[w1], %[s1]\n smlatt %[s3], %[x1], %[w1], %[s3]\n"             \
            : [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [s3] "+r"(s3), [x0] "=&r"(x0), [x1] "+r"(x1), \
              [w0] "=&r"(w0), [w1] "+r"(w1));                                                            \
  }

__attribute__((noinline)) static void add_four(const taps *t, bool sign, tsr_index first, const int8_t *w,
                                               tsr_index next, const int32_t *bias, int32_t *sums) {
  const char *const *x = t->x, *const *const end = x + t->count;
  int32_t s0 = bias[0], s1 = bias[1], s2 = bias[2], s3 = bias[3];
  if (sign)
    ADD_FOUR("sxtb16")
  else
    ADD_FOUR("uxtb16")
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}

#endif

#define ADD(type)                                                                           \
  for (int i = 0; i < n; i++) {                                                             \
    const int8_t *of_tap = w + i;                                                           \
    uint32_t sum = (uint32_t)bias[i];                                                       \
    for (int k = 0; k < t->count; k++, of_tap += next)                                      \
      sum += (uint32_t)(((const type *)(const void *)(t->x[k] + first))[i] * (int)*of_tap); \
    sums[i] = (int32_t)sum;                                                                 \
  }

static void add_bytes(const taps *t, bool sign, tsr_index first, int n, const int8_t *w, tsr_index next,
                      const int32_t *bias, int32_t *sums) {
  if (sign)
    ADD(int8_t)
  else
    ADD(uint8_t)
}
#undef ADD

/* Sums of n channels from first on, with their biases: every tap, weights next bytes apart. With vectors eight channels at
 * a time, those with even numbers apart from those with odd ones. */
static void add_taps(const taps *t, bool sign, tsr_index first, int n, const int8_t *w, tsr_index next,
                     const int32_t *bias, int32_t *sums) {
#if defined(TSR__SMLAD)
  for (; n >= 4; n -= 4, first += 4, w += 4, bias += 4, sums += 4) add_four(t, sign, first, w, next, bias, sums);
#elif defined(TSR__MVE)
  for (; n >= 8 && sign; n -= 8, first += 8, w += 8, bias += 8, sums += 8) {
    const int8_t *of_tap = w;
    int32x4x2_t s = vld2q_s32(bias);
    for (int k = 0; k < t->count; k++, of_tap += next) {
      const int16x8_t a = vldrbq_s16((const int8_t *)t->x[k] + first), b = vldrbq_s16(of_tap);
      s.val[0] = vaddq_s32(s.val[0], vmullbq_int_s16(a, b));
      s.val[1] = vaddq_s32(s.val[1], vmulltq_int_s16(a, b));
    }
    vst2q_s32(sums, s);
  }
#endif
  if (n > 0) add_bytes(t, sign, first, n, w, next, bias, sums);
}

static void run_pixel(const tsr__q_run *q, const char *image, char *out, tsr_index y, tsr_index x) {
  taps t;
  find_taps(q, image, y, x, &t);
  for (tsr_index first = 0; first < q->c.o; first += CHANNELS) {
    int32_t sums[CHANNELS];
    const int n = (int)(q->c.o - first < CHANNELS ? q->c.o - first : CHANNELS);
    add_taps(&t, q->layer->x_dtype == TSR_I8, first, n, q->w + first, q->c.o, q->table[TSR__Q_BIAS] + first, sums);
    tsr__q_plain_end(q, first, n, sums, out);
  }
}

/* ---- the run ---- */

static void run_row(const tsr__q_run *q, const char *image, char *out_row, tsr_index y) {
  const bool fast = is_fast(q);
  for (tsr_index x = 0; x < q->c.ow; x++) {
    char *const out = out_row + (ptrdiff_t)x * q->os[3];
    if (fast)
      run_pixel(q, image, out, y, x);
    else
      for (tsr_index first = 0; first < q->c.o; first += CHANNELS)
        run_channels(q, image, out, y, x, first, (int)(q->c.o - first < CHANNELS ? q->c.o - first : CHANNELS));
  }
}

/* Rows of outputs of all images. */
static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const tsr__q_run *const q = arg;
  (void)worker;
  for (tsr_index row = begin; row < end; row++) {
    const tsr_index n = row / q->c.oh, y = row % q->c.oh;
    run_row(q, q->x + (ptrdiff_t)n * q->xs[0], q->out + (ptrdiff_t)n * q->os[0] + (ptrdiff_t)y * q->os[2], y);
  }
}

size_t tsr__q_plain_depthwise_scratch(const tsr__q_run *q) { return is_fast(q) ? (size_t)q->c.c : 0; }

void tsr__q_plain_depthwise(const tsr_ctx *ctx, const tsr__q_run *q) {
  for (tsr_index i = 0; i < q->c.c && is_fast(q); i++) q->scratch[i] = (char)q->layer->x_zero;
  const tsr_index row = q->c.ow * q->c.o * q->c.kh * q->c.kw + 1;
  tsr__parallel_for(ctx, q->c.n * q->c.oh, TSR__Q_PLAIN_GRAIN / row + 1, run_rows, (void *)(uintptr_t)q);
}
