/* Dots in plain C; a function of its own, so that every pointer and sum has a register. */
#include "cpu/fast_when_small.h"

#include "nn/quant/plain/dot.h"

/* Between steps: GCC loads ahead what all of them need, and has no registers for it. */
#if defined(__riscv)
#define APART __asm__ volatile("" ::: "memory")
#else
#define APART (void)0
#endif

/* 58 instructions for 16 products on RV32: loads, products, sums and the loop. */
void tsr__q_dots(const int16_t *patch, const int8_t *w, ptrdiff_t next, tsr_index k, int32_t *sums) {
  const int8_t *w0 = w, *w1 = w0 + next, *w2 = w1 + next, *w3 = w2 + next;
  const int16_t *const end = patch + k;
  uint32_t s0 = (uint32_t)sums[0], s1 = (uint32_t)sums[1], s2 = (uint32_t)sums[2], s3 = (uint32_t)sums[3];
#define STEP(at)                        \
  s0 += (uint32_t)(patch[at] * w0[at]); \
  s1 += (uint32_t)(patch[at] * w1[at]); \
  s2 += (uint32_t)(patch[at] * w2[at]); \
  s3 += (uint32_t)(patch[at] * w3[at]);
#define MOVE(by) patch += by, w0 += by, w1 += by, w2 += by, w3 += by
  for (tsr_index n = k / 4; n > 0; n--) {
    STEP(0)
    APART;
    STEP(1)
    APART;
    STEP(2)
    APART;
    STEP(3)
    MOVE(4);
  }
  while (patch != end) {
    STEP(0)
    MOVE(1);
  }
#undef STEP
#undef MOVE
  sums[0] = (int32_t)s0;
  sums[1] = (int32_t)s1;
  sums[2] = (int32_t)s2;
  sums[3] = (int32_t)s3;
}
