/* The order in which the library adds (ops/reduce, ops/cumulative), for elements that are in several places. For a type C; OP(name) is
 * name_<type>. */

/* Rows (COUNT, WIDTH) of values of blocks become their sum, row 0: the pairwise tree over all of them. */
static void OP(tree)(tsr_index count, tsr_index width, C *rows) {
  for (tsr_index step = 1; step < count; step *= 2)
    for (tsr_index i = 0; i + step < count; i += 2 * step) {
      C *const earlier = rows + i * width;
      const C *const later = rows + (i + step) * width;
      for (tsr_index j = 0; j < width; j++) earlier[j] += later[j];
    }
}

/* Cumulative sums of one chunk: base is what all chunks before have; returns its own total. to NULL: nothing but that. */
static C OP(scan)(tsr_index n, const C *x, C base, C *to) {
  C runs = NEUTRAL;
  for (tsr_index i = 0; i < n; i += SCAN_RUN) {
    const tsr_index end = n - i < SCAN_RUN ? n : i + SCAN_RUN;
    const C before = base + runs;
    C run = NEUTRAL;
    for (tsr_index k = i; k < end; k++) {
      run += x[k];
      if (to != NULL) to[k] = before + run;
    }
    runs += run;
  }
  return runs;
}

/* Totals of the chunks of a row, and the row from what comes before each. */
static void OP(totals)(tsr_index n, const C *x, C *totals, tsr_index step) {
  for (tsr_index i = 0; i < n; i += SCAN_CHUNK, totals += step)
    *totals = OP(scan)(n - i < SCAN_CHUNK ? n - i : SCAN_CHUNK, x + i, NEUTRAL, NULL);
}

static void OP(sums)(tsr_index n, const C *x, const C *totals, tsr_index chunks_before, tsr_index step, C *to) {
  C base = NEUTRAL;
  for (tsr_index i = 0; i < chunks_before; i++, totals += step) base += *totals;
  for (tsr_index i = 0; i < n; i += SCAN_CHUNK, totals += step) {
    (void)OP(scan)(n - i < SCAN_CHUNK ? n - i : SCAN_CHUNK, x + i, base, to + i);
    base += *totals;
  }
}
