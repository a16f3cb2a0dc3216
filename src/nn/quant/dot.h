/* Dots of patches of x with filters, for plain kernels: two patches by two filters at a time, so that every number is
 * loaded for two products.
 *
 * A patch holds the numbers of x that one output meets, in the order of a filter. Its numbers are i16; in groups of
 * four on processors that multiply pairs (SMLAD), where numbers 1 and 2 of a group have changed places: that is how two
 * instructions take four bytes apart. Where there are vectors of bytes (MVE), patches of i8 stay bytes. */
#ifndef TSR_NN_QUANT_DOT_H
#define TSR_NN_QUANT_DOT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <tessera/index.h>

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 1)
#define TSR__DOT_MVE 1
#include <arm_mve.h>
#elif defined(__ARM_FEATURE_SIMD32) && defined(__ARM_FEATURE_UNALIGNED) && !defined(__ARM_BIG_ENDIAN) && \
    !defined(__aarch64__)
#define TSR__DOT_PAIRS 1
#include <arm_acle.h>
#endif

/* sums[0 … 3] += p0·w0, p0·w1, p1·w0, p1·w1; they wrap. */
typedef void tsr__dot_fn(const void *p0, const void *p1, const int8_t *w0, const int8_t *w1, tsr_index k,
                         int32_t *sums);

/* Plain C. Numbers wrap: what they add up to in the end fits. */
static inline void tsr__dots_plain(const int16_t *p0, const int16_t *p1, const int8_t *w0, const int8_t *w1,
                                   tsr_index k, int32_t *sums) {
  uint32_t s0 = (uint32_t)sums[0], s1 = (uint32_t)sums[1], s2 = (uint32_t)sums[2], s3 = (uint32_t)sums[3];
  for (tsr_index i = 0; i < k; i++) {
    const int32_t x0 = p0[i], x1 = p1[i], y0 = w0[i], y1 = w1[i];
    s0 += (uint32_t)(x0 * y0);
    s1 += (uint32_t)(x0 * y1);
    s2 += (uint32_t)(x1 * y0);
    s3 += (uint32_t)(x1 * y1);
  }
  sums[0] = (int32_t)s0;
  sums[1] = (int32_t)s1;
  sums[2] = (int32_t)s2;
  sums[3] = (int32_t)s3;
}

#if defined(TSR__DOT_PAIRS)

static inline uint32_t tsr__word(const void *at) {
  uint32_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

/* Four steps: patches are pairs already, filters are taken apart. By hand, because what compilers make of it does not
 * stay in registers. */
#define TSR__DOT_4                                                                                   \
  "ldr %[y1], [%[w], %[nw]]\n ldr %[y0], [%[w]], #4\n"                                               \
  "ldr %[x1], [%[p], %[np]]\n ldr %[x0], [%[p]], #4\n"                                               \
  "sxtb16 %[y], %[y0]\n smlad %[s0], %[x0], %[y], %[s0]\n smlad %[s2], %[x1], %[y], %[s2]\n"         \
  "sxtb16 %[y], %[y1]\n smlad %[s1], %[x0], %[y], %[s1]\n smlad %[s3], %[x1], %[y], %[s3]\n"         \
  "ldr %[x1], [%[p], %[np]]\n ldr %[x0], [%[p]], #4\n"                                               \
  "sxtb16 %[y], %[y0], ror #8\n smlad %[s0], %[x0], %[y], %[s0]\n smlad %[s2], %[x1], %[y], %[s2]\n" \
  "sxtb16 %[y], %[y1], ror #8\n smlad %[s1], %[x0], %[y], %[s1]\n smlad %[s3], %[x1], %[y], %[s3]\n"

/* 38 instructions for 32 products. */
static inline void tsr__dots_pairs(const char *p, ptrdiff_t next_p, const char *w, ptrdiff_t next_w, tsr_index k,
                                   int32_t *sums) {
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  const char *end = p + (size_t)k / 8 * 16;
  uint32_t x0, x1, y0, y1, y;
#define OPERANDS                                                                                        \
  [p] "+r"(p), [w] "+r"(w), [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [s3] "+r"(s3), [x0] "=&r"(x0), \
      [x1] "=&r"(x1), [y0] "=&r"(y0), [y1] "=&r"(y1),                                                   \
      [y] "=&r"(y) : [np] "r"(next_p), [nw] "r"(next_w), [end] "r"(end) : "cc", "memory"
  if (p != end) __asm__ volatile("1:\n" TSR__DOT_4 TSR__DOT_4 "cmp %[p], %[end]\n bne 1b\n" : OPERANDS);
  if ((k & 4) != 0) __asm__ volatile(TSR__DOT_4 : OPERANDS);
#undef OPERANDS
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
  if ((k & 3) != 0)
    tsr__dots_plain((const int16_t *)(const void *)p, (const int16_t *)(const void *)(p + next_p), (const int8_t *)w,
                    (const int8_t *)w + next_w, k & 3, sums);
}

/* Four bytes as pairs; sign: i8, else u8. to is aligned to 8 bytes. */
static inline void tsr__pairs_of_four(const char *x, bool sign, int16_t *to) {
  const uint32_t four = tsr__word(x);
  uint32_t pair[2];
  if (sign) {
    __asm__("sxtb16 %0, %1" : "=r"(pair[0]) : "r"(four));
    __asm__("sxtb16 %0, %1, ror #8" : "=r"(pair[1]) : "r"(four));
  } else {
    pair[0] = four & 0x00ff00ff;
    pair[1] = four >> 8 & 0x00ff00ff;
  }
  memcpy(__builtin_assume_aligned(to, 8), pair, sizeof pair);
}

/* n bytes, a multiple of four. */
static inline void tsr__pairs_of(tsr_index n, const char *x, bool sign, int16_t *to) {
  for (; n >= 16; n -= 16, x += 16, to += 16) {
    tsr__pairs_of_four(x, sign, to);
    tsr__pairs_of_four(x + 4, sign, to + 4);
    tsr__pairs_of_four(x + 8, sign, to + 8);
    tsr__pairs_of_four(x + 12, sign, to + 12);
  }
  for (; n > 0; n -= 4, x += 4, to += 4) tsr__pairs_of_four(x, sign, to);
}

#elif defined(TSR__DOT_MVE)

static inline void tsr__copy_bytes(tsr_index n, const char *x, char *to) {
  for (; n >= 16; n -= 16, x += 16, to += 16) vstrbq_s8((int8_t *)to, vldrbq_s8((const int8_t *)x));
  for (; n > 0; n--) *to++ = *x++;
}

static inline void tsr__fill_bytes(tsr_index n, int8_t value, char *to) {
  for (; n >= 16; n -= 16, to += 16) vstrbq_s8((int8_t *)to, vdupq_n_s8(value));
  for (; n > 0; n--) *to++ = (char)value;
}

/* A function of its own, so that every pointer and sum has a register. */
__attribute__((noinline)) static void tsr__dots_bytes(const int8_t *p0, const int8_t *p1, const int8_t *w0,
                                                      const int8_t *w1, tsr_index k, int32_t *sums) {
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  for (; k >= 16; k -= 16) {
    const int8x16_t x0 = vldrbq_s8(p0), x1 = vldrbq_s8(p1), y0 = vldrbq_s8(w0), y1 = vldrbq_s8(w1);
    s0 = vmladavaq_s8(s0, x0, y0);
    s1 = vmladavaq_s8(s1, x0, y1);
    s2 = vmladavaq_s8(s2, x1, y0);
    s3 = vmladavaq_s8(s3, x1, y1);
    p0 += 16;
    p1 += 16;
    w0 += 16;
    w1 += 16;
  }
  if (k > 0) {
    const mve_pred16_t here = vctp8q((uint32_t)k);
    const int8x16_t x0 = vldrbq_z_s8(p0, here), x1 = vldrbq_z_s8(p1, here);
    const int8x16_t y0 = vldrbq_z_s8(w0, here), y1 = vldrbq_z_s8(w1, here);
    s0 = vmladavaq_s8(s0, x0, y0);
    s1 = vmladavaq_s8(s1, x0, y1);
    s2 = vmladavaq_s8(s2, x1, y0);
    s3 = vmladavaq_s8(s3, x1, y1);
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}

#endif

#endif
