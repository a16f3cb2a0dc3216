/* One complex dtype of powers, which are computed as pair. */
void FN(tsr__row_pow)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  (void)args;
  for (tsr_index i = 0; i < n; i++) {
    const C a = *(const C *)(const void *)(at[1] + (ptrdiff_t)i * step[1]);
    const C b = *(const C *)(const void *)(at[2] + (ptrdiff_t)i * step[2]);
    const pair z = power((pair){a.re, a.im}, (pair){b.re, b.im});
    *(C *)(void *)(at[0] + (ptrdiff_t)i * step[0]) = (C){(P)z.re, (P)z.im};
  }
}
