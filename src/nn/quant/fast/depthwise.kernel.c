/* Depthwise convolutions of quantised numbers; compiled once per instruction set. */
#include "nn/quant/fast/depthwise.h"

#if TSR_HAVE_MALLOC
#include "cpu/vec/vec.h"

enum { BLOCK = 64 }; /* channels at a time */

/* ---- any filter ---- */

#define ADD(type) \
  for (int i = 0; i < n; i++) sums[i] += ((const type *)(const void *)x)[i] * (int32_t)w[i];

/* One tap of n channels. */
static void add_tap(int dtype, int n, const char *x, const int8_t *w, int32_t *sums) {
  if (dtype == TSR_I8) {
    ADD(int8_t)
  } else if (dtype == TSR_U8) {
    ADD(uint8_t)
  } else {
    ADD(int16_t)
  }
}

static void end_block(const tsr__q_depthwise *d, tsr_index first, int n, int32_t *sums, char *out) {
  tsr__q_ends_scale(&d->end, first, n, sums);
  if (d->end.out_dtype == TSR_I16)
    for (int i = 0; i < n; i++) ((int16_t *)(void *)out)[first + i] = (int16_t)sums[i];
  else
    for (int i = 0; i < n; i++) out[first + i] = (char)sums[i];
}

static void run_pixel(const tsr__q_depthwise *d, tsr_index x, tsr_index first, int n, char *out) {
  const ptrdiff_t item = tsr__quant_item(d->x_dtype);
  int32_t sums[BLOCK];
  for (int i = 0; i < n; i++) sums[i] = d->end.bias[first + i];
  for (tsr_index kx = 0; kx < d->kw; kx++) {
    const tsr_index ix = x * d->stride - d->left + kx * d->dilation;
    for (tsr_index ky = 0; ky < d->kh; ky++) {
      const char *const at = ix >= 0 && ix < d->w ? d->row[ky] + ix * d->step[ky] : d->zeros;
      add_tap(d->x_dtype, n, at + first * item, d->weights + (ky * d->kw + kx) * d->channels + first, sums);
    }
  }
  end_block(d, first, n, sums, out);
}

static void run_any(const tsr__q_depthwise *d) {
  for (tsr_index x = 0; x < d->ow; x++)
    for (tsr_index first = 0; first < d->channels; first += BLOCK)
      run_pixel(d, x, first, (int)(d->channels - first < BLOCK ? d->channels - first : BLOCK),
                d->out + x * d->out_step);
}

/* ---- 3×3 by byte dots ---- */

/* The three numbers of a column of pixels are three bytes of a group, so that a dot is a column of the filter, and a
 * column serves three outputs. 32 channels are two vectors, lo and hi, as unpacking words leaves them; packing puts the
 * results back in order. */
#if TSR__VEC_BYTE_DOTS && TSR__VEC_MUL_HIGH && !TSR__ROUND_TWICE
#define TARGET TSR__VEC_BYTE_DOTS_TARGET

typedef struct both {
  __m512i lo, hi;
} both;

TSR__INLINE TARGET both column_of(const char *a, const char *b, const char *c, __mmask32 mask) {
  const __m512i x = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(mask, a));
  const __m512i y = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(mask, b));
  const __m512i z = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(mask, c));
  const __m512i xy = _mm512_or_si512(x, _mm512_slli_epi16(y, 8));
  return (both){_mm512_unpacklo_epi16(xy, z), _mm512_unpackhi_epi16(xy, z)};
}

/* Numbers of 32 channels in the order of lo and hi. */
TSR__INLINE TARGET both in_order(const int32_t *table, __mmask32 mask) {
  const __m512i first = _mm512_maskz_loadu_epi32((__mmask16)mask, table);
  const __m512i next = _mm512_maskz_loadu_epi32((__mmask16)(mask >> 16), table + 16);
  const __m512i lo = _mm512_setr_epi32(0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
  const __m512i hi = _mm512_setr_epi32(4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
  return (both){_mm512_permutex2var_epi32(first, lo, next), _mm512_permutex2var_epi32(first, hi, next)};
}

TSR__INLINE TARGET both dot(both sum, both x, both w) {
  return (both){(__m512i)tsr__vi32_dot_bytes((tsr__vi32)x.lo, (tsr__vi32)w.lo, (tsr__vi32)sum.lo),
                (__m512i)tsr__vi32_dot_bytes((tsr__vi32)x.hi, (tsr__vi32)w.hi, (tsr__vi32)sum.hi)};
}

/* What ends a sum, and what a run over a row keeps in registers. */
typedef struct strip {
  both weight[3], bias, multiplier, odd, half, shift;
  both flip; /* what makes bytes of x unsigned */
  __m512i zero, low, high;
  __mmask32 mask;
} strip;

TSR__INLINE TARGET __m512i scaled(__m512i s, __m512i multiplier, __m512i odd, __m512i half, __m512i shift) {
  const __m512i top = (__m512i)tsr__vi32_mul_high((tsr__vi32)s, (tsr__vi32)multiplier, (tsr__vi32)odd);
  return _mm512_srav_epi32(_mm512_add_epi32(top, half), shift);
}

TSR__INLINE TARGET void end_strip(const strip *s, both sum, char *out) {
  const __m512i lo = scaled(sum.lo, s->multiplier.lo, s->odd.lo, s->half.lo, s->shift.lo);
  const __m512i hi = scaled(sum.hi, s->multiplier.hi, s->odd.hi, s->half.hi, s->shift.hi);
  __m512i y = _mm512_packs_epi32(_mm512_add_epi32(lo, s->zero), _mm512_add_epi32(hi, s->zero));
  y = _mm512_min_epi16(_mm512_max_epi16(y, s->low), s->high);
  _mm256_mask_storeu_epi8(out, s->mask, _mm512_cvtepi16_epi8(y));
}

TSR__INLINE TARGET strip begin_strip(const tsr__q_depthwise *d, tsr_index first) {
  const tsr_index left = d->channels - first;
  strip s = {.mask = left >= 32 ? ~(__mmask32)0 : ((__mmask32)1 << left) - 1};
  const int8_t *const w = d->weights + first;
  for (int k = 0; k < 3; k++)
    s.weight[k] = column_of((const char *)w + k * d->channels, (const char *)w + (3 + k) * d->channels,
                            (const char *)w + (6 + k) * d->channels, s.mask);
  const __m512i one = _mm512_set1_epi32(1), flip = _mm512_set1_epi32(d->x_dtype == TSR_I8 ? 0x808080 : 0);
  s.flip = (both){flip, flip};
  s.multiplier = in_order(d->end.multiplier + first, s.mask);
  s.odd = (both){_mm512_srli_epi64(s.multiplier.lo, 32), _mm512_srli_epi64(s.multiplier.hi, 32)};
  s.shift = in_order(d->end.shift + first, s.mask);
  s.shift =
      (both){_mm512_sub_epi32(s.shift.lo, _mm512_set1_epi32(32)), _mm512_sub_epi32(s.shift.hi, _mm512_set1_epi32(32))};
  s.half = (both){_mm512_sllv_epi32(one, _mm512_sub_epi32(s.shift.lo, one)),
                  _mm512_sllv_epi32(one, _mm512_sub_epi32(s.shift.hi, one))};
  const both bias = in_order(d->end.bias + first, s.mask);
  both more = {_mm512_setzero_si512(), _mm512_setzero_si512()}; /* of signed x: 128 of every weight, to be taken back */
  for (int k = 0; k < 3; k++) more = dot(more, s.flip, s.weight[k]);
  s.bias = (both){_mm512_sub_epi32(bias.lo, more.lo), _mm512_sub_epi32(bias.hi, more.hi)};
  s.zero = _mm512_set1_epi32(d->end.zero);
  s.low = _mm512_set1_epi16((int16_t)d->end.low);
  s.high = _mm512_set1_epi16((int16_t)d->end.high);
  return s;
}

TSR__INLINE TARGET both column_at(const tsr__q_depthwise *d, const strip *s, tsr_index ix, tsr_index first) {
  const bool inside = ix >= 0 && ix < d->w;
  const char *const zeros = d->zeros + first;
  const both c = column_of(inside ? d->row[0] + ix * d->step[0] + first : zeros,
                           inside ? d->row[1] + ix * d->step[1] + first : zeros,
                           inside ? d->row[2] + ix * d->step[2] + first : zeros, s->mask);
  return (both){_mm512_xor_si512(c.lo, s->flip.lo), _mm512_xor_si512(c.hi, s->flip.hi)};
}

TARGET static void run_strip(const tsr__q_depthwise *d, tsr_index first) {
  const strip s = begin_strip(d, first);
  char *out = d->out + first;
  if (d->stride == 1) {
    both a = column_at(d, &s, -d->left, first), b = column_at(d, &s, 1 - d->left, first);
    for (tsr_index x = 0; x < d->ow; x++, out += d->out_step) {
      const both c = column_at(d, &s, x + 2 - d->left, first);
      end_strip(&s, dot(dot(dot(s.bias, a, s.weight[0]), b, s.weight[1]), c, s.weight[2]), out);
      a = b;
      b = c;
    }
    return;
  }
  for (tsr_index x = 0; x < d->ow; x++, out += d->out_step) {
    const tsr_index ix = x * d->stride - d->left;
    both sum = s.bias;
    for (int k = 0; k < 3; k++) sum = dot(sum, column_at(d, &s, ix + k, first), s.weight[k]);
    end_strip(&s, sum, out);
  }
}

static void run_3(const tsr__q_depthwise *d) {
  for (tsr_index first = 0; first < d->channels; first += 32) run_strip(d, first);
}
#define DOTS_3 run_3
#else
#define DOTS_3 NULL
#endif

const tsr__q_depthwise_kernels TSR__ISA_NAME(tsr__q_depthwise) = {run_any, DOTS_3};

#endif
