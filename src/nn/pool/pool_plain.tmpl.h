/* The kernels of pool.tmpl.h where there are no vectors and flash is small: element by element, joined in the same order.
 * OP(name), JOIN(a, v), NEUTRAL, HAS_DIVIDE as there. */

static inline C OP(column_single)(const char *x, tsr_index rows, ptrdiff_t row_step) {
  C a = *(const C *)(const void *)x;
  while (--rows > 0) {
    x += row_step;
    a = JOIN(a, *(const C *)(const void *)x);
  }
  return a;
}

static inline C OP(single)(const char *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                           ptrdiff_t column_step) {
  C a = OP(column_single)(x, rows, row_step);
  while (--columns > 0) {
    x += column_step;
    a = JOIN(a, OP(column_single)(x, rows, row_step));
  }
  return a;
}

static void OP(fold)(tsr_index n, const void *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                     ptrdiff_t column_step, void *result) {
  const C *const at = x;
  C *const out = result;
  const bool none = rows == 0 || columns == 0;
  for (tsr_index j = 0; j < n; j++)
    out[j] = none ? NEUTRAL : OP(single)((const char *)(at + j), rows, row_step, columns, column_step);
}

static void OP(slide)(const tsr__pool_slide *s) {
  const char *x = s->x;
  char *out = s->out;
  for (tsr_index i = 0; i < s->windows; i++, x += s->column_step * (ptrdiff_t)s->stride, out += s->out_step)
    OP(fold)(s->channels, x, s->rows, s->row_step, 3, s->column_step, out);
}

/* Window i, columns outside counted as NEUTRAL. */
static C OP(edge)(const tsr__pool_line *line, tsr_index i) {
  tsr_index c = line->first + i * line->stride;
  C a = NEUTRAL;
  for (tsr_index k = 0; k < line->kernel; k++, c += line->dilation) {
    const bool inside = c >= 0 && c < line->length;
    const C v =
        inside ? OP(column_single)((const char *)((const C *)line->x + c), line->rows, line->row_step) : NEUTRAL;
    a = k == 0 ? v : JOIN(a, v);
  }
  return a;
}

static void OP(edges)(const tsr__pool_line *line, tsr_index from, tsr_index to) {
  C *const out = line->out;
  for (tsr_index i = from; i < to; i++) out[i] = line->rows == 0 ? NEUTRAL : OP(edge)(line, i);
}

static void OP(line)(const tsr__pool_line *line) {
  const tsr_index rows = line->rows, columns = line->kernel, from = line->from, to = rows == 0 ? from : line->to;
  const ptrdiff_t step = (ptrdiff_t)line->stride * (ptrdiff_t)sizeof(C), row_step = line->row_step;
  const ptrdiff_t column = (ptrdiff_t)line->dilation * (ptrdiff_t)sizeof(C);
  const char *x = (const char *)((const C *)line->x + line->first + from * line->stride);
  C *const out = line->out;
  if (from > 0) OP(edges)(line, 0, from);
  for (tsr_index i = from; i < to; i++, x += step) out[i] = OP(single)(x, rows, row_step, columns, column);
  if (to < line->n) OP(edges)(line, to, line->n);
}

#include "nn/pool/pool_table.tmpl.h"
