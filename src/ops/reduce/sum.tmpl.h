/* Sums. Integers up to 16 bits are added in 32 inside a block, which cannot overflow there, and in 64 between blocks.
 * */
#if C_FLOAT
#define LANE C
#define VALUE C
#define VALUE_ID C_ID
#define LANES TSR__REDUCE_LANES
#define ANY_ORDER 0
#define NEUTRAL (-(C)0) /* the one number that changes no other: -0 + -0 is -0 */
#else
#if C_SIGNED
#define VALUE int64_t
#define VALUE_ID TSR_I64
#else
#define VALUE uint64_t
#define VALUE_ID TSR_U64
#endif
#if C_BITS <= 16 && C_SIGNED
#define LANE int32_t
#define LANES 32
#elif C_BITS <= 16
#define LANE uint32_t
#define LANES 32
#else
#define LANE VALUE
#define LANES 16
#endif
#define ANY_ORDER 1
#define NEUTRAL 0
#endif
#define STEP(a, x, p) ((a) + (LANE)(x))
#define MERGE(a, b) ((a) + (b))
#define WITH_PARAM 0
#define WITH_STAGE C_FLOAT
#include "ops/reduce/fold.tmpl.h"
