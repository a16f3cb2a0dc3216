/* Sums of something of every element, in the real type whatever the element's: f32 is added in f64 where there is
 * one. */
#define LANE tsr__reduce_real
#define VALUE tsr__reduce_real
#define VALUE_ID TSR__REDUCE_REAL
#define LANES TSR__REDUCE_LANES
#define ANY_ORDER 0
#define NEUTRAL (-(tsr__reduce_real)0)
#define STEP(a, x, p) ((a) + TERM((tsr__reduce_real)(x), p))
#define MERGE(a, b) ((a) + (b))
#define WITH_PARAM TERM_HAS_PARAM
#include "ops/reduce/fold.tmpl.h"
