/* A row of softmax: see softmax.h. */
#include "cpu/fast_when_small.h"

#include "nn/quant/along/exp2.h"
#include "nn/quant/along/softmax.h"

static inline uint32_t number(const tsr__q_softmax *s, const char *x) { return (uint8_t)(*x ^ s->flip); }

static uint32_t max_any(const tsr__q_softmax *s, const char *x) {
  uint32_t most = 0;
  for (tsr_index i = s->n; i > 0; i--, x += s->step) {
    const uint32_t v = number(s, x);
    if (v > most) most = v;
  }
  return most;
}

#if TSR__ROUND_TWICE

static inline int32_t halved(int32_t x, int times) {
  return (int32_t)(((int64_t)x - (x < 0) + ((int64_t)1 << (times - 1))) >> times);
}
static inline int32_t doubled(int32_t x, int times) {
  const int32_t most = INT32_MAX >> times;
  return x > most ? INT32_MAX : x < -most - 1 ? INT32_MIN : (int32_t)((uint32_t)x << times);
}
#define TIMES(a, b) tsr__fixed_step(a, b)

/* e^a for -1/4 ≤ a < 0, both without bits before the point. */
static int32_t exponential_near(int32_t a) {
  const int32_t at = 1895147668, third = 715827883; /* e^(-1/8), 1/3 */
  const int32_t x = a + (1 << 28), x2 = TIMES(x, x), x3 = TIMES(x2, x), x4 = TIMES(x2, x2);
  return at + TIMES(at, x + halved(TIMES(halved(x4, 2) + x3, third) + x2, 1));
}

/* e^a for a ≤ 0 with 5 bits before the point; the result has none. */
static int32_t exponential(int32_t a) {
  static const int32_t powers[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  const int32_t quarter = 1 << 24, within = (a & (quarter - 1)) - quarter, rest = within - a;
  if (a == 0) return INT32_MAX;
  int32_t y = exponential_near(doubled(within, 5));
  for (int i = 0; i < 7; i++)
    if ((rest >> (24 + i) & 1) != 0) y = TIMES(y, powers[i]);
  return y;
}

/* 1 / (1 + a) for 0 ≤ a < 1. */
static int32_t reciprocal(int32_t a) {
  const int32_t half = (int32_t)(((int64_t)a + INT32_MAX + 1) / 2);
  int32_t x = 1515870810 + TIMES(half, -1010580540); /* 48/17 - 32/17 · half */
  for (int i = 0; i < 3; i++) x += doubled(TIMES(x, (1 << 29) - TIMES(half, x)), 2);
  return doubled(x, 1);
}

void tsr__q_softmax_init(float scale, tsr__q_softmax *s) {
  tsr__fixed f;
  if (!tsr__fixed_ratio(scale, 0x1p26f, 1, &f)) f = (tsr__fixed){INT32_MAX, 0};
  s->multiplier = f.multiplier;
  s->left = f.shift < 31 ? 31 - f.shift : 0;
  s->least = -(int32_t)(((int64_t)31 << 26) >> s->left);
}

static inline int32_t exponential_of(const tsr__q_softmax *s, int32_t difference) {
  return exponential(TIMES((int32_t)((uint32_t)difference << s->left), s->multiplier));
}

void tsr__q_softmax_row(const tsr__q_softmax *s, const char *x, char *out) {
  const int32_t most = (int32_t)max_any(s, x);
  const char *at = x;
  uint32_t sum = 0;
  int up = 0;
  for (tsr_index i = s->n; i > 0; i--, at += s->step) {
    const int32_t difference = (int32_t)number(s, at) - most;
    if (difference >= s->least) sum += (uint32_t)halved(exponential_of(s, difference), 12);
  }
  while (sum >> 31 == 0 && up < 31) {
    sum <<= 1;
    up++;
  }
  const int32_t scale = reciprocal((int32_t)(sum - 0x80000000u));
  for (tsr_index i = s->n; i > 0; i--, x += s->step, out += s->out_step) {
    const int32_t difference = (int32_t)number(s, x) - most;
    int32_t y = 0;
    if (difference >= s->least) y = halved(TIMES(scale, exponential_of(s, difference)), 12 - up + 31 - 8);
    *out = (char)((y > 255 ? 255 : y) ^ s->flip);
  }
}

#else

void tsr__q_softmax_init(float scale, tsr__q_softmax *s) {
  tsr__fixed f;
  s->unit = INT32_MAX;
  if (tsr__fixed_ratio(scale, 0x1.715476p0f, 0x1p-26f, &f)) s->unit = (uint32_t)tsr__fixed_apply(1, f);
  if (s->unit == 0) s->unit = 1;
}

/* What 256 · e / sum is: e · factor / 2^(32 + shift). */
typedef struct share {
  uint32_t factor;
  int shift;
} share;

/* One division of 32 bits, and one step of Newton's. */
static share share_of(uint64_t sum) {
  int up = 0;
  for (; sum >> 63 == 0; up++) sum <<= 1;
  const uint32_t s = (uint32_t)(sum >> 32), first = UINT32_MAX / (s >> 16) << 14;
  const int64_t rest = ((int64_t)1 << 62) - (int64_t)((uint64_t)s * first);
  const int64_t more = (int64_t)first * (int32_t)(rest >> 31) >> 31;
  return (share){(uint32_t)((int64_t)first + more), 54 - up};
}

static inline char result(int flip, uint32_t e, share k) {
  const uint32_t h = tsr__high_u32(e, k.factor), y = k.shift > 31 ? 0 : (h + ((uint32_t)1 << (k.shift - 1))) >> k.shift;
  return (char)((y > 255 ? 255 : y) ^ (uint32_t)flip);
}

static uint64_t sum_any(const tsr__q_softmax *s, const char *x, uint32_t most) {
  const tsr__exp2 e = tsr__exp2_of(s->unit);
  const ptrdiff_t step = s->step;
  const int flip = s->flip;
  uint64_t sum = 0;
  for (tsr_index i = s->n; i > 0; i--, x += step) sum += tsr__exp2_down(&e, most - (uint8_t)(*x ^ flip));
  return sum;
}

static void write_any(const tsr__q_softmax *s, const char *x, uint32_t most, share k, char *out) {
  const tsr__exp2 e = tsr__exp2_of(s->unit);
  const ptrdiff_t step = s->step, out_step = s->out_step;
  const int flip = s->flip;
  for (tsr_index i = s->n; i > 0; i--, x += step, out += out_step)
    *out = result(flip, tsr__exp2_down(&e, most - (uint8_t)(*x ^ flip)), k);
}

#if defined(TSR__MVE)

static inline uint32x4_t numbers(const tsr__q_softmax *s, const char *x, mve_pred16_t some) {
  return veorq_u32(vldrbq_z_u32((const uint8_t *)x, some), vdupq_n_u32((uint32_t)s->flip));
}

static inline uint32x4_t exponentials(const tsr__q_softmax *s, const char *x, uint32_t most, mve_pred16_t some) {
  const uint32x4_t d = vminq_u32(vsubq_u32(vdupq_n_u32(most), numbers(s, x, some)), vdupq_n_u32(UINT32_MAX / s->unit));
  const uint32x4_t t = vmulq_n_u32(d, s->unit), u = vshlq_n_u32(t, 6);
  uint32x4_t v = vsubq_u32(vdupq_n_u32(TSR__EXP2_C4), vmulhq_u32(u, vdupq_n_u32(TSR__EXP2_C5)));
  v = vsubq_u32(vdupq_n_u32(TSR__EXP2_C3), vmulhq_u32(u, v));
  v = vsubq_u32(vdupq_n_u32(TSR__EXP2_C2), vmulhq_u32(u, v));
  v = vmulhq_u32(u, vsubq_u32(vdupq_n_u32(TSR__EXP2_C1), vmulhq_u32(u, v)));
  v = vsubq_u32(vdupq_n_u32(0x80000000u), vshrq_n_u32(v, 1));
  return vshlq_u32(v, vnegq_s32(vreinterpretq_s32_u32(vshrq_n_u32(t, 26))));
}

static uint32_t max_of(const tsr__q_softmax *s, const char *x) {
  const uint8x16_t change = vdupq_n_u8((uint8_t)s->flip);
  uint8_t most = 0;
  for (tsr_index n = s->n; n > 0; n -= 16, x += 16) {
    const mve_pred16_t some = vctp8q((uint32_t)n);
    most = vmaxvq_p_u8(most, veorq_u8(vldrbq_z_u8((const uint8_t *)x, some), change), some);
  }
  return most;
}

static uint64_t sum_vectors(const tsr__q_softmax *s, const char *x, uint32_t most) {
  uint64_t sum = 0;
  for (tsr_index n = s->n; n > 0; n -= 4, x += 4) {
    const mve_pred16_t some = vctp32q((uint32_t)n);
    sum = vaddlvaq_p_u32(sum, exponentials(s, x, most, some), some);
  }
  return sum;
}

static void write_vectors(const tsr__q_softmax *s, const char *x, uint32_t most, share k, char *out) {
  const uint32x4_t flip = vdupq_n_u32((uint32_t)s->flip), bound = vdupq_n_u32(255);
  for (tsr_index n = s->n; n > 0; n -= 4, x += 4, out += 4) {
    const mve_pred16_t some = vctp32q((uint32_t)n);
    const uint32x4_t h = vmulhq_u32(exponentials(s, x, most, some), vdupq_n_u32(k.factor));
    const uint32x4_t y = vminq_u32(vrshlq_n_u32(h, -k.shift), bound);
    vstrbq_p_u32((uint8_t *)out, veorq_u32(y, flip), some);
  }
}

#endif

void tsr__q_softmax_row(const tsr__q_softmax *s, const char *x, char *out) {
#if defined(TSR__MVE)
  if (s->step == 1 && s->out_step == 1) {
    const uint32_t top = max_of(s, x);
    write_vectors(s, x, top, share_of(sum_vectors(s, x, top)), out);
    return;
  }
#endif
  const uint32_t most = max_any(s, x);
  write_any(s, x, most, share_of(sum_any(s, x, most)), out);
}

#endif
