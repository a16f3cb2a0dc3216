/* f64: the C library's functions where there is nothing faster yet. */
#ifndef TSR_CPU_MATH_LIBM_F64_H
#define TSR_CPU_MATH_LIBM_F64_H

#include "cpu/math/bits.h"

#if TSR_HAVE_F64
#include <math.h>
#ifdef __MINGW32__
#include "cpu/math/careful_f64.h"
#endif

static inline double tsr__exp_f64(double x) { return exp(x); }
static inline double tsr__exp2_f64(double x) { return exp2(x); }
static inline double tsr__expm1_f64(double x) { return expm1(x); }
static inline double tsr__log_f64(double x) { return log(x); }
static inline double tsr__log2_f64(double x) { return log2(x); }
static inline double tsr__log10_f64(double x) { return log10(x); }
static inline double tsr__log1p_f64(double x) { return log1p(x); }
#ifdef __MINGW32__
static inline double tsr__sin_f64(double x) { return tsr__careful_sin_f64(x); }
static inline double tsr__cos_f64(double x) { return tsr__careful_cos_f64(x); }
static inline double tsr__tan_f64(double x) { return tsr__careful_tan_f64(x); }
static inline double tsr__acos_f64(double x) { return tsr__careful_acos_f64(x); }
static inline double tsr__acosh_f64(double x) { return tsr__careful_acosh_f64(x); }
static inline double tsr__libm_pow_f64(double a, double b) { return tsr__careful_pow_f64(a, b); }
#else
static inline double tsr__sin_f64(double x) { return sin(x); }
static inline double tsr__cos_f64(double x) { return cos(x); }
static inline double tsr__tan_f64(double x) { return tan(x); }
static inline double tsr__acos_f64(double x) { return acos(x); }
static inline double tsr__acosh_f64(double x) { return acosh(x); }
static inline double tsr__libm_pow_f64(double a, double b) { return pow(a, b); }
#endif
static inline double tsr__tanh_f64(double x) { return tanh(x); }
static inline double tsr__erf_f64(double x) { return erf(x); }
static inline double tsr__erfc_f64(double x) { return erfc(x); }
static inline double tsr__cbrt_f64(double x) { return cbrt(x); }
static inline double tsr__asin_f64(double x) { return asin(x); }
static inline double tsr__atan_f64(double x) { return atan(x); }
static inline double tsr__sinh_f64(double x) { return sinh(x); }
static inline double tsr__cosh_f64(double x) { return cosh(x); }
static inline double tsr__asinh_f64(double x) { return asinh(x); }
static inline double tsr__atanh_f64(double x) { return atanh(x); }
static inline double tsr__atan2_f64(double a, double b) { return atan2(a, b); }
/* Some C libraries make 1 of -1 to the power NaN. */
static inline double tsr__pow_f64(double a, double b) {
  if (b == 2.0) return a * a; /* a product, with the bits of tsr_square */
  return b != b && a != 1 ? b : tsr__libm_pow_f64(a, b);
}

/* ---- activations: see activation_f32.h for the forms ---- */

static inline double tsr__sigmoid_f64(double x) {
  const double z = exp(-tsr__abs_f64(x));
  return (x < 0 ? z : 1) / (1 + z);
}

/* x·e^v for v so small that e^v is subnormal or 0 and has lost its digits. */
static inline double tsr__faint_f64(double x, double v) {
  const double half = exp(0.5 * v);
  return x * half * half;
}

/* x·σ(v) for v with the sign of x; -0 at -inf. */
static inline double tsr__gate_f64(double x, double v) {
  const double z = exp(-tsr__abs_f64(v)), least = x < -1e6 ? -1e6 : x;
  if (v < -700) return tsr__faint_f64(least, v);
  return (x < 0 ? least * z : x) / (1 + z);
}

static inline double tsr__silu_f64(double x) { return tsr__gate_f64(x, x); }

static inline double tsr__softplus_f64(double x) { return (x > 0 ? x : 0) + log1p(exp(-tsr__abs_f64(x))); }

static inline double tsr__mish_f64(double x) {
  const double z = exp(-tsr__abs_f64(x)), least = x < -1e6 ? -1e6 : x;
  const double w = x < 0 ? z * (z + 2) : 1 + 2 * z;
  if (x < -700) return tsr__faint_f64(least, x);
  return least * w / (w + (x < 0 ? 2 : 2 * z * z));
}

static inline double tsr__leaky_relu_f64(double x, double slope) { return x < 0 ? x * slope : x; }
static inline double tsr__elu_f64(double x, double alpha) { return x > 0 ? x : alpha * expm1(x); }

static inline double tsr__celu_f64(double x, double alpha) { return x > 0 ? x : alpha * expm1(x / alpha); }

static inline double tsr__selu_f64(double x) {
  const double scale = 0x1.0cfabd6a91132p+0, both = 0x1.c212cc640f031p+0;
  return x > 0 ? scale * x : both * expm1(x);
}

static inline double tsr__softsign_f64(double x) {
  const double a = tsr__abs_f64(x), most = a > 0x1p55 ? 0x1p55 : a;
  return tsr__copysign_f64(most / (1 + most), x);
}

static inline double tsr__hard_sigmoid_f64(double x) {
  const double above = x < -3 ? 0 : x + 3;
  return (above > 6 ? 6 : above) / 6;
}

static inline double tsr__hard_swish_f64(double x) {
  const double least = x < -3 ? -3 : x, most = least + 3 > 6 ? 6 : least + 3;
  return least * (most / 6);
}

static inline double tsr__gelu_f64(double x) {
  const double least = x < -40 ? -40 : x;
  return 0.5 * least * erfc(least * -0x1.6a09e667f3bcdp-1);
}

static inline double tsr__gelu_tanh_f64(double x) {
  const double within = x < -40 ? -40 : x > 40 ? 40 : x;
  return tsr__gate_f64(x, within * (0x1.9884533d43651p+0 + 0x1.2444f2a4d8b4bp-4 * within * within));
}
#endif

#endif
