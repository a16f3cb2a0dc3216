/* The kernel of integers of at most 16 bits, with their signs: two steps of K at once, as i16, multiplied and added in
 * i32 by one instruction. Exact: a sum of two products of bytes fits, and one of i16 that does not wraps, as all sums
 * do. Only in sets that have the instruction; others multiply in i32. Machines of sets with byte dots nearly all have
 * those, and take the kernel of a lower set for the rest: theirs is empty. */
#include "ops/matmul/tile.h"

#if TSR_HAVE_MALLOC
#if TSR__VEC_PAIR_DOTS && !TSR__VEC_BYTE_DOTS

#define TARGET
#define DIRECT 0
#define FN(name) name##_pairs
#define E int32_t
#define EV tsr__vi32
#define S int32_t
#define SV tsr__vi32
#define LANES (TSR__VEC_BYTES / 4)

#define MADD tsr__vi32_madd_i16
#include "ops/matmul/micro.tmpl.h"
#undef FN

#define FN(name) name##_group
#define ZIP_LOW TSR__VEC4_ZIP_LOW
#define ZIP_HIGH TSR__VEC4_ZIP_HIGH
#define ROUNDS (TSR__VEC_BYTES == 64 ? 4 : TSR__VEC_BYTES == 32 ? 3 : 2)
#include "ops/matmul/interleave.h"

static void pack(int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step, ptrdiff_t k_step,
                 void *dst) {
  pack_panels(2, width, count, k, src, count_step, k_step, dst, NO_SIGN);
}

const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_i16) = {.mr = MR,
                                                       .nr = 2 * LANES,
                                                       .group = 2,
                                                       .item = 4,
                                                       .sum = TSR_I32,
                                                       .from = TSR_I16,
                                                       .kc = 512,
                                                       .mc = 96,
                                                       .micro = micros_pairs,
                                                       .pack = pack};
#else
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_i16) = {.micro = NULL};
#endif
#endif
