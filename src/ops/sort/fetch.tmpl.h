/* Elements to keys and back, for one size. */
#include "ops/sort/float_key.tmpl.h"

static bool FN(fetch)(const tsr__keys *k, tsr_index n, const void *elements, void *to) {
  const U *const src = elements;
  U *const keys = to;
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

static void FN(values)(const tsr__keys *k, tsr_index n, const void *from, void *elements) {
  const U *const keys = from;
  U *const values = elements;
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

#undef SIGN
#undef ONES
