/* The kernels of norm. */
#include "ops/reduce/reduce.h"

#include <math.h>

typedef tsr__reduce_real real;

/* Counts what is not 0 where p is 0. */
static inline real raised(real x, real p) {
  if (p == 0) return x != 0 ? 1 : 0;
#if TSR_HAVE_F64
  return pow(__builtin_fabs(x), p);
#else
  return powf(__builtin_fabsf(x), p);
#endif
}

#define USED 1
#define TERM_HAS_PARAM 1
#define OP(name) FN(name##_power)
#define TERM(x, p) raised(x, p)
#define TEMPLATE "ops/reduce/real.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__power) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
};
