/* pow of f32 by vectors: 2^(y·log2 x), the logarithm and the product as sums of two floats, some 34 bits. x = 2^k·m,
 * and m by the factor of its part is 1+r with |r| < 0.051; factors have so few digits that r is exact. Factors and
 * coefficients are those of scripts/derive_polynomials.py. */
#ifndef TSR_CPU_MATH_POW_F32_H
#define TSR_CPU_MATH_POW_F32_H

#include "cpu/vec/polynomial.h"

#if TSR__WIDE

/* Vectors whose steps take turns: one alone waits for itself. */
enum { TSR__POW_WAYS = 2 };
#define TSR__POW_EACH(ways) TSR__UNROLL(4) for (int j = 0; j < (ways); j++)

/* The 16 parts of [0.699, 1.397) are as many of the same size in bits; 1 lies in one whose factor is 1. log is that of
 * 1/factor: what has 16 binary places, so that a whole number added to it leaves no error, and the rest. */
static const float tsr__pow_factor[16] = {1.40625f, 1.34375f, 1.28125f,  1.25f,    1.1875f,  1.15625f,
                                          1.09375f, 1.0625f,  1.03125f,  1.0f,     0.96875f, 0.90625f,
                                          0.84375f, 0.8125f,  0.765625f, 0.734375f};
static const float tsr__pow_log[16] = {-0x1.f7a8p-2f, -0x1.b48p-2f,  -0x1.6e24p-2f, -0x1.49a8p-2f,
                                       -0x1.fbcp-3f,  -0x1.acf8p-3f, -0x1.08c8p-3f, -0x1.664p-4f,
                                       -0x1.6bap-5f,  0.0f,          0x1.774p-5f,   0x1.22d8p-3f,
                                       0x1.f6p-3f,    0x1.32cp-2f,   0x1.8a88p-2f,  0x1.c818p-2f};
static const float tsr__pow_log_low[16] = {
    -0x1.5a32c2p-20f, 0x1.408c78p-18f, 0x1.e3263p-18f,   0x1.ed0cbap-20f,  -0x1.6b9026p-19f,
    0x1.0e9258p-18f,  0x1.3b992cp-18f, 0x1.20a6dep-21f,  -0x1.a6eb1ep-18f, 0.0f,
    -0x1.acd89ap-19f, 0x1.6e155ap-18f, -0x1.3ab7cep-18f, -0x1.1c8f12p-22f, 0x1.80abfcp-18f,
    0x1.dc2d46p-18f};

#define TSR__POW_START 0x3f32d000u

/* t = y·(log2(x) + more) for x > 0, a normal number, and a whole number more: high, and low, which is small. log2(1+r)
 * is log2(e)·(r - r²/2 + r³·Q(r)), the first two terms and the sum of what is large with what rounding took. */
TSR__INLINE void tsr__pow_exponent(int ways, const tsr__vf32 *x, const tsr__vf32 *y, const tsr__vf32 *more,
                                   tsr__vf32 *high, tsr__vf32 *low) {
  const float slope = 0x1.715476p0f, slope_low = 0x1.4ae0cp-26f;
  tsr__vf32 r[TSR__POW_WAYS], v[TSR__POW_WAYS], top[TSR__POW_WAYS], sum[TSR__POW_WAYS], rest[TSR__POW_WAYS];
  tsr__vf32 square[TSR__POW_WAYS], even[TSR__POW_WAYS];
  TSR__POW_EACH(ways) {
    const tsr__vu32 moved = (tsr__vu32)x[j] - TSR__POW_START, part = moved >> 19;
    const tsr__vf32 m = (tsr__vf32)((tsr__vu32)x[j] - (moved & 0xff800000u));
    const tsr__vf32 k = __builtin_convertvector((tsr__vi32)moved >> 23, tsr__vf32);
    r[j] = tsr__vf32_step(m, tsr__vf32_of_16(tsr__pow_factor, part), -1);
    top[j] = (more != NULL ? k + more[j] : k) + tsr__vf32_of_16(tsr__pow_log, part);
    low[j] = tsr__vf32_of_16(tsr__pow_log_low, part);
  }
  TSR__POW_EACH(ways) square[j] = r[j] * r[j];
  TSR__POW_EACH(ways) rest[j] = tsr__vf32_step(tsr__vf32_all(-0x1.567dfap-3f), r[j], 0x1.9aad76p-3f);
  TSR__POW_EACH(ways) v[j] = tsr__vf32_by(square[j], -0.5f, r[j]);
  TSR__POW_EACH(ways) even[j] = tsr__vf32_step(tsr__vf32_all(-0x1.ffffacp-3f), r[j], 0x1.555538p-2f);
  TSR__POW_EACH(ways) sum[j] = tsr__vf32_by(v[j], slope, top[j]);
  TSR__POW_EACH(ways) rest[j] = tsr__vf32_madd(rest[j], square[j], even[j]);
  TSR__POW_EACH(ways) top[j] = tsr__vf32_by(v[j], slope, top[j] - sum[j]);
  TSR__POW_EACH(ways) low[j] = tsr__vf32_by(v[j], slope_low, low[j]);
  TSR__POW_EACH(ways) v[j] = tsr__vf32_madd(r[j] * -0.5f, r[j], r[j] - v[j]);
  TSR__POW_EACH(ways) high[j] = y[j] * sum[j];
  TSR__POW_EACH(ways) rest[j] = tsr__vf32_madd(square[j] * r[j], rest[j], v[j]);
  TSR__POW_EACH(ways) low[j] += top[j];
  TSR__POW_EACH(ways) sum[j] = tsr__vf32_madd(y[j], sum[j], -high[j]);
  TSR__POW_EACH(ways) low[j] = tsr__vf32_by(rest[j], slope, low[j]);
  TSR__POW_EACH(ways) low[j] = tsr__vf32_madd(y[j], low[j], sum[j]);
}

/* 2^t = p·2^n, with n in the low bits of bits; total is about t. */
TSR__INLINE void tsr__pow_exp2(int ways, const tsr__vf32 *high, const tsr__vf32 *low, tsr__vf32 *p, tsr__vu32 *bits) {
  static const float c[] = {
      1, 0x1.62e430p-1f, 0x1.ebfbdcp-3f, 0x1.c6af7ap-5f, 0x1.3b2ddap-7f, 0x1.5f0976p-10f, 0x1.4172a6p-13f};
  tsr__vf32 f[TSR__POW_WAYS];
  TSR__POW_EACH(ways) {
    const tsr__vf32 shifted = high[j] + low[j] + 0x1.8p23f;
    f[j] = (high[j] - (shifted - 0x1.8p23f)) + low[j];
    bits[j] = (tsr__vu32)shifted;
    p[j] = tsr__vf32_all(c[6]);
  }
  TSR__UNROLL(6)
  for (int i = 5; i >= 0; i--) TSR__POW_EACH(ways) p[j] = tsr__vf32_step(p[j], f[j], c[i]);
}

/* A square is a product, with the bits of tsr_square. */
TSR__INLINE tsr__vf32 tsr__pow_squared(tsr__vf32 x, tsr__vf32 y, tsr__vf32 power) {
  return tsr__vf32_pick(tsr__vf32_equal(y, tsr__vf32_all(2)), x * x, power);
}

/* In range are positive normal numbers whose results are well inside of the normal ones. False where one is not in
 * range, and then the results mean nothing. */
TSR__INLINE bool tsr__pow_in_range(int ways, const tsr__vf32 *x, const tsr__vf32 *y, tsr__vf32 *z) {
  const tsr__vf32 reach = tsr__vf32_all(125);
  const tsr__vu32 normal = {0};
  tsr__vf32 high[TSR__POW_WAYS], low[TSR__POW_WAYS];
  tsr__vu32 bits[TSR__POW_WAYS];
  bool in_range = true;
  tsr__pow_exponent(ways, x, y, NULL, high, low);
  tsr__pow_exp2(ways, high, low, z, bits);
  TSR__POW_EACH(ways) {
    const tsr__lanes positive = tsr__vu32_less((tsr__vu32)x[j] - 0x00800000u, normal + 0x7f000000u);
    in_range = in_range & tsr__lanes_all(positive & tsr__vf32_less(tsr__vf32_abs(high[j] + low[j]), reach));
    z[j] = tsr__pow_squared(x[j], y[j], (tsr__vf32)((tsr__vu32)z[j] + (bits[j] << 23)));
  }
  return in_range;
}

/* y as a whole number, all of which are even from 2^24 on; whole where it is one. */
TSR__INLINE tsr__vi32 tsr__pow_count(tsr__vf32 y, tsr__lanes *whole) {
  const tsr__vf32 size = tsr__vf32_abs(y), most = tsr__vf32_all(0x1p24f);
  const tsr__vf32 counted = tsr__vf32_pick(tsr__vf32_less(size, most), size, most);
  const tsr__vi32 count = __builtin_convertvector(counted, tsr__vi32);
  *whole = tsr__vf32_equal(__builtin_convertvector(count, tsr__vf32), counted);
  return count;
}

/* size to the power y, where that is neither NaN nor y 0. Past 2^40 any power is 0, 1 or inf. */
TSR__INLINE tsr__vf32 tsr__pow_size(tsr__vf32 size, tsr__vf32 y) {
  const tsr__vf32 zero = tsr__vf32_all(0), most = tsr__vf32_all(0x1p40f), infinite = tsr__vf32_all(__builtin_inff());
  const tsr__lanes tiny = tsr__vf32_less(size, tsr__vf32_all(0x1p-126f));
  const tsr__vf32 normal = tsr__vf32_pick(tiny, size * 0x1p24f, size);
  const tsr__vf32 more = tsr__vf32_pick(tiny, tsr__vf32_all(-24), zero);
  const tsr__vf32 below = tsr__vf32_pick(tsr__vf32_less(y, most), y, most);
  const tsr__vf32 within = tsr__vf32_pick(tsr__vf32_less(-most, below), below, -most);
  tsr__vf32 high, low, p;
  tsr__vu32 bits;
  tsr__pow_exponent(1, &normal, &within, &more, &high, &low);
  const tsr__vf32 finite = tsr__vf32_pick(tsr__vf32_less(size, infinite), high + low, within * infinite);
  const tsr__vf32 total = tsr__vf32_pick(tsr__vf32_less(zero, size), finite, within * -infinite);
  const tsr__lanes above = tsr__vf32_less(tsr__vf32_all(129), total),
                   under = tsr__vf32_less(total, tsr__vf32_all(-151));
  high = tsr__vf32_pick(above, tsr__vf32_all(200), tsr__vf32_pick(under, tsr__vf32_all(-200), high));
  low = tsr__vf32_pick(above | under, zero, low);
  tsr__pow_exp2(1, &high, &low, &p, &bits);
  const tsr__vi32 n = (tsr__vi32)bits, half = n >> 1; /* two factors: only the last product rounds */
  return p * (tsr__vf32)((half + 127) << 23) * (tsr__vf32)((n - half + 127) << 23);
}

/* Any x and y, by the table of C99's Annex F; the bits of tsr__pow_in_range where that is right. */
TSR__INLINE tsr__vf32 tsr__pow_any_number(tsr__vf32 x, tsr__vf32 y) {
  const tsr__vf32 zero = tsr__vf32_all(0), one = tsr__vf32_all(1), size = tsr__vf32_abs(x);
  tsr__lanes whole;
  const tsr__vu32 top = (tsr__vu32)tsr__pow_count(y, &whole) << 31;
  const tsr__vf32 power = tsr__pow_size(size, y), turned = (tsr__vf32)((tsr__vu32)power | (top & (tsr__vu32)x));
  const tsr__lanes root = tsr__vf32_less(x, zero) & tsr__vf32_less(size, tsr__vf32_all(__builtin_inff()));
  const tsr__vf32 broken = tsr__vf32_pick(root, tsr__vf32_all(__builtin_nanf("")), power);
  const tsr__vf32 real = tsr__vf32_pick(whole, turned, broken);
  const tsr__vf32 number = tsr__vf32_pick(tsr__vf32_equal(x, x) & tsr__vf32_equal(y, y), real, x + y);
  return tsr__pow_squared(x, y, tsr__vf32_pick(tsr__vf32_equal(x, one) | tsr__vf32_equal(y, zero), one, number));
}

#endif
#endif
