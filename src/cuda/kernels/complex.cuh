/* What complex arithmetic of either size is written with. */
#if defined(TSR_CUDA_EMULATED) && __GNUC__ >= 12 && !defined(__clang__)
#define TSR__ROUNDED(product) __builtin_assoc_barrier(product)
#else
#define TSR__ROUNDED(product) (product)
#endif
#ifndef TSR_CUDA_EMULATED
static inline int sign_bit(float x) { return (int)(tsr__bits_of_f32(x) >> 31); }
static inline int sign_bit(double x) { return (int)(tsr__bits_of_f64(x) >> 63); }
#define __builtin_signbit sign_bit
#define __builtin_fabs fabs
#endif
static inline float rounded_part(float x) { return __builtin_rintf(x); }
static inline double rounded_part(double x) { return __builtin_rint(x); }
static inline float fused_parts(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double fused_parts(double a, double b, double c) { return __builtin_fma(a, b, c); }
