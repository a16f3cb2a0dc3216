/* The loops of a row with elements of A, C and C in, and C out: each way that rows usually lie, and any way. p is the
 * number of ops that have one. */
TSR__ALWAYS_INLINE void ROWS_PLAIN(tsr_index n, char *const *at, const ptrdiff_t *step, C p,
                                   C (*const value)(A, C, C, C)) {
  char *z = at[0];
  const char *x = at[1], *y = at[2], *w = at[3];
  const ptrdiff_t z_step = step[0], x_step = step[1], y_step = step[2], w_step = step[3];
  for (tsr_index i = 0; i < n; i++, z += z_step, x += x_step, y += y_step, w += w_step)
    *(C *)z = value(*(const A *)x, *(const C *)y, *(const C *)w, p);
}

TSR__ALWAYS_INLINE void ROWS(tsr_index n, char *const *at, const ptrdiff_t *step, C p, C (*const value)(A, C, C, C)) {
  const ptrdiff_t item = (ptrdiff_t)sizeof(C);
  C *const z = (C *)at[0];
  const A *const x = (const A *)at[1];
  const C *const y = (const C *)at[2], *const w = (const C *)at[3];
  if (step[0] != item || step[1] != (ptrdiff_t)sizeof(A)) {
    ROWS_PLAIN(n, at, step, p, value);
  } else if (step[2] == item && step[3] == item) {
    TSR__INDEPENDENT
    for (tsr_index i = 0; i < n; i++) z[i] = value(x[i], y[i], w[i], p);
  } else if (step[2] == item && step[3] == 0) {
    const C repeated = *w;
    TSR__INDEPENDENT
    for (tsr_index i = 0; i < n; i++) z[i] = value(x[i], y[i], repeated, p);
  } else if (step[2] == 0 && step[3] == item) {
    const C repeated = *y;
    TSR__INDEPENDENT
    for (tsr_index i = 0; i < n; i++) z[i] = value(x[i], repeated, w[i], p);
  } else if (step[2] == 0 && step[3] == 0) {
    const C second = *y, third = *w;
    TSR__INDEPENDENT
    for (tsr_index i = 0; i < n; i++) z[i] = value(x[i], second, third, p);
  } else {
    ROWS_PLAIN(n, at, step, p, value);
  }
}
