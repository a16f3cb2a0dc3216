/* Functions of complex numbers that are made of others: exp_of, log_of and sqrt_of of a pair of two part are there before, as are M(name), a
 * function of the C library for a part, and WIDE(name), arithmetic of pairs. Devices have the same. */
#ifndef TSR_CPU_MATH_COMPLEX_MADE_H
#define TSR_CPU_MATH_COMPLEX_MADE_H

#include "cpu/math/complex.h"

/* ln 2 to twice as many bits, 1 / ln 2, 1 / ln 10 */
#define LN_2 ((part)0.693147180559945309417232121458176568)
#define LN_2_REST ((part)(TSR_HAVE_F64 ? 2.3190468138462995584e-17 : -1.904654290582768e-09))
#define PER_LN_2 ((part)1.442695040888963407359924681001892137)
#define PER_LN_10 ((part)0.434294481903251827651128918916605082)

static const pair one = {1, 0};

static inline pair reciprocal_of(pair x) { return WIDE(tsr__div)(one, x); }
static inline pair rsqrt_of(pair x) { return WIDE(tsr__div)(one, sqrt_of(x)); }

static inline pair scaled(pair x, part by) { return (pair){x.re * by, x.im * by}; }
static inline pair log2_of(pair x) { return scaled(log_of(x), PER_LN_2); }
static inline pair log10_of(pair x) { return scaled(log_of(x), PER_LN_10); }

/* e^x - 1: near 0 without what would cancel. */
static inline pair expm1_of(pair x) {
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
static inline part log_of_one_and(pair x) {
  const part re2 = x.re * x.re, im2 = x.im * x.im, twice = 2 * x.re;
  const part lost = M(fma)(x.re, x.re, -re2) + M(fma)(x.im, x.im, -im2);
  const part a = twice + re2, of_a = a - twice, lost_a = (twice - (a - of_a)) + (re2 - of_a);
  const part u = a + im2, of_u = u - a, lost_u = (a - (u - of_u)) + (im2 - of_u);
  return M(log1p)(u + (lost + lost_a + lost_u)) / 2;
}

static inline pair log1p_of(pair x) {
  const pair next = {1 + x.re, x.im};
  const bool near = M(fabs)(x.re) < 3 && M(fabs)(x.im) < 3 && M(fabs)(next.re) + M(fabs)(x.im) > (part)0.5;
  pair result = log_of(next); /* the angle, and the size where 1 + x is no square near 1 */
  if (near) result.re = log_of_one_and(x);
  return result;
}

/* 2^x = 2^re·cis(im·ln 2): that product in two numbers, because sin and cos see its last bits. */
static inline pair exp2_of(pair x) {
  const part angle = x.im * LN_2, rest = M(fma)(x.im, LN_2, -angle) + x.im * LN_2_REST;
  if (!WIDE(tsr__is_finite)(x) || x.im == 0 || M(fabs)(x.re) > 900) return exp_of((pair){x.re * LN_2, angle});
  const part size = M(exp2)(x.re), c = M(cos)(angle), s = M(sin)(angle);
  return (pair){size * (c - rest * s), size * (s + rest * c)};
}

/* 1 / (1 + e^-x) by the power that is not large. */
static inline pair sigmoid_of(pair x) {
  const bool left = x.re < 0;
  const pair e = exp_of(left ? x : (pair){-x.re, -x.im}), below = {1 + e.re, e.im};
  return WIDE(tsr__div)(left ? e : one, below);
}

#if TSR_HAVE_F64
/* ---- of numbers that f32 holds, whose squares f64 holds exactly: no care for what is large or small ---- */

static inline pair narrow_sqrt_of(pair x) {
  const double size = __builtin_sqrt(x.re * x.re + x.im * x.im);
  if (!(size > 0 && size < (double)INFINITY)) return sqrt_of(x);
  const double root = __builtin_sqrt((size + __builtin_fabs(x.re)) / 2), other = __builtin_fabs(x.im) / (2 * root);
  return x.re >= 0 ? (pair){root, copysign(other, x.im)} : (pair){other, copysign(root, x.im)};
}

/* |x|² - 1 loses nothing, where it is near 0. */
static inline pair narrow_log_of(pair x) {
  const double re = __builtin_fabs(x.re), im = __builtin_fabs(x.im), large = re > im ? re : im,
               small = re > im ? im : re;
  const double size = large * large + small * small;
  if (!(size > 0 && size < (double)INFINITY)) return log_of(x);
  const double first = large * large - 1, sum = first + small * small, of_sum = sum - first;
  const double lost = (first - (sum - of_sum)) + (small * small - of_sum);
  const bool near = size > 0.5 && size < 2;
  return (pair){near ? log1p(sum + lost) / 2 : log(size) / 2, atan2(x.im, x.re)};
}
static inline pair narrow_log2_of(pair x) { return scaled(narrow_log_of(x), PER_LN_2); }
static inline pair narrow_log10_of(pair x) { return scaled(narrow_log_of(x), PER_LN_10); }
#endif

static inline part angle_of(pair x) { return M(atan2)(x.im, x.re); }

/* ---- powers ---- */

/* Whole exponents up to this one are products. */
enum { PRODUCTS = 64 };

static inline pair whole_power(pair a, int n) {
  pair power = {1, 0};
  bool any = false;
  for (unsigned left = (unsigned)(n < 0 ? -n : n); left != 0; left /= 2) {
    if (left % 2 != 0) power = any ? WIDE(tsr__mul)(power, a) : a;
    any = any || left % 2 != 0;
    if (left > 1) a = WIDE(tsr__square)(a);
  }
  return n < 0 ? WIDE(tsr__div)((pair){1, 0}, power) : power;
}

/* size·cis(angle) */
static inline pair polar(part size, part angle) {
  const part c = M(cos)(angle), s = M(sin)(angle);
  return angle == 0 ? (pair){size, angle} : (pair){size * c, size * s};
}

/* By a real exponent: its size is a power of real numbers, and has their accuracy. */
static inline pair real_power(pair a, part b) {
  if (a.im == 0 && a.re > 0) return (pair){M(pow)(a.re, b), 0};
  return polar(M(pow)(WIDE(tsr__abs)(a), b), b * M(atan2)(a.im, a.re));
}

/* e^(b·ln a) */
static inline pair any_power(pair a, pair b) {
  const part size = M(log)(WIDE(tsr__abs)(a)), angle = M(atan2)(a.im, a.re);
  const pair exponent = {b.re * size - b.im * angle, b.im * size + b.re * angle};
  return exp_of(exponent);
}

/* As NumPy has it: anything to 0 is 1; 0 to what has a positive real part is 0, and NaN else. */
static inline pair power(pair a, pair b) {
  if (b.re == 0 && b.im == 0) return (pair){1, 0};
  if (a.re == 0 && a.im == 0) {
    const part zero = b.re > 0 ? 0 : (part)NAN;
    return (pair){zero, zero};
  }
  if (b.im != 0) return any_power(a, b);
  const bool whole = M(fabs)(b.re) <= PRODUCTS && M(trunc)(b.re) == b.re;
  return whole ? whole_power(a, (int)b.re) : real_power(a, b.re);
}

#endif
