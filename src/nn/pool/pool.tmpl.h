/* One op on one compute type: JOIN(a, v) is a with one element more, NEUTRAL what changes nothing, OP(name) a name of its
 * own. */
#define LANES (TSR_HAVE_MALLOC ? 64 / (int)sizeof(C) : 4) /* a register, or a few */
#define LINE (TSR__POOL_LINE_BYTES / (int)sizeof(C))

#if !HAS_DIVIDE
/* NaN when either is. */
static inline C FN(greater)(C a, C v) {
  const C most = v > a ? v : a;
  return v != v ? v : most;
}
#endif

/* ---- windows of many channels, or many columns of some rows ---- */

/* One register of results; lanes, so that it stays one. */
static inline void OP(lanes)(const char *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                             ptrdiff_t column_step, C *restrict out) {
  C a[LANES];
  for (int l = 0; l < LANES; l++) a[l] = NEUTRAL;
  for (tsr_index r = 0; r < rows; r++, x += row_step) {
    const char *at = x;
    for (tsr_index c = 0; c < columns; c++, at += column_step) {
      const C *const v = (const C *)(const void *)at;
      for (int l = 0; l < LANES; l++) a[l] = JOIN(a[l], v[l]);
    }
  }
  for (int l = 0; l < LANES; l++) out[l] = a[l];
}

static inline C OP(single)(const char *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns, ptrdiff_t column_step) {
  C a = NEUTRAL;
  for (tsr_index r = 0; r < rows; r++, x += row_step) {
    const char *at = x;
    for (tsr_index c = 0; c < columns; c++, at += column_step) a = JOIN(a, *(const C *)(const void *)at);
  }
  return a;
}

static void OP(fold)(tsr_index n, const void *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                     ptrdiff_t column_step, void *result) {
  const char *const at = x;
  C *const          out = result;
  tsr_index         j = 0;
  for (; j + LANES <= n; j += LANES)
    OP(lanes)(at + j * (tsr_index)sizeof(C), rows, row_step, columns, column_step, out + j);
  if (j < n && n >= LANES) { /* the last ones once more, with their neighbours */
    j = n - LANES;
    OP(lanes)(at + j * (tsr_index)sizeof(C), rows, row_step, columns, column_step, out + j);
    return;
  }
  for (; j < n; j++) out[j] = OP(single)(at + j * (tsr_index)sizeof(C), rows, row_step, columns, column_step);
}

/* ---- windows along a line ---- */

/* The columns that the windows of a line are over, rows joined: NEUTRAL outside. Returns how many. */
static tsr_index OP(columns)(const tsr__pool_line *line, C *restrict v) {
  const tsr_index count = (line->n - 1) * line->stride + (line->kernel - 1) * line->dilation + 1;
  const tsr_index first = line->first < 0 ? 0 : line->first, end = line->first + count;
  const tsr_index to = end < line->length ? end : line->length;
  tsr_index       i = 0;
  for (; i < first - line->first && i < count; i++) v[i] = NEUTRAL;
  if (to > first) {
    const char *const x = (const char *)line->x + first * (tsr_index)sizeof(C);
    OP(fold)(to - first, x, line->rows, line->row_step, 1, 0, v + i);
    i += to - first;
  }
  for (; i < count; i++) v[i] = NEUTRAL;
  return count;
}

/* Columns that are stride apart side by side: column c to phase c % stride, place c / stride. */
static void OP(split)(tsr_index count, tsr_index stride, const C *restrict v, tsr_index each, C *restrict to) {
  if (stride == 2) {
    C *const restrict odd = to + each;
    for (tsr_index i = 0; i < count / 2; i++) {
      to[i] = v[2 * i];
      odd[i] = v[2 * i + 1];
    }
    if (count % 2 != 0) to[count / 2] = v[count - 1];
    return;
  }
  for (tsr_index phase = 0; phase < stride; phase++)
    for (tsr_index i = 0; i * stride + phase < count; i++) to[phase * each + i] = v[i * stride + phase];
}

static void OP(line)(const tsr__pool_line *line) {
  _Alignas(64) C  v[LINE];
  _Alignas(64) C  phases[LINE];
  const tsr_index stride = line->stride, n = line->n, count = OP(columns)(line, v), each = (count - 1) / stride + 1;
  const C        *from = v;
  C *restrict     out = line->out;
  if (stride > 1) {
    OP(split)(count, stride, v, each, phases);
    from = phases;
  }
#define TAP(k) (from + (k) * line->dilation % stride * each + (k) * line->dilation / stride)
  if (line->kernel == 3) {
    const C *const a = TAP(0), *const b = TAP(1), *const c = TAP(2);
    for (tsr_index i = 0; i < n; i++) out[i] = JOIN(JOIN(a[i], b[i]), c[i]);
    return;
  }
  for (tsr_index i = 0; i < n; i++) out[i] = from[i];
  for (tsr_index k = 1; k < line->kernel; k++) {
    const C *const a = TAP(k);
    for (tsr_index i = 0; i < n; i++) out[i] = JOIN(out[i], a[i]);
  }
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

#undef LANES
#undef LINE
#undef DIVIDE
