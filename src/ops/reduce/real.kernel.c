/* The kernels of mean, of var and std, and of norms. */
#include "ops/reduce/reduce.h"

typedef tsr__reduce_real real;

/* Two statements, so that no compiler makes one fused operation of the square and the addition after it. */
static inline real squared(real x) {
  const real product = x * x;
  return product;
}
static inline real absolute(real x) { return x < 0 ? -x : x + (real)0; }

#define USED 1
#define TERM_HAS_PARAM 0

#define OP(name) FN(name##_total)
#define TERM(x, p) (x)
#define TEMPLATE "ops/reduce/real.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__total) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
};
#undef OP
#undef TERM

#define OP(name) FN(name##_magnitude)
#define TERM(x, p) absolute(x)
#define TEMPLATE "ops/reduce/real.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__magnitude) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
};
#undef OP
#undef TERM

#define OP(name) FN(name##_square)
#define TERM(x, p) squared(x)
#define TEMPLATE "ops/reduce/real.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__sum_square) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
};
#undef OP
#undef TERM
#undef TERM_HAS_PARAM

#define TERM_HAS_PARAM 1
#define OP(name) FN(name##_deviation)
#define TERM(x, p) squared((x) - (p))
#define TEMPLATE "ops/reduce/real.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__deviation) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
};
#undef OP
#undef TERM
#undef TERM_HAS_PARAM
