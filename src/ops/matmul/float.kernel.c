/* The kernels of f32 and f64, compiled once per instruction set. */
#include "cpu/vec/vec.h"
#include "ops/matmul/kernel.h"

#if TSR_HAVE_MALLOC /* microcontrollers take plain loops */

#define TARGET
#define DIRECT 1
#if TSR__VEC_BYTES == 64 /* with two vectors a row, the sums, a row of B and a number of A fit the registers */
#define MR 12
#elif TSR__VEC_BYTES == 32
#define MR 6
#elif TSR__VEC_REGISTERS == 32
#define MR 8
#else
#define MR 4
#endif

#define FN(name) name##_f32
#define E float
#define S float
#define EV tsr__vf32
#define SV tsr__vf32
#define LANES (TSR__VEC_BYTES / 4)
#define MADD tsr__vf32_madd
#define ZIP_LOW TSR__ZIP4_LOW
#define ZIP_HIGH TSR__ZIP4_HIGH
#define ROUNDS (TSR__VEC_BYTES == 64 ? 4 : TSR__VEC_BYTES == 32 ? 3 : 2)
#include "ops/matmul/micro.tmpl.h"
#include "ops/matmul/pack.tmpl.h"

const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_f32) = {
    .mr = MR, .nr = 2 * LANES, .group = 1, .item = 4, .sum = TSR_F32, .kc = 384, .mc = 192,
    .micro = micros_f32, .direct = directs_f32, .pack = pack_f32};

#endif
