/* The kernels of norm with p = -inf. */
#include "ops/reduce/reduce.h"

typedef tsr__reduce_real real;

static inline real absolute(real x) { return x < 0 ? -x : x + (real)0; }
static inline real min_abs_of(real a, real x) { return ((x < a) | (x != x)) ? x : a; }

#define USED 1
#define OP(name) FN(name##_min_abs)
#define TEMPLATE "ops/reduce/min_abs.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__min_abs) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
};
