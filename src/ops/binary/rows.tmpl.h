/* The loops of a row with elements of C in and R out: ROWS(name) for ops that are a few instructions, each way that
 * rows usually lie with loops that the compiler can vectorise; ROWS(_plain)(name) for ops that are not. Rows come in
 * row batches: ROWS(_steps) runs along each, element by element. */
TSR__ALWAYS_INLINE void ROWS(_steps)(const tsr__row_args *args, tsr_index n, char *const *at, ptrdiff_t z_step,
                                     ptrdiff_t x_step, ptrdiff_t y_step, R (*const value)(C, C)) {
  for (tsr_index row = 0; row < args->count; row++) {
    char *z = at[0] + args->next[0] * (ptrdiff_t)row;
    const char *x = at[1] + args->next[1] * (ptrdiff_t)row, *y = at[2] + args->next[2] * (ptrdiff_t)row;
    for (tsr_index i = 0; i < n; i++, z += z_step, x += x_step, y += y_step)
      *(R *)z = value(*(const C *)x, *(const C *)y);
  }
}

TSR__ALWAYS_INLINE void ROWS(_plain)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step,
                                     R (*const value)(C, C)) {
  ROWS(_steps)(args, n, at, step[0], step[1], step[2], value);
}

/* n elements; an input that is not on repeats its first. */
TSR__ALWAYS_INLINE void ROWS(_run)(tsr_index n, R *z, const C *x, int x_on, const C *y, int y_on,
                                   R (*const value)(C, C)) {
#if C_FLOAT && TSR__LOOPS_BY_FOUR
  for (; n >= 4; n -= 4) {
    z[0] = value(x[0], y[0]);
    z[1] = value(x[x_on ? 1 : 0], y[y_on ? 1 : 0]);
    z[2] = value(x[x_on ? 2 : 0], y[y_on ? 2 : 0]);
    z[3] = value(x[x_on ? 3 : 0], y[y_on ? 3 : 0]);
    z += 4;
    x += x_on ? 4 : 0;
    y += y_on ? 4 : 0;
  }
#endif
  TSR__INDEPENDENT TSR__KEEP_LOOP for (tsr_index i = 0; i < n; i++) z[i] = value(x[x_on ? i : 0], y[y_on ? i : 0]);
}

/* part ≤ n ≤ 2·part: the first part elements and the last, which may lie over each other. Everything is read before
 * anything is written: the output may be an input. */
TSR__ALWAYS_INLINE void ROWS(_ends)(int part, tsr_index n, R *z, const C *x, int x_on, const C *y, int y_on,
                                    R (*const value)(C, C)) {
  R first[PART_BYTES / sizeof(C)], last[PART_BYTES / sizeof(C)];
  const tsr_index rest = n - part;
  ROWS(_run)(part, first, x, x_on, y, y_on, value);
  ROWS(_run)(part, last, x + (x_on ? rest : 0), x_on, y + (y_on ? rest : 0), y_on, value);
  memcpy(z, first, (size_t)part * sizeof(R));
  memcpy(z + rest, last, (size_t)part * sizeof(R));
}

#if TSR__VEC_STREAMS
/* By non-temporal stores: the output begins at a line and n is a whole number of lines. */
TSR__ALWAYS_INLINE void ROWS(_stream)(tsr_index n, R *z, const C *x, int x_on, const C *y, int y_on,
                                      R (*const value)(C, C)) {
  enum { PART = (int)(PART_BYTES / sizeof(R)) };
  for (tsr_index i = 0; i < n; i += PART) {
    _Alignas(PART_BYTES) R part[PART];
    ROWS(_run)(PART, part, x + (x_on ? i : 0), x_on, y + (y_on ? i : 0), y_on, value);
    tsr__stream_32((char *)(z + i), (const char *)part);
  }
}
#endif

/* A contiguous row. What is left of it after whole vectors is done with the elements before it, rather than one by
 * one. Where lean, and where there are no wide vectors, one loop: a tenth of the code. */
TSR__ALWAYS_INLINE void ROWS(_contiguous)(bool lean, bool stream, tsr_index n, R *z, const C *x, int x_on, const C *y,
                                          int y_on, R (*const value)(C, C)) {
  enum { PART = (int)(PART_BYTES / sizeof(C)), MANY = 8 * PART };
  if (lean || !TSR__VEC_STREAMS) {
    ROWS(_run)(n, z, x, x_on, y, y_on, value);
    return;
  }
#if TSR__VEC_STREAMS
  if (stream) {
    ROWS(_stream)(n, z, x, x_on, y, y_on, value);
    return;
  }
#else
  (void)stream;
#endif
  if (n >= PART) {
    const tsr_index parts = n & -(tsr_index)PART, first = parts - (parts == n ? 0 : PART);
    tsr_index i = 0;
    for (; i + MANY <= first; i += MANY) {
      TSR__INDEPENDENT
      for (int k = 0; k < MANY; k++) z[i + k] = value(x[x_on ? i + k : 0], y[y_on ? i + k : 0]);
    }
    ROWS(_run)(first - i, z + i, x + (x_on ? i : 0), x_on, y + (y_on ? i : 0), y_on, value);
    if (first == n) return;
    ROWS(_ends)(PART, n - first, z + first, x + (x_on ? first : 0), x_on, y + (y_on ? first : 0), y_on, value);
  } else if (n >= PART / 2) {
    ROWS(_ends)(PART / 2, n, z, x, x_on, y, y_on, value);
  } else {
    ROWS(_run)(n, z, x, x_on, y, y_on, value);
  }
}

/* Contiguous rows, one after the other. An input that is not on repeats an element of each row. */
TSR__ALWAYS_INLINE void ROWS(_down)(bool lean, const tsr__row_args *args, tsr_index n, char *z, const char *x, int x_on,
                                    const char *y, int y_on, R (*const value)(C, C)) {
  const ptrdiff_t z_next = args->next[0], x_next = args->next[1], y_next = args->next[2];
  for (tsr_index row = 0; row < args->count; row++, z += z_next, x += x_next, y += y_next) {
    const C repeated = x_on && y_on ? 0 : x_on ? *(const C *)y : *(const C *)x;
    ROWS(_contiguous)
    (lean, args->stream, n, (R *)z, x_on ? (const C *)x : &repeated, x_on, y_on ? (const C *)y : &repeated, y_on,
     value);
  }
}

TSR__ALWAYS_INLINE void ROWS()(bool lean, const tsr__row_args *args, tsr_index n, char *const *at,
                               const ptrdiff_t *step, R (*const value)(C, C)) {
  const ptrdiff_t item = (ptrdiff_t)sizeof(C);
  char *const z = at[0];
  const char *const x = at[1], *const y = at[2];
  const bool contiguous = step[0] == (ptrdiff_t)sizeof(R), x_on = contiguous && step[1] == item,
             y_on = contiguous && step[2] == item;
  if (x_on && y_on)
    ROWS(_down)(lean, args, n, z, x, 1, y, 1, value);
  else if (x_on && step[2] == 0)
    ROWS(_down)(lean, args, n, z, x, 1, y, 0, value);
  else if (y_on && step[1] == 0)
    ROWS(_down)(lean, args, n, z, x, 0, y, 1, value);
  else if (contiguous)
    ROWS(_steps)(args, n, at, (ptrdiff_t)sizeof(R), step[1], step[2], value);
  else
    ROWS(_plain)(args, n, at, step, value);
}
#undef R
#undef ROWS
