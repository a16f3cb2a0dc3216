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

static pair as_pair(number z) { return (pair){M(creal)(z), M(cimag)(z)}; }
static number as_number(pair x) {
  number z;
  memcpy(&z, &x, sizeof z); /* their parts lie alike */
  return z;
}
static pair exp_of(pair x) { return as_pair(M(cexp)(as_number(x))); }
static pair log_of(pair x) { return as_pair(M(clog)(as_number(x))); }
static pair sqrt_of(pair x) { return as_pair(M(csqrt)(as_number(x))); }

#include "cpu/math/complex_made.h"

#define TEMPLATE "ops/binary/complex_rows.tmpl.h"
#include "core/each_complex.h"
#endif
