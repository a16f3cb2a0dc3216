/* One compute type of the guarded ops; those of f64 are the C library's, which guards itself. */
#include "ops/unary/rows.tmpl.h"

#if C_BITS == 64
TSR__UNARY_GUARDED(TSR__UNARY_KERNEL)
TSR__UNARY_LOGARITHMS(TSR__UNARY_KERNEL)
#else
TSR__UNARY_GUARDED(GUARDED_KERNEL)
GUARDED_KERNEL_BY(log, tsr__log_key_f32, TSR__LOG_KEYS_F32)
GUARDED_KERNEL_BY(log2, tsr__log_key_f32, TSR__LOG_KEYS_F32)
GUARDED_KERNEL_BY(log10, tsr__log_key_f32, TSR__LOG_KEYS_F32)
GUARDED_KERNEL_BY(log1p, tsr__log1p_key_f32, TSR__LOG1P_KEYS_F32)
#endif
