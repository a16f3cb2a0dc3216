/* One compute type of the range-checked ops; in f64 by vectors where products are fused (wide.h), else the C library's.
 */
#include "ops/unary/rows.tmpl.h"

#if C_BITS == 64 && TSR__WIDE
TSR__WIDE_KERNEL(exp, TSR__EXP_LOW_F64, TSR__EXP_HIGH_F64)
TSR__WIDE_KERNEL(tanh, TSR__TANH_LOW_F64, TSR__TANH_HIGH_F64)
TSR__WIDE_KERNEL(sin, TSR__SIN_LOW_F64, TSR__SIN_HIGH_F64)
TSR__WIDE_KERNEL(cos, TSR__COS_LOW_F64, TSR__COS_HIGH_F64)
TSR__WIDE_KERNEL(sigmoid, TSR__SIGMOID_LOW_F64, TSR__SIGMOID_HIGH_F64)
TSR__WIDE_KERNEL(silu, TSR__SILU_LOW_F64, TSR__SILU_HIGH_F64)
TSR__WIDE_KERNEL(log, TSR__LOG_LOW_F64, TSR__LOG_HIGH_F64)
TSR__WIDE_KERNEL(log2, TSR__LOG2_LOW_F64, TSR__LOG2_HIGH_F64)
TSR__WIDE_KERNEL(log10, TSR__LOG10_LOW_F64, TSR__LOG10_HIGH_F64)
TSR__WIDE_KERNEL(log1p, TSR__LOG1P_LOW_F64, TSR__LOG1P_HIGH_F64)
TSR__WIDE_KERNEL(tan, TSR__TAN_LOW_F64, TSR__TAN_HIGH_F64)
TSR__UNARY_KERNEL(gelu)
TSR__UNARY_KERNEL(gelu_tanh)
#elif C_BITS == 64
#define UNARY_RANGE_CHECKED(op, ...) TSR__UNARY_KERNEL(op)
#define UNARY_KEYED(op, ...) TSR__UNARY_KERNEL(op)
#include "ops/unary/rows.def"
#else
#define UNARY_RANGE_CHECKED(op, ...) RANGE_CHECKED_KERNEL(op)
#include "ops/unary/rows.def"
RANGE_CHECKED_KERNEL_OF(gelu, size_of_f32, tsr__bits_of_f32(tsr__gelu_reach_f32()), tsr__gelu_tail_key_f32)
RANGE_CHECKED_KERNEL_BY(log, tsr__log_key_f32, TSR__LOG_KEYS_F32)
RANGE_CHECKED_KERNEL_BY(log2, tsr__log_key_f32, TSR__LOG_KEYS_F32)
RANGE_CHECKED_KERNEL_BY(log10, tsr__log_key_f32, TSR__LOG_KEYS_F32)
RANGE_CHECKED_KERNEL_BY(log1p, tsr__log1p_key_f32, TSR__LOG1P_KEYS_F32)
#endif
