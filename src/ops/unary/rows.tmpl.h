/* One compute type, C: its rows to rows of C, and to rows of bool. */
typedef void FN(run_fn)(const tsr_real *attribute, tsr_index n, const C *x, C *z);
typedef void FN(test_fn)(tsr_index n, const C *x, uint8_t *z);

enum { FN(BLOCK) = TSR__ROWS_BYTES / sizeof(C) };

static inline void FN(gather)(tsr_index n, const char *src, ptrdiff_t step, C *block) {
  for (tsr_index i = 0; i < n; i++) block[i] = *(const C *)(const void *)(src + (ptrdiff_t)i * step);
}

static inline void FN(run_blocks)(FN(run_fn) * run, const tsr_real *attribute, tsr_index n, char *const *at,
                                  const ptrdiff_t *step) {
  C block[FN(BLOCK)];
  for (tsr_index first = 0; first < n; first += FN(BLOCK)) {
    const tsr_index count = n - first < FN(BLOCK) ? n - first : FN(BLOCK);
    char *const to = at[0] + (ptrdiff_t)first * step[0];
    FN(gather)(count, at[1] + (ptrdiff_t)first * step[1], step[1], block);
    run(attribute, step[1] == 0 ? 1 : count, block, block);
    const ptrdiff_t each = step[1] == 0 ? 0 : 1; /* an element that repeats is computed once */
    for (tsr_index i = 0; i < count; i++) *(C *)(void *)(to + (ptrdiff_t)i * step[0]) = block[(ptrdiff_t)i * each];
  }
}

static inline void FN(run_rows)(FN(run_fn) * run, const tsr__row_args *args, tsr_index n, char *const *at,
                                const ptrdiff_t *step) {
  const ptrdiff_t item = sizeof(C);
  if ((step[0] == item && step[1] == item) || n == 1)
    run(args->param, n, (const C *)(const void *)at[1], (C *)(void *)at[0]);
  else
    FN(run_blocks)(run, args->param, n, at, step);
}

static inline void FN(test_blocks)(FN(test_fn) * test, tsr_index n, char *const *at, const ptrdiff_t *step) {
  C block[FN(BLOCK)];
  uint8_t results[FN(BLOCK)];
  for (tsr_index first = 0; first < n; first += FN(BLOCK)) {
    const tsr_index count = n - first < FN(BLOCK) ? n - first : FN(BLOCK);
    char *const to = at[0] + (ptrdiff_t)first * step[0];
    FN(gather)(count, at[1] + (ptrdiff_t)first * step[1], step[1], block);
    test(count, block, results);
    for (tsr_index i = 0; i < count; i++) *(uint8_t *)(to + (ptrdiff_t)i * step[0]) = results[i];
  }
}

static inline void FN(test_rows)(FN(test_fn) * test, tsr_index n, char *const *at, const ptrdiff_t *step) {
  if (step[0] == 1 && step[1] == (ptrdiff_t)sizeof(C))
    test(n, (const C *)(const void *)at[1], (uint8_t *)at[0]);
  else
    FN(test_blocks)(test, n, at, step);
}
