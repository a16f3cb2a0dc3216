/* The fast path of small calls, where checks cost more than the work: contiguous matrices of f32 or f64 into an
 * output that is given or fresh. It makes every check that this needs; whatever is unusual goes the long way, and so
 * does what fails. */
#include "ops/matmul/fast_path.h"

#include "core/call.h"
#include "cpu/parallel.h"
#include "ops/elementwise/contiguous.h"
#include "ops/matmul/kernel.h"

#if TSR_HAVE_MALLOC

/* Multiplications: less than what is worth threads, where there are some. */
enum { MOST = 1 << 18, LONGEST = 512 };

static bool is_small(const tsr_ctx *ctx, tsr_index m, tsr_index k, tsr_index n) {
  if (k > LONGEST || m * n > MOST / k) return false;
  return m * n * k < MOST || tsr__parallel(ctx)->max_workers == 1;
}

static bool is_contiguous_matrix(const tsr_tensor *t, int dtype, size_t item) {
  return t->ndim == 2 && tsr__contiguous_usable(t, dtype, item) && tsr__contiguous_size(t) != 0;
}

static void multiply(const tsr__gemm_kernel *kernel, tsr_index m, tsr_index k, tsr_index n, const char *a,
                     const char *b, char *c) {
  const ptrdiff_t item = kernel->item;
  const int mr = kernel->mr, nr = kernel->nr;
  tsr__direct d = {.k = k, .a_row = k, .a_step = 1, .b_step = n, .ldc = n, .add = false};
  for (tsr_index j = 0; j < n; j += nr) {
    d.n = (int)(n - j < nr ? n - j : nr);
    d.b = b + j * item;
    tsr__direct_fn *const *const row = kernel->direct + (d.n > nr / 2 ? mr : 0);
    d.rows = m;
    d.a = a;
    d.c = c + j * item;
    tsr__direct_all(row, mr, (size_t)item, &d);
  }
}

static bool matmul_fast_path(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out,
                             tsr_status *status) {
  if (!tsr__is_plain_context(ctx) || a == NULL || b == NULL || out == NULL) return false;
  if (a->dtype != TSR_F32 && a->dtype != TSR_F64) return false;
  const int dtype = a->dtype;
  const size_t item = tsr__item_sizes[dtype];
  if (!is_contiguous_matrix(a, dtype, item) || !is_contiguous_matrix(b, dtype, item)) return false;
  const tsr_index m = a->shape[0], k = a->shape[1], n = b->shape[1];
  if (b->shape[0] != k || m == 1 || n == 1 || !is_small(ctx, m, k, n)) return false;
  const size_t bytes = (size_t)(m * n) * item;
  if (out->dtype == TSR_NONE && out->data == NULL) {
    const tsr_index shape[2] = {m, n};
    const tsr__result result = {dtype, TSR_PLAIN, 2, shape, NULL};
    *status = tsr__output(ctx, "matmul", &result, out);
    if (*status != TSR_OK) return true;
  } else if (!is_contiguous_matrix(out, dtype, item) || out->shape[0] != m || out->shape[1] != n ||
             (out->flags & TSR_READONLY) != 0 || out->data == a->data || out->data == b->data ||
             !tsr__contiguous_safe(a->data, (size_t)(m * k) * item, out->data, bytes) ||
             !tsr__contiguous_safe(b->data, (size_t)(k * n) * item, out->data, bytes)) {
    return false;
  }
  multiply(tsr__gemm_kernel_of(tsr__isa_of(ctx), dtype), m, k, n, a->data, b->data, out->data);
  *status = TSR_OK;
  return true;
}

tsr_status tsr_matmul(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  tsr_status status;
  return matmul_fast_path(ctx, a, b, out, &status) ? status : tsr__matmul_in_frame(ctx, a, b, out);
}

#else

tsr_status tsr_matmul(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  return tsr__matmul_in_frame(ctx, a, b, out);
}

#endif
