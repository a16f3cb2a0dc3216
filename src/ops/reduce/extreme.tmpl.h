/* Least and greatest: takes x where BEATS(x, a), and a NaN where there is one. Values are only chosen, never
 * computed, so that the order does not matter; lanes fill two vectors of the widest kind. */
#define LANE C
#define VALUE C
#define VALUE_ID C_ID
#define LANES (TSR__REDUCE_LANE_BYTES / (C_BITS / 8))
#define ANY_ORDER 1
#define NEUTRAL EXTREME_START
/* In two steps, the first of which is one instruction on most machines: no comparison takes a NaN, and none lets one
 * go. */
static inline C OP(step)(C a, C x) {
  const C best = BEATS(x, a) ? x : a;
#if C_FLOAT
  return x != x ? x : best;
#else
  return best;
#endif
}
#define STEP(a, x, p) OP(step)(a, x)
#define MERGE(a, b) OP(step)(a, b)
#define WITH_PARAM 0
#include "ops/reduce/fold.tmpl.h"
