/* A matrix by a vector: the matrix is read once, as it lies. */
#include "ops/matmul/gemv.h"

#include "cpu/move.h"
#include "cpu/parallel.h"
#include "ops/matmul/product.h"

#if TSR_HAVE_MALLOC

static const tsr__gemv_kernels *const of_f32[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__gemv_f32);
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
} shape;

static shape shape_of(const tsr__product *p) {
  if (p->n == 1) return (shape){p->m, p->a.row, p->a.col, p->b.row, p->out.row, p->a.data, p->b.data, p->out.data};
  return (shape){p->n, p->b.col, p->b.row, p->a.col, p->out.col, p->b.data, p->a.data, p->out.data};
}

static bool has_dots(const tsr__product *p, const shape *s) { return s->step == p->kernel->item || p->k == 1; }

bool tsr__gemv_fits(const tsr__product *p) {
  if (p->panels != NULL || (p->m != 1 && p->n != 1) || (p->sum != TSR_F32 && p->sum != TSR_F64)) return false;
  if (p->a.dtype != p->sum || p->b.dtype != p->sum || p->out.dtype != p->sum || !p->in_place) return false;
  const shape s = shape_of(p);
  return has_dots(p, &s) || s.row == p->kernel->item;
}

/* x contiguous, and y contiguous where columns are added up. */
static bool copies_x(const tsr__product *p, const shape *s) { return s->x_step != p->kernel->item && p->k > 1; }
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
  tsr_index row; /* from row to row of the matrix, in elements */
  size_t item;
} gemv_work;

static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const gemv_work *const w = arg;
  tsr__gemv part = w->all;
  (void)worker;
  part.rows = end - begin;
  part.matrix = (const char *)part.matrix + (ptrdiff_t)(begin * w->row) * (ptrdiff_t)w->item;
  part.y = (char *)part.y + (ptrdiff_t)(begin * part.y_step) * (ptrdiff_t)w->item;
  w->fn(&part);
}

static const tsr__gemv_kernels *kernels_of(const tsr__product *p) {
#if TSR_HAVE_F64
  if (p->sum == TSR_F64) return of_f64[p->isa];
#endif
  return of_f32[p->isa];
}

/* Rows in whole lines of y, so that the vectors of every part begin at the same places. Where rows of the matrix lie
 * side by side every part reads a piece of each step: of a page or more, if that leaves every thread a part. */
static tsr_index grain_of(const tsr__product *p, tsr_index rows, bool dots) {
  const tsr_index page = PAGE / p->kernel->item, fair = rows / p->workers, piece = page < fair ? page : fair;
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
    tsr__move_row((size_t)item, p->k, s.x, s.x_step, x, item);
  }
  const bool copied = copies_y(p, &s);
  if (copied) {
    y = scratch;
    if (p->adds) tsr__move_row((size_t)item, s.rows, s.y, s.y_step, y, item);
  }
  gemv_work work = {dots ? kernels_of(p)->dots : kernels_of(p)->sums,
                    {s.rows, p->k, s.matrix, (tsr_index)((dots ? s.row : s.step) / item), x, y,
                     (tsr_index)(copied ? 1 : s.y_step / item), p->adds},
                    (tsr_index)(s.row / item),
                    (size_t)item};
  tsr__parallel_for(p->ctx, s.rows, grain_of(p, s.rows, dots), run_rows, &work);
  if (copied) tsr__move_row((size_t)item, s.rows, y, item, s.y, s.y_step);
  if (!p->has_epilogue) return;
  const tsr__sums sums = {p->out.data, (tsr_index)(p->out.row / item)};
  tsr__product_epilogue(p, &sums, 0, p->m, 0, p->n);
}

#endif
