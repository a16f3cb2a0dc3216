/* Rows of ops that are worth one loop alone: contiguous rows where they lie, others by way of blocks on the stack.
 * One compute type, C. */
typedef void FN(run_fn)(tsr_index n, const C *x, const C *y, C *z);

enum { FN(RUN_BLOCK) = RUN_BYTES / sizeof(C) };

static inline void FN(gather)(tsr_index n, const char *src, ptrdiff_t step, C *block) {
  for (tsr_index i = 0; i < n; i++, src += step) block[i] = *(const C *)(const void *)src;
}

/* The operands that have gaps or repeat, a block at a time. */
static inline void FN(run_blocks)(FN(run_fn) * run, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const ptrdiff_t item = (ptrdiff_t)sizeof(C);
  C x[FN(RUN_BLOCK)], y[FN(RUN_BLOCK)], z[FN(RUN_BLOCK)];
  for (tsr_index first = 0; first < n; first += FN(RUN_BLOCK)) {
    const tsr_index count = n - first < FN(RUN_BLOCK) ? n - first : FN(RUN_BLOCK);
    char *to = at[0] + (ptrdiff_t)first * step[0];
    const char *const from_x = at[1] + (ptrdiff_t)first * step[1], *const from_y = at[2] + (ptrdiff_t)first * step[2];
    if (step[1] != item && (step[1] != 0 || first == 0)) FN(gather)(count, from_x, step[1], x);
    if (step[2] != item && (step[2] != 0 || first == 0)) FN(gather)(count, from_y, step[2], y);
    run(count, step[1] == item ? (const C *)(const void *)from_x : x,
        step[2] == item ? (const C *)(const void *)from_y : y, z);
    for (tsr_index i = 0; i < count; i++, to += step[0]) *(C *)(void *)to = z[i];
  }
}

static inline void FN(run_rows)(FN(run_fn) * run, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const ptrdiff_t item = (ptrdiff_t)sizeof(C);
  if (step[0] == item && step[1] == item && step[2] == item)
    run(n, (const C *)(const void *)at[1], (const C *)(const void *)at[2], (C *)(void *)at[0]);
  else
    FN(run_blocks)(run, n, at, step);
}
