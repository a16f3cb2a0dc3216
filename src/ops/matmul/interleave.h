/* Packing groups of 2 or 4 elements along K that are 4 bytes together. For the kernel files of groups. */
#ifndef TSR_OPS_MATMUL_INTERLEAVE_H
#define TSR_OPS_MATMUL_INTERLEAVE_H

#include "ops/matmul/transpose.tmpl.h"

/* What is done with a panel besides: nothing; flipping the signs of bytes; a first group of zeros, or of -128 or 128 · the sum of each
 * column. */
typedef enum panel_end { NO_SIGN, FLIP_SIGN, NOTHING_BACK, SUMS_BACK, SUMS_MORE } panel_end;

/* One group of any strides; steps past the last are 0. */
static int32_t gather_group(int group, tsr_index steps, const char *src, ptrdiff_t k_step) {
  const size_t size = 4 / (size_t)group;
  int32_t x = 0;
  for (int t = 0; t < group && t < steps; t++) memcpy((char *)&x + (size_t)t * size, src + t * k_step, size);
  return x;
}

/* count groups side by side: rows of the source are interleaved. */
static void interleave2(tsr_index count, const char *src, ptrdiff_t k_step, int32_t *dst) {
  const uint16_t *const r0 = (const uint16_t *)(const void *)src, *const r1 =
                                                                      (const uint16_t *)(const void *)(src + k_step);
  for (tsr_index i = 0; i < count; i++) dst[i] = (int32_t)((uint32_t)r0[i] | (uint32_t)r1[i] << 16);
}

static void interleave4(tsr_index count, const char *src, ptrdiff_t k_step, int32_t *dst) {
  const uint8_t *const r0 = (const uint8_t *)src, *const r1 = r0 + k_step, *const r2 = r1 + k_step,
                       *const r3 = r2 + k_step;
  for (tsr_index i = 0; i < count; i++)
    dst[i] = (int32_t)((uint32_t)r0[i] | (uint32_t)r1[i] << 8 | (uint32_t)r2[i] << 16 | (uint32_t)r3[i] << 24);
}

static void fill_groups(tsr_index from, tsr_index to, int32_t *dst) {
  for (tsr_index i = from; i < to; i++) dst[i] = 0;
}

/* Groups first … last of a panel. */
static void pack_groups_any(int group, tsr_index width, tsr_index count, tsr_index first, tsr_index k, const char *src,
                            ptrdiff_t count_step, ptrdiff_t k_step, int32_t *dst) {
  for (tsr_index g = first; g * group < k; g++)
    for (tsr_index i = 0; i < width; i++)
      dst[g * width + i] =
          i < count ? gather_group(group, k - g * group, src + i * count_step + g * group * k_step, k_step) : 0;
}

static void pack_interleaved(int group, tsr_index width, tsr_index count, tsr_index groups, const char *src,
                             ptrdiff_t k_step, int32_t *dst) {
  for (tsr_index g = 0; g < groups; g++, dst += width, src += group * k_step) {
    if (group == 2)
      interleave2(count, src, k_step, dst);
    else
      interleave4(count, src, k_step, dst);
    fill_groups(count, width, dst);
  }
}

/* Whole groups the fast way, where there is one; the rest group by group. */
static void pack_grouped(int group, tsr_index width, tsr_index count, tsr_index k, const char *src,
                         ptrdiff_t count_step, ptrdiff_t k_step, int32_t *dst) {
  const ptrdiff_t size = 4 / group;
  tsr_index whole = k / group;
  if (count_step == size)
    pack_interleaved(group, width, count, whole, src, k_step, dst);
  else if (k_step == size)
    for (tsr_index i = 0; i < width; i += LANES) {
      const tsr_index here = width - i < LANES ? width - i : LANES, left = count - i < here ? count - i : here;
      pack_transposed_group(width, (int)here, left > 0 ? (int)left : 0, whole, src + i * count_step, count_step,
                            dst + i);
    }
  else
    whole = 0;
  pack_groups_any(group, width, count, whole, k, src, count_step, k_step, dst);
}

static void flip_signs(tsr_index n, int32_t *x) {
  for (tsr_index i = 0; i < n; i++) x[i] ^= (int32_t)0x80808080;
}

/* by · Σ of the bytes of each column. */
static void sum_columns(tsr_index width, tsr_index groups, const int32_t *x, int32_t by, int32_t *sums) {
  fill_groups(0, width, sums);
  for (tsr_index g = 0; g < groups; g++, x += width)
    for (tsr_index i = 0; i < width; i++) {
      const uint32_t b = (uint32_t)x[i];
      sums[i] +=
          ((int32_t)(b << 24) >> 24) + ((int32_t)(b << 16) >> 24) + ((int32_t)(b << 8) >> 24) + ((int32_t)b >> 24);
    }
  for (tsr_index i = 0; i < width; i++) sums[i] *= by;
}

static void pack_panels(int group, tsr_index width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step,
                        ptrdiff_t k_step, int32_t *dst, panel_end end) {
  const tsr_index groups = (k + group - 1) / group;
  const tsr_index extra = end >= NOTHING_BACK;
  for (tsr_index first = 0; first < count; first += width, dst += width * (groups + extra)) {
    int32_t *const to = dst + width * extra;
    pack_grouped(group, width, count - first < width ? count - first : width, k, src + first * count_step, count_step,
                 k_step, to);
    if (end == FLIP_SIGN) flip_signs(width * groups, to);
    if (end == NOTHING_BACK) fill_groups(0, width, dst);
    if (end > NOTHING_BACK) sum_columns(width, groups, to, end == SUMS_BACK ? -128 : 128, dst);
  }
}

#endif
