/* The kernels of logsumexp: the greatest element, and the sum of the exponentials of what is left without it. */
#include "ops/random/elementary.h"
#include "ops/reduce/reduce.h"

typedef tsr__reduce_real real;

static inline real higher(real a, real x) { return ((x > a) | (x != x)) ? x : a; }

#define USED 1

#define OP(name) FN(name##_peak)
#define TEMPLATE "ops/reduce/peak.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__peak) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
};
#undef OP

#define TERM_HAS_PARAM 1
#define OP(name) FN(name##_exponential)
#define TERM(x, p) ((real)FN(tsr__exp)((C)(x) - (C)(p))) /* both are numbers of the type */
#define TEMPLATE "ops/reduce/real.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__exponential) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
};
