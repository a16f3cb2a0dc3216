/* The least absolute value, NaN where there is one. */
#define LANE tsr__reduce_real
#define VALUE tsr__reduce_real
#define VALUE_ID TSR__REDUCE_REAL
#define LANES 16
#define ANY_ORDER 1
#define NEUTRAL ((tsr__reduce_real)__builtin_inff())
#define STEP(a, x, p) min_abs_of(a, absolute((tsr__reduce_real)(x)))
#define MERGE(a, b) min_abs_of(a, b)
#define WITH_PARAM 0
#include "ops/reduce/fold.tmpl.h"
