/* Functions of complex numbers, by those of the C library, whose special values are Annex G's: they are the array API's too.
 * c64 is computed in f64 and rounded once, where there is f64. */
#include "ops/unary/complex.h"

#if TSR_HAVE_COMPLEX
#include "cpu/math/complex.h"

#include <complex.h>
#include <math.h>

#if TSR_HAVE_F64
typedef double part;
typedef double _Complex number;
typedef tsr__wide_c128 pair;
#define M(name) name
#define WIDE(name) name##_c128
#else
typedef float part;
typedef float _Complex number;
typedef tsr__wide_c64 pair;
#define M(name) name##f
#define WIDE(name) name##_c64
#endif

/* ln 2 to twice as many bits, 1 / ln 2, 1 / ln 10 */
#define LN_2 ((part)0.693147180559945309417232121458176568)
#define LN_2_REST ((part)(TSR_HAVE_F64 ? 2.3190468138462995584e-17 : -1.904654290582768e-09))
#define PER_LN_2 ((part)1.442695040888963407359924681001892137)
#define PER_LN_10 ((part)0.434294481903251827651128918916605082)

static number as_number(pair x) {
  number z;
  memcpy(&z, &x, sizeof z); /* their parts lie alike */
  return z;
}
static pair as_pair(number z) { return (pair){M(creal)(z), M(cimag)(z)}; }

#define OF_LIBRARY(op, function) \
  static pair op##_of(pair x) { return as_pair(M(function)(as_number(x))); }
OF_LIBRARY(exp, cexp)
OF_LIBRARY(log, clog)
OF_LIBRARY(sqrt, csqrt)
OF_LIBRARY(sin, csin)
OF_LIBRARY(cos, ccos)
OF_LIBRARY(tan, ctan)
OF_LIBRARY(asin, casin)
OF_LIBRARY(acos, cacos)
OF_LIBRARY(atan, catan)
OF_LIBRARY(sinh, csinh)
OF_LIBRARY(cosh, ccosh)
OF_LIBRARY(tanh, ctanh)
OF_LIBRARY(asinh, casinh)
OF_LIBRARY(acosh, cacosh)
OF_LIBRARY(atanh, catanh)

/* ---- made of others ---- */

static const pair one = {1, 0};

static pair reciprocal_of(pair x) { return WIDE(tsr__div)(one, x); }
static pair rsqrt_of(pair x) { return WIDE(tsr__div)(one, sqrt_of(x)); }

static pair scaled(pair x, part by) { return (pair){x.re * by, x.im * by}; }
static pair log2_of(pair x) { return scaled(log_of(x), PER_LN_2); }
static pair log10_of(pair x) { return scaled(log_of(x), PER_LN_10); }

/* e^x - 1: near 0 without what would cancel. */
static pair expm1_of(pair x) {
  if (!WIDE(tsr__is_finite)(x)) {
    const pair e = exp_of(x);
    return (pair){e.re - 1, e.im};
  }
  const part half = M(sin)(x.im / 2), small = M(expm1)(x.re);
  if (x.re > 40) { /* e^x alone, which can be larger than its parts' factors */
    const pair e = exp_of(x);
    return (pair){e.re - 1, e.im};
  }
  return (pair){small * M(cos)(x.im) - 2 * half * half, x.im == 0 ? x.im : M(exp)(x.re) * M(sin)(x.im)};
}

/* ln |1 + x| is ln1p(u) / 2 with u = |1 + x|² - 1 = re·(2 + re) + im², of which large parts may cancel: it is summed in two
 * numbers. */
static part log_of_one_and(pair x) {
  const part re2 = x.re * x.re, im2 = x.im * x.im, twice = 2 * x.re;
  const part lost = M(fma)(x.re, x.re, -re2) + M(fma)(x.im, x.im, -im2);
  const part a = twice + re2, of_a = a - twice, lost_a = (twice - (a - of_a)) + (re2 - of_a);
  const part u = a + im2, of_u = u - a, lost_u = (a - (u - of_u)) + (im2 - of_u);
  return M(log1p)(u + (lost + lost_a + lost_u)) / 2;
}

static pair log1p_of(pair x) {
  const pair next = {1 + x.re, x.im};
  const bool near = M(fabs)(x.re) < 3 && M(fabs)(x.im) < 3 && M(fabs)(next.re) + M(fabs)(x.im) > (part)0.5;
  pair result = log_of(next); /* the angle, and the size where 1 + x is no square near 1 */
  if (near) result.re = log_of_one_and(x);
  return result;
}

/* 2^x = 2^re·cis(im·ln 2): that product in two numbers, because sin and cos see its last bits. */
static pair exp2_of(pair x) {
  const part angle = x.im * LN_2, rest = M(fma)(x.im, LN_2, -angle) + x.im * LN_2_REST;
  if (!WIDE(tsr__is_finite)(x) || x.im == 0 || M(fabs)(x.re) > 900) return exp_of((pair){x.re * LN_2, angle});
  const part size = M(exp2)(x.re), c = M(cos)(angle), s = M(sin)(angle);
  return (pair){size * (c - rest * s), size * (s + rest * c)};
}

/* 1 / (1 + e^-x) by the power that is not large. */
static pair sigmoid_of(pair x) {
  const bool left = x.re < 0;
  const pair e = exp_of(left ? x : (pair){-x.re, -x.im}), below = {1 + e.re, e.im};
  return WIDE(tsr__div)(left ? e : one, below);
}

#if TSR_HAVE_F64
/* ---- of numbers that f32 holds, whose squares f64 holds exactly: no care for what is large or small ---- */

static pair narrow_sqrt_of(pair x) {
  const double size = __builtin_sqrt(x.re * x.re + x.im * x.im);
  if (!(size > 0 && size < (double)INFINITY)) return sqrt_of(x);
  const double root = __builtin_sqrt((size + __builtin_fabs(x.re)) / 2), other = __builtin_fabs(x.im) / (2 * root);
  return x.re >= 0 ? (pair){root, copysign(other, x.im)} : (pair){other, copysign(root, x.im)};
}

/* |x|² - 1 loses nothing, where it is near 0. */
static pair narrow_log_of(pair x) {
  const double re = __builtin_fabs(x.re), im = __builtin_fabs(x.im), large = re > im ? re : im,
               small = re > im ? im : re;
  const double size = large * large + small * small;
  if (!(size > 0 && size < (double)INFINITY)) return log_of(x);
  const double first = large * large - 1, sum = first + small * small, of_sum = sum - first;
  const double lost = (first - (sum - of_sum)) + (small * small - of_sum);
  const bool near = size > 0.5 && size < 2;
  return (pair){near ? log1p(sum + lost) / 2 : log(size) / 2, atan2(x.im, x.re)};
}
static pair narrow_log2_of(pair x) { return scaled(narrow_log_of(x), PER_LN_2); }
static pair narrow_log10_of(pair x) { return scaled(narrow_log_of(x), PER_LN_10); }
#endif

static part angle_of(pair x) { return M(atan2)(x.im, x.re); }

/* ---- kernels ---- */

#define TEMPLATE "ops/unary/complex_rows.tmpl.h"
#include "core/each_complex.h"
#endif
