/* A matrix by a vector, f32 and f64; compiled once per instruction set. */
#include "ops/matmul/gemv.h"

#include "cpu/vec/vec.h"

#if TSR_HAVE_MALLOC /* microcontrollers take plain loops */

/* Bytes of a matrix that the second cache holds. */
#define NEAR 1048576.0

#define E float
#define V tsr__vf32
#define LANES (TSR__VEC_BYTES / 4)
#define FN(name) name##_f32
#include "ops/matmul/gemv.tmpl.h"
#undef E
#undef V
#undef LANES
#undef FN
const tsr__gemv_kernels TSR__ISA_NAME(tsr__gemv_f32) = {dots_f32, sums_f32};

#if TSR_HAVE_F64
#define E double
#define V tsr__vf64
#define LANES (TSR__VEC_BYTES / 8)
#define FN(name) name##_f64
#include "ops/matmul/gemv.tmpl.h"
const tsr__gemv_kernels TSR__ISA_NAME(tsr__gemv_f64) = {dots_f64, sums_f64};
#endif

#endif
