/* Packing elements of one type into panels of the same type, with what transpose.tmpl.h asks for. A source that runs
 * along the panel is copied by vectors, one that runs along K is transposed in registers, any other is gathered. */

#include "ops/matmul/transpose.tmpl.h"

/* count ≤ width elements for each step of K. */
static void FN(pack_along)(tsr_index width, tsr_index count, tsr_index k, const char *src, ptrdiff_t k_step, E *dst) {
  if (count == width && width == 2 * LANES) {
    for (tsr_index p = 0; p < k; p++, src += k_step, dst += width) {
      const EV v0 = TSR__VEC(EV, _load)(src), v1 = TSR__VEC(EV, _load)(src + TSR__VEC_BYTES);
      TSR__VEC(EV, _store)(dst, v0);
      TSR__VEC(EV, _store)(dst + LANES, v1);
    }
    return;
  }
  for (tsr_index p = 0; p < k; p++, src += k_step, dst += width)
    for (tsr_index i = 0; i < width; i += LANES) {
      const tsr_index here = width - i < LANES ? width - i : LANES, left = count - i < here ? count - i : here;
      const E *const from = (const E *)(const void *)src + i;
      TSR__VEC(EV, _store_part)(dst + i, TSR__VEC(EV, _load_part)(from, left > 0 ? (int)left : 0), (int)here);
    }
}

/* Four whole panels at once, of two vectors each: long pieces of the source's rows, which lie far apart, so that they
 * are asked for ahead. */
static void FN(pack_four)(tsr_index k, const char *src, ptrdiff_t k_step, E *dst) {
  const tsr_index panel = 2 * LANES * k;
  for (tsr_index p = 0; p < k; p++, src += k_step, dst += 2 * LANES) {
    TSR__UNROLL(8)
    for (int i = 0; i < 8; i++)
      if (i * TSR__VEC_BYTES % 64 == 0) __builtin_prefetch(src + 8 * k_step + i * TSR__VEC_BYTES, 0, 2);
    TSR__UNROLL(4)
    for (int i = 0; i < 4; i++) {
      const EV v0 = TSR__VEC(EV, _load)(src + 2 * i * TSR__VEC_BYTES),
               v1 = TSR__VEC(EV, _load)(src + (2 * i + 1) * TSR__VEC_BYTES);
      TSR__VEC(EV, _store)(dst + i * panel, v0);
      TSR__VEC(EV, _store)(dst + i * panel + LANES, v1);
    }
  }
}

static void FN(pack_any)(tsr_index width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step,
                         ptrdiff_t k_step, E *dst) {
  for (tsr_index p = 0; p < k; p++)
    for (tsr_index i = 0; i < width; i++) *dst++ = i < count ? FN(element)(src + i * count_step + p * k_step) : (E)0;
}

static void FN(pack_panel)(tsr_index width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step,
                           ptrdiff_t k_step, E *dst) {
  if (count_step == (ptrdiff_t)sizeof(E))
    FN(pack_along)(width, count, k, src, k_step, dst);
  else if (k_step == (ptrdiff_t)sizeof(E))
    for (tsr_index i = 0; i < width; i += LANES) {
      const tsr_index here = width - i < LANES ? width - i : LANES, left = count - i < here ? count - i : here;
      FN(pack_transposed)(width, (int)here, left > 0 ? (int)left : 0, k, src + i * count_step, count_step, dst + i);
    }
  else
    FN(pack_any)(width, count, k, src, count_step, k_step, dst);
}

static void FN(pack)(int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step, ptrdiff_t k_step,
                     void *dst) {
  E *to = dst;
  tsr_index first = 0;
  if (width == 2 * LANES && count_step == (ptrdiff_t)sizeof(E))
    for (; first + 4 * width <= count; first += 4 * width, to += 4 * width * k)
      FN(pack_four)(k, src + first * count_step, k_step, to);
  for (; first < count; first += width, to += width * k) {
    const tsr_index here = count - first < width ? count - first : width;
    FN(pack_panel)(width, here, k, src + first * count_step, count_step, k_step, to);
  }
}
