/* Which algorithm a product takes, and its batches. */
#include "cpu/parallel.h"
#include "ops/matmul/complex.h"

#if TSR_HAVE_MALLOC /* microcontrollers: plain.c */

/* ---- the same product, written otherwise ---- */

static void swap_sizes(tsr_index *x, tsr_index *y) {
  const tsr_index t = *x;
  *x = *y;
  *y = t;
}

static void transpose_mat(tsr__mat *m) {
  const ptrdiff_t t = m->row;
  m->row = m->col;
  m->col = t;
}

/* Cᵀ = Bᵀ·Aᵀ. */
static void transpose_product(tsr__product *p) {
  const tsr__mat a = p->a;
  p->a = p->b;
  p->b = a;
  transpose_mat(&p->a);
  transpose_mat(&p->b);
  transpose_mat(&p->out);
  transpose_mat(&p->c);
  transpose_mat(&p->bias);
  transpose_mat(&p->scale);
  swap_sizes(&p->m, &p->n);
  const bool conjugated = p->conj_a;
  p->conj_a = p->conj_b;
  p->conj_b = conjugated;
  p->transposed = !p->transposed;
}

/* A batch of rows by one and the same matrix is one matrix with more rows. */
static bool is_mergeable(const tsr__mat *m, int axis, tsr_index rows) {
  return m->data == NULL || m->batch[axis] == m->row * (ptrdiff_t)rows;
}

static void fold_batches(tsr__product *p) {
  while (p->axes > 0) {
    const int last = p->axes - 1;
    if (p->length[last] != 1) {
      if (p->b.batch[last] != 0 || p->batches == 0 || p->m == 0) return;
      if (p->a.batch[last] != p->a.row * (ptrdiff_t)p->m || p->out.batch[last] != p->out.row * (ptrdiff_t)p->m) return;
      if (!is_mergeable(&p->c, last, p->m) || !is_mergeable(&p->bias, last, p->m) ||
          !is_mergeable(&p->scale, last, p->m))
        return;
      if (!tsr__mul_index(p->m, p->length[last], &p->m)) return;
      p->batches /= p->length[last];
    }
    p->axes--;
  }
}

/* ---- the algorithm ---- */

enum { FEW_COLUMNS = 64 };

/* Sums are added up in the output where its rows have no gaps. */
static void settle_output(tsr__product *p) {
  const ptrdiff_t item = (ptrdiff_t)tsr_dtype_size(p->out.dtype);
  p->in_place = p->in_place && (p->out.col == item || p->n == 1);
  if (!p->adds || p->in_place) return;
  p->adds = false; /* what out holds is added at the end instead */
  p->has_epilogue = true;
  p->c = p->out;
}

#if TSR_HAVE_COMPLEX
static void choose_complex(tsr__product *p) {
  if (tsr__complex_gemv_fits(p)) {
    p->algorithm = TSR__GEMM_COMPLEX_GEMV;
  } else if (tsr__complex_small_fits(p)) {
    p->algorithm = TSR__GEMM_COMPLEX_SMALL;
  } else if (p->n > 1 && p->n < p->kernel->nr / 8 && p->m > 2 * p->n) {
    transpose_product(p);
    settle_output(p);
  }
}
#endif

/* Narrow weights on the left, by few columns, are seen from their other side, where there is a kernel for them. */
static void transpose_weights(tsr__product *p) {
  if (p->panels != NULL || p->sum != TSR_F32 || !tsr__is_narrow_weight(p->a.dtype) || p->b.dtype != TSR_F32) return;
  if (p->n == 1 || p->n > FEW_COLUMNS || p->n > p->m) return;
  transpose_product(p);
  p->kernel = tsr__gemm_kernel_for(p->isa, p->a.dtype, p->b.dtype, p->sum);
}

/* An output whose columns have no gaps is written transposed, and so is a large product of few columns: rows may be
 * few. */
static void choose(tsr__product *p) {
  const ptrdiff_t item = (ptrdiff_t)tsr_dtype_size(p->out.dtype);
  fold_batches(p);
  transpose_weights(p);
  const bool may_transpose = p->panels == NULL && p->kernel->group == 1 && p->kernel->b_item == 0;
  if (may_transpose && p->n > 1 && p->out.col != item && p->out.row == item) transpose_product(p);
  settle_output(p);
  p->algorithm = TSR__GEMM_BLOCKED;
#if TSR_HAVE_COMPLEX
  if (p->is_complex) {
    choose_complex(p);
    return;
  }
#endif
  if (tsr__gemv_fits(p)) {
    p->algorithm = TSR__GEMM_GEMV;
  } else if (tsr__small_fits(p)) {
    p->algorithm = TSR__GEMM_SMALL;
  } else if (may_transpose && p->n > 1 && p->n < p->kernel->nr / 4 && p->m > 2 * p->n) {
    transpose_product(p);
    settle_output(p);
  }
}

static size_t scratch_of_one(const tsr__product *p) {
  switch (p->algorithm) {
    case TSR__GEMM_SMALL: return tsr__small_scratch(p);
    case TSR__GEMM_GEMV: return tsr__gemv_scratch(p);
#if TSR_HAVE_COMPLEX
    case TSR__GEMM_COMPLEX_SMALL: return tsr__complex_small_scratch(p);
    case TSR__GEMM_COMPLEX_GEMV: return tsr__complex_gemv_scratch(p);
#endif
    default: return tsr__blocked_scratch(p);
  }
}

static void run_one(const tsr__product *p, char *scratch) {
  switch (p->algorithm) {
    case TSR__GEMM_SMALL: tsr__small_run(p, scratch); break;
    case TSR__GEMM_GEMV: tsr__gemv_run(p, scratch); break;
#if TSR_HAVE_COMPLEX
    case TSR__GEMM_COMPLEX_SMALL: tsr__complex_small_run(p, scratch); break;
    case TSR__GEMM_COMPLEX_GEMV: tsr__complex_gemv_run(p, scratch); break;
#endif
    default: tsr__blocked_run(p, scratch); break;
  }
}

/* ---- batches ---- */

/* Multiplications that are worth a thread, and those that are better shared by the threads one product after the other.
 */
enum { GRAIN = 1 << 17, SHARED = 1 << 22 };

static double work_of(const tsr__product *p) {
  return (double)p->m * (double)p->n * (double)(p->k + 8) * (p->is_complex ? 4 : 1);
}

static bool batches_in_parallel(const tsr__product *p) {
  return TSR_HAVE_THREADS && p->batches > 1 && work_of(p) < SHARED && work_of(p) * (double)p->batches > GRAIN;
}

size_t tsr__product_scratch(tsr__product *p) {
  const int workers = tsr__parallel(p->ctx)->max_workers;
  size_t bytes;
  choose(p);
  const bool shared_out = batches_in_parallel(p);
  p->workers = shared_out ? 1 : workers;
  return tsr__mul_size(tsr__line_align(scratch_of_one(p)), (size_t)(shared_out ? workers : 1), &bytes) ? bytes
                                                                                                       : SIZE_MAX;
}

typedef struct batch_work {
  const tsr__product *p;
  char *scratch;
  size_t each;
} batch_work;

static void run_batches(void *arg, tsr_index begin, tsr_index end, int worker) {
  const batch_work *const w = arg;
  char *const scratch = w->scratch != NULL ? w->scratch + (size_t)worker * w->each : NULL;
  for (tsr_index i = begin; i < end; i++) {
    const tsr__product one = tsr__product_at(w->p, i);
    run_one(&one, scratch);
  }
}

void tsr__product_run(const tsr__product *p, char *scratch) {
  if (p->batches == 1 && p->axes == 0) {
    run_one(p, scratch);
    return;
  }
  batch_work work = {p, scratch, tsr__line_align(scratch_of_one(p))};
  if (batches_in_parallel(p)) {
    const double each = GRAIN / work_of(p);
    tsr__parallel_for(p->ctx, p->batches, each > 1 ? (tsr_index)each + 1 : 1, run_batches, &work);
  } else {
    run_batches(&work, 0, p->batches, 0);
  }
}

#endif
