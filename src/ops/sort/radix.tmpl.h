/* Sorting n of E by KEY(e): an unsigned number of 8·DIGITS_MOST bits above bit shift. */

/* Rows up to 16: by insertion. */
static void FN(insert)(tsr_index n, E *a) {
  for (tsr_index i = 1; i < n; i++) {
    const E e = a[i];
    tsr_index at = i;
    for (; at > 0 && KEY(e) < KEY(a[at - 1]); at--) a[at] = a[at - 1];
    a[at] = e;
  }
}

/* Two sorted runs, a[0 … middle) and a[middle … n), as one. */
static void FN(merge)(tsr_index middle, tsr_index n, const E *a, E *out) {
  tsr_index left = 0, right = middle;
  while (left < middle && right < n) {
    const bool later = KEY(a[right]) < KEY(a[left]);
    *out++ = a[later ? right : left];
    right += later;
    left += !later;
  }
  while (left < middle) *out++ = a[left++];
  while (right < n) *out++ = a[right++];
}

static E *FN(merge_all)(tsr_index n, E *a, E *b) {
  enum { RUN = 16 };
  for (tsr_index i = 0; i < n; i += RUN) FN(insert)(n - i < RUN ? n - i : RUN, a + i);
  for (tsr_index run = RUN; run < n; run *= 2) {
    for (tsr_index i = 0; i < n; i += 2 * run) {
      const tsr_index left = n - i;
      FN(merge)(run < left ? run : left, 2 * run < left ? 2 * run : left, a + i, b + i);
    }
    E *const other = a;
    a = b;
    b = other;
  }
  return a;
}

static inline int FN(digit)(E e, int shift) { return (int)((unsigned)(KEY(e) >> shift) & 255u); }

/* All tables in one pass; digits is known where this is inlined. */
static inline void FN(count)(tsr_index n, const E *a, int shift, int digits, size_t *counts) {
  for (tsr_index i = 0; i < n; i++)
    for (int d = 0; d < digits; d++) counts[256 * d + FN(digit)(a[i], shift + 8 * d)]++;
}

static void FN(count_all)(tsr_index n, const E *a, int shift, int digits, size_t *counts) {
  memset(counts, 0, (size_t)digits * TSR__RADIX_TABLE);
  switch (digits) {
    case 1: FN(count)(n, a, shift, 1, counts); return;
#if DIGITS_MOST >= 2
    case 2: FN(count)(n, a, shift, 2, counts); return;
#endif
#if DIGITS_MOST >= 4
    case 4: FN(count)(n, a, shift, 4, counts); return;
#endif
#if DIGITS_MOST >= 8
    default: FN(count)(n, a, shift, 8, counts); return;
#endif
  }
}

static void FN(distribute)(tsr_index n, const E *a, int shift, size_t *counts, E *b) {
  size_t before = 0;
  for (int i = 0; i < 256; i++) {
    const size_t own = counts[i];
    counts[i] = before;
    before += own;
  }
  for (tsr_index i = 0; i < n; i++) b[counts[FN(digit)(a[i], shift)]++] = a[i];
}

static bool FN(is_sorted)(tsr_index n, const E *a) {
  tsr_index i = 1;
  while (i < n && KEY(a[i - 1]) <= KEY(a[i])) i++;
  return i >= n;
}

static E *FN(sort)(tsr_index n, E *a, E *b, int shift, int digits, size_t *counts) {
  if (FN(is_sorted)(n, a)) return a;
  if (n <= TSR__RADIX_SHORT * digits) return FN(merge_all)(n, a, b);
  FN(count_all)(n, a, shift, digits, counts);
  for (int d = 0; d < digits; d++) {
    const int at = shift + 8 * d;
    if (counts[256 * d + FN(digit)(a[0], at)] == (size_t)n) continue;
    FN(distribute)(n, a, at, counts + 256 * d, b);
    E *const other = a;
    a = b;
    b = other;
  }
  return a;
}
#undef E
#undef KEY
#undef DIGITS_MOST
#undef FN
