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

#include "cpu/math/complex_made.h"

/* ---- kernels ---- */

#define TEMPLATE "ops/unary/complex_rows.tmpl.h"
#include "core/each_complex.h"
#endif
