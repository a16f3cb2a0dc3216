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
