/* The host's series of exp, log, sin and cos, in both float types. To be included before C and FN are set. */
#include "ops/random/elementary.h"
#define TSR__C_CAT_(a, b) a##b
#define TSR__C_CAT(a, b) TSR__C_CAT_(a, b)
#define FN(name) TSR__C_CAT(name##_, C_NAME)
#define C float
#define C_NAME f32
#include "ops/random/elementary.tmpl.h"
#undef C
#undef C_NAME
#define C double
#define C_NAME f64
#include "ops/random/elementary.tmpl.h"
#undef C
#undef C_NAME
#undef FN
#undef TEMPLATE
#undef TSR__NO_INTEGERS
