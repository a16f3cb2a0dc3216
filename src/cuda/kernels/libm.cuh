/* The host's functions of f64 by way of a C library, here the device's; those that vectors do in range are named libm. */
#include "cpu/math/bits.h"
#define tsr__exp_f64 tsr__exp_libm_f64
#define tsr__exp2_f64 tsr__exp2_libm_f64
#define tsr__expm1_f64 tsr__expm1_libm_f64
#define tsr__log_f64 tsr__log_libm_f64
#define tsr__log2_f64 tsr__log2_libm_f64
#define tsr__log10_f64 tsr__log10_libm_f64
#define tsr__log1p_f64 tsr__log1p_libm_f64
#define tsr__sin_f64 tsr__sin_libm_f64
#define tsr__cos_f64 tsr__cos_libm_f64
#define tsr__tan_f64 tsr__tan_libm_f64
#define tsr__tanh_f64 tsr__tanh_libm_f64
#define tsr__erf_f64 tsr__erf_libm_f64
#define tsr__sigmoid_f64 tsr__sigmoid_libm_f64
#define tsr__silu_f64 tsr__silu_libm_f64
#define tsr__pow_f64 tsr__pow_libm_f64
#define tsr__atan2_f64 tsr__atan2_libm_f64
#include "cpu/math/libm_f64.h"
#undef tsr__exp_f64
#undef tsr__exp2_f64
#undef tsr__expm1_f64
#undef tsr__log_f64
#undef tsr__log2_f64
#undef tsr__log10_f64
#undef tsr__log1p_f64
#undef tsr__sin_f64
#undef tsr__cos_f64
#undef tsr__tan_f64
#undef tsr__tanh_f64
#undef tsr__erf_f64
#undef tsr__sigmoid_f64
#undef tsr__silu_f64
#undef tsr__pow_f64
#undef tsr__atan2_f64
