/* What is not C++: instructions of the device, each with a form that any compiler takes beside it (TSR_CUDA_EMULATED), and the names
 * that the host's headers use for operations that round once. */

#ifdef TSR_CUDA_EMULATED

static inline uint32_t tsr__bits_of_f32(float x) { return __builtin_bit_cast(uint32_t, x); }
static inline float tsr__f32_of_bits(uint32_t x) { return __builtin_bit_cast(float, x); }
static inline uint64_t tsr__bits_of_f64(double x) { return __builtin_bit_cast(uint64_t, x); }
static inline double tsr__f64_of_bits(uint64_t x) { return __builtin_bit_cast(double, x); }

#define TSR__UNROLL(n)

#else

#define tsr__bits_of_f32 __float_as_uint
#define tsr__f32_of_bits __uint_as_float
static inline uint64_t tsr__bits_of_f64(double x) { return (uint64_t)__double_as_longlong(x); }
static inline double tsr__f64_of_bits(uint64_t x) { return __longlong_as_double((long long)x); }

#define __builtin_fmaf __fmaf_rn
#define __builtin_fma __fma_rn
#define __builtin_sqrtf __fsqrt_rn
#define __builtin_sqrt __dsqrt_rn
#define __builtin_rintf rintf
#define __builtin_floorf floorf
#define __builtin_ceilf ceilf
#define __builtin_truncf truncf
#define __builtin_rint rint
#define __builtin_floor floor
#define __builtin_ceil ceil
#define __builtin_trunc trunc
#define __builtin_inff() __uint_as_float(0x7f800000u)
#define __builtin_inf() __longlong_as_double(0x7ff0000000000000ll)
#define __builtin_nanf(text) __uint_as_float(0x7fc00000u)
#define __builtin_nan(text) __longlong_as_double(0x7ff8000000000000ll)
#define __builtin_clzll __clzll
#define __builtin_expect(x, likely) (x)
#define TSR__UNROLL(n) _Pragma("unroll")

#endif
