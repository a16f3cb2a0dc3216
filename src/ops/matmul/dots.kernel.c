/* The kernels on the processor's dot instructions: bf16 by bf16 in f32, two steps of K at once, and bytes in i32, four
 * at once. Only in sets whose machines may have the instructions besides (cpu/isa.h); each function asks for them itself.
 * Elsewhere they are empty. */
#include "ops/matmul/tile.h"

#if TSR_HAVE_MALLOC
#if TSR__VEC_BYTE_DOTS

#define DIRECT 0
#define LANES (TSR__VEC_BYTES / 4)
#define E int32_t
#define EV tsr__vi32

/* ---- bf16 ---- */

#if TSR__VEC_BF16_DOTS
#define TARGET TSR__VEC_BF16_DOTS_TARGET
#define FN(name) name##_bf16
#define S float
#define SV tsr__vf32

#define MADD tsr__vf32_dot_bf16
#include "ops/matmul/micro.tmpl.h"
#undef TARGET
#undef FN
#undef S
#undef SV
#undef MADD
#endif

/* ---- bytes: a without sign, b with; or both with ---- */

/* A signed a is packed with 128 added, which the first group of a panel of B takes back: -128·Σb. Where dots take signed numbers, one
 * without a sign is packed with 128 less, and the group is 128·Σb. */
#define BEGIN tsr__vi32_load
#define TARGET TSR__VEC_BYTE_DOTS_TARGET
#define FN(name) name##_bytes
#define S int32_t
#define SV tsr__vi32

#define MADD tsr__vi32_dot_bytes
#if defined(TSR__VI32_DOT_BYTES_LANE)
#define MADD_LANE TSR__VI32_DOT_BYTES_LANE
#define EACH_LANE TSR__EACH_OF_4
#endif
#include "ops/matmul/micro.tmpl.h"
#undef MADD_LANE
#undef EACH_LANE
#undef FN
#undef BEGIN

/* ---- packing: groups along K are elements ---- */

#define FN(name) name##_group
#define ZIP_LOW TSR__VEC4_ZIP_LOW
#define ZIP_HIGH TSR__VEC4_ZIP_HIGH
#define ROUNDS (TSR__VEC_BYTES == 64 ? 4 : TSR__VEC_BYTES == 32 ? 3 : 2)
#include "ops/matmul/interleave.h"

#if TSR__VEC_BF16_DOTS
static void pack_bf16(int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step, ptrdiff_t k_step,
                      void *dst) {
  pack_panels(2, width, count, k, src, count_step, k_step, dst, NO_SIGN);
}
#endif

/* A and B where the dots take a as it is, and where its signs are flipped. */
#define PACK(name, end)                                                                                              \
  static void name(int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step, ptrdiff_t k_step, \
                   void *dst) {                                                                                      \
    pack_panels(4, width, count, k, src, count_step, k_step, dst, end);                                              \
  }
PACK(pack_a, NO_SIGN)
PACK(pack_b, NOTHING_BACK)
PACK(pack_a_flipped, FLIP_SIGN)
PACK(pack_b_flipped, TSR__VEC_SIGNED_BYTE_DOTS ? SUMS_MORE : SUMS_BACK)
#undef PACK

#define BLOCKS .mr = MR, .nr = 2 * LANES, .item = 4, .kc = 1024, .mc = 96
#define BYTES BLOCKS, .group = 4, .extra = 1, .sum = TSR_I32, .micro = micros_bytes
#define AS_IT_IS .pack = pack_a, .pack_b = pack_b
#define FLIPPED .pack = pack_a_flipped, .pack_b = pack_b_flipped
#if TSR__VEC_SIGNED_BYTE_DOTS
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_u8) = {BYTES, FLIPPED};
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_i8) = {BYTES, AS_IT_IS};
#else
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_u8) = {BYTES, AS_IT_IS};
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_i8) = {BYTES, FLIPPED};
#endif
#else
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_u8) = {.micro = NULL};
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_i8) = {.micro = NULL};
#endif

#if TSR__VEC_BYTE_DOTS && TSR__VEC_BF16_DOTS
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_bf16) = {BLOCKS, .group = 2, .sum = TSR_F32, .micro = micros_bf16,
                                                        .pack = pack_bf16};
#else
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_bf16) = {.micro = NULL};
#endif
#endif
