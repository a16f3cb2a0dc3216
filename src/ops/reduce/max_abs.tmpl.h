/* The greatest absolute value, NaN where there is one. */
#define LANE tsr__reduce_real
#define VALUE tsr__reduce_real
#define VALUE_ID TSR__REDUCE_REAL
#define LANES 16
#define ANY_ORDER 1
#define NEUTRAL 0
#define STEP(a, x, p) max_abs_of(a, absolute((tsr__reduce_real)(x)))
#define MERGE(a, b) max_abs_of(a, b)
#define WITH_PARAM 0
#include "ops/reduce/fold.tmpl.h"
