/* The kernels on instructions that multiply two rows by two columns: bytes in i32, eight steps of K at once, and bf16 in f32, four.
 * Packed groups are 8 bytes, so that two rows, or columns, lie side by side as the instruction takes them. Only in sets whose machines
 * may have them besides (cpu/isa.h). */
#include "ops/matmul/tile.h"

#if TSR_HAVE_MALLOC
#if TSR__VEC_TILES

enum { NR = 8 };

/* ---- bytes ---- */

#define TARGET __attribute__((target("arch=armv8.2-a+i8mm")))
#define S int32_t
#define SV tsr__vi32
#define EV int8x16_t
#define LOAD(at) vld1q_s8((const int8_t *)(at))

#define FN(name) name##_i8
#define TILE(c, a, b) vmmlaq_s32(c, a, b)
#include "ops/matmul/tiles.tmpl.h"
#undef FN
#undef TILE

#define FN(name) name##_u8
#define TILE(c, a, b) vusmmlaq_s32(c, vreinterpretq_u8_s8(a), b)
#include "ops/matmul/tiles.tmpl.h"
#undef FN
#undef TILE
#undef TARGET
#undef S
#undef SV
#undef EV
#undef LOAD

/* ---- bf16 ---- */

#define TARGET __attribute__((target("arch=armv8.2-a+bf16")))
#define S float
#define SV tsr__vf32
#define EV bfloat16x8_t
#define LOAD(at) vreinterpretq_bf16_u8(vld1q_u8((const uint8_t *)(at)))
#define FN(name) name##_bf16
#define TILE(c, a, b) vbfmmlaq_f32(c, a, b)
#include "ops/matmul/tiles.tmpl.h"
#undef FN
#undef TILE
#undef TARGET
#undef S
#undef SV
#undef EV
#undef LOAD

/* ---- packing ---- */

/* One group of any strides; steps past the last are 0. */
static uint64_t gather(int group, tsr_index steps, const char *src, ptrdiff_t k_step) {
  const size_t size = 8 / (size_t)group;
  uint64_t x = 0;
  for (int t = 0; t < group && t < steps; t++) memcpy((char *)&x + (size_t)t * size, src + t * k_step, size);
  return x;
}

/* Groups of eight columns whose bytes run along them: rows of the source, zipped in three rounds. */
static void zip_bytes(const char *src, ptrdiff_t k_step, uint64_t *dst) {
  uint8x16_t pair[4];
  for (int t = 0; t < 4; t++) {
    const uint8x8_t x = vld1_u8((const uint8_t *)src + t * k_step),
                    y = vld1_u8((const uint8_t *)src + (t + 4) * k_step);
    pair[t] = vzip1q_u8(vcombine_u8(x, x), vcombine_u8(y, y)); /* t, t + 4 */
  }
  for (int half = 0; half < 2; half++) {
    const uint8x16_t even = half == 0 ? vzip1q_u8(pair[0], pair[2]) : vzip2q_u8(pair[0], pair[2]); /* 0 2 4 6 */
    const uint8x16_t odd = half == 0 ? vzip1q_u8(pair[1], pair[3]) : vzip2q_u8(pair[1], pair[3]);
    vst1q_u8((uint8_t *)(dst + 4 * half), vzip1q_u8(even, odd));
    vst1q_u8((uint8_t *)(dst + 4 * half + 2), vzip2q_u8(even, odd));
  }
}

/* The same of four rows of bf16. */
static void zip_pairs(const char *src, ptrdiff_t k_step, uint64_t *dst) {
  uint16x8_t row[4];
  for (int t = 0; t < 4; t++) row[t] = vreinterpretq_u16_u8(vld1q_u8((const uint8_t *)src + t * k_step));
  const uint16x8_t even[2] = {vzip1q_u16(row[0], row[2]), vzip2q_u16(row[0], row[2])};
  const uint16x8_t odd[2] = {vzip1q_u16(row[1], row[3]), vzip2q_u16(row[1], row[3])};
  for (int half = 0; half < 2; half++) {
    vst1q_u16((uint16_t *)(dst + 4 * half), vzip1q_u16(even[half], odd[half]));
    vst1q_u16((uint16_t *)(dst + 4 * half + 2), vzip2q_u16(even[half], odd[half]));
  }
}

/* A panel whose source runs along K. */
static void pack_along_k(tsr_index count, tsr_index groups, const char *src, ptrdiff_t count_step, uint64_t *dst) {
  for (tsr_index i = 0; i < NR; i++)
    for (tsr_index g = 0; g < groups; g++) {
      uint64_t x = 0;
      if (i < count) memcpy(&x, src + (ptrdiff_t)i * count_step + 8 * (ptrdiff_t)g, sizeof x);
      dst[g * NR + i] = x;
    }
}

/* Both sides are packed alike: MR is NR. */
static void pack_panel(int group, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step, ptrdiff_t k_step,
                       uint64_t *dst) {
  const ptrdiff_t size = 8 / group;
  tsr_index whole = k / group;
  if (k_step == size)
    pack_along_k(count, whole, src, count_step, dst);
  else if (count_step == size && count == NR)
    for (tsr_index g = 0; g < whole; g++)
      (group == 8 ? zip_bytes : zip_pairs)(src + (ptrdiff_t)(g * group) * k_step, k_step, dst + g * NR);
  else
    whole = 0;
  for (tsr_index g = whole; g * group < k; g++)
    for (tsr_index i = 0; i < NR; i++)
      dst[g * NR + i] =
          i < count ? gather(group, k - g * group, src + i * count_step + (ptrdiff_t)(g * group) * k_step, k_step) : 0;
}

static void pack_panels(int group, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step,
                        ptrdiff_t k_step, uint64_t *dst) {
  const tsr_index groups = (k + group - 1) / group;
  for (tsr_index first = 0; first < count; first += NR, dst += NR * groups)
    pack_panel(group, count - first < NR ? count - first : NR, k, src + (ptrdiff_t)first * count_step, count_step,
               k_step, dst);
}

static void pack_bytes(int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step, ptrdiff_t k_step,
                       void *dst) {
  (void)width;
  pack_panels(8, count, k, src, count_step, k_step, dst);
}

static void pack_bf16(int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step, ptrdiff_t k_step,
                      void *dst) {
  (void)width;
  pack_panels(4, count, k, src, count_step, k_step, dst);
}

#define BLOCKS .mr = MR, .nr = NR, .item = 8, .kc = 512, .mc = 96
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_bf16_tiles) = {BLOCKS, .group = 4, .sum = TSR_F32, .micro = micros_bf16,
                                                              .pack = pack_bf16};
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_u8_tiles) = {BLOCKS, .group = 8, .sum = TSR_I32, .micro = micros_u8,
                                                            .pack = pack_bytes};
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_i8_tiles) = {BLOCKS, .group = 8, .sum = TSR_I32, .micro = micros_i8,
                                                            .pack = pack_bytes};

#else
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_bf16_tiles) = {.micro = NULL};
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_u8_tiles) = {.micro = NULL};
const tsr__gemm_kernel TSR__ISA_NAME(tsr__gemm_i8_tiles) = {.micro = NULL};
#endif
#endif
