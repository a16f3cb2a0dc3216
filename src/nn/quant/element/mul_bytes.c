/* Products of bytes on microcontrollers: see rows.h. What follows a product is that of a layer's sum. */
#include "cpu/fast_when_small.h"

#include "cpu/dsp.h"
#include "nn/quant/element/rows.h"

#include <string.h>

#if TSR__QMUL_BYTES

static inline int8_t mul_one(const tsr__quant_row *r, int32_t a, int32_t b) {
  const tsr__fixed f = {r->x_multiplier, r->shift};
  return (int8_t)tsr__saturate_i8(tsr__fixed_apply_high((a - r->x_zero) * (b - r->b_zero), f) + r->out_zero);
}

#if defined(TSR__MVE)

/* One of two halves of eight products: even numbers or odd ones. */
static inline int32x4_t scaled(int32x4_t product, int32_t multiplier, int32_t up) {
#if TSR__ROUND_TWICE
  const int32x4_t x = vqrdmulhq_n_s32(product, multiplier);
  return vrshlq_n_s32(vaddq_s32(x, vshrq_n_s32(x, 31)), up);
#else
  return vrshlq_n_s32(vqdmulhq_n_s32(product, multiplier), up);
#endif
}

/* 16 instructions for eight. */
static void mul_bytes(const tsr__quant_row *r, tsr_index n, const int8_t *a, const int8_t *b, int8_t *out) {
  const int16_t a_zero = (int16_t)r->x_zero, b_zero = (int16_t)r->b_zero, zero = (int16_t)r->out_zero;
  const int32_t multiplier = r->x_multiplier, up = 31 - r->shift;
  for (; n > 0; n -= 8, a += 8, b += 8, out += 8) {
    const mve_pred16_t some = vctp16q((uint32_t)n);
    const int16x8_t x = vsubq_n_s16(vldrbq_z_s16(a, some), a_zero), y = vsubq_n_s16(vldrbq_z_s16(b, some), b_zero);
    const int32x4_t even = scaled(vmullbq_int_s16(x, y), multiplier, up);
    const int32x4_t odd = scaled(vmulltq_int_s16(x, y), multiplier, up);
    const int16x8_t v = vqmovntq_s32(vqmovnbq_s32(vdupq_n_s16(0), even), odd);
    const int8x16_t bytes = vqmovnbq_s16(vdupq_n_s8(0), vqaddq_n_s16(v, zero));
    vstrbq_p_s16(out, vreinterpretq_s16_s8(bytes), some);
  }
}

#elif defined(TSR__SMLAD) && !TSR__ROUND_TWICE

/* Results of a pair of differences each of a and b; half and the zero point are in offset. */
#define TWO(first, second, at)                                                                   \
  do {                                                                                           \
    int32_t low_, high_;                                                                         \
    __asm__(                                                                                     \
        "smulbb %[l], %[p], %[q]\n smultt %[h], %[p], %[q]\n"                                    \
        "smmla %[l], %[l], %[m], %[z]\n smmla %[h], %[h], %[m], %[z]\n"                          \
        "asr %[l], %[l], %[s]\n asr %[h], %[h], %[s]\n"                                          \
        "ssat %[l], #8, %[l]\n ssat %[h], #8, %[h]"                                              \
        : [l] "=&r"(low_), [h] "=&r"(high_)                                                      \
        : [p] "r"(first), [q] "r"(second), [m] "r"(multiplier), [z] "r"(offset), [s] "r"(down)); \
    out[at] = (int8_t)low_;                                                                      \
    out[(at) + 2] = (int8_t)high_;                                                               \
  } while (0)

/* 28 instructions for four. The zero point fits beside the half up to a shift of 31 - 8. */
static void mul_bytes(const tsr__quant_row *r, tsr_index n, const int8_t *a, const int8_t *b, int8_t *out) {
  const int32_t multiplier = r->x_multiplier, down = r->shift - 32;
  if (down <= 23) {
    const int32_t offset = (int32_t)(((uint32_t)1 << (down - 1)) + ((uint32_t)r->out_zero << down));
    const uint32_t a_zeros = ((uint32_t)-r->x_zero << 16) | ((uint32_t)-r->x_zero & 0xffff);
    const uint32_t b_zeros = ((uint32_t)-r->b_zero << 16) | ((uint32_t)-r->b_zero & 0xffff);
    for (; n >= 4; n -= 4, a += 4, b += 4, out += 4) {
      uint32_t x, y, x_even, x_odd, y_even, y_odd;
      memcpy(&x, a, 4);
      memcpy(&y, b, 4);
      __asm__("sxtab16 %0, %1, %2" : "=r"(x_even) : "r"(a_zeros), "r"(x));
      __asm__("sxtab16 %0, %1, %2" : "=r"(y_even) : "r"(b_zeros), "r"(y));
      __asm__("sxtab16 %0, %1, %2, ror #8" : "=r"(x_odd) : "r"(a_zeros), "r"(x));
      __asm__("sxtab16 %0, %1, %2, ror #8" : "=r"(y_odd) : "r"(b_zeros), "r"(y));
      TWO(x_even, y_even, 0);
      TWO(x_odd, y_odd, 1);
    }
  }
  for (; n > 0; n--) *out++ = mul_one(r, *a++, *b++);
}

#else

static void mul_bytes(const tsr__quant_row *r, tsr_index n, const int8_t *a, const int8_t *b, int8_t *out) {
  const tsr__quant_row own = *r;
  for (const int8_t *const end = a + n; a != end;) *out++ = mul_one(&own, *a++, *b++);
}

#endif

void tsr__qmul_bytes_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const tsr__quant_row *const r = args->param;
  if (step[0] == 1 && step[1] == 1 && step[2] == 1)
    mul_bytes(r, n, (const int8_t *)at[1], (const int8_t *)at[2], (int8_t *)at[0]);
  else
    tsr__qmul_row_base(args, n, at, step);
}

#endif
