/* Includes TEMPLATE once for every complex dtype of this configuration. A template uses
 *   C      the C type, {re, im}    C_ID   its dtype            FN(x)    x_c64 …
 *   P      the type of a part      P_BITS the bits of a part   PART(x)  x_f32 …
 * Define TEMPLATE before; all are forgotten after. */
#include "core/dtype/wide.h"

#define TSR__C_CAT_(a, b) a##b
#define TSR__C_CAT(a, b) TSR__C_CAT_(a, b)
#define FN(name) TSR__C_CAT(name##_, C_NAME)
#define PART(name) TSR__C_CAT(name##_, P_NAME)

#if TSR_HAVE_C64
#define C tsr__wide_c64
#define C_NAME c64
#define C_ID TSR_C64
#define P float
#define P_NAME f32
#define P_BITS 32
#include "core/complex_type.h"
#endif
#if TSR_HAVE_C128
#define C tsr__wide_c128
#define C_NAME c128
#define C_ID TSR_C128
#define P double
#define P_NAME f64
#define P_BITS 64
#include "core/complex_type.h"
#endif

#undef FN
#undef PART
#undef TSR__C_CAT
#undef TSR__C_CAT_
#undef TEMPLATE
