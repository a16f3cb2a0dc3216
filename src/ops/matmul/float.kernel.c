/* The kernels of f32 and f64, compiled once per instruction set. */
#include "ops/matmul/tile.h"

#if TSR_HAVE_MALLOC /* microcontrollers take plain loops */

#define TARGET
#define DIRECT 1

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

const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_f32) = {.mr = MR,
                                                       .nr = 2 * LANES,
                                                       .group = 1,
                                                       .item = 4,
                                                       .sum = TSR_F32,
                                                       .kc = 1024,
                                                       .mc = 96,
                                                       .micro = micros_f32,
                                                       .direct = directs_f32,
                                                       .pack = pack_f32};

#undef FN
#undef E
#undef S
#undef EV
#undef SV
#undef LANES
#undef MADD
#undef ZIP_LOW
#undef ZIP_HIGH
#undef ROUNDS

#if TSR_HAVE_F64
#define FN(name) name##_f64
#define E double
#define S double
#define EV tsr__vf64
#define SV tsr__vf64
#define LANES (TSR__VEC_BYTES / 8)
#define MADD tsr__vf64_madd
#define ZIP_LOW TSR__ZIP8_LOW
#define ZIP_HIGH TSR__ZIP8_HIGH
#define ROUNDS (TSR__VEC_BYTES == 64 ? 3 : TSR__VEC_BYTES == 32 ? 2 : 1)
#include "ops/matmul/micro.tmpl.h"
#include "ops/matmul/pack.tmpl.h"

const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_f64) = {.mr = MR,
                                                       .nr = 2 * LANES,
                                                       .group = 1,
                                                       .item = 8,
                                                       .sum = TSR_F64,
                                                       .kc = 512,
                                                       .mc = 96,
                                                       .micro = micros_f64,
                                                       .direct = directs_f64,
                                                       .pack = pack_f64};
#endif

#endif
