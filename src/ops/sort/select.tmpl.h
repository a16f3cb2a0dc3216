/* Selection among keys of one size: the byte at the top tells which keys are left, then the next one. */

/* Four tables, so that equal bytes side by side do not wait for each other. */
static void FN(tally)(tsr_index n, const U *keys, int shift, size_t *counts) {
  tsr_index i = 0;
  memset(counts, 0, TSR__SELECT_BYTES);
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) counts[256 * k + (int)(keys[i + k] >> shift & 255u)]++;
  for (; i < n; i++) counts[(int)(keys[i] >> shift & 255u)]++;
  for (int d = 0; d < 256; d++) counts[d] += counts[256 + d] + counts[512 + d] + counts[768 + d];
}

/* Keys with that byte, to the front of room. */
static tsr_index FN(narrow)(tsr_index n, const U *keys, int shift, unsigned digit, U *room) {
  tsr_index count = 0;
  for (tsr_index i = 0; i < n; i++) {
    const U key = keys[i];
    room[count] = key;
    count += (key >> shift & 255u) == digit;
  }
  return count;
}

static uint64_t FN(select)(tsr_index n, const U *keys, tsr_index place, U *room, size_t *counts, tsr_index *less) {
  uint64_t key = 0;
  *less = 0;
  for (int shift = U_BITS - 8; shift >= 0; shift -= 8) {
    unsigned digit = 0;
    FN(tally)(n, keys, shift, counts);
    for (; (size_t)place >= counts[digit]; digit++) {
      place -= (tsr_index)counts[digit];
      *less += (tsr_index)counts[digit];
    }
    key |= (uint64_t)digit << shift;
    if (counts[digit] == (size_t)n || shift == 0) continue;
    n = FN(narrow)(n, keys, shift, digit, room);
    keys = room;
  }
  return key;
}

static uint64_t FN(next)(tsr_index n, const U *keys, U key) {
  U best = (U) ~(U)0;
  bool found = false;
  for (tsr_index i = 0; i < n; i++) {
    const bool greater = keys[i] > key;
    found |= greater;
    best = greater && keys[i] < best ? keys[i] : best;
  }
  return found ? best : UINT64_MAX;
}
