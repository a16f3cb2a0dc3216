/* Where a difference is, for FN(differ); and the kernel, with FN(add). */
static tsr_index FN(first)(const tsr__tolerance *within, tsr_index n, const void *a, const void *b) {
  const C *const x = a, *const y = b;
  tsr_index i = 0;
  while (i < n && !FN(differ)(x[i], y[i], within)) i++;
  return i;
}

static const tsr__difference_kernel FN(kernel) = {.add = FN(add), .first = FN(first)};
