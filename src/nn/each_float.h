/* Includes TEMPLATE once for every float dtype of this configuration, then forgets TEMPLATE. Include core/dtypes.h
 * first; what a template may use is in core/dtype/instantiate.h. Besides, STORE(x) makes a T from WIDE, and MATH(name)
 * is name_f32 or name_f64, by WIDE. */
#ifndef TSR__BY_FLOAT
#if TSR_HAVE_SMALL_FLOATS
#define TSR__BY_SMALL_FLOAT(name) \
  [TSR_F16] = name##_f16, [TSR_BF16] = name##_bf16, [TSR_F8_E4M3] = name##_f8_e4m3, [TSR_F8_E5M2] = name##_f8_e5m2,
#else
#define TSR__BY_SMALL_FLOAT(name)
#endif
#if TSR_HAVE_F64
#define TSR__BY_F64(name) [TSR_F64] = name##_f64,
#else
#define TSR__BY_F64(name)
#endif
/* A table by dtype of what a template made: {TSR__BY_FLOAT(name)}. */
#define TSR__BY_FLOAT(name) [TSR_F32] = name##_f32, TSR__BY_SMALL_FLOAT(name) TSR__BY_F64(name)
#endif

#define STORE FROM(DT_WIDE)
#define MATH(name) TSR__DT_CAT(name##_, DT_WIDE)
#include "core/dtype/f32.h"
#if TSR_HAVE_SMALL_FLOATS
#include "core/dtype/f16.h"
#include "core/dtype/bf16.h"
#include "core/dtype/f8_e4m3.h"
#include "core/dtype/f8_e5m2.h"
#endif
#if TSR_HAVE_F64
#include "core/dtype/f64.h"
#endif
#undef STORE
#undef MATH
#undef TEMPLATE
