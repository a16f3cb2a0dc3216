/* A matrix by a vector: the matrix is read once, as it lies. */
#include "ops/matmul/gemv.h"

#include "cpu/move.h"
#include "cpu/parallel.h"
#include "ops/cast/convert.h"
#include "ops/matmul/product.h"

#if TSR_HAVE_MALLOC

static const tsr__gemv_kernels *const of_f32[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__gemv_f32);
static const tsr__gemv_kernels *const of_bf16[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__gemv_bf16);
static const tsr__gemv_kernels *const of_f16[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__gemv_f16);
static const tsr__gemv_kernels *const of_i8[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__gemv_i8);
#if TSR_HAVE_F64
static const tsr__gemv_kernels *const of_f64[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__gemv_f64);
#endif

/* Elements of the matrix that are worth a thread. */
enum { GRAIN = 1 << 16, PAGE = 4096 };

/* The product as one matrix and one vector: a·x, or xᵀ·b as bᵀ·x. */
typedef struct shape {
  tsr_index rows;
  ptrdiff_t row, step, x_step, y_step; /* in bytes */
  char *matrix, *x, *y;
  int dtype, x_dtype; /* of the matrix and of x */
  ptrdiff_t item;     /* of the matrix */
} shape;

static shape shape_of(const tsr__product *p) {
  const bool first = p->n == 1;
  const tsr__mat *const m = first ? &p->a : &p->b, *const x = first ? &p->b : &p->a;
  return (shape){.rows = first ? p->m : p->n,
                 .row = first ? m->row : m->col,
                 .step = first ? m->col : m->row,
                 .x_step = first ? x->row : x->col,
                 .y_step = first ? p->out.row : p->out.col,
                 .matrix = m->data,
                 .x = x->data,
                 .y = p->out.data,
                 .dtype = m->dtype,
                 .x_dtype = x->dtype,
                 .item = (ptrdiff_t)tsr_dtype_size(m->dtype)};
}

static bool has_dots(const tsr__product *p, const shape *s) { return s->step == s->item || p->k == 1; }

static bool fits_dtypes(const tsr__product *p) {
  const bool narrow_a = p->a.dtype != p->sum, narrow_b = p->b.dtype != p->sum;
  if (p->out.dtype != p->sum || (narrow_a && narrow_b)) return false;
  return !(narrow_a || narrow_b) || (p->sum == TSR_F32 && tsr__is_narrow_weight(narrow_a ? p->a.dtype : p->b.dtype));
}

bool tsr__gemv_fits(const tsr__product *p) {
  if (p->panels != NULL || (p->m != 1 && p->n != 1) || (p->sum != TSR_F32 && p->sum != TSR_F64)) return false;
  if (!fits_dtypes(p) || !p->in_place) return false;
  const shape s = shape_of(p);
  return has_dots(p, &s) || s.row == s.item;
}

/* x contiguous and of the sums' dtype, and y contiguous where columns are added up. */
static bool copies_x(const tsr__product *p, const shape *s) {
  return (s->x_step != p->kernel->item && p->k > 1) || s->x_dtype != p->sum;
}
static bool copies_y(const tsr__product *p, const shape *s) {
  return !has_dots(p, s) && s->y_step != p->kernel->item && s->rows > 1;
}

size_t tsr__gemv_scratch(const tsr__product *p) {
  const shape s = shape_of(p);
  const size_t item = p->kernel->item;
  return (copies_x(p, &s) ? tsr__line_align((size_t)p->k * item) : 0) +
         (copies_y(p, &s) ? tsr__line_align((size_t)s.rows * item) : 0);
}

typedef struct gemv_work {
  tsr__gemv_fn *fn;
  tsr__gemv all;
  ptrdiff_t row, item; /* from row to row of the matrix, and from number to number of y, in bytes */
} gemv_work;

static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const gemv_work *const w = arg;
  tsr__gemv part = w->all;
  (void)worker;
  part.rows = end - begin;
  part.matrix = (const char *)part.matrix + (ptrdiff_t)begin * w->row;
  part.y = (char *)part.y + (ptrdiff_t)(begin * part.y_step) * w->item;
  w->fn(&part);
}

static const tsr__gemv_kernels *kernels_of(int isa, int dtype) {
  switch (dtype) {
#if TSR_HAVE_F64
    case TSR_F64: return of_f64[isa];
#endif
    case TSR_BF16: return of_bf16[isa];
    case TSR_F16: return of_f16[isa];
    case TSR_I8: return of_i8[isa];
    default: return of_f32[isa];
  }
}

/* Rows in whole lines of y, so that the vectors of every part begin at the same places. Where rows of the matrix lie
 * side by side every part reads a piece of each step: of a page or more, if that leaves every thread a part. */
static tsr_index grain_of(const tsr__product *p, const shape *s, bool dots) {
  const tsr_index rows = s->rows, page = PAGE / (tsr_index)s->item, fair = rows / p->workers,
                  piece = page < fair ? page : fair;
  const tsr_index worth = 1 + GRAIN / (p->k + 1), enough = dots || worth > piece ? worth : piece;
  return p->workers == 1 || rows < enough ? rows : (enough + 63) / 64 * 64;
}

void tsr__gemv_run(const tsr__product *p, char *scratch) {
  const shape s = shape_of(p);
  const ptrdiff_t item = p->kernel->item;
  const bool dots = has_dots(p, &s);
  char *x = s.x, *y = s.y;
  if (copies_x(p, &s)) {
    x = scratch;
    scratch += tsr__line_align((size_t)p->k * (size_t)item);
    if (s.x_dtype == p->sum)
      tsr__move_row((size_t)item, p->k, s.x, s.x_step, x, item);
    else
      tsr__convert_row(p->isa, s.x_dtype, p->sum, p->k, s.x, s.x_step, x, item);
  }
  const bool copied = copies_y(p, &s);
  if (copied) {
    y = scratch;
    if (p->adds) tsr__move_row((size_t)item, s.rows, s.y, s.y_step, y, item);
  }
  const tsr__gemv_kernels *const kernels = kernels_of(p->isa, s.dtype);
  gemv_work work = {dots ? kernels->dots : kernels->sums,
                    {s.rows, p->k, s.matrix, (tsr_index)((dots ? s.row : s.step) / s.item), x, y,
                     (tsr_index)(copied ? 1 : s.y_step / item), p->adds},
                    s.row,
                    item};
  tsr__parallel_for(p->ctx, s.rows, grain_of(p, &s, dots), run_rows, &work);
  if (copied) tsr__move_row((size_t)item, s.rows, y, item, s.y, s.y_step);
  if (!p->has_epilogue) return;
  const tsr__sums sums = {p->out.data, (tsr_index)(p->out.row / item)};
  tsr__product_epilogue(p, &sums, 0, p->m, 0, p->n);
}

#endif
