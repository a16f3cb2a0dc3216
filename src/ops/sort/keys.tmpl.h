/* Elements to keys and back, for one size. */
#define SIGN ((U)((U)1 << (U_BITS - 1)))
#define ONES ((U) ~(U)0)

/* Of an element; branch-free, so that rows are vectorised. */
static inline U FN(float_key)(U raw, U flip, U limit) {
  const U magnitude = (U)(raw & (U)~SIGN);
  const U negative = (U)(0u - (U)(raw >> (U_BITS - 1)));
  U key = (U)(raw ^ (U)(negative | SIGN));
  key = magnitude == 0 ? SIGN : key;
  key = (U)(key ^ flip);
  return magnitude > limit ? ONES : key;
}

static bool FN(fetch)(const tsr__keys *k, tsr_index n, const U *src, U *keys) {
  const U flip = (U)k->flip, limit = (U)k->limit;
  U special = 0;
  if (!k->floats) {
    for (tsr_index i = 0; i < n; i++) keys[i] = (U)(src[i] ^ flip);
    return false;
  }
  for (tsr_index i = 0; i < n; i++) {
    const U raw = src[i];
    special = (U)(special | (raw == SIGN ? ONES : 0) | ((raw & (U)~SIGN) > limit ? ONES : 0));
    keys[i] = FN(float_key)(raw, flip, limit);
  }
  return special != 0;
}

static void FN(values)(const tsr__keys *k, tsr_index n, const U *keys, U *values) {
  const U flip = (U)k->flip;
  if (!k->floats) {
    for (tsr_index i = 0; i < n; i++) values[i] = (U)(keys[i] ^ flip);
    return;
  }
  for (tsr_index i = 0; i < n; i++) {
    const U key = (U)(keys[i] ^ flip);
    values[i] = (U)(key ^ (U)(SIGN | (U)((U)(key >> (U_BITS - 1)) - 1u)));
  }
}

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
  tsr_index zeros = 0, nans = runs.after_zeros - runs.zeros;
  for (tsr_index i = 0; i < n; i++) {
    const U raw = *(const U *)(const void *)(src + (ptrdiff_t)i * step), magnitude = (U)(raw & (U)~SIGN);
    if (magnitude == 0) room[zeros++] = raw;
    if (magnitude > (U)k->limit) room[nans++] = raw;
  }
  return runs;
}

#undef SIGN
#undef ONES
