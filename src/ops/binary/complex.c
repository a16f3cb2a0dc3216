/* Powers of complex numbers. c64 is computed in f64 and rounded once, where there is f64. */
#include "ops/binary/complex.h"

#include <tessera/config.h>

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

/* Whole exponents up to this one are products. */
enum { PRODUCTS = 64 };

static pair whole_power(pair a, int n) {
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
static pair polar(part size, part angle) {
  const part c = M(cos)(angle), s = M(sin)(angle);
  return angle == 0 ? (pair){size, angle} : (pair){size * c, size * s};
}

/* By a real exponent: its size is a power of real numbers, and has their accuracy. */
static pair real_power(pair a, part b) {
  if (a.im == 0 && a.re > 0) return (pair){M(pow)(a.re, b), 0};
  return polar(M(pow)(WIDE(tsr__abs)(a), b), b * M(atan2)(a.im, a.re));
}

/* e^(b·ln a) */
static pair any_power(pair a, pair b) {
  const part size = M(log)(WIDE(tsr__abs)(a)), angle = M(atan2)(a.im, a.re);
  const pair exponent = {b.re * size - b.im * angle, b.im * size + b.re * angle};
  number z;
  memcpy(&z, &exponent, sizeof z);
  z = M(cexp)(z);
  return (pair){M(creal)(z), M(cimag)(z)};
}

/* As NumPy has it: anything to 0 is 1; 0 to what has a positive real part is 0, and NaN else. */
static pair power(pair a, pair b) {
  if (b.re == 0 && b.im == 0) return (pair){1, 0};
  if (a.re == 0 && a.im == 0) {
    const part zero = b.re > 0 ? 0 : (part)NAN;
    return (pair){zero, zero};
  }
  if (b.im != 0) return any_power(a, b);
  const bool whole = M(fabs)(b.re) <= PRODUCTS && M(trunc)(b.re) == b.re;
  return whole ? whole_power(a, (int)b.re) : real_power(a, b.re);
}

#define TEMPLATE "ops/binary/complex_rows.tmpl.h"
#include "core/each_complex.h"
#endif
