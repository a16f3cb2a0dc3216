/* Sums of bytes: see sums.h. */
#include "cpu/fast_when_small.h"

#include "cpu/dsp.h"
#include "nn/quant/along/sums.h"

#include <string.h>

static inline int32_t number(const char *x, int flip) { return (int8_t)(*x ^ flip); }

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
      for (tsr_index r = 0; r < rows; r++) sums[c] += number(x + c + (ptrdiff_t)r * step, flip);
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

void tsr__q_sum_rows(int n, const char *x, tsr_index count, ptrdiff_t step, int flip, int32_t *sums) {
  int c = 0;
  for (; c + 4 <= n; c += 4) {
    const char *at = x + c;
    int32_t s0 = sums[c], s1 = sums[c + 1], s2 = sums[c + 2], s3 = sums[c + 3];
    for (tsr_index r = count; r > 0; r--, at += step) {
      s0 += number(at, flip);
      s1 += number(at + 1, flip);
      s2 += number(at + 2, flip);
      s3 += number(at + 3, flip);
    }
    sums[c] = s0;
    sums[c + 1] = s1;
    sums[c + 2] = s2;
    sums[c + 3] = s3;
  }
  for (; c < n; c++) {
    const char *at = x + c;
    for (tsr_index r = count; r > 0; r--, at += step) sums[c] += number(at, flip);
  }
}

int32_t tsr__q_sum_run(tsr_index n, const char *x, int flip) {
  int32_t sum = 0;
  if (flip == 0)
    for (const char *const end = x + n; x != end; x++) sum += *(const int8_t *)x;
  else
    for (const char *const end = x + n; x != end; x++) sum += number(x, flip);
  return sum;
}

#endif
