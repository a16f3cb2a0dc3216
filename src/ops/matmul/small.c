/* Small products: A and B are read where they lie; only a B whose rows have gaps, or lie far apart, is packed, a panel
 * at a time. One that was packed before is taken as it is. */
#include "cpu/parallel.h"
#include "ops/matmul/product.h"

#if TSR_HAVE_MALLOC /* microcontrollers: plain.c */

/* A is read along its rows, mr of them at once: apart by 2 KiB, they share two sets of the first-level cache and push
 * each other out. B's rows are read in pieces of nr, all k of them: even apart by 1 KiB they would. */
enum { LONGEST = 512, WIDEST = 512, FEW_STEPS = 64, GRAIN = 1 << 17, NEAR = 1 << 20 };

static bool apart_by(ptrdiff_t step, ptrdiff_t unit) { return step % unit == 0 && step != 0; }

bool tsr__small_fits(const tsr__product *p) {
  if (p->kernel->direct == NULL || p->a.dtype != p->sum || !p->in_place) return false;
  if (p->k > LONGEST || p->k > p->kernel->kc) return false;
  if (p->panels == NULL && (p->b.dtype != p->sum || p->n > WIDEST)) return false;
  if (p->panels != NULL && p->m > NEAR / ((p->k + 1) * p->kernel->item)) return false; /* every panel meets all of A */
  return !apart_by(p->a.row, 2048) || p->k <= FEW_STEPS || p->m <= p->kernel->mr;
}

/* Few rows do not pay for packing. */
static bool is_plain(const tsr__product *p) {
  if (p->panels != NULL) return false;
  const bool few = p->k <= FEW_STEPS || p->m <= 4 * p->kernel->mr;
  return p->n == 1 || (p->b.col == p->kernel->item && (few || !apart_by(p->b.row, 1024)));
}

/* Threads share the rows, or the columns of a product with few rows or with panels to pack, so that each panel is
 * packed once. */
static bool by_columns(const tsr__product *p) {
  return p->m <= p->kernel->mr || (!is_plain(p) && p->n >= 4 * p->workers * p->kernel->nr);
}

static bool in_parallel(const tsr__product *p) {
  return p->workers > 1 && (double)p->m * (double)p->n * (double)p->k >= 2 * GRAIN &&
         (by_columns(p) ? p->n > p->kernel->nr : true);
}

static size_t panel_bytes(const tsr__product *p) {
  return is_plain(p) || p->panels != NULL ? 0 : tsr__line_align((size_t)p->k * p->kernel->nr * p->kernel->item);
}

size_t tsr__small_scratch(const tsr__product *p) { return panel_bytes(p) * (size_t)(in_parallel(p) ? p->workers : 1); }

typedef struct small_work {
  const tsr__product *p;
  char *scratch;
} small_work;

/* Rows first … last of nr columns at j. */
static void run_columns(const tsr__product *p, tsr__direct d, tsr_index first, tsr_index last, tsr_index j) {
  const tsr__gemm_kernel *const kernel = p->kernel;
  const int mr = kernel->mr, half = kernel->nr / 2;
  d.rows = last - first;
  d.a = tsr__mat_at(&p->a, first, 0);
  d.c = tsr__mat_at(&p->out, first, j);
  tsr__direct_all(kernel->direct + (d.n > half ? mr : 0), mr, kernel->item, &d);
}

/* Rows first … last, columns from … to. */
static void run_piece(const tsr__product *p, tsr_index first, tsr_index last, tsr_index from, tsr_index to,
                      char *panel) {
  const tsr__gemm_kernel *const kernel = p->kernel;
  const ptrdiff_t item = kernel->item;
  tsr__direct d = {.k = p->k,
                   .a_row = (tsr_index)(p->a.row / item),
                   .a_step = (tsr_index)(p->a.col / item),
                   .b_step = (tsr_index)(p->b.row / item),
                   .ldc = (tsr_index)(p->out.row / item),
                   .add = p->adds};
  for (tsr_index j = from; j < to; j += kernel->nr) {
    d.n = (int)(to - j < kernel->nr ? to - j : kernel->nr);
    d.b = p->panels != NULL ? p->panels + (size_t)(j * p->k * item) : panel;
    if (d.b == NULL)
      d.b = tsr__mat_at(&p->b, 0, j);
    else
      d.b_step = kernel->nr;
    if (panel != NULL) kernel->pack(kernel->nr, d.n, p->k, tsr__mat_at(&p->b, 0, j), p->b.col, p->b.row, panel);
    run_columns(p, d, first, last, j);
  }
  if (p->has_epilogue) {
    const tsr__sums sums = {tsr__mat_at(&p->out, first, from), d.ldc};
    tsr__product_epilogue(p, &sums, first, last - first, from, to - from);
  }
}

static void run_part(void *arg, tsr_index begin, tsr_index end, int worker) {
  const small_work *const w = arg;
  const tsr__product *const p = w->p;
  const size_t each = panel_bytes(p);
  char *const panel = each != 0 ? w->scratch + (size_t)worker * each : NULL;
  const bool columns = by_columns(p);
  const tsr_index unit = columns ? p->kernel->nr : p->kernel->mr, all = columns ? p->n : p->m;
  const tsr_index last = end * unit < all ? end * unit : all;
  if (columns)
    run_piece(p, 0, p->m, begin * unit, last, panel);
  else
    run_piece(p, begin * unit, last, 0, p->n, panel);
}

void tsr__small_run(const tsr__product *p, char *scratch) {
  if (!in_parallel(p)) {
    run_piece(p, 0, p->m, 0, p->n, panel_bytes(p) != 0 ? scratch : NULL);
    return;
  }
  small_work work = {p, scratch};
  const bool columns = by_columns(p);
  const tsr_index unit = columns ? p->kernel->nr : p->kernel->mr, all = columns ? p->n : p->m;
  const tsr_index units = (all + unit - 1) / unit, fair = (units + 2 * p->workers - 1) / (2 * p->workers);
  const double each = (double)unit * (double)(columns ? p->m : p->n) * (double)p->k;
  tsr_index grain = each < GRAIN ? (tsr_index)(GRAIN / each) + 1 : 1;
  if (!columns && panel_bytes(p) != 0 && grain < fair) grain = fair; /* every part of the rows packs B again */
  tsr__parallel_for(p->ctx, units, grain, run_part, &work);
}

#endif
