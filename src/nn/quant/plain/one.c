/* Plain kernels: one patch with the filters of its group. */
#include "cpu/dsp.h"

#if !defined(TSR__SMLAD) /* whose loops are by hand */
#include "cpu/fast_when_small.h"
#endif

#include "nn/quant/plain/plain.h"

static inline void dots(const tsr__q_run *q, const char *patch, const int8_t *w, ptrdiff_t next, tsr_index k,
                        int32_t *sums) {
  const int16_t *const numbers = (const int16_t *)(const void *)patch;
  (void)q;
#if defined(TSR__MVE)
  if (tsr__q_patch_narrow(q))
    tsr__mve_dots((const int8_t *)patch, w, next, k, sums);
  else
    tsr__mve_dots_wide(numbers, w, next, k, sums);
#elif defined(TSR__SMLAD)
  tsr__smlad_dots(patch, (const char *)w, next, k, sums);
  (void)numbers;
#else
  tsr__q_dots(numbers, w, next, k, sums);
#endif
}

/* n filters from w on; four at a time, some of them twice where that makes four. */
static void sum_filters(const tsr__q_run *q, const char *patch, const int8_t *w, const int32_t *bias, int n,
                        int32_t *sums) {
  const tsr_index k = tsr__q_patch_length(q);
  for (int i = 0; i < n; i += n < 4 ? 1 : 4) {
    int32_t four[4];
    if (i + 4 > n && n >= 4) i = n - 4;
    for (int j = 0; j < 4; j++) four[j] = bias[n < 4 ? i : i + j];
    dots(q, patch, w + i * k, n < 4 ? 0 : (ptrdiff_t)k, k, four);
    for (int j = 0; j < (n < 4 ? 1 : 4); j++) sums[i + j] = four[j];
  }
}

static int32_t sum_patch(const tsr__q_run *q, const char *patch) {
  uint32_t sum = 0;
  for (tsr_index i = 0; i < tsr__q_patch_length(q); i++) {
    const int32_t value =
        tsr__q_patch_narrow(q) ? ((const int8_t *)patch)[i] : ((const int16_t *)(const void *)patch)[i];
    sum += (uint32_t)value;
  }
  return (int32_t)sum;
}

/* Takes the zero points of the weights into account. */
static void correct(const tsr__q_run *q, const char *patch, tsr_index first, int n, int32_t *sums) {
  const uint32_t of_patch = (uint32_t)sum_patch(q, patch);
  for (int i = 0; i < n; i++)
    sums[i] = (int32_t)((uint32_t)sums[i] - (uint32_t)q->table[TSR__Q_W_ZERO][first + i] * of_patch);
}

void tsr__q_plain_one(const tsr__q_run *q, const tsr__q_place *p, tsr_index group, char *room) {
  const char *const patch = tsr__q_patch_of(q, p, (ptrdiff_t)(group * q->c.i) * q->xs[1], room);
  const tsr_index filters = q->c.o / q->c.groups, k = tsr__q_patch_length(q), first = group * filters;
  for (tsr_index o = 0; o < filters; o += TSR__Q_PLAIN_CHANNELS) {
    int32_t sums[TSR__Q_PLAIN_CHANNELS];
    if (filters - o < 4 && filters >= 4) o = filters - 4;
    const int n = (int)(filters - o < TSR__Q_PLAIN_CHANNELS ? filters - o : TSR__Q_PLAIN_CHANNELS);
    sum_filters(q, patch, q->w + (first + o) * k, q->table[TSR__Q_BIAS] + first + o, n, sums);
    if (q->asymmetric) correct(q, patch, first + o, n, sums);
    tsr__q_plain_end(q, first + o, n, sums, p->out);
  }
}
