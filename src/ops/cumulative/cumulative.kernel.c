/* The kernels of cumsum, cumprod, cummin and cummax. */
#include "ops/cumulative/cumulative.h"
#include "ops/reduce/limits.h"

#include "cpu/math/complex.h"

#define FLOAT_OR_WIDE (C_FLOAT || C_BITS == 64)

#define OP(name) FN(name##_cumsum)
#define USED FLOAT_OR_WIDE
#define ANY_ORDER 0
#define NEUTRAL (C_FLOAT ? -(C)0 : (C)0) /* -0 changes no number, not even -0 */
#define MERGE(a, b) ((a) + (b))
#define TEMPLATE "ops/cumulative/cumulative.tmpl.h"
#include "core/each_compute.h"
#undef USED
#undef NEUTRAL
#undef MERGE
#define USED 1
#define NEUTRAL ((C){-(P)0, -(P)0})
#define MERGE(a, b) FN(tsr__add)(a, b)
#define TEMPLATE "ops/cumulative/cumulative.tmpl.h"
#include "core/each_complex.h"
#undef USED
#define USED FLOAT_OR_WIDE
tsr__cumulative_table TSR__ISA_NAME(tsr__cumsum) = {
#define TEMPLATE "ops/cumulative/entry.tmpl.h"
#include "core/each_compute.h"
#undef USED
#define USED 1
#define TEMPLATE "ops/cumulative/entry.tmpl.h"
#include "core/each_complex.h"
};
#undef OP
#undef USED
#undef NEUTRAL
#undef MERGE

#define OP(name) FN(name##_cumprod)
#define USED FLOAT_OR_WIDE
#define NEUTRAL 1
#define MERGE(a, b) ((a) * (b))
#define TEMPLATE "ops/cumulative/cumulative.tmpl.h"
#include "core/each_compute.h"
#undef USED
#undef NEUTRAL
#undef MERGE
#define USED 1
#define NEUTRAL ((C){1, 0})
#define MERGE(a, b) FN(tsr__mul)(a, b)
#define TEMPLATE "ops/cumulative/cumulative.tmpl.h"
#include "core/each_complex.h"
#undef USED
#define USED FLOAT_OR_WIDE
tsr__cumulative_table TSR__ISA_NAME(tsr__cumprod) = {
#define TEMPLATE "ops/cumulative/entry.tmpl.h"
#include "core/each_compute.h"
#undef USED
#define USED 1
#define TEMPLATE "ops/cumulative/entry.tmpl.h"
#include "core/each_complex.h"
};
#undef OP
#undef USED
#undef ANY_ORDER
#undef NEUTRAL
#undef MERGE

/* A NaN, once there, stays: nothing beats it, and it is taken whatever comes before. */
#define USED 1
#define ANY_ORDER 1
#define OP(name) FN(name##_cummin)
#define NEUTRAL FN(limit_max)
#define MERGE(a, b) OP(taken)(a, b)
#define BEATS(x, a) ((x) < (a))
#define TEMPLATE "ops/cumulative/cumulative.tmpl.h"
#include "core/each_compute.h"
tsr__cumulative_table TSR__ISA_NAME(tsr__cummin) = {
#define TEMPLATE "ops/cumulative/entry.tmpl.h"
#include "core/each_compute.h"
};
#undef OP
#undef NEUTRAL
#undef MERGE
#undef BEATS

#define OP(name) FN(name##_cummax)
#define NEUTRAL FN(limit_min)
#define MERGE(a, b) OP(taken)(a, b)
#define BEATS(x, a) ((x) > (a))
#define TEMPLATE "ops/cumulative/cumulative.tmpl.h"
#include "core/each_compute.h"
tsr__cumulative_table TSR__ISA_NAME(tsr__cummax) = {
#define TEMPLATE "ops/cumulative/entry.tmpl.h"
#include "core/each_compute.h"
};
