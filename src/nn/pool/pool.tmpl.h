/* One op on one compute type: JOIN(a, v) is a with one element more, VJOIN the same for vectors, NEUTRAL what changes
 * nothing, OP(name) a name of its own. */
#define V TSR__VEC(tsr__v, C_NAME)
#define VF(name) TSR__VEC(V, name)
#define LOAD(at) VF(_load)(at)
#define STORE(at, v) VF(_store)(at, v)
#define LANES ((tsr_index)(sizeof(V) / sizeof(C)))
#define LINE (TSR__POOL_LINE_BYTES / (int)sizeof(C))

#include "nn/pool/pool_divide.tmpl.h"

/* ---- windows of many channels, or many columns of some rows: rows > 0 and columns > 0 ---- */

static inline C OP(column_single)(const char *x, tsr_index rows, ptrdiff_t row_step) {
  C a = *(const C *)(const void *)x;
  for (tsr_index r = 1; r < rows; r++) a = JOIN(a, *(const C *)(const void *)(x + row_step * (ptrdiff_t)r));
  return a;
}

static inline C OP(single)(const char *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                           ptrdiff_t column_step) {
  C a = OP(column_single)(x, rows, row_step);
  for (tsr_index c = 1; c < columns; c++)
    a = JOIN(a, OP(column_single)(x + column_step * (ptrdiff_t)c, rows, row_step));
  return a;
}

static inline V OP(column)(const char *x, tsr_index rows, ptrdiff_t row_step) {
  V a = LOAD(x);
  for (tsr_index r = 1; r < rows; r++) a = VJOIN(a, LOAD(x + row_step * (ptrdiff_t)r));
  return a;
}

static inline V OP(vector)(const char *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                           ptrdiff_t column_step) {
  V a = OP(column)(x, rows, row_step);
  for (tsr_index c = 1; c < columns; c++) a = VJOIN(a, OP(column)(x + column_step * (ptrdiff_t)c, rows, row_step));
  return a;
}

/* Four vectors at a time: each element of the window is looked up once for all of them. */
static inline void OP(vectors)(const char *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                               ptrdiff_t column_step, char *out) {
  enum { BYTES = sizeof(V) };
  V a = LOAD(x), b = LOAD(x + BYTES), c = LOAD(x + 2 * BYTES), d = LOAD(x + 3 * BYTES);
  for (tsr_index column = 0; column < columns; column++, x += column_step) {
    V p = LOAD(x), q = LOAD(x + BYTES), s = LOAD(x + 2 * BYTES), t = LOAD(x + 3 * BYTES);
    for (tsr_index r = 1; r < rows; r++) {
      const char *const at = x + row_step * (ptrdiff_t)r;
      p = VJOIN(p, LOAD(at));
      q = VJOIN(q, LOAD(at + BYTES));
      s = VJOIN(s, LOAD(at + 2 * BYTES));
      t = VJOIN(t, LOAD(at + 3 * BYTES));
    }
    a = column == 0 ? p : VJOIN(a, p);
    b = column == 0 ? q : VJOIN(b, q);
    c = column == 0 ? s : VJOIN(c, s);
    d = column == 0 ? t : VJOIN(d, t);
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
  C *const out = result;
  tsr_index j = 0;
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

/* ---- windows of many channels that share columns ---- */

/* One vector of all windows: the columns of one are kept for the next. rows and stride are constants where it
 * is called, so that nothing of this is a loop but the windows. */
static inline void OP(slide_vector)(const tsr__pool_slide *s, tsr_index rows, tsr_index stride, const char *x,
                                    char *out) {
  const ptrdiff_t step = s->column_step;
  V a = OP(column)(x, rows, s->row_step), b = a;
  if (stride == 1) b = OP(column)(x + step, rows, s->row_step);
  for (tsr_index i = 0; i < s->windows; i++, x += step * (ptrdiff_t)stride, out += s->out_step) {
    if (stride == 2) b = OP(column)(x + step, rows, s->row_step);
    const V c = OP(column)(x + 2 * step, rows, s->row_step);
    STORE(out, VJOIN(VJOIN(a, b), c));
    a = stride == 2 ? c : b;
    b = c;
  }
}

/* Two of them. */
static inline void OP(slide_two)(const tsr__pool_slide *s, tsr_index rows, tsr_index stride, const char *x, char *out) {
  enum { BYTES = sizeof(V) };
  const ptrdiff_t step = s->column_step, down = s->row_step;
  V a = OP(column)(x, rows, down), d = OP(column)(x + BYTES, rows, down), b = a, e = d;
  if (stride == 1) {
    b = OP(column)(x + step, rows, down);
    e = OP(column)(x + step + BYTES, rows, down);
  }
  for (tsr_index i = 0; i < s->windows; i++, x += step * (ptrdiff_t)stride, out += s->out_step) {
    if (stride == 2) {
      b = OP(column)(x + step, rows, down);
      e = OP(column)(x + step + BYTES, rows, down);
    }
    const V c = OP(column)(x + 2 * step, rows, down), f = OP(column)(x + 2 * step + BYTES, rows, down);
    STORE(out, VJOIN(VJOIN(a, b), c));
    STORE(out + BYTES, VJOIN(VJOIN(d, e), f));
    a = stride == 2 ? c : b;
    d = stride == 2 ? f : e;
    b = c;
    e = f;
  }
}

static inline void OP(slide_all)(const tsr__pool_slide *s, tsr_index rows, tsr_index stride) {
  const C *const x = s->x;
  C *const out = s->out;
  tsr_index j = 0;
  for (; j + 2 * LANES <= s->channels; j += 2 * LANES)
    OP(slide_two)(s, rows, stride, (const char *)(x + j), (char *)(out + j));
  for (; j < s->channels; j += LANES) { /* the last ones once more, with their neighbours */
    if (j + LANES > s->channels) j = s->channels - LANES;
    OP(slide_vector)(s, rows, stride, (const char *)(x + j), (char *)(out + j));
  }
}

static void OP(slide)(const tsr__pool_slide *s) {
  if (s->channels < LANES) {
    const char *x = s->x;
    char *out = s->out;
    for (tsr_index i = 0; i < s->windows; i++, x += s->column_step * (ptrdiff_t)s->stride, out += s->out_step)
      OP(fold)(s->channels, x, s->rows, s->row_step, 3, s->column_step, out);
  } else if (s->rows == 3 && s->stride == 2) {
    OP(slide_all)(s, 3, 2);
  } else if (s->rows == 3) {
    OP(slide_all)(s, 3, 1);
  } else if (s->stride == 2) {
    OP(slide_all)(s, s->rows, 2);
  } else {
    OP(slide_all)(s, s->rows, 1);
  }
#if HAS_DIVIDE
  for (tsr_index i = 0; i < s->windows; i++)
    OP(divide)(s->channels, s->count, (char *)s->out + s->out_step * (ptrdiff_t)i);
#endif
}

/* ---- windows along a line ---- */

/* Columns of a line, rows joined. */
static inline V OP(column_vector)(const tsr__pool_line *line, const C *x) {
  return OP(vector)((const char *)x, line->rows, line->row_step, 1, 0);
}

/* Every other of 2·LANES columns, rows joined, to even, the others to odd. */
static inline void OP(halve)(const tsr__pool_line *line, const C *x, C *even, C *odd) {
  const V a = OP(column_vector)(line, x), b = OP(column_vector)(line, x + LANES);
  STORE(even, VF(_even)(a, b));
  STORE(odd, VF(_odd)(a, b));
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
  const C *const x = (const C *)line->x + first;
  tsr_index i = first - line->first;
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

/* Window i, columns outside counted as NEUTRAL. */
static C OP(edge)(const tsr__pool_line *line, tsr_index i) {
  C a = NEUTRAL;
  for (tsr_index k = 0; k < line->kernel; k++) {
    const tsr_index c = line->first + i * line->stride + k * line->dilation;
    const bool inside = c >= 0 && c < line->length;
    const C v =
        inside ? OP(column_single)((const char *)((const C *)line->x + c), line->rows, line->row_step) : NEUTRAL;
    a = k == 0 ? v : JOIN(a, v);
  }
  return a;
}

/* LANES windows of two columns, or three, that begin at every other column from x on. */
static inline V OP(pairs_at)(const C *x, tsr_index rows, ptrdiff_t row_step, tsr_index kernel) {
  const V a = OP(column)((const char *)x, rows, row_step), b = OP(column)((const char *)(x + LANES), rows, row_step);
  const V two = VJOIN(VF(_even)(a, b), VF(_odd)(a, b));
  if (kernel == 2) return two;
  const V c = OP(column)((const char *)(x + 1), rows, row_step);
  const V d = OP(column)((const char *)(x + 1 + LANES), rows, row_step);
  return VJOIN(two, VF(_odd)(c, d));
}

/* n ≥ LANES windows without columns outside, stride 2: every other column is taken from two vectors in registers. left:
 * columns that can be read. */
static inline void OP(pairs)(tsr_index n, const C *x, tsr_index left, tsr_index rows, ptrdiff_t row_step,
                             tsr_index kernel, C *out) {
  tsr_index i = 0;
  if (kernel == 3) {
    V a = OP(column)((const char *)x, rows, row_step);
    for (; i + LANES <= n && 2 * i + 3 * LANES <= left; i += LANES) {
      const C *const at = x + 2 * i;
      const V b = OP(column)((const char *)(at + LANES), rows, row_step);
      const V c = OP(column)((const char *)(at + 2 * LANES), rows, row_step);
      const V even = VF(_even)(a, b), odd = VF(_odd)(a, b);
      STORE(out + i, VJOIN(VJOIN(even, odd), VF(_slide)(even, c)));
      a = c;
    }
  }
  for (; i < n; i += LANES) { /* the last ones once more, with their neighbours */
    if (i + LANES > n) i = n - LANES;
    STORE(out + i, OP(pairs_at)(x + 2 * i, rows, row_step, kernel));
  }
}

static void OP(pairs_line)(const tsr__pool_line *line) {
  const tsr_index n = line->to - line->from, first = line->first + 2 * line->from, left = line->length - first;
  const C *const x = (const C *)line->x + first;
  C *const out = (C *)line->out + line->from;
  for (tsr_index i = 0; i < line->from; i++) ((C *)line->out)[i] = OP(edge)(line, i);
  for (tsr_index i = line->to; i < line->n; i++) ((C *)line->out)[i] = OP(edge)(line, i);
  if (line->kernel == 3 && line->rows == 3)
    OP(pairs)(n, x, left, 3, line->row_step, 3, out);
  else if (line->kernel == 3)
    OP(pairs)(n, x, left, line->rows, line->row_step, 3, out);
  else if (line->rows == 2)
    OP(pairs)(n, x, left, 2, line->row_step, 2, out);
  else
    OP(pairs)(n, x, left, line->rows, line->row_step, 2, out);
}

static void OP(general_line)(const tsr__pool_line *line) {
  _Alignas(64) C v[LINE];
  const tsr_index stride = line->stride, n = line->n;
  const tsr_index count = (n - 1) * stride + (line->kernel - 1) * line->dilation + 1, each = (count - 1) / stride + 1;
  C *const out = line->out;
  OP(phases)(line, count, each, v);
#define TAP(k) (v + (k)*line->dilation % stride * each + (k)*line->dilation / stride)
  tsr_index k = line->kernel < 3 ? 1 : 3;
  if (k == 3)
    OP(three)(n, TAP(0), TAP(1), TAP(2), out);
  else
    memcpy(out, v, sizeof(C) * (size_t)n);
  for (; k < line->kernel; k++) OP(more)(n, TAP(k), out);
#undef TAP
}

static void OP(line)(const tsr__pool_line *line) {
  const bool pairs = line->stride == 2 && line->dilation == 1 && (line->kernel == 2 || line->kernel == 3);
  if (pairs && line->rows > 0 && line->to - line->from >= LANES)
    OP(pairs_line)(line);
  else
    OP(general_line)(line);
}

#include "nn/pool/pool_table.tmpl.h"

#undef V
#undef VF
#undef LOAD
#undef STORE
#undef LANES
#undef LINE
