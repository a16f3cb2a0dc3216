/* Sums of one compute type; integers of one size share theirs. */
#if C_FLOAT || !C_SIGNED
static tsr_index FN(add)(tsr_index n, uint64_t length, void *sums, const void *elements, const void *indices) {
  C *const to = sums;
  const C *const from = elements;
  const uint64_t *const at = indices;
  tsr_index i = 0;
  for (; n - i >= 4; i += 4) {
    const uint64_t a = at[i], b = at[i + 1], c = at[i + 2], d = at[i + 3];
    const C p = from[i], q = from[i + 1], r = from[i + 2], s = from[i + 3];
    if ((a >= length) | (b >= length) | (c >= length) | (d >= length)) return i;
    to[a] = (C)(to[a] + p);
    to[b] = (C)(to[b] + q);
    to[c] = (C)(to[c] + r);
    to[d] = (C)(to[d] + s);
  }
  for (; i < n && at[i] < length; i++) to[at[i]] = (C)(to[at[i]] + from[i]);
  return i;
}
#endif
