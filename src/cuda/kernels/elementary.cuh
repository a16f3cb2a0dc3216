/* The host's series of exp, log, sin and cos, in both float types. */
#include "ops/random/elementary.h"
#pragma push_macro("C")
#pragma push_macro("FN")
#undef C
#undef FN
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
#pragma pop_macro("C")
#pragma pop_macro("FN")
