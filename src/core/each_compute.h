/* Includes TEMPLATE once for every compute type: the types that arithmetic is done in. A template uses
 *   C      the C type                    C_ID     its dtype, TSR_F32 …
 *   FN(x)  x_f32 …                       C_FLOAT  1 for f32 and f64     C_SIGNED  1 for what can be negative
 *   C_BITS the bits of the type
 * Define TEMPLATE and, to leave some out, TSR__NO_INTEGERS or TSR__NO_FLOATS before; all are forgotten after. */
#define TSR__C_CAT_(a, b) a##b
#define TSR__C_CAT(a, b) TSR__C_CAT_(a, b)
#define FN(name) TSR__C_CAT(name##_, C_NAME)

#if !defined(TSR__NO_INTEGERS)
#define C_FLOAT 0
#define C_SIGNED 1
#define C int8_t
#define C_NAME i8
#define C_ID TSR_I8
#define C_BITS 8
#include "core/compute_type.h"
#define C int16_t
#define C_NAME i16
#define C_ID TSR_I16
#define C_BITS 16
#include "core/compute_type.h"
#define C int32_t
#define C_NAME i32
#define C_ID TSR_I32
#define C_BITS 32
#include "core/compute_type.h"
#define C int64_t
#define C_NAME i64
#define C_ID TSR_I64
#define C_BITS 64
#include "core/compute_type.h"
#undef C_SIGNED
#define C_SIGNED 0
#define C uint8_t
#define C_NAME u8
#define C_ID TSR_U8
#define C_BITS 8
#include "core/compute_type.h"
#define C uint16_t
#define C_NAME u16
#define C_ID TSR_U16
#define C_BITS 16
#include "core/compute_type.h"
#define C uint32_t
#define C_NAME u32
#define C_ID TSR_U32
#define C_BITS 32
#include "core/compute_type.h"
#define C uint64_t
#define C_NAME u64
#define C_ID TSR_U64
#define C_BITS 64
#include "core/compute_type.h"
#undef C_SIGNED
#undef C_FLOAT
#endif

#if !defined(TSR__NO_FLOATS)
#define C_FLOAT 1
#define C_SIGNED 1
#define C float
#define C_NAME f32
#define C_ID TSR_F32
#define C_BITS 32
#include "core/compute_type.h"
#if TSR_HAVE_F64
#define C double
#define C_NAME f64
#define C_ID TSR_F64
#define C_BITS 64
#include "core/compute_type.h"
#endif
#undef C_SIGNED
#undef C_FLOAT
#endif

#undef FN
#undef TSR__C_CAT
#undef TSR__C_CAT_
#undef TEMPLATE
#undef TSR__NO_INTEGERS
#undef TSR__NO_FLOATS
