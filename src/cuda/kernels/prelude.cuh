/* What every kernel begins with: the words that the host's headers use, so that kernel text can include them as they are. No header of
 * CUDA's is included: many machines that run kernels have none. */
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef long long tsr_index;

/* The device is a configuration that has everything, and an instruction set that fuses products. */
#define TSR_HAVE_F64 1
#define TSR_HAVE_COMPLEX 1
#define __FMA__ 1
#define TSR__INLINE static inline
#define UINT64_C(x) x##ull
#define UINT64_MAX 0xffffffffffffffffull
#define INT32_MAX 0x7fffffff
#define UINT32_MAX 0xffffffffu
#define INT64_MAX 0x7fffffffffffffffll
#define INFINITY __builtin_inff()

#include "cuda/kernels/intrinsics.cuh"

/* MATH(name) of the host's templates. */
static inline float math_copysign_f32(float x, float sign) { return copysignf(x, sign); }
static inline float math_fmod_f32(float a, float b) { return fmodf(a, b); }
static inline float math_floor_f32(float x) { return floorf(x); }
static inline float math_trunc_f32(float x) { return truncf(x); }
static inline float math_fabs_f32(float x) { return fabsf(x); }
static inline float math_fma_f32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double math_copysign_f64(double x, double sign) { return copysign(x, sign); }
static inline double math_fmod_f64(double a, double b) { return fmod(a, b); }
static inline double math_floor_f64(double x) { return floor(x); }
static inline double math_trunc_f64(double x) { return trunc(x); }
static inline double math_fabs_f64(double x) { return fabs(x); }
static inline double math_fma_f64(double a, double b, double c) { return __builtin_fma(a, b, c); }
