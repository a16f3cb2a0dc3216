/* One op on one compute type: JOIN(a, v) is a with one element more, VJOIN the same for vectors, NEUTRAL what changes
 * nothing, OP(name) a name of its own. */
#define V FN(tsr__vec)
#define LOAD(at) FN(tsr__vec_load)(at)
#define STORE(at, v) FN(tsr__vec_store)(at, v)
#define LANES ((tsr_index)(sizeof(V) / sizeof(C)))
#define LINE (TSR__POOL_LINE_BYTES / (int)sizeof(C))

/* ---- windows of many channels, or many columns of some rows: rows > 0 and columns > 0 ---- */

static inline C OP(single)(const char *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                           ptrdiff_t column_step) {
  C a = NEUTRAL;
  for (tsr_index r = 0; r < rows; r++, x += row_step) {
    const char *at = x;
    for (tsr_index c = 0; c < columns; c++, at += column_step) a = JOIN(a, *(const C *)(const void *)at);
  }
  return a;
}

static inline V OP(vector)(const char *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                           ptrdiff_t column_step) {
  V a = LOAD(x);
  for (tsr_index r = 0; r < rows; r++, x += row_step) {
    const char *at = x;
    for (tsr_index c = 0; c < columns; c++, at += column_step)
      if ((r | c) != 0) a = VJOIN(a, LOAD(at));
  }
  return a;
}

/* Four vectors at a time: each element of the window is looked up once for all of them. */
static inline void OP(vectors)(const char *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                               ptrdiff_t column_step, char *out) {
  enum { BYTES = sizeof(V) };
  V a = LOAD(x), b = LOAD(x + BYTES), c = LOAD(x + 2 * BYTES), d = LOAD(x + 3 * BYTES);
  const char *at = x + column_step;
  tsr_index   column = 1;
  for (tsr_index r = 0; r < rows; r++, x += row_step, at = x, column = 0)
    for (; column < columns; column++, at += column_step) {
      a = VJOIN(a, LOAD(at));
      b = VJOIN(b, LOAD(at + BYTES));
      c = VJOIN(c, LOAD(at + 2 * BYTES));
      d = VJOIN(d, LOAD(at + 3 * BYTES));
    }
  STORE(out, a);
  STORE(out + BYTES, b);
  STORE(out + 2 * BYTES, c);
  STORE(out + 3 * BYTES, d);
}

static void OP(fill)(tsr_index n, C *out) {
  for (tsr_index i = 0; i < n; i++) out[i] = NEUTRAL;
}

static void OP(fold)(tsr_index n, const void *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                     ptrdiff_t column_step, void *result) {
  const C *const at = x;
  C *const       out = result;
  tsr_index      j = 0;
  if (rows == 0 || columns == 0) {
    OP(fill)(n, out);
    return;
  }
#define AT(j) ((const char *)(at + (j))), rows, row_step, columns, column_step
  for (; j + 4 * LANES <= n; j += 4 * LANES) OP(vectors)(AT(j), (char *)(out + j));
  for (; j + LANES <= n; j += LANES) STORE(out + j, OP(vector)(AT(j)));
  if (j < n && n >= LANES) { /* the last ones once more, with their neighbours */
    STORE(out + (n - LANES), OP(vector)(AT(n - LANES)));
    return;
  }
  for (; j < n; j++) out[j] = OP(single)(AT(j));
#undef AT
}

/* ---- windows along a line ---- */

/* Columns of a line, rows joined. */
static inline V OP(column_vector)(const tsr__pool_line *line, const C *x) {
  return OP(vector)((const char *)x, line->rows, line->row_step, 1, 0);
}

/* Every other of 2·LANES columns, rows joined, to even, the others to odd. */
static inline void OP(halve)(const tsr__pool_line *line, const C *x, C *even, C *odd) {
  const V a = OP(column_vector)(line, x), b = OP(column_vector)(line, x + LANES);
  STORE(even, FN(tsr__vec_half)(a, b, 0));
  STORE(odd, FN(tsr__vec_half)(a, b, 1));
}

/* The same for n columns. */
static void OP(halves)(const tsr__pool_line *line, tsr_index n, const C *x, C *even, C *odd) {
  tsr_index i = 0;
  for (; i + 2 * LANES <= n; i += 2 * LANES) OP(halve)(line, x + i, even + i / 2, odd + i / 2);
  if (i + 1 < n && n >= 2 * LANES) { /* the last ones once more, with their neighbours */
    i = (n - 2 * LANES) / 2 * 2;
    OP(halve)(line, x + i, even + i / 2, odd + i / 2);
    i += 2 * LANES;
  }
  for (; i < n; i++) {
    const C v = OP(single)((const char *)(x + i), line->rows, line->row_step, 1, 0);
    *(i % 2 == 0 ? even + i / 2 : odd + i / 2) = v;
  }
}

/* Column c of count to phase c % stride, place c / stride: what one window after another needs lies side by side then.
 * Columns outside are NEUTRAL. */
static void OP(phases)(const tsr__pool_line *line, tsr_index count, tsr_index each, C *to) {
  const tsr_index stride = line->stride, first = line->first < 0 ? 0 : line->first, end = line->first + count;
  const tsr_index stop = end < line->length ? end : line->length,
                  inside = stop > first && line->rows > 0 ? stop - first : 0;
  const C *const  x = (const C *)line->x + first;
  tsr_index       i = first - line->first;
  if (inside < count) OP(fill)(each * stride, to);
  if (stride == 1) {
    if (inside > 0) OP(fold)(inside, x, line->rows, line->row_step, 1, 0, to + i);
  } else if (stride == 2) {
    C *const even = to + i % 2 * each + i / 2, *const odd = to + (i + 1) % 2 * each + (i + 1) / 2;
    OP(halves)(line, inside, x, even, odd);
  } else {
    for (tsr_index j = 0; j < inside; j++, i++)
      to[i % stride * each + i / stride] = OP(single)((const char *)(x + j), line->rows, line->row_step, 1, 0);
  }
}

/* out[i] over a[i], b[i], c[i]. */
static void OP(three)(tsr_index n, const C *a, const C *b, const C *c, C *out) {
  tsr_index i = 0;
  for (; i + LANES <= n; i += LANES) STORE(out + i, VJOIN(VJOIN(LOAD(a + i), LOAD(b + i)), LOAD(c + i)));
  if (i < n && n >= LANES) {
    i = n - LANES;
    STORE(out + i, VJOIN(VJOIN(LOAD(a + i), LOAD(b + i)), LOAD(c + i)));
    return;
  }
  for (; i < n; i++) out[i] = JOIN(JOIN(a[i], b[i]), c[i]);
}

static void OP(more)(tsr_index n, const C *a, C *out) {
  tsr_index i = 0;
  for (; i + LANES <= n; i += LANES) STORE(out + i, VJOIN(LOAD(out + i), LOAD(a + i)));
  for (; i < n; i++) out[i] = JOIN(out[i], a[i]);
}

static void OP(line)(const tsr__pool_line *line) {
  _Alignas(64) C  v[LINE];
  const tsr_index stride = line->stride, n = line->n;
  const tsr_index count = (n - 1) * stride + (line->kernel - 1) * line->dilation + 1, each = (count - 1) / stride + 1;
  C *const        out = line->out;
  OP(phases)(line, count, each, v);
#define TAP(k) (v + (k) * line->dilation % stride * each + (k) * line->dilation / stride)
  tsr_index k = line->kernel < 3 ? 1 : 3;
  if (k == 3)
    OP(three)(n, TAP(0), TAP(1), TAP(2), out);
  else
    memcpy(out, v, sizeof(C) * (size_t)n);
  for (; k < line->kernel; k++) OP(more)(n, TAP(k), out);
#undef TAP
}

#if HAS_DIVIDE
static void OP(divide)(tsr_index n, tsr_index count, void *result) {
  C *const out = result;
  const C  by = (C)count;
  for (tsr_index i = 0; i < n; i++) out[i] /= by;
}
#define DIVIDE OP(divide)
#else
#define DIVIDE NULL
#endif

static const tsr__pool_kernel OP(kernel) = {OP(fold), OP(line), DIVIDE};

#undef V
#undef LOAD
#undef STORE
#undef LANES
#undef LINE
#undef DIVIDE
