/* The kernels of integers, which wrap; compiled once per instruction set. */
#include "ops/matmul/tile.h"

#if TSR_HAVE_MALLOC /* microcontrollers take plain loops */

#define TARGET
#define DIRECT 0

#define FN(name) name##_i32
#define E int32_t
#define S int32_t
#define EV tsr__vi32
#define SV tsr__vi32
#define LANES (TSR__VEC_BYTES / 4)
#define MADD tsr__vi32_madd
#define ZIP_LOW TSR__ZIP4_LOW
#define ZIP_HIGH TSR__ZIP4_HIGH
#define ROUNDS (TSR__VEC_BYTES == 64 ? 4 : TSR__VEC_BYTES == 32 ? 3 : 2)
#include "ops/matmul/micro.tmpl.h"
#include "ops/matmul/pack.tmpl.h"

const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_i32) = {.mr = MR,
                                                       .nr = 2 * LANES,
                                                       .group = 1,
                                                       .item = 4,
                                                       .sum = TSR_I32,
                                                       .kc = 512,
                                                       .mc = 96,
                                                       .micro = micros_i32,
                                                       .pack = pack_i32};

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

#define FN(name) name##_i64
#define E int64_t
#define S int64_t
#define EV tsr__vi64
#define SV tsr__vi64
#define LANES (TSR__VEC_BYTES / 8)
#define MADD tsr__vi64_madd
#define ZIP_LOW TSR__ZIP8_LOW
#define ZIP_HIGH TSR__ZIP8_HIGH
#define ROUNDS (TSR__VEC_BYTES == 64 ? 3 : TSR__VEC_BYTES == 32 ? 2 : 1)
#include "ops/matmul/micro.tmpl.h"
#include "ops/matmul/pack.tmpl.h"

const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_i64) = {.mr = MR,
                                                       .nr = 2 * LANES,
                                                       .group = 1,
                                                       .item = 8,
                                                       .sum = TSR_I64,
                                                       .kc = 256,
                                                       .mc = 96,
                                                       .micro = micros_i64,
                                                       .pack = pack_i64};

#endif
