/* pow and hypot of f32, by way of f64: what they round on the way is far below the last place of f32, neither
 * squares nor quotients leave the range, and subnormal numbers are numbers like others. Written as bits.h says: no
 * branches and no calls. The polynomials interpolate at Chebyshev's nodes; their errors are beside them. */
#ifndef TSR_CPU_MATH_TWO_F32_H
#define TSR_CPU_MATH_TWO_F32_H

#include "cpu/math/bits.h"

#include <math.h>

#if TSR_HAVE_F64

/* log2 of x > 0, a number of f32: x = 2^k·m with m in [√½, √2), s = (m-1)/(m+1), log2(m) = s·P(s²) with P within
 * 2^-45. -inf for 0, inf for inf. */
static inline double tsr__log2_wide(double x) {
  const uint64_t moved = tsr__bits_of_f64(x) - UINT64_C(0x3fe6a09e667f3bcd) + (UINT64_C(1024) << 52);
  const uint64_t k = moved >> 52; /* with 1024 added */
  const double m = tsr__f64_of_bits(tsr__bits_of_f64(x) - (k << 52) + (UINT64_C(1024) << 52));
  const double whole = tsr__f64_of_bits(k | UINT64_C(0x4330000000000000)) - (0x1p52 + 1024);
  const double s = (m - 1.0) / (m + 1.0), u = s * s;
  double p = 0x1.21ad2d776d25ap-2;
  p = tsr__fma_f64(p, u, 0x1.47959c992a71fp-2);
  p = tsr__fma_f64(p, u, 0x1.a61a2cf9f9e38p-2);
  p = tsr__fma_f64(p, u, 0x1.2776c295ae0c7p-1);
  p = tsr__fma_f64(p, u, 0x1.ec709dc53a1cap-1);
  p = tsr__fma_f64(p, u, 0x1.71547652b8252p+1);
  const double inside = tsr__fma_f64(p, s, whole);
  const double finite = x < __builtin_inf() ? inside : x;
  return x > 0.0 ? finite : -__builtin_inf();
}

/* 2^t, within 2^-39; beyond ±300, which is beyond f32, it stays there. */
static inline double tsr__exp2_wide(double t) {
  const double above = t > -300.0 ? t : -300.0, within = above < 300.0 ? above : 300.0;
  const double shifted = within + 0x1.8p52, r = within - (shifted - 0x1.8p52);
  double p = 0x1.63d136366db24p-20;
  p = tsr__fma_f64(p, r, 0x1.00dc4a532fb8ep-16);
  p = tsr__fma_f64(p, r, 0x1.4308ac85aa947p-13);
  p = tsr__fma_f64(p, r, 0x1.5d8745a728441p-10);
  p = tsr__fma_f64(p, r, 0x1.3b2ab7181b755p-7);
  p = tsr__fma_f64(p, r, 0x1.c6b08dd6fd234p-5);
  p = tsr__fma_f64(p, r, 0x1.ebfbdff823cedp-3);
  p = tsr__fma_f64(p, r, 0x1.62e42fef84cf0p-1);
  p = tsr__fma_f64(p, r, 0x1.0000000000000p+0);
  return tsr__f64_of_bits(tsr__bits_of_f64(p) + (tsr__bits_of_f64(shifted) << 52)); /* the low bits are the number */
}

/* a^b by the table of C99's Annex F. From 2^24 on numbers of f32 are even, and count as 2^24. Without fused products
 * the C library is faster. */
#if TSR__HAVE_FMA
static inline float tsr__pow_f32(float a, float b) {
  const double x = (double)a, y = (double)b, size = tsr__abs_f64(x), exponent = tsr__abs_f64(y);
  const double counted = exponent < 0x1p24 ? exponent : 0x1p24, shifted = counted + 0x1p52;
  const int whole = shifted - 0x1p52 == counted;
  const double power = tsr__exp2_wide(y * tsr__log2_wide(size));
  const double of_one = size == 1.0 ? 1.0 : power; /* ±1 to the power ±inf too */
  const uint64_t odd = whole ? tsr__bits_of_f64(shifted) << 63 : 0;
  const double with_sign = tsr__f64_of_bits(tsr__bits_of_f64(of_one) | (odd & tsr__bits_of_f64(x)));
  const int no_root = (x < 0.0) & (size < __builtin_inf()) & !whole;
  const double real = no_root ? __builtin_nan("") : with_sign;
  const double number = (x == x) & (y == y) ? real : x + y;
  const float result = (float)((x == 1.0) | (y == 0.0) ? 1.0 : number);
  return b == 2.0f ? a * a : result; /* a square is a product, with the bits of tsr_square */
}
#else
/* Some C libraries make 1 of -1 to the power NaN. */
static inline float tsr__pow_f32(float a, float b) {
  if (b == 2.0f) return a * a; /* a product, with the bits of tsr_square */
  return b != b && a != 1 ? b : powf(a, b);
}
#endif

/* √(a² + b²): the squares are exact. inf where one is infinite, even beside NaN. */
static inline float tsr__hypot_f32(float a, float b) {
  const double x = (double)a, y = (double)b, length = __builtin_sqrt(x * x + y * y);
  const int infinite = (int)(tsr__abs_f64(x) == __builtin_inf()) | (int)(tsr__abs_f64(y) == __builtin_inf());
  return (float)(infinite ? __builtin_inf() : length);
}

#else

/* Some C libraries make 1 of -1 to the power NaN. */
static inline float tsr__pow_f32(float a, float b) {
  if (b == 2.0f) return a * a; /* a product, with the bits of tsr_square */
  return b != b && a != 1 ? b : powf(a, b);
}
static inline float tsr__hypot_f32(float a, float b) { return hypotf(a, b); }
#endif

#endif
