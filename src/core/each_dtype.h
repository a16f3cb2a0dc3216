/* Includes TEMPLATE once for every dtype of this configuration, then forgets TEMPLATE. Include core/dtypes.h first. */
#include "core/dtype/bool.h"
#include "core/dtype/i8.h"
#include "core/dtype/i16.h"
#include "core/dtype/i32.h"
#include "core/dtype/i64.h"
#include "core/dtype/u8.h"
#include "core/dtype/u16.h"
#include "core/dtype/u32.h"
#include "core/dtype/u64.h"
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
#if TSR_HAVE_C64
#include "core/dtype/c64.h"
#endif
#if TSR_HAVE_C128
#include "core/dtype/c128.h"
#endif
#undef TEMPLATE
