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
#if WATCHES && defined(TSR__MVE)

/* By integers in the order of the floats, which take no subnormal number for 0: sizes with the sign, so that both zeros are one. Of
 * numbers that are equal the first stays. */
typedef struct OP(numbers) {
  int32x4_t v, order;
  uint32x4_t widest; /* size of all so far: above that of infinity there was a NaN */
} OP(numbers);

/* By hand: compilers take predicates out of their register and put them back. */
static inline void OP(take)(const char *x, int32x4_t mask, OP(numbers) * a) {
  int32x4_t v = vldrwq_s32((const int32_t *)(const void *)x), size = vandq_s32(v, mask), order = vnegq_s32(size);
  a->widest = vmaxq_u32(a->widest, vreinterpretq_u32_s32(size));
  __asm__(
      "vcmp.s32 lt, %q[v], zr\n vpsel %q[order], %q[order], %q[size]\n"
      "vcmp.s32 gt, %q[order], %q[most]\n vpsel %q[a], %q[v], %q[a]\n"
      : [order] "+&w"(order), [a] "+w"(a->v)
      : [v] "w"(v), [size] "w"(size), [most] "w"(a->order)
      : "p0");
  a->order = vmaxq_s32(order, a->order);
}

static inline bool OP(fold_four)(const char *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns,
                                 ptrdiff_t column_step, C *out) {
  const int32x4_t mask = vdupq_n_s32(INT32_MAX);
  OP(numbers) a = {vdupq_n_s32(0), vdupq_n_s32(INT32_MIN), vdupq_n_u32(0)};
  for (; columns > 0; columns--, x += column_step) {
    if (rows == 2) { /* what most windows have */
      OP(take)(x, mask, &a);
      OP(take)(x + row_step, mask, &a);
      continue;
    }
    const char *at = x;
    for (tsr_index r = rows; r > 0; r--, at += row_step) OP(take)(at, mask, &a);
  }
  if (vmaxvq_u32(0, a.widest) > 0x7f800000) return false;
  vstrwq_s32((int32_t *)(void *)out, a.v);
  return true;
}

#elif defined(TSR__MVE_ELEMENTS)

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
    for (; n >= 4 && OP(fold_four)((const char *)at, rows, row_step, columns, column_step, out); n -= 4) {
      at += 4;
      out += 4;
    }
    for (tsr_index k = n < 4 ? n : 4; k > 0; k--, n--)
      *out++ = OP(single)((const char *)at++, rows, row_step, columns, column_step);
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
