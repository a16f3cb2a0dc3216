/* Where needles belong among sorted keys of one size. */

/* Eight at a time, so that their loads do not wait for each other; no branches but those of the loop. right: behind
 * equal keys. */
static inline void FN(search_8)(tsr_index n, const U *keys, const U *needles, bool right, tsr_index *found) {
  tsr_index at[8] = {0}, length = n;
  while (length > 1) {
    const tsr_index half = length / 2;
    for (int k = 0; k < 8; k++) {
      const U key = keys[at[k] + half - 1];
      at[k] += half & -(tsr_index)(right ? key <= needles[k] : key < needles[k]);
    }
    length -= half;
  }
  for (int k = 0; k < 8; k++) found[k] = at[k] + (right ? keys[at[k]] <= needles[k] : keys[at[k]] < needles[k]);
}

static inline tsr_index FN(search_1)(tsr_index n, const U *keys, U needle, bool right) {
  tsr_index at = 0, length = n;
  while (length > 1) {
    const tsr_index half = length / 2;
    const U key = keys[at + half - 1];
    at += half & -(tsr_index)(right ? key <= needle : key < needle);
    length -= half;
  }
  return at + (right ? keys[at] <= needle : keys[at] < needle);
}

static inline void FN(search_side)(tsr_index n, const U *keys, tsr_index count, const U *needles, bool right,
                                   tsr_index *found) {
  tsr_index i = 0;
  for (; i + 8 <= count; i += 8) FN(search_8)(n, keys, needles + i, right, found + i);
  for (; i < count; i++) found[i] = FN(search_1)(n, keys, needles[i], right);
}

static void FN(search)(tsr_index n, const void *keys, tsr_index count, const void *needles, bool right,
                       tsr_index *found) {
  if (right)
    FN(search_side)(n, keys, count, needles, true, found);
  else
    FN(search_side)(n, keys, count, needles, false, found);
}
