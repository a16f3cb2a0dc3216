/* The scan for the least keys, of one size. */

/* Adds the keys below limit (all: every one) of a block that begins at index first; there is room for all. */
static tsr_index FN(scan)(tsr_index n, const U *keys, tsr_index first, bool all, U limit, U *kept, tsr_index *index,
                          tsr_index count) {
  enum { GROUP = 32 };
  for (tsr_index i = 0; i < n; i += GROUP) {
    const tsr_index end = n - i < GROUP ? n : i + GROUP;
    U hit = 0;
    for (tsr_index j = i; j < end; j++) hit = (U)(hit | (keys[j] < limit ? 1u : 0u));
    if (hit == 0 && !all) continue;
    for (tsr_index j = i; j < end; j++) {
      kept[count] = keys[j];
      index[count] = first + j;
      count += all || keys[j] < limit;
    }
  }
  return count;
}

/* Leaves the keys below limit, and the first ones that are equal to it. */
static tsr_index FN(keep)(tsr_index n, U *kept, tsr_index *index, U limit, tsr_index equal) {
  tsr_index count = 0;
  for (tsr_index i = 0; i < n; i++) {
    const U key = kept[i];
    const bool same = key == limit && equal > 0;
    kept[count] = key;
    index[count] = index[i];
    equal -= same;
    count += same || key < limit;
  }
  return count;
}
