/* The kernels of min and max. */
#include "ops/reduce/limits.h"
#include "ops/reduce/reduce.h"

#define USED 1

#define OP(name) FN(name##_min)
#define BEATS(x, a) ((x) < (a))
#define EXTREME_START FN(limit_max)
#define TEMPLATE "ops/reduce/extreme.tmpl.h"
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__min) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#include "core/each_compute.h"
};
#undef OP
#undef BEATS
#undef EXTREME_START

#define OP(name) FN(name##_max)
#define BEATS(x, a) ((x) > (a))
#define EXTREME_START FN(limit_min)
#define TEMPLATE "ops/reduce/extreme.tmpl.h"
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__max) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#include "core/each_compute.h"
};
