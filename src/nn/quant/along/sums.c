/* Sums of bytes: see sums.h. */
#include "cpu/fast_when_small.h"

#include "cpu/dsp.h"
#include "nn/quant/along/sums.h"

#include <string.h>

#if defined(TSR__MVE)

/* Numbers of 16 bits, which hold 256 rows. */
void tsr__q_sum_rows(int n, const char *x, tsr_index count, ptrdiff_t step, int flip, int32_t *sums) {
  const int8x16_t change = vdupq_n_s8((int8_t)flip);
  for (int c = 0; c < n; c += 8) {
    const mve_pred16_t some = vctp16q((uint32_t)(n - c));
    const int16x8_t wide = vmovlbq_s8(change);
    const char *at = x + c;
    for (tsr_index left = count; left > 0; left -= 256) {
      int16x8_t v = vdupq_n_s16(0);
      int16_t eight[8];
      tsr_index rows = left < 256 ? left : 256;
      if (flip == 0)
        for (; rows > 0; rows--, at += step) v = vaddq_s16(v, vldrbq_z_s16((const int8_t *)at, some));
      else
        for (; rows > 0; rows--, at += step)
          v = vaddq_s16(v, vaddq_s16(vreinterpretq_s16_u16(vldrbq_z_u16((const uint8_t *)at, some)), wide));
      vstrhq_s16(eight, v);
      for (int i = 0; i < 8 && c + i < n; i++) sums[c + i] += eight[i];
    }
  }
}

int32_t tsr__q_sum_run(tsr_index n, const char *x, int flip) {
  const int8x16_t change = vdupq_n_s8((int8_t)flip);
  int32_t sum = 0;
  for (; n > 0; n -= 16, x += 16) {
    const mve_pred16_t some = vctp8q((uint32_t)n);
    sum = vaddvaq_p_s8(sum, veorq_s8(vldrbq_z_s8((const int8_t *)x, some), change), some);
  }
  return sum;
}

#elif defined(TSR__SMLAD)

/* Four channels of count rows, at most 256, as two pairs of 16 bits. */
static void sum_four(const char *x, tsr_index count, ptrdiff_t step, uint32_t flips, int32_t *sums) {
  uint32_t even = 0, odd = 0;
  for (; count > 0; count--, x += step) {
    uint32_t four;
    memcpy(&four, x, sizeof four);
    four ^= flips;
    __asm__("sxtab16 %0, %0, %2\n sxtab16 %1, %1, %2, ror #8" : "+r"(even), "+r"(odd) : "r"(four));
  }
  sums[0] += (int16_t)even;
  sums[1] += (int16_t)odd;
  sums[2] += (int32_t)even >> 16;
  sums[3] += (int32_t)odd >> 16;
}

void tsr__q_sum_rows(int n, const char *x, tsr_index count, ptrdiff_t step, int flip, int32_t *sums) {
  const uint32_t flips = (uint32_t)flip * 0x01010101u;
  for (tsr_index rows; count > 0; count -= rows, x += (ptrdiff_t)rows * step) {
    int c = 0;
    rows = count < 256 ? count : 256;
    for (; c + 4 <= n; c += 4) sum_four(x + c, rows, step, flips, sums + c);
    for (; c < n; c++)
      for (tsr_index r = 0; r < rows; r++) sums[c] += (int8_t)(x[c + (ptrdiff_t)r * step] ^ flip);
  }
}

/* Of numbers that 128 was added to, which are not negative. */
int32_t tsr__q_sum_run(tsr_index n, const char *x, int flip) {
  const uint32_t flips = (uint32_t)(flip ^ 0x80) * 0x01010101u;
  uint32_t sum = 0;
  const uint32_t more = (uint32_t)n * 128;
  for (; n >= 4; n -= 4, x += 4) {
    uint32_t four;
    memcpy(&four, x, sizeof four);
    four ^= flips;
    __asm__("usada8 %0, %1, %2, %0" : "+r"(sum) : "r"(four), "r"(0));
  }
  for (; n > 0; n--, x++) sum += (uint8_t)(*x ^ flip ^ 0x80);
  return (int32_t)(sum - more);
}

#else

/* Of u8 as they are; 128 for each goes away in the end. */
#define ROWS(type)                                                  \
  for (; n >= 4; n -= 4, x += 4, sums += 4) {                       \
    const type *at = (const type *)x;                               \
    int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3]; \
    for (tsr_index r = count; r > 0; r--, at += step) {             \
      s0 += at[0];                                                  \
      s1 += at[1];                                                  \
      s2 += at[2];                                                  \
      s3 += at[3];                                                  \
    }                                                               \
    sums[0] = s0 - more;                                            \
    sums[1] = s1 - more;                                            \
    sums[2] = s2 - more;                                            \
    sums[3] = s3 - more;                                            \
  }                                                                 \
  for (; n > 0; n--, x++, sums++) {                                 \
    const type *at = (const type *)x;                               \
    int32_t sum = *sums;                                            \
    for (tsr_index r = count; r > 0; r--, at += step) sum += *at;   \
    *sums = sum - more;                                             \
  }

void tsr__q_sum_rows(int n, const char *x, tsr_index count, ptrdiff_t step, int flip, int32_t *sums) {
  const int32_t more = flip != 0 ? (int32_t)count * 128 : 0;
  if (flip == 0) {
    ROWS(int8_t)
  } else {
    ROWS(uint8_t)
  }
}

#define RUN(type)                                                           \
  const type *at = (const type *)x;                                         \
  for (; n >= 4; n -= 4, at += 4) sum += (at[0] + at[1]) + (at[2] + at[3]); \
  for (; n > 0; n--) sum += *at++;

int32_t tsr__q_sum_run(tsr_index n, const char *x, int flip) {
  int32_t sum = 0;
  if (flip == 0) {
    RUN(int8_t)
  } else {
    sum = -(int32_t)n * 128;
    RUN(uint8_t)
  }
  return sum;
}

#endif
