/* Sums of bytes by products of 32 bits, for processors without vectors of 64-bit products: see rows.h. */
#include "cpu/fast_when_small.h"

#include "cpu/dsp.h"
#include "nn/quant/element/rows.h"

#if TSR__QADD_BYTES

/* floor((H · 2^16 + L) / 2^s) is floor((H + floor(L / 2^16)) / 2^(s - 16)): the sum of 64 bits that it stands for is
 * never made. Bytes keep both below 2^26, which is why the zero point fits beside them up to this shift. */
enum { LEAST = 17, MOST = 38 };

bool tsr__qadd_bytes_init(const tsr__quant_row *r, tsr__quant_sum *s) {
  if (r->x_dtype != TSR_I8 || r->b_dtype != TSR_I8 || r->out_dtype != TSR_I8 || r->shift < LEAST || r->shift > MOST)
    return false;
  const int64_t start = ((int64_t)1 << (r->shift - 1)) + ((int64_t)r->out_zero << r->shift) -
                        (int64_t)r->x_zero * r->x_multiplier - (int64_t)r->b_zero * r->b_multiplier;
  *s = (tsr__quant_sum){.a_high = r->x_multiplier >> 16,
                        .a_low = r->x_multiplier & 0xffff,
                        .b_high = r->b_multiplier >> 16,
                        .b_low = r->b_multiplier & 0xffff,
                        .high = (int32_t)(start >> 16),
                        .low = (int32_t)(start & 0xffff),
                        .shift = r->shift - 16,
                        .row = *r};
  return true;
}

#if defined(TSR__MVE)

/* 14 instructions for four. */
static void add_bytes(const tsr__quant_sum *s, tsr_index n, const int8_t *a, const int8_t *b, int8_t *out) {
  const int32x4_t low = vdupq_n_s32(s->low), least = vdupq_n_s32(-128), most = vdupq_n_s32(127);
  const int32_t a_high = s->a_high, a_low = s->a_low, b_high = s->b_high, b_low = s->b_low, high = s->high;
  const int32_t down = -s->shift;
  for (; n > 0; n -= 4, a += 4, b += 4, out += 4) {
    const mve_pred16_t some = vctp32q((uint32_t)n);
    const int32x4_t x = vldrbq_z_s32(a, some), y = vldrbq_z_s32(b, some);
    const int32x4_t below = vmlaq_n_s32(vmlaq_n_s32(low, x, a_low), y, b_low);
    const int32x4_t above = vaddq_n_s32(vshrq_n_s32(below, 16), high);
    const int32x4_t sum = vshlq_r_s32(vmlaq_n_s32(vmlaq_n_s32(above, x, a_high), y, b_high), down);
    vstrbq_p_s32(out, vminq_s32(vmaxq_s32(sum, least), most), some);
  }
}

#else

static void add_bytes(const tsr__quant_sum *s, tsr_index n, const int8_t *a, const int8_t *b, int8_t *out) {
  const int32_t a_high = s->a_high, a_low = s->a_low, b_high = s->b_high, b_low = s->b_low;
  const int32_t high = s->high, low = s->low;
  const int shift = s->shift;
  const int8_t *const end = a + n;
  for (; a != end; a++, b++, out++) {
    const int32_t below = low + *a * a_low + *b * b_low;
    *out = (int8_t)tsr__saturate_i8((high + (below >> 16) + *a * a_high + *b * b_high) >> shift);
  }
}

#endif

void tsr__qadd_bytes_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const tsr__quant_sum *const s = args->param;
  if (step[0] == 1 && step[1] == 1 && step[2] == 1) {
    add_bytes(s, n, (const int8_t *)at[1], (const int8_t *)at[2], (int8_t *)at[0]);
    return;
  }
  const tsr__row_args any = tsr__one_row((void *)(uintptr_t)&s->row);
  tsr__qadd_row_base(&any, n, at, step);
}

#endif
