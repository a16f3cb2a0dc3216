/* One of each run of equal keys of one size, to the front: how many. */
static tsr_index FN(distinct)(tsr_index n, U *keys) {
  tsr_index count = 0;
  for (tsr_index i = 0; i < n; i++) {
    const U key = keys[i];
    keys[count] = key;
    count += i + 1 == n || keys[i + 1] != key;
  }
  return count;
}
