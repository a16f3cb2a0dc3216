/* Single keys, and what keys do not tell, for one size. */
#if TSR_HAVE_MALLOC
#include "ops/sort/float_key.tmpl.h"
#else /* no kernels: rows of keys here too */
#include "ops/sort/fetch.tmpl.h"
#define SIGN ((U)((U)1 << (U_BITS - 1)))
#define ONES ((U) ~(U)0)
#endif

static uint64_t FN(one)(const tsr__keys *k, const void *element) {
  const U raw = *(const U *)element;
  return k->floats ? FN(float_key)(raw, (U)k->flip, (U)k->limit) : (U)(raw ^ (U)k->flip);
}

/* The first of n sorted keys that is not less. */
static tsr_index FN(first)(tsr_index n, const U *sorted, U key) {
  tsr_index low = 0, high = n;
  while (low < high) {
    const tsr_index middle = low + (high - low) / 2;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static tsr__keys_runs FN(collect)(const tsr__keys *k, tsr_index n, const U *sorted, const char *src, ptrdiff_t step,
                                  U *room) {
  const U zero = (U)(SIGN ^ (U)k->flip);
  tsr__keys_runs runs = {FN(first)(n, sorted, zero), FN(first)(n, sorted, (U)(zero + 1u)), FN(first)(n, sorted, ONES)};
#if TSR_HAVE_MALLOC /* no branches: who knows where they are */
  tsr_index zeros = 0, nans = n;
  for (tsr_index i = 0; i < n; i++) {
    const U raw = *(const U *)(const void *)(src + (ptrdiff_t)i * step), magnitude = (U)(raw & (U)~SIGN);
    room[zeros] = raw;
    zeros += magnitude == 0;
    room[nans - 1] = raw;
    nans -= magnitude > (U)k->limit;
  }
  for (tsr_index i = nans, last = n - 1; i < last; i++, last--) {
    const U raw = room[i];
    room[i] = room[last];
    room[last] = raw;
  }
#else
  tsr_index zeros = 0, nans = runs.nans;
  for (tsr_index i = 0; i < n; i++) {
    const U raw = *(const U *)(const void *)(src + (ptrdiff_t)i * step), magnitude = (U)(raw & (U)~SIGN);
    if (magnitude == 0) room[zeros++] = raw;
    if (magnitude > (U)k->limit) room[nans++] = raw;
  }
#endif
  return runs;
}

#undef SIGN
#undef ONES
