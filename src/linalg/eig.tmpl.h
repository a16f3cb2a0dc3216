/* Eigenvalues of one matrix, of one compute type. The largest element is near 1, so that LEAST counts as nothing beside it. */
#include "linalg/rows.tmpl.h"

#define LEAST (C_BITS == 32 ? (C)0x1p-60 : (C)0x1p-500)

static inline C FN(size)(C x) { return x < 0 ? -x : x; }
static inline C FN(more)(C x, C y) { return x > y ? x : y; }
static inline C FN(less)(C x, C y) { return x < y ? x : y; }
static inline C FN(with_sign)(C x, C of) { return (of < 0) == (x < 0) ? x : -x; }

/* √(x² + y²), whatever their size. */
static inline C FN(length)(C x, C y) {
  const C most = FN(more)(FN(size)(x), FN(size)(y));
  if (most == 0) return 0;
  const C p = x / most, q = y / most;
  return most * TSR__TYPE_SQRT(p * p + q * q);
}

/* A power of two near 1/x, x > 0 and normal. */
static inline C FN(power_below)(C x) {
  int exponent = 0;
  (void)__builtin_frexp((double)x, &exponent);
  return (C)__builtin_ldexp(1, -exponent);
}

#include "linalg/balance.tmpl.h"
#include "linalg/hessenberg.tmpl.h"
#include "linalg/schur.tmpl.h"
#include "linalg/eigenvectors.tmpl.h"

#undef EPSILON
#undef LEAST
