/* The kernels of pool.tmpl.h where flash is small: element by element, channels that lie side by side four at a time, joined
 * in the same order. OP(name), JOIN(a, v), NEUTRAL, HAS_DIVIDE as there; JOIN_NUMBERS(a, v) is JOIN where neither is NaN, VJOIN_NUMBERS the
 * same of vectors, and WATCHES says whether NaN has to be looked for. */

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

/* Four channels. Where the sum of everything is NaN, one of the numbers may have been, and they are done one by one. */
#if defined(TSR__MVE_ELEMENTS)

static inline float32x4_t OP(column_four)(const char *x, tsr_index rows, ptrdiff_t row_step, float32x4_t *watch) {
  float32x4_t a = vldrwq_f32((const float *)(const void *)x);
  if (WATCHES) *watch = vaddq_f32(*watch, a);
  while (--rows > 0) {
    x += row_step;
    const float32x4_t v = vldrwq_f32((const float *)(const void *)x);
    a = VJOIN_NUMBERS(a, v);
    if (WATCHES) *watch = vaddq_f32(*watch, v);
  }
  return a;
}

static inline bool OP(fold_four)(const char *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                                 ptrdiff_t column_step, C *out) {
  float32x4_t watch = vdupq_n_f32(0), a = OP(column_four)(x, rows, row_step, &watch);
  while (--columns > 0) {
    x += column_step;
    const float32x4_t v = OP(column_four)(x, rows, row_step, &watch);
    a = VJOIN_NUMBERS(a, v);
  }
  if (WATCHES && vcmpneq_f32(watch, watch) != 0) return false;
  vstrwq_f32(out, a);
  return true;
}

#else

typedef struct OP(numbers) {
  C a, b, c, d;
} OP(numbers);

static inline OP(numbers) OP(load)(const char *x, C *watch) {
  const C *const at = (const C *)(const void *)x;
  const OP(numbers) v = {at[0], at[1], at[2], at[3]};
  if (WATCHES) *watch += (v.a + v.b) + (v.c + v.d);
  return v;
}

static inline OP(numbers) OP(join)(OP(numbers) x, OP(numbers) v) {
  return (OP(numbers)){JOIN_NUMBERS(x.a, v.a), JOIN_NUMBERS(x.b, v.b), JOIN_NUMBERS(x.c, v.c), JOIN_NUMBERS(x.d, v.d)};
}

static inline OP(numbers) OP(column_four)(const char *x, tsr_index rows, ptrdiff_t row_step, C *watch) {
  OP(numbers) a = OP(load)(x, watch);
  while (--rows > 0) {
    x += row_step;
    a = OP(join)(a, OP(load)(x, watch));
  }
  return a;
}

static inline bool OP(fold_four)(const char *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                                 ptrdiff_t column_step, C *out) {
  C watch = 0;
  OP(numbers) a = OP(column_four)(x, rows, row_step, &watch);
  while (--columns > 0) {
    x += column_step;
    a = OP(join)(a, OP(column_four)(x, rows, row_step, &watch));
  }
  if (WATCHES && watch != watch) return false;
  out[0] = a.a;
  out[1] = a.b;
  out[2] = a.c;
  out[3] = a.d;
  return true;
}

#endif

static void OP(fold)(tsr_index n, const void *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                     ptrdiff_t column_step, void *result) {
  const C *at = x;
  C *out = result;
  if (rows == 0 || columns == 0) {
    for (tsr_index j = 0; j < n; j++) out[j] = NEUTRAL;
    return;
  }
  while (n > 0) {
    const bool four = n >= 4 && OP(fold_four)((const char *)at, rows, row_step, columns, column_step, out);
    const int done = n >= 4 ? 4 : (int)n;
    for (int k = 0; k < done && !four; k++)
      out[k] = OP(single)((const char *)(at + k), rows, row_step, columns, column_step);
    n -= done;
    at += done;
    out += done;
  }
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
