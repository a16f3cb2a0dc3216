/* A matrix by a vector: f32, f64, and narrower matrices by f32; compiled once per instruction set. */
#include "ops/matmul/gemv.h"

#include "cpu/vec/narrow.h"

#if TSR_HAVE_MALLOC /* microcontrollers take plain loops */

/* Bytes of a matrix that the second cache holds. */
#define NEAR 1048576.0

#define E float
#define V tsr__vf32
#define LANES (TSR__VEC_BYTES / 4)
#define FN(name) name##_f32
#define M float
#define LOAD_M tsr__vf32_load
#define LOAD_M_PART tsr__vf32_load_part
#include "ops/matmul/gemv.tmpl.h"
const tsr__gemv_kernels TSR__ISA_NAME(tsr__gemv_f32) = {dots_f32, sums_f32};
#undef FN
#undef M
#undef LOAD_M
#undef LOAD_M_PART

/* ---- narrower matrices ---- */

#define LOAD_M_PART(at, n) LOAD_M(part_of(at, (size_t)(n) * sizeof(M)).bytes)

/* The first bytes of a vector of narrow numbers, and zeros. Given back, since what is always inlined is called by its name alone. */
typedef struct narrow_part {
  char bytes[2 * LANES];
} narrow_part;
TSR__INLINE narrow_part part_of(const void *at, size_t bytes) {
  narrow_part part = {{0}};
  memcpy(part.bytes, at, bytes);
  return part;
}

#define FN(name) name##_bf16
#define M uint16_t
#define LOAD_M tsr__vf32_from_bf16
#include "ops/matmul/gemv.tmpl.h"
const tsr__gemv_kernels TSR__ISA_NAME(tsr__gemv_bf16) = {dots_bf16, sums_bf16};
#undef FN
#undef LOAD_M

#define FN(name) name##_f16
#define LOAD_M tsr__vf32_from_f16
#include "ops/matmul/gemv.tmpl.h"
const tsr__gemv_kernels TSR__ISA_NAME(tsr__gemv_f16) = {dots_f16, sums_f16};
#undef FN
#undef M
#undef LOAD_M

#define FN(name) name##_i8
#define M int8_t
#define LOAD_M tsr__vf32_from_i8
#include "ops/matmul/gemv.tmpl.h"
const tsr__gemv_kernels TSR__ISA_NAME(tsr__gemv_i8) = {dots_i8, sums_i8};
#undef FN
#undef M
#undef LOAD_M
#undef LOAD_M_PART
#undef E
#undef V
#undef LANES

#if TSR_HAVE_F64
#define E double
#define V tsr__vf64
#define LANES (TSR__VEC_BYTES / 8)
#define FN(name) name##_f64
#define M double
#define LOAD_M tsr__vf64_load
#define LOAD_M_PART tsr__vf64_load_part
#include "ops/matmul/gemv.tmpl.h"
const tsr__gemv_kernels TSR__ISA_NAME(tsr__gemv_f64) = {dots_f64, sums_f64};
#endif

#endif
