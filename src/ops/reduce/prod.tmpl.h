/* Products, of floats in their own type and of integers in 64 bits: rows of others are converted. */
#if USED
#define LANE C
#define VALUE C
#define VALUE_ID C_ID
#define LANES 16
#if C_FLOAT
#define ANY_ORDER 0
#else
#define ANY_ORDER 1
#endif
#define NEUTRAL 1
#define STEP(a, x, p) ((a) * (x))
#define MERGE(a, b) ((a) * (b))
#define WITH_PARAM 0
#include "ops/reduce/fold.tmpl.h"
#endif
