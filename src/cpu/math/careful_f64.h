/* f64 functions for C libraries whose own lose digits: those of mingw-w64 reduce angles with 66 bits of π, take logarithms of powers in
 * one number, and cancel near 1. Pairs of doubles, no fused operations, one number at a time: right everywhere, never quick. */
#ifndef TSR_CPU_MATH_CAREFUL_F64_H
#define TSR_CPU_MATH_CAREFUL_F64_H

#include "cpu/math/bits.h"

#if TSR_HAVE_F64
#include <math.h>

/* A number and what it lost: high + low, |low| at most half a unit of high. */
typedef struct tsr__double2 {
  double high, low;
} tsr__double2;

static inline tsr__double2 tsr__two_sum(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  return (tsr__double2){sum, (a - (sum - of_b)) + (b - of_b)};
}

static inline tsr__double2 tsr__two_product(double a, double b) {
  const double p = a * b, ta = 134217729.0 * a, ha = ta - (ta - a), la = a - ha, tb = 134217729.0 * b,
               hb = tb - (tb - b), lb = b - hb;
  return (tsr__double2){p, la * lb - (((p - ha * hb) - la * hb) - ha * lb)};
}

static inline tsr__double2 tsr__double2_add(tsr__double2 a, tsr__double2 b) {
  const tsr__double2 sum = tsr__two_sum(a.high, b.high);
  return tsr__two_sum(sum.high, sum.low + (a.low + b.low));
}

static inline tsr__double2 tsr__double2_mul(tsr__double2 a, tsr__double2 b) {
  const tsr__double2 p = tsr__two_product(a.high, b.high);
  return tsr__two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static inline tsr__double2 tsr__double2_div(tsr__double2 a, tsr__double2 b) {
  const double q = a.high / b.high;
  const tsr__double2 p = tsr__two_product(q, b.high);
  return tsr__two_sum(q, (((a.high - p.high) - p.low) + (a.low - q * b.low)) / b.high);
}

/* ---- angles ---- */

/* x = turns·π/2 + r, |r| up to a little over π/4; turns modulo 4. */
typedef struct tsr__reduced_angle {
  tsr__double2 r;
  unsigned turns;
} tsr__reduced_angle;

/* a·b, both halves. */
static inline uint64_t tsr__product_high(uint64_t a, uint64_t b, uint64_t *low) {
  const uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  const uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0;
  const uint64_t middle = (p00 >> 32) + (p01 & 0xffffffff) + (p10 & 0xffffffff);
  *low = middle << 32 | (p00 & 0xffffffff);
  return a1 * b1 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
}

/* 64 bits of 2/π from a place on. */
static inline uint64_t tsr__two_over_pi(int place) {
  static const uint64_t words[20] = {
      UINT64_C(0xa2f9836e4e441529), UINT64_C(0xfc2757d1f534ddc0), UINT64_C(0xdb6295993c439041),
      UINT64_C(0xfe5163abdebbc561), UINT64_C(0xb7246e3a424dd2e0), UINT64_C(0x06492eea09d1921c),
      UINT64_C(0xfe1deb1cb129a73e), UINT64_C(0xe88235f52ebb4484), UINT64_C(0xe99c7026b45f7e41),
      UINT64_C(0x3991d639835339f4), UINT64_C(0x9c845f8bbdf9283b), UINT64_C(0x1ff897ffde05980f),
      UINT64_C(0xef2f118b5a0a6d1f), UINT64_C(0x6d367ecf27cb09b7), UINT64_C(0x4f463f669e5fea2d),
      UINT64_C(0x7527bac7ebe5f17b), UINT64_C(0x3d0739f78a5292ea), UINT64_C(0x6bfb5fb11f8d5d08),
      UINT64_C(0x56033046fc7b6bab), UINT64_C(0xf0cfbc209af4361d),
  };
  const int word = place / 64, shift = place % 64;
  return shift == 0 ? words[word] : words[word] << shift | words[word + 1] >> (64 - shift);
}

/* Of |x| between 2^-1 and infinity, by as many bits of 2/π as its last one meets: x·2/π modulo 4, with 190 bits behind the point. */
static inline tsr__reduced_angle tsr__reduce_f64(double x) {
  const uint64_t bits = tsr__bits_of_f64(x), mantissa = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
  const int exponent = (int)(bits >> 52 & 2047) - 1075, place = exponent > 2 ? exponent - 2 : 0,
            right = exponent > 2 ? 0 : 2 - exponent;
  uint64_t w[4] = {0}; /* the last first */
  for (int i = 0; i < 3; i++) {
    uint64_t low;
    const uint64_t high = tsr__product_high(mantissa, tsr__two_over_pi(place + 64 * (2 - i)), &low);
    w[i] += low;
    w[i + 1] = high + (w[i] < low ? 1 : 0); /* the high half of a number of 53 bits has room for it */
  }
  if (right > 0)
    for (int i = 0; i < 4; i++) w[i] = w[i] >> right | (i < 3 ? w[i + 1] << (64 - right) : 0);
  const unsigned turns = (unsigned)((w[2] >> 61) + 1) >> 1 & 3;
  w[2] -= (uint64_t)turns << 62;
  const int negative = (int)(w[2] >> 63);
  if (negative)
    for (int i = 0, carry = 1; i < 3; i++) {
      w[i] = ~w[i] + (uint64_t)carry;
      carry = carry && w[i] == 0;
    }
  /* |r|·2/π from 106 bits */
  double scale = 0x1p-62;
  while (w[2] >> 61 == 0 && (w[2] | w[1] | w[0]) != 0) {
    w[2] = w[2] << 1 | w[1] >> 63;
    w[1] = w[1] << 1 | w[0] >> 63;
    w[0] <<= 1;
    scale *= 0.5;
  }
  const double first = (double)(w[2] >> 9) * 512, second = (double)(w[2] & 511) + (double)(w[1] >> 11) * 0x1p-53;
  const tsr__double2 half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  tsr__reduced_angle a = {tsr__double2_mul(tsr__two_sum(first, second), half_pi), turns};
  if (negative) scale = -scale;
  a.r.high *= scale;
  a.r.low *= scale;
  if (bits >> 63 != 0) a = (tsr__reduced_angle){{-a.r.high, -a.r.low}, -turns & 3};
  return a;
}

static inline tsr__reduced_angle tsr__reduced_angle_of_f64(double x) {
  if (tsr__abs_f64(x) < 0.785) return (tsr__reduced_angle){{x, 0}, 0};
  return tsr__reduce_f64(x);
}

static inline tsr__double2 tsr__sin_of_angle(tsr__double2 r) {
  const double z = r.high * r.high;
  double s = -1 / 121645100408832000.0;
  s = s * z + 1 / 355687428096000.0;
  s = s * z - 1 / 1307674368000.0;
  s = s * z + 1 / 6227020800.0;
  s = s * z - 1 / 39916800.0;
  s = s * z + 1 / 362880.0;
  s = s * z - 1 / 5040.0;
  s = s * z + 1 / 120.0;
  s = s * z - 1 / 6.0;
  return tsr__two_sum(r.high, r.high * z * s + r.low * (1 - 0.5 * z));
}

static inline tsr__double2 tsr__cos_of_angle(tsr__double2 r) {
  const tsr__double2 square = tsr__two_product(r.high, r.high);
  const double z = square.high;
  double s = 1 / 2432902008176640000.0;
  s = s * z - 1 / 6402373705728000.0;
  s = s * z + 1 / 20922789888000.0;
  s = s * z - 1 / 87178291200.0;
  s = s * z + 1 / 479001600.0;
  s = s * z - 1 / 3628800.0;
  s = s * z + 1 / 40320.0;
  s = s * z - 1 / 720.0;
  s = s * z + 1 / 24.0;
  const tsr__double2 first = tsr__two_sum(1, -0.5 * z);
  return tsr__two_sum(first.high, first.low + (z * z * s - (0.5 * square.low + r.high * r.low)));
}

static inline double tsr__careful_sin_f64(double x) {
  if (tsr__abs_f64(x) < 0x1p-27) return x;
  if (!(x - x == 0)) return x - x;
  const tsr__reduced_angle a = tsr__reduced_angle_of_f64(x);
  const double y = a.turns & 1 ? tsr__cos_of_angle(a.r).high : tsr__sin_of_angle(a.r).high;
  return a.turns & 2 ? -y : y;
}

static inline double tsr__careful_cos_f64(double x) {
  if (!(x - x == 0)) return x - x;
  const tsr__reduced_angle a = tsr__reduced_angle_of_f64(x);
  const double y = a.turns & 1 ? tsr__sin_of_angle(a.r).high : tsr__cos_of_angle(a.r).high;
  return ((a.turns + 1) & 2) != 0 ? -y : y;
}

static inline double tsr__careful_tan_f64(double x) {
  if (tsr__abs_f64(x) < 0x1p-27) return x;
  if (!(x - x == 0)) return x - x;
  const tsr__reduced_angle a = tsr__reduced_angle_of_f64(x);
  const tsr__double2 s = tsr__sin_of_angle(a.r), c = tsr__cos_of_angle(a.r);
  return a.turns & 1 ? -tsr__double2_div(c, s).high : tsr__double2_div(s, c).high;
}

/* ---- near 1 ---- */

static inline double tsr__careful_acos_f64(double x) {
  if (!(tsr__abs_f64(x) <= 1)) return (x - x) / (x - x);
  return 2 * atan2(sqrt(1 - x), sqrt(1 + x));
}

static inline double tsr__careful_acosh_f64(double x) {
  if (!(x >= 1)) return (x - x) / (x - x);
  const double t = x - 1;
  return x > 0x1p28 ? log(x) + 0x1.62e42fefa39efp-1 : log1p(t + sqrt(t * (2 + t)));
}

/* ---- powers ---- */

/* ln x of a positive number, with some hundred bits: k·ln 2 + 2·artanh((m - 1)/(m + 1)). */
static inline tsr__double2 tsr__log2x_f64(double x) {
  int k;
  double m = frexp(x, &k);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    k--;
  }
  const tsr__double2 s = tsr__double2_div((tsr__double2){m - 1, 0}, tsr__two_sum(m, 1)), z = tsr__double2_mul(s, s);
  tsr__double2 sum = {1 / 43.0, 0};
  for (int n = 41; n > 0; n -= 2) {
    const tsr__double2 inverse = tsr__double2_div((tsr__double2){1, 0}, (tsr__double2){n, 0});
    sum = tsr__double2_add(tsr__double2_mul(sum, z), inverse);
  }
  const tsr__double2 ln_2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}, artanh = tsr__double2_mul(sum, s);
  return tsr__double2_add(tsr__double2_mul(ln_2, (tsr__double2){k, 0}),
                          (tsr__double2){2 * artanh.high, 2 * artanh.low});
}

/* e^t, t within ±800. */
static inline double tsr__exp_of_double2(tsr__double2 t) {
  const double k = floor(t.high * 0x1.71547652b82fep+0 + 0.5);
  const tsr__double2 ln_2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  const tsr__double2 r = tsr__double2_add(t, tsr__double2_mul(ln_2, (tsr__double2){-k, 0}));
  double s = 1 / 87178291200.0;
  for (int n = 13; n > 1; n--) {
    double factorial = 1;
    for (int i = 2; i <= n; i++) factorial *= i;
    s = s * r.high + 1 / factorial;
  }
  const tsr__double2 first = tsr__two_sum(1, r.high);
  return ldexp(first.high + (first.low + (r.low + (r.high * r.high * s + r.high * r.low))), (int)k);
}

/* What is not a number's power by logarithms (signs, zeros, infinities, NaN) is the C library's, which has those. */
static inline double tsr__careful_pow_f64(double x, double y) {
  const double size = tsr__abs_f64(x);
  const int plain = size > 0 && size < HUGE_VAL && tsr__abs_f64(y) < HUGE_VAL && y != 0 && x != 1;
  if (x == 1 || (x == -1 && tsr__abs_f64(y) == HUGE_VAL)) return 1; /* whatever y is; some have NaN */
  if (!plain || (x < 0 && y != trunc(y))) return pow(x, y);
  if (size == 1) return fmod(y, 2) != 0 ? -1 : 1; /* below, y may be too large to be split */
  const tsr__double2 log = tsr__log2x_f64(size);
  const double about = log.high * y;
  const double sign = x < 0 && fmod(y, 2) != 0 ? -1 : 1;
  if (about > 800) return sign * HUGE_VAL;
  if (about < -800) return sign * 0.0;
  return sign * tsr__exp_of_double2(tsr__double2_mul(log, (tsr__double2){y, 0}));
}

#endif
#endif
