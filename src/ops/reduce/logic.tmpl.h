/* any, all, count_nonzero: on bytes that are 0 or 1, which rows of other dtypes are converted to. */
#if USED
#define LANE LOGIC_LANE
#define VALUE LOGIC_VALUE
#define VALUE_ID LOGIC_VALUE_ID
#define LANES LOGIC_LANES
#define ANY_ORDER 1
#define NEUTRAL LOGIC_START
#define STEP(a, x, p) ((LANE)((a)LOGIC_SIGN((LANE)(x))))
#define MERGE(a, b) ((VALUE)((a)LOGIC_SIGN(b)))
#define WITH_PARAM 0
#include "ops/reduce/fold.tmpl.h"
#endif
