/* What logsumexp and losses do with each element: the greatest, and sums of exponentials. */
#include "cpu/math/exp_f64.h"

/* The greater one; NaN where there is one. */
static inline float tsr__highest_f32(float a, float x) {
#if !defined TSR_CUDA_EMULATED && __CUDA_ARCH__ >= 800
  float y;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(x));
  return y;
#else
  return ((x > a) | (x != x)) ? x : a;
#endif
}
static inline double tsr__highest_f64(double a, double x) { return ((x > a) | (x != x)) ? x : a; }
static inline float tsr__lowest_f32(float a, float x) {
#if !defined TSR_CUDA_EMULATED && __CUDA_ARCH__ >= 800
  float y;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(x));
  return y;
#else
  return ((x < a) | (x != x)) ? x : a;
#endif
}

/* e·2^n, or 0 where not taken: but for the low word, which is less than 2^-1042 then and lost in any sum with a number of f32. */
static inline double tsr__scaled_where(bool taken, double e, uint32_t n) {
  const uint64_t bits = tsr__bits_of_f64(e);
  const uint32_t high = (uint32_t)(bits >> 32) + (n << 20);
  return tsr__f64_of_bits((uint64_t)(taken ? high : 0u) << 32 | (uint32_t)bits);
}

/* a + tsr__exp_f32(d) for d of at most 88, as few operations as have its bits. Where they are less than those of elementary.tmpl.h, results
 * are the same for every float: n·log 2's first part and products with powers of 2 are exact, so that one rounding remains of two, the
 * rounding of the last term is lost in those after it, and 2^n goes to the exponent of a double. The sum must have a term of normal size. */
static inline double tsr__plus_exp_f32(double a, float d) {
  const float shifted = d * 1.44269504088896340736f + 0x1.8p23f, n = shifted - 0x1.8p23f;
  const float r = __builtin_fmaf(-n, TSR__LN2_HIGH_f32, d) - n * TSR__LN2_LOW_f32;
  float sum = __builtin_fmaf(r, 1.0f / 7.0f, 1.0f) * r * (1.0f / 6.0f);
  sum = (sum + 1.0f) * r * (1.0f / 5.0f);
  sum = (sum + 1.0f) * r;
  sum = __builtin_fmaf(sum, 0.25f, 1.0f) * r * (1.0f / 3.0f);
  sum = (sum + 1.0f) * r;
  sum = __builtin_fmaf(sum, 0.5f, 1.0f) * r;
  return a + tsr__scaled_where(d >= TSR__EXP_LOW_f32, (double)(sum + 1.0f), tsr__bits_of_f32(shifted)); /* whose low bits are n */
}
static inline double tsr__plus_exp_f64(double a, double d) { return a + tsr__exp_f64(d); }

/* a + e^(x - p) in f64, where p is at least x. */
static inline double tsr__plus_wide_exp(double a, float x, double p) {
  const double e = tsr__exp_in_range_vf64(tsr__vf64_all((double)x - p)).lane;
  return x - (float)p < (float)TSR__EXP_LOW_F64 ? a : a + e;
}
