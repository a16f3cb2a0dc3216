/* Depthwise filters in plain loops: channels side by side. */
#include "cpu/dsp.h"

#if !defined(TSR__SMLAD) /* whose loops are by hand */
#include "cpu/fast_when_small.h"
#endif

#include "cpu/parallel.h"
#include "nn/quant/plain/plain.h"

enum { CHANNELS = TSR__Q_PLAIN_CHANNELS };
enum { TAPS = 25 }; /* that an output may meet, else it goes tap by tap */

__attribute__((noinline)) static int32_t number_at(int dtype, const char *at) {
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

/* ---- channels side by side, one output for each ---- */

/* Which taps an output meets: those outside are zeros, the zero point of x for every channel. Addresses; of outputs that
 * meet x alone they are counted from the first one, and are the same for all of them. */
typedef struct taps {
  uintptr_t x[TAPS];
  int count;
} taps;

static bool is_fast(const tsr__q_run *q) {
  return q->c.o == q->c.c && q->xs[1] == tsr__quant_item(q->layer->x_dtype) && !q->asymmetric && q->c.kh <= TAPS &&
         q->c.kw <= TAPS && q->c.kh * q->c.kw <= TAPS;
}

static void find_inner(const tsr__q_run *q, taps *t) {
  const tsr__conv *const c = &q->c;
  t->count = 0;
  for (tsr_index ky = 0; ky < c->kh; ky++)
    for (tsr_index kx = 0; kx < c->kw; kx++)
      t->x[t->count++] =
          (uintptr_t)((ptrdiff_t)(ky * c->dh) * q->xs[2]) + (uintptr_t)((ptrdiff_t)(kx * c->dw) * q->xs[3]);
}

/* iy, ix: where the first tap is; at: its address. */
static void find_edge(const tsr__q_run *q, const taps *inner, tsr_index iy, tsr_index ix, uintptr_t at, taps *t) {
  const tsr__conv *const c = &q->c;
  t->count = 0;
  for (tsr_index ky = c->kh; ky > 0; ky--, iy += c->dh) {
    const bool inside = iy >= 0 && iy < c->h;
    tsr_index x = ix;
    for (tsr_index kx = c->kw; kx > 0; kx--, x += c->dw, t->count++)
      t->x[t->count] = inside && x >= 0 && x < c->w ? at + inner->x[t->count] : (uintptr_t)q->scratch;
  }
}

/* Sums of n channels with their biases, at: those of the taps' addresses; weights next bytes apart. */
#define ADD(type, number, item)                                                               \
  for (; n > 0; n--, w++, at += (item)) {                                                     \
    const int8_t *of_tap = w;                                                                 \
    uint32_t sum = (uint32_t)*bias++;                                                         \
    for (const uintptr_t *x = t->x, *const end = x + t->count; x != end; x++, of_tap += next) \
      sum += (uint32_t)(number((const type *)(*x + at)) * (int)*of_tap);                      \
    *sums++ = (int32_t)sum;                                                                   \
  }

#if defined(TSR__SMLAD) /* the last ones of a row: all others by hand, below */

static void add_any(const taps *t, int dtype, uintptr_t item, uintptr_t at, int n, const int8_t *w, tsr_index next,
                    const int32_t *bias, int32_t *sums) {
#define NUMBER(x) number_at(dtype, x)
  ADD(char, NUMBER, item)
#undef NUMBER
}

#else

#if defined(TSR__MVE)
#define ADD_BY_FOUR(type)
#else
/* Four channels share an address: 21 instructions for four products on RV32, 40 one by one. */
#define ADD_BY_FOUR(type)                                                                                    \
  for (; n >= 4; n -= 4, w += 4, at += 4 * sizeof(type), bias += 4, sums += 4) {                             \
    const int8_t *of_tap = w;                                                                                \
    uint32_t s0 = (uint32_t)bias[0], s1 = (uint32_t)bias[1], s2 = (uint32_t)bias[2], s3 = (uint32_t)bias[3]; \
    for (const uintptr_t *x = t->x, *const end = x + t->count; x != end; x++, of_tap += next) {              \
      const type *const v = (const type *)(*x + at);                                                         \
      s0 += (uint32_t)(v[0] * (int)of_tap[0]);                                                               \
      s1 += (uint32_t)(v[1] * (int)of_tap[1]);                                                               \
      s2 += (uint32_t)(v[2] * (int)of_tap[2]);                                                               \
      s3 += (uint32_t)(v[3] * (int)of_tap[3]);                                                               \
    }                                                                                                        \
    sums[0] = (int32_t)s0;                                                                                   \
    sums[1] = (int32_t)s1;                                                                                   \
    sums[2] = (int32_t)s2;                                                                                   \
    sums[3] = (int32_t)s3;                                                                                   \
  }
#endif

#define ADD_ALL(type) \
  ADD_BY_FOUR(type)   \
  ADD(type, NUMBER, sizeof(type))

static void add_any(const taps *t, int dtype, uintptr_t item, uintptr_t at, int n, const int8_t *w, tsr_index next,
                    const int32_t *bias, int32_t *sums) {
#define NUMBER(x) *(x)
  (void)item;
  if (dtype == TSR_I8) {
    ADD_ALL(int8_t)
  } else if (dtype == TSR_U8) {
    ADD_ALL(uint8_t)
  } else {
    ADD_ALL(int16_t)
  }
#undef NUMBER
}
#undef ADD_ALL
#undef ADD_BY_FOUR

#endif
#undef ADD

#if defined(TSR__SMLAD)

/* Four channels: 11 instructions and the loop for four products. There is a tap. */
#define ADD_FOUR(extend)                                                                                 \
  do {                                                                                                   \
    uint32_t x0, x1, w0, w1;                                                                             \
    memcpy(&x1, (const char *)(*x++ + at), sizeof x1);                                                   \
    memcpy(&w1, w, sizeof w1);                                                                           \
    __asm__(extend " %[x0], %[x1]\n " extend                                                             \
                   " %[x1], %[x1], ror #8\n"                                                             \
                   "sxtb16 %[w0], %[w1]\n sxtb16 %[w1], %[w1], ror #8\n"                                 \
                   "smlabb %[s0], %[x0], %[w0], %[s0]\n smlatt %[s2], %[x0], %[w0], %[s2]\n"             \
                   "smlabb %[s1], %[x1], %[w1], %[s1]\n smlatt %[s3], %[x1], %[w1], %[s3]\n"             \
            : [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [s3] "+r"(s3), [x0] "=&r"(x0), [x1] "+r"(x1), \
              [w0] "=&r"(w0), [w1] "+r"(w1));                                                            \
    w += next;                                                                                           \
  } while (x != end)

/* The same of i16: 9 instructions. */
#define ADD_FOUR_WIDE                                                                               \
  do {                                                                                              \
    uint32_t x0, x1, w0, w1;                                                                        \
    const char *const from = (const char *)(*x++ + at);                                             \
    memcpy(&x0, from, sizeof x0);                                                                   \
    memcpy(&x1, from + 4, sizeof x1);                                                               \
    memcpy(&w1, w, sizeof w1);                                                                      \
    __asm__(                                                                                        \
        "sxtb16 %[w0], %[w1]\n sxtb16 %[w1], %[w1], ror #8\n"                                       \
        "smlabb %[s0], %[x0], %[w0], %[s0]\n smlatb %[s1], %[x0], %[w1], %[s1]\n"                   \
        "smlabt %[s2], %[x1], %[w0], %[s2]\n smlatt %[s3], %[x1], %[w1], %[s3]\n"                   \
        : [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [s3] "+r"(s3), [w0] "=&r"(w0), [w1] "+r"(w1) \
        : [x0] "r"(x0), [x1] "r"(x1));                                                              \
    w += next;                                                                                      \
  } while (x != end)

__attribute__((noinline)) static void add_four(const taps *t, int dtype, uintptr_t at, const int8_t *w, tsr_index next,
                                               const int32_t *bias, int32_t *sums) {
  const uintptr_t *x = t->x, *const end = x + t->count;
  int32_t s0 = bias[0], s1 = bias[1], s2 = bias[2], s3 = bias[3];
  if (dtype == TSR_I8)
    ADD_FOUR("sxtb16");
  else if (dtype == TSR_U8)
    ADD_FOUR("uxtb16");
  else
    ADD_FOUR_WIDE;
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}

#endif

static void add_taps(const taps *t, int dtype, uintptr_t item, uintptr_t at, int n, const int8_t *w, tsr_index next,
                     const int32_t *bias, int32_t *sums) {
#if defined(TSR__SMLAD)
  for (; n >= 4; n -= 4, at += 4 * item, w += 4, bias += 4, sums += 4) add_four(t, dtype, at, w, next, bias, sums);
#endif
  if (n > 0) add_any(t, dtype, item, at, n, w, next, bias, sums);
}

static void run_pixel(const tsr__q_run *q, const taps *t, uintptr_t at, char *out) {
  tsr_index first = 0;
#if defined(TSR__MVE)
  first = tsr__mve_depthwise(q, t->count, t->x, at, out);
#endif
  for (; first < q->c.o; first += CHANNELS) {
    int32_t sums[CHANNELS];
    const int n = (int)(q->c.o - first < CHANNELS ? q->c.o - first : CHANNELS);
    const uintptr_t item = (uintptr_t)q->xs[1];
    add_taps(t, q->layer->x_dtype, item, at + item * (uintptr_t)first, n, q->w + first, q->c.o,
             q->table[TSR__Q_BIAS] + first, sums);
    tsr__q_plain_end(q, first, n, sums, out);
  }
}

static void run_fast_row(const tsr__q_run *q, const taps *inner, const char *image, char *out, tsr_index y) {
  const tsr__conv *const c = &q->c;
  const tsr_index iy = y * c->sh - c->top, last = c->w - 1 - (c->kw - 1) * c->dw;
  const bool whole = iy >= 0 && iy + (c->kh - 1) * c->dh < c->h;
  const ptrdiff_t right = (ptrdiff_t)c->sw * q->xs[3];
  tsr_index ix = -c->left;
  uintptr_t at = (uintptr_t)image + (uintptr_t)((ptrdiff_t)iy * q->xs[2]) + (uintptr_t)((ptrdiff_t)ix * q->xs[3]);
  for (tsr_index x = c->ow; x > 0; x--, ix += c->sw, at += (uintptr_t)right, out += q->os[3]) {
    taps edge;
    if (whole && ix >= 0 && ix <= last) {
      run_pixel(q, inner, at, out);
    } else {
      find_edge(q, inner, iy, ix, at, &edge);
      run_pixel(q, &edge, 0, out);
    }
  }
}

/* ---- the run ---- */

static void run_row(const tsr__q_run *q, const char *image, char *out, tsr_index y) {
  for (tsr_index x = 0; x < q->c.ow; x++, out += q->os[3])
    for (tsr_index first = 0; first < q->c.o; first += CHANNELS)
      run_channels(q, image, out, y, x, first, (int)(q->c.o - first < CHANNELS ? q->c.o - first : CHANNELS));
}

/* Rows of outputs of all images. */
static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const tsr__q_run *const q = arg;
  const bool fast = is_fast(q);
  taps inner;
  (void)worker;
  if (fast) find_inner(q, &inner);
  for (tsr_index row = begin; row < end; row++) {
    const tsr_index n = row / q->c.oh, y = row % q->c.oh;
    const char *const image = q->x + (ptrdiff_t)n * q->xs[0];
    char *const out = q->out + (ptrdiff_t)n * q->os[0] + (ptrdiff_t)y * q->os[2];
    if (fast)
      run_fast_row(q, &inner, image, out, y);
    else
      run_row(q, image, out, y);
  }
}

size_t tsr__q_plain_depthwise_scratch(const tsr__q_run *q) {
  return is_fast(q) ? (size_t)q->c.c * (size_t)q->xs[1] : 0;
}

void tsr__q_plain_depthwise(const tsr_ctx *ctx, const tsr__q_run *q) {
  const tsr_index zeros = (tsr_index)tsr__q_plain_depthwise_scratch(q);
  for (tsr_index i = 0; i < zeros; i += (tsr_index)q->xs[1])
    tsr__quant_store(q->layer->x_dtype, q->scratch + i, q->layer->x_zero);
  const tsr_index row = q->c.ow * q->c.o * q->c.kh * q->c.kw + 1;
  tsr__parallel_for(ctx, q->c.n * q->c.oh, TSR__Q_PLAIN_GRAIN / row + 1, run_rows, (void *)(uintptr_t)q);
}
