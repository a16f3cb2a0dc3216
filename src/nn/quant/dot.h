/* Dots of patches of x with filters, for plain kernels: two patches by two filters at a time, so that every number is
 * loaded for two products.
 *
 * A patch holds the numbers of x that one output meets, in the order of a filter. Its numbers are i16; in groups of
 * four on processors that multiply pairs (SMLAD), where numbers 1 and 2 of a group have changed places: that is how two
 * instructions take four bytes apart. Where there are vectors of bytes (MVE), patches of i8 stay bytes. */
#ifndef TSR_NN_QUANT_DOT_H
#define TSR_NN_QUANT_DOT_H

#include <stdint.h>
#include <string.h>
#include <tessera/tensor.h>

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

/* Bytes 1 and 3 where 0 and 2 were: one instruction together with the one that takes bytes apart. */
static inline uint32_t tsr__turned(uint32_t word) { return word >> 8 | word << 24; }

/* Four steps: patches are pairs already, filters are taken apart. */
static inline void tsr__dots_pairs(const int16_t *p0, const int16_t *p1, const int8_t *w0, const int8_t *w1,
                                   tsr_index k, int32_t *sums) {
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  const int16_t *const end = p0 + k / 4 * 4;
  while (p0 != end) {
    const uint32_t y0 = tsr__word(w0), y1 = tsr__word(w1);
    const int16x2_t a0 = (int16x2_t)tsr__word(p0), b0 = (int16x2_t)tsr__word(p0 + 2);
    const int16x2_t a1 = (int16x2_t)tsr__word(p1), b1 = (int16x2_t)tsr__word(p1 + 2);
    const int16x2_t u0 = __sxtb16((int8x4_t)y0), v0 = __sxtb16((int8x4_t)tsr__turned(y0));
    s0 = __smlad(a0, u0, s0);
    s2 = __smlad(a1, u0, s2);
    s0 = __smlad(b0, v0, s0);
    s2 = __smlad(b1, v0, s2);
    const int16x2_t u1 = __sxtb16((int8x4_t)y1), v1 = __sxtb16((int8x4_t)tsr__turned(y1));
    s1 = __smlad(a0, u1, s1);
    s3 = __smlad(a1, u1, s3);
    s1 = __smlad(b0, v1, s1);
    s3 = __smlad(b1, v1, s3);
    p0 += 4;
    p1 += 4;
    w0 += 4;
    w1 += 4;
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
  tsr__dots_plain(p0, p1, w0, w1, k % 4, sums);
}

#elif defined(TSR__DOT_MVE)

static inline void tsr__dots_bytes(const int8_t *p0, const int8_t *p1, const int8_t *w0, const int8_t *w1, tsr_index k,
                                   int32_t *sums) {
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  for (tsr_index i = 0; i < k; i += 16) {
    const mve_pred16_t here = vctp8q((uint32_t)(k - i));
    const int8x16_t x0 = vldrbq_z_s8(p0 + i, here), x1 = vldrbq_z_s8(p1 + i, here);
    const int8x16_t y0 = vldrbq_z_s8(w0 + i, here), y1 = vldrbq_z_s8(w1 + i, here);
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
