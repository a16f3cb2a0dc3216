/* The kernels of pool.tmpl.h where flash is small: element by element, channels that lie side by side four at a time, joined
 * in the same order. OP(name), JOIN(a, v), NEUTRAL, HAS_DIVIDE as there; JOIN_NUMBERS(a, v) is JOIN where neither is NaN, VJOIN_NUMBERS
 * makes it a vector's, SQUARE is the loop of squares.h that does whole windows of 2 x 2, and WATCHES says whether NaN has to be looked for. */

#include "nn/pool/pool_divide.tmpl.h"

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

#if C_BITS == 32 && defined(TSR__MVE_FLOAT)

/* By vectors; none are done where they took a subnormal number for 0, or met a NaN that is to be seen. */
static inline tsr_index OP(fold_fours)(tsr_index n, const char *x, tsr_index rows, ptrdiff_t row_step,
                                       tsr_index columns, ptrdiff_t column_step, C *out) {
  const uint32_t odd = TSR__SUBNORMAL_LOST | (WATCHES ? TSR__NAN_COMPARED : 0), before = tsr__flags_begin(odd);
  for (tsr_index left = n; left > 0; left -= 4, x += 4 * (int)sizeof(C), out += 4) {
    const mve_pred16_t there = vctp32q((uint32_t)left);
    const char *column = x;
    float32x4_t all = vdupq_n_f32(0);
    for (tsr_index c = 0; c < columns; c++, column += column_step) {
      const char *at = column;
      float32x4_t a = vldrwq_z_f32((const float *)(const void *)at, there);
      for (tsr_index r = 1; r < rows; r++) {
        at += row_step;
        VJOIN_NUMBERS(a, vldrwq_z_f32((const float *)(const void *)at, there));
      }
      if (c == 0)
        all = a;
      else
        VJOIN_NUMBERS(all, a);
    }
    vstrwq_p_f32(out, all, there);
  }
  return tsr__flags_end(before, odd) ? 0 : n;
}

#elif WATCHES && C_BITS == 32 && !defined(TSR__FLOAT_FLAGS)

/* Where floats are functions: integers in their order, both zeros alike. */
static inline tsr_index OP(fold_fours)(tsr_index n, const char *x, tsr_index rows, ptrdiff_t row_step,
                                       tsr_index columns, ptrdiff_t column_step, C *out) {
  for (tsr_index i = 0; i < n; i++, x += sizeof(C)) {
    int32_t most = INT32_MIN, bits = 0;
    const char *column = x;
    for (tsr_index c = columns; c > 0; c--, column += column_step) {
      const char *at = column;
      for (tsr_index r = rows; r > 0; r--, at += row_step) {
        const int32_t v = ((const tsr__float_as_integer *)(const void *)at)->bits, order = tsr__order_of(v);
        if ((uint32_t)v << 1 > 0xff000000U) return i; /* NaN */
        if (order > most) {
          most = order;
          bits = v;
        }
      }
    }
    ((tsr__float_as_integer *)(void *)&out[i])->bits = bits;
  }
  return n;
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
  OP(numbers) a;
  if (rows == 2 && columns == 2) { /* what most windows are */
    const OP(numbers) below = OP(join)(OP(load)(x, &watch), OP(load)(x + row_step, &watch));
    const char *const next = x + column_step;
    a = OP(join)(below, OP(join)(OP(load)(next, &watch), OP(load)(next + row_step, &watch)));
  } else {
    a = OP(column_four)(x, rows, row_step, &watch);
    while (--columns > 0) {
      x += column_step;
      a = OP(join)(a, OP(column_four)(x, rows, row_step, &watch));
    }
  }
  if (WATCHES && watch != watch) return false;
  out[0] = a.a;
  out[1] = a.b;
  out[2] = a.c;
  out[3] = a.d;
  return true;
}

/* How many are done: up to four where one may be NaN. */
static inline tsr_index OP(fold_fours)(tsr_index n, const char *x, tsr_index rows, ptrdiff_t row_step,
                                       tsr_index columns, ptrdiff_t column_step, C *out) {
  tsr_index i = 0;
  while (i + 4 <= n && OP(fold_four)(x + i * (tsr_index)sizeof(C), rows, row_step, columns, column_step, out + i))
    i += 4;
  return i;
}

#endif

/* n channels of a window; where they are not all done at once, four by four with care. */
static void OP(fold_rest)(tsr_index n, const char *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                          ptrdiff_t column_step, C *out) {
  while (n > 0) {
    const tsr_index done = OP(fold_fours)(n, x, rows, row_step, columns, column_step, out);
    n -= done;
    x += done * (tsr_index)sizeof(C);
    out += done;
    for (tsr_index k = n < 4 ? n : 4; k > 0; k--, n--, x += sizeof(C))
      *out++ = OP(single)(x, rows, row_step, columns, column_step);
  }
}

static void OP(fold)(tsr_index n, const void *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                     ptrdiff_t column_step, void *result) {
  C *out = result;
  if (rows == 0 || columns == 0) {
    for (tsr_index j = 0; j < n; j++) out[j] = NEUTRAL;
    return;
  }
  OP(fold_rest)(n, x, rows, row_step, columns, column_step, out);
}

static void OP(slide)(const tsr__pool_slide *s) {
  const tsr_index n = s->channels;
  const bool square = C_BITS == 32 && s->rows == 2 && s->columns == 2 && s->count == 4;
  const char *x = s->x;
  char *to = s->out;
  for (tsr_index i = 0; i < s->windows; i++, x += s->column_step * (ptrdiff_t)s->stride, to += s->out_step) {
    C *const out = (C *)(void *)to;
    const tsr_index done = square ? SQUARE(n, tsr__square_at(x, s->row_step, s->column_step, out)) : 0;
    if (done == n) continue;
    OP(fold_rest)
    (n - done, x + done * (tsr_index)sizeof(C), s->rows, s->row_step, s->columns, s->column_step, out + done);
#if HAS_DIVIDE
    OP(divide)(n - done, s->count, out + done);
#endif
  }
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
