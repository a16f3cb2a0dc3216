/* Products of complex matrices: what is packed, and the ways that are not in blocks. */
#include "ops/matmul/complex.h"

#include "cpu/move.h"
#include "cpu/parallel.h"
#include "ops/cast/convert.h"

#if TSR_HAVE_MALLOC && TSR_HAVE_COMPLEX

static const tsr__complex_kernels *const of_f32[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__complex_f32);
#if TSR_HAVE_C128
static const tsr__complex_kernels *const of_f64[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__complex_f64);
#endif

static const tsr__complex_kernels *kernels_of(const tsr__product *p) {
#if TSR_HAVE_C128
  if (p->sum == TSR_F64) return of_f64[p->isa];
#endif
  return of_f32[p->isa];
}

/* Bytes of a complex number. */
static ptrdiff_t item_of(const tsr__product *p) { return p->sum == TSR_F64 ? 16 : 8; }

/* ---- packing ---- */

/* Operands of another dtype, some steps of a panel at a time. */
static void pack_converted(const tsr__product *p, tsr__complex_pack_fn *pack, const tsr__mat *m, int lines, int width,
                           tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step, ptrdiff_t k_step,
                           bool conjugated, char *to) {
  _Alignas(16) char block[4096];
  const ptrdiff_t item = item_of(p), step = (ptrdiff_t)width * (item / 2) * 2;
  const tsr_index most = (tsr_index)sizeof block / (tsr_index)item / lines;
  for (tsr_index first = 0; first < count; first += lines, src += (ptrdiff_t)lines * count_step) {
    const tsr_index here = count - first < lines ? count - first : lines;
    for (tsr_index p0 = 0; p0 < k; p0 += most) {
      const tsr_index steps = k - p0 < most ? k - p0 : most;
      for (tsr_index i = 0; i < here; i++)
        tsr__convert_row(p->isa, m->dtype, tsr__product_dtype(p), steps, src + i * count_step + p0 * k_step, k_step,
                         block + (ptrdiff_t)(i * steps) * item, item);
      pack(width, here, steps, block, (ptrdiff_t)steps * item, item, conjugated, to + (ptrdiff_t)p0 * step);
    }
    to += (ptrdiff_t)k * step;
  }
}

void tsr__complex_pack_a(const tsr__product *p, tsr_index i, tsr_index rows, tsr_index p0, tsr_index steps, void *to) {
  const int mr = p->kernel->mr;
  const char *const from = tsr__mat_at(&p->a, i, p0 / 2);
  if (p->a.dtype != tsr__product_dtype(p))
    pack_converted(p, kernels_of(p)->pack_a, &p->a, mr, mr, rows, steps / 2, from, p->a.row, p->a.col, p->conj_a, to);
  else if (p->a.col == item_of(p) && !p->conj_a) /* as it lies */
    p->kernel->pack(mr, rows, steps, from, p->a.row, item_of(p) / 2, to);
  else
    kernels_of(p)->pack_a(mr, rows, steps / 2, from, p->a.row, p->a.col, p->conj_a, to);
}

void tsr__complex_pack_b(const tsr__product *p, tsr_index j, tsr_index cols, tsr_index p0, tsr_index steps, void *to) {
  const int nr = p->kernel->nr;
  const char *const from = tsr__mat_at(&p->b, p0 / 2, j / 2);
  if (p->b.dtype != tsr__product_dtype(p))
    pack_converted(p, kernels_of(p)->pack_b, &p->b, nr / 2, nr, cols / 2, steps / 2, from, p->b.col, p->b.row,
                   p->conj_b, to);
  else
    kernels_of(p)->pack_b(nr, cols / 2, steps / 2, from, p->b.col, p->b.row, p->conj_b, to);
}

/* ---- small products ---- */

static bool copies_a(const tsr__product *p) { return p->a.col != item_of(p) || p->conj_a; }

/* The real product that it stands for, without an end. */
static tsr__product real_of(const tsr__product *p, char *a, char *b) {
  const ptrdiff_t item = item_of(p);
  tsr__product q = *p;
  q.is_complex = q.has_epilogue = false;
  q.n *= 2;
  q.k *= 2;
  q.a.dtype = q.b.dtype = q.out.dtype = p->sum;
  q.b.data = b;
  q.b.row = (ptrdiff_t)p->n * item;
  q.a.col = q.b.col = q.out.col = item / 2;
  if (!copies_a(p)) return q;
  q.a.data = a;
  q.a.row = (ptrdiff_t)p->k * item;
  return q;
}

static size_t copy_bytes(const tsr__product *p, tsr_index rows, tsr_index cols) {
  return tsr__line_align((size_t)rows * (size_t)cols * (size_t)item_of(p));
}

bool tsr__complex_small_fits(const tsr__product *p) {
  enum { MOST = 1 << 16, WIDEST = 1024 };
  if (p->m > WIDEST || p->n > WIDEST || p->k > WIDEST || !p->in_place || p->panels != NULL) return false;
  const int dtype = tsr__product_dtype(p);
  if (p->a.dtype != dtype || p->b.dtype != dtype || p->k * p->n > MOST || (copies_a(p) && p->m * p->k > MOST))
    return false;
  const tsr__product q = real_of(p, NULL, NULL);
  return tsr__small_fits(&q);
}

size_t tsr__complex_small_scratch(const tsr__product *p) {
  const tsr__product q = real_of(p, NULL, NULL);
  return copy_bytes(p, 2 * p->k, p->n) + (copies_a(p) ? copy_bytes(p, p->m, p->k) : 0) + tsr__small_scratch(&q);
}

/* Rows of A as they are to be read. */
static void copy_a(const tsr__product *p, char *to) {
  const ptrdiff_t item = item_of(p), part = item / 2;
  for (tsr_index i = 0; i < p->m; i++, to += (ptrdiff_t)p->k * item) {
    tsr__move_row((size_t)item, p->k, tsr__mat_at(&p->a, i, 0), p->a.col, to, item);
    for (tsr_index k = 0; k < p->k && p->conj_a; k++) {
      void *const at = to + (ptrdiff_t)k * item + part;
      if (p->sum == TSR_F32) *(float *)at = -*(float *)at;
#if TSR_HAVE_F64
      if (p->sum == TSR_F64) *(double *)at = -*(double *)at;
#endif
    }
  }
}

void tsr__complex_small_run(const tsr__product *p, char *scratch) {
  const ptrdiff_t item = item_of(p);
  char *const b = scratch, *const a = b + copy_bytes(p, 2 * p->k, p->n);
  const tsr__product q = real_of(p, a, b);
  if (p->n > 0 && p->k > 0)
    kernels_of(p)->pack_b((int)(2 * p->n), p->n, p->k, p->b.data, p->b.col, p->b.row, p->conj_b, b);
  if (copies_a(p)) copy_a(p, a);
  tsr__small_run(&q, a + (copies_a(p) ? copy_bytes(p, p->m, p->k) : 0));
  if (!p->has_epilogue) return;
  const tsr__sums sums = {p->out.data, (tsr_index)(p->out.row / (item / 2))};
  tsr__product_epilogue(p, &sums, 0, p->m, 0, 2 * p->n);
}

/* ---- a matrix by a vector ---- */

enum { GRAIN = 1 << 15 };

/* As for real numbers (gemv.c): a·x, or xᵀ·b as bᵀ·x. */
typedef struct shape {
  tsr_index rows;
  ptrdiff_t row, step, x_step, y_step;
  char *matrix, *x, *y;
  bool conj_matrix, conj_x;
} shape;

static shape shape_of(const tsr__product *p) {
  if (p->n == 1)
    return (shape){p->m,      p->a.row,  p->a.col,    p->b.row,  p->out.row,
                   p->a.data, p->b.data, p->out.data, p->conj_a, p->conj_b};
  return (shape){p->n,      p->b.col,  p->b.row,    p->a.col,  p->out.col,
                 p->b.data, p->a.data, p->out.data, p->conj_b, p->conj_a};
}

static bool has_dots(const tsr__product *p, const shape *s) { return s->step == item_of(p) || p->k == 1; }

bool tsr__complex_gemv_fits(const tsr__product *p) {
  const int dtype = tsr__product_dtype(p);
  if ((p->m != 1 && p->n != 1) || p->a.dtype != dtype || p->b.dtype != dtype || !p->in_place) return false;
  const shape s = shape_of(p);
  return has_dots(p, &s) || s.row == item_of(p);
}

static bool copies_y(const tsr__product *p, const shape *s) {
  return !has_dots(p, s) && s->y_step != item_of(p) && s->rows > 1;
}

size_t tsr__complex_gemv_scratch(const tsr__product *p) {
  const shape s = shape_of(p);
  return copy_bytes(p, 2, p->k) + (copies_y(p, &s) ? copy_bytes(p, 1, s.rows) : 0);
}

#define X_OF(name, part)                                                                         \
  /* What rows are multiplied by for real parts, then for imaginary ones; of columns x alone. */ \
  static void name(const tsr__product *p, const shape *s, bool dots, void *to) {                 \
    part *const x0 = to, *const x1 = x0 + 2 * p->k;                                              \
    const part rotated = s->conj_matrix ? -1 : 1;                                                \
    for (tsr_index i = 0; i < p->k; i++) {                                                       \
      const part *const at = (const part *)(const void *)(s->x + (ptrdiff_t)i * s->x_step);      \
      const part re = at[0], im = s->conj_x ? -at[1] : at[1];                                    \
      x0[2 * i] = re;                                                                            \
      x0[2 * i + 1] = dots ? -rotated * im : im;                                                 \
      if (dots) x1[2 * i] = im, x1[2 * i + 1] = rotated * re;                                    \
    }                                                                                            \
  }
X_OF(x_of_f32, float)
#if TSR_HAVE_C128
X_OF(x_of_f64, double)
#endif

typedef struct gemv_work {
  tsr__complex_gemv_fn *fn;
  tsr__complex_gemv all;
  ptrdiff_t row, y_step; /* in bytes */
} gemv_work;

static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const gemv_work *const w = arg;
  tsr__complex_gemv part = w->all;
  (void)worker;
  part.rows = end - begin;
  if (part.matrix != NULL) part.matrix = (const char *)part.matrix + (ptrdiff_t)begin * w->row;
  part.y = (char *)part.y + (ptrdiff_t)begin * w->y_step;
  w->fn(&part);
}

void tsr__complex_gemv_run(const tsr__product *p, char *scratch) {
  const shape s = shape_of(p);
  const ptrdiff_t item = item_of(p);
  const bool dots = has_dots(p, &s), copied = copies_y(p, &s);
  char *const y = copied ? scratch + copy_bytes(p, 2, p->k) : s.y;
#if TSR_HAVE_C128
  if (p->sum == TSR_F64) x_of_f64(p, &s, dots, scratch);
#endif
  if (p->sum == TSR_F32) x_of_f32(p, &s, dots, scratch);
  if (copied && p->adds) tsr__move_row((size_t)item, s.rows, s.y, s.y_step, y, item);
  const ptrdiff_t y_step = copied || s.rows == 1 ? item : s.y_step;
  gemv_work work = {dots ? kernels_of(p)->dots : kernels_of(p)->sums,
                    {s.rows, p->k, s.matrix, (tsr_index)((dots ? s.row : s.step) / item), scratch, y,
                     (tsr_index)(y_step / item), s.conj_matrix, p->adds},
                    s.row,
                    y_step};
  const tsr_index grain = p->workers == 1 ? s.rows : (1 + GRAIN / (p->k + 1) + 63) / 64 * 64;
  tsr__parallel_for(p->ctx, s.rows, grain, run_rows, &work);
  if (copied) tsr__move_row((size_t)item, s.rows, y, item, s.y, s.y_step);
  if (!p->has_epilogue) return;
  const tsr__sums sums = {p->out.data, (tsr_index)(p->out.row / (item / 2))};
  tsr__product_epilogue(p, &sums, 0, p->m, 0, 2 * p->n);
}

#endif
