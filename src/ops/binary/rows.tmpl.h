/* The loops of a row with elements of C in and R out: ROWS(name) for ops that are a few instructions, each way that
 * rows usually lie with loops that the compiler can vectorise; ROWS_PLAIN(name) for ops that are not. */
TSR__ALWAYS_INLINE void ROWS_PLAIN(const void *arg, tsr_index n, char *const *at, const ptrdiff_t *step,
                                   R (*const value)(C, C)) {
  (void)arg;
  char *z = at[0];
  const char *x = at[1], *y = at[2];
  const ptrdiff_t z_step = step[0], x_step = step[1], y_step = step[2];
  for (tsr_index i = 0; i < n; i++, z += z_step, x += x_step, y += y_step)
    *(R *)z = value(*(const C *)x, *(const C *)y);
}

/* n elements; an input that is not on repeats its first. */
TSR__ALWAYS_INLINE void ROWS_RUN(tsr_index n, R *z, const C *x, int x_on, const C *y, int y_on,
                                 R (*const value)(C, C)) {
  TSR__INDEPENDENT
  for (tsr_index i = 0; i < n; i++) z[i] = value(x[x_on ? i : 0], y[y_on ? i : 0]);
}

/* part ≤ n ≤ 2·part: the first part elements and the last, which may lie over each other. Everything is read before
 * anything is written: the output may be an input. */
TSR__ALWAYS_INLINE void ROWS_ENDS(int part, tsr_index n, R *z, const C *x, int x_on, const C *y, int y_on,
                                  R (*const value)(C, C)) {
  R first[TSR__LINE / sizeof(C)], last[TSR__LINE / sizeof(C)];
  const tsr_index rest = n - part;
  ROWS_RUN(part, first, x, x_on, y, y_on, value);
  ROWS_RUN(part, last, x + (x_on ? rest : 0), x_on, y + (y_on ? rest : 0), y_on, value);
  memcpy(z, first, (size_t)part * sizeof(R));
  memcpy(z + rest, last, (size_t)part * sizeof(R));
}

#if TSR__VECTOR_BYTES > 0
/* Past the caches: the output begins at a line and n is a whole number of lines. */
TSR__ALWAYS_INLINE void ROWS_STREAM(tsr_index n, R *z, const C *x, int x_on, const C *y, int y_on,
                                    R (*const value)(C, C)) {
  enum { LINE = (int)(TSR__LINE / sizeof(R)) };
  for (tsr_index i = 0; i < n; i += LINE) {
    _Alignas(TSR__LINE) R line[LINE];
    ROWS_RUN(LINE, line, x + (x_on ? i : 0), x_on, y + (y_on ? i : 0), y_on, value);
    for (int byte = 0; byte < TSR__LINE; byte += TSR__VECTOR_BYTES)
      tsr__vector_stream((char *)(z + i) + byte, tsr__vector_load((const char *)line + byte));
  }
}
#endif

/* A row without gaps. Lengths of constant size are a few vectors and no loop; what is left of a long row is done with
 * the elements before it, rather than one by one. With ROWS_LEAN, and where there are no wide vectors, one loop: a tenth of
 * the code. */
TSR__ALWAYS_INLINE void ROWS_DENSE(bool stream, tsr_index n, R *z, const C *x, int x_on, const C *y, int y_on,
                                   R (*const value)(C, C)) {
  enum { LINE = (int)(TSR__LINE / sizeof(C)), STEP = LINE * (TSR__VECTOR_BYTES > 16 ? TSR__VECTOR_BYTES / 16 : 1) };
  if (ROWS_LEAN || TSR__VECTOR_BYTES == 0) {
    ROWS_RUN(n, z, x, x_on, y, y_on, value);
    return;
  }
#if TSR__VECTOR_BYTES > 0
  if (stream) {
    ROWS_STREAM(n, z, x, x_on, y, y_on, value);
    return;
  }
#else
  (void)stream;
#endif
  if (n >= LINE) {
    const tsr_index lines = n & -(tsr_index)LINE, first = lines - (lines == n ? 0 : LINE);
    tsr_index i = 0;
    for (; STEP > LINE && i + STEP <= first; i += STEP) /* four vectors */
      ROWS_RUN(STEP, z + i, x + (x_on ? i : 0), x_on, y + (y_on ? i : 0), y_on, value);
    ROWS_RUN((first - i) & -(tsr_index)LINE, z + i, x + (x_on ? i : 0), x_on, y + (y_on ? i : 0), y_on, value);
    if (first == n) return;
    ROWS_ENDS(LINE, n - first, z + first, x + (x_on ? first : 0), x_on, y + (y_on ? first : 0), y_on, value);
  } else if (n >= LINE / 2) {
    ROWS_ENDS(LINE / 2, n, z, x, x_on, y, y_on, value);
  } else if (n >= LINE / 4) {
    ROWS_ENDS(LINE / 4, n, z, x, x_on, y, y_on, value);
  } else {
    for (tsr_index i = 0; i < n; i++) z[i] = value(x[x_on ? i : 0], y[y_on ? i : 0]);
  }
}

/* stream is the kernel's first argument: not NULL where the output is to go past the caches (tsr__elementwise). */
TSR__ALWAYS_INLINE void ROWS(const void *stream, tsr_index n, char *const *at, const ptrdiff_t *step,
                             R (*const value)(C, C)) {
  const ptrdiff_t item = (ptrdiff_t)sizeof(C);
  R *const z = (R *)at[0];
  const C *const x = (const C *)at[1], *const y = (const C *)at[2];
  if (step[0] != (ptrdiff_t)sizeof(R)) {
    ROWS_PLAIN(NULL, n, at, step, value);
  } else if (step[1] == item && step[2] == item) {
    ROWS_DENSE(stream != NULL, n, z, x, 1, y, 1, value);
  } else if (step[1] == item && step[2] == 0) {
    const C repeated = *y;
    ROWS_DENSE(stream != NULL, n, z, x, 1, &repeated, 0, value);
  } else if (step[1] == 0 && step[2] == item) {
    const C repeated = *x;
    ROWS_DENSE(stream != NULL, n, z, &repeated, 0, y, 1, value);
  } else {
    ROWS_PLAIN(NULL, n, at, step, value);
  }
}
