/* The loops of a row with elements of C in and R out: ROWS(name) for ops that are a few instructions, each way that
 * rows usually lie with a loop that the compiler can vectorise; ROWS_PLAIN(name) for ops that are not. */
TSR__ALWAYS_INLINE void ROWS_PLAIN(tsr_index n, char *const *at, const ptrdiff_t *step, R (*const value)(C, C)) {
  char *z = at[0];
  const char *x = at[1], *y = at[2];
  const ptrdiff_t z_step = step[0], x_step = step[1], y_step = step[2];
  for (tsr_index i = 0; i < n; i++, z += z_step, x += x_step, y += y_step)
    *(R *)z = value(*(const C *)x, *(const C *)y);
}

TSR__ALWAYS_INLINE void ROWS(tsr_index n, char *const *at, const ptrdiff_t *step, R (*const value)(C, C)) {
  const ptrdiff_t item = (ptrdiff_t)sizeof(C);
  R *const z = (R *)at[0];
  const C *const x = (const C *)at[1], *const y = (const C *)at[2];
  if (step[0] != (ptrdiff_t)sizeof(R)) {
    ROWS_PLAIN(n, at, step, value);
  } else if (step[1] == item && step[2] == item) {
    TSR__INDEPENDENT
    for (tsr_index i = 0; i < n; i++) z[i] = value(x[i], y[i]);
  } else if (step[1] == item && step[2] == 0) {
    const C repeated = *y;
    TSR__INDEPENDENT
    for (tsr_index i = 0; i < n; i++) z[i] = value(x[i], repeated);
  } else if (step[1] == 0 && step[2] == item) {
    const C repeated = *x;
    TSR__INDEPENDENT
    for (tsr_index i = 0; i < n; i++) z[i] = value(repeated, y[i]);
  } else {
    ROWS_PLAIN(n, at, step, value);
  }
}
