/* Products by cuBLASLt. */
#include "cuda/engines/product.h"
#include "cuda/gpu.h"

#include <cublasLt.h>
#include <string.h>

/* What the call needs when it is enqueued. Matrices are column-major to the library: the transpose of a row-major result is the product of
 * the transposes, in the other order. */
typedef struct blas_call {
  uint64_t left, right, out; /* b, a, the result */
  int64_t m, n, k;           /* of the library's result: n, m of ours */
  int64_t left_ld, right_ld;
  int64_t left_step, right_step; /* of batches */
  int32_t left_transposed, right_transposed, batches, dtype, sum;
} blas_call;

/* One unit stride, and the other one long enough to be a leading dimension; transposed: rows are contiguous where columns should be. */
static bool is_blas_matrix(const tsr__cuda_matrix *m, int64_t rows, int64_t cols, int64_t *ld, int32_t *by_rows) {
  const bool row_major = (m->col == 1 || cols == 1) && (rows == 1 || m->row >= cols);
  const bool col_major = (m->row == 1 || rows == 1) && (cols == 1 || m->col >= rows);
  if (!row_major && !col_major) return false;
  *by_rows = row_major;
  *ld = row_major ? (rows == 1 ? cols : m->row) : (cols == 1 ? rows : m->col);
  return *ld > 0;
}

/* Batch axes as one; false where they are not evenly apart. */
static bool merge_batches(const tsr__cuda_product *p, int64_t *batches, int64_t *a, int64_t *b) {
  *batches = 1;
  *a = *b = 0;
  for (int d = p->axes - 1; d >= 0; d--) {
    if (p->length[d] == 1) continue;
    if (*batches > 1 && (p->a.batch[d] != *a * *batches || p->b.batch[d] != *b * *batches)) return false;
    if (*batches == 1) *a = p->a.batch[d], *b = p->b.batch[d];
    *batches *= p->length[d];
  }
  return *batches <= INT32_MAX;
}

static cudaDataType_t type_of(int dtype) {
  return dtype == TSR_F64 ? CUDA_R_64F : dtype == TSR_F16 ? CUDA_R_16F : dtype == TSR_BF16 ? CUDA_R_16BF : CUDA_R_32F;
}

typedef struct blas_functions {
  __typeof__(cublasLtMatmulDescCreate) *desc_create;
  __typeof__(cublasLtMatmulDescDestroy) *desc_destroy;
  __typeof__(cublasLtMatmulDescSetAttribute) *desc_set;
  __typeof__(cublasLtMatrixLayoutCreate) *layout_create;
  __typeof__(cublasLtMatrixLayoutDestroy) *layout_destroy;
  __typeof__(cublasLtMatrixLayoutSetAttribute) *layout_set;
  __typeof__(cublasLtMatmulPreferenceCreate) *preference_create;
  __typeof__(cublasLtMatmulPreferenceDestroy) *preference_destroy;
  __typeof__(cublasLtMatmulPreferenceSetAttribute) *preference_set;
  __typeof__(cublasLtMatmulAlgoGetHeuristic) *heuristic;
  __typeof__(cublasLtMatmul) *matmul;
} blas_functions;

static bool find_functions(tsr__cuda *gpu, blas_functions *f) {
  static const char *const names[] = {"cublasLtMatmulDescCreate",
                                      "cublasLtMatmulDescDestroy",
                                      "cublasLtMatmulDescSetAttribute",
                                      "cublasLtMatrixLayoutCreate",
                                      "cublasLtMatrixLayoutDestroy",
                                      "cublasLtMatrixLayoutSetAttribute",
                                      "cublasLtMatmulPreferenceCreate",
                                      "cublasLtMatmulPreferenceDestroy",
                                      "cublasLtMatmulPreferenceSetAttribute",
                                      "cublasLtMatmulAlgoGetHeuristic",
                                      "cublasLtMatmul"};
  void *found[sizeof names / sizeof names[0]];
  _Static_assert(sizeof found == sizeof *f, "a function for each name");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if ((found[i] = tsr__cuda_blas_symbol(gpu, names[i])) == NULL) return false;
  memcpy(f, found, sizeof *f);
  return true;
}

static cublasLtMatrixLayout_t layout_of(const blas_functions *f, cudaDataType_t type, int64_t rows, int64_t cols,
                                        int64_t ld, int32_t batches, int64_t step) {
  cublasLtMatrixLayout_t layout = NULL;
  if (f->layout_create(&layout, type, (uint64_t)rows, (uint64_t)cols, ld) != CUBLAS_STATUS_SUCCESS) return NULL;
  (void)f->layout_set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches, sizeof batches);
  (void)f->layout_set(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &step, sizeof step);
  return layout;
}

typedef struct blas_objects {
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t left, right, out;
  cublasLtMatmulPreference_t preference;
} blas_objects;

static void destroy(const blas_functions *f, blas_objects *o) {
  if (o->preference != NULL) (void)f->preference_destroy(o->preference);
  if (o->out != NULL) (void)f->layout_destroy(o->out);
  if (o->right != NULL) (void)f->layout_destroy(o->right);
  if (o->left != NULL) (void)f->layout_destroy(o->left);
  if (o->desc != NULL) (void)f->desc_destroy(o->desc);
}

/* f32 is summed in f32, and multiplied so: no TF32. Reductions of split sums are in the compute type: the same bits every run. */
static bool create(const blas_functions *f, const blas_call *c, blas_objects *o) {
  const cudaDataType_t in = type_of(c->dtype), sum = type_of(c->sum);
  const cublasOperation_t left = c->left_transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                          right = c->right_transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  const uint32_t scheme = CUBLASLT_REDUCTION_SCHEME_NONE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  const uint64_t room = TSR__CUDA_WORKSPACE;
  const uint32_t least = 16; /* bytes that operands are aligned to */
  *o = (blas_objects){NULL, NULL, NULL, NULL, NULL};
  if (f->desc_create(&o->desc, c->sum == TSR_F64 ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, sum) !=
      CUBLAS_STATUS_SUCCESS)
    return false;
  (void)f->desc_set(o->desc, CUBLASLT_MATMUL_DESC_TRANSA, &left, sizeof left);
  (void)f->desc_set(o->desc, CUBLASLT_MATMUL_DESC_TRANSB, &right, sizeof right);
  o->left = layout_of(f, in, c->left_transposed ? c->k : c->m, c->left_transposed ? c->m : c->k, c->left_ld, c->batches,
                      c->left_step);
  o->right = layout_of(f, in, c->right_transposed ? c->n : c->k, c->right_transposed ? c->k : c->n, c->right_ld,
                       c->batches, c->right_step);
  o->out = layout_of(f, sum, c->m, c->n, c->m, c->batches, c->m * c->n);
  if (o->left == NULL || o->right == NULL || o->out == NULL) return false;
  if (f->preference_create(&o->preference) != CUBLAS_STATUS_SUCCESS) return false;
  (void)f->preference_set(o->preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room, sizeof room);
  (void)f->preference_set(o->preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &scheme, sizeof scheme);
  (void)f->preference_set(o->preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, &least, sizeof least);
  (void)f->preference_set(o->preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, &least, sizeof least);
  return true;
}

static tsr_status multiply(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, void *args) {
  const float one = 1, zero = 0;
  const double wide_one = 1, wide_zero = 0;
  blas_call c;
  blas_functions f;
  blas_objects o;
  void *handle = NULL;
  int found = 0;
  cublasLtMatmulHeuristicResult_t best;
  memcpy(&c, args, sizeof c);
  const tsr_status st = tsr__cuda_blas(gpu, ctx, &handle);
  if (st != TSR_OK || !find_functions(gpu, &f)) return st != TSR_OK ? st : TSR_EDEVICE;
  const bool wide = c.sum == TSR_F64;
  void *const room = tsr__cuda_queue_workspace(queue);
  cublasStatus_t r = create(&f, &c, &o) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
  if (r == CUBLAS_STATUS_SUCCESS)
    r = f.heuristic(handle, o.desc, o.left, o.right, o.out, o.out, o.preference, 1, &best, &found);
  if (r == CUBLAS_STATUS_SUCCESS && found == 0) r = CUBLAS_STATUS_NOT_SUPPORTED;
  if (r == CUBLAS_STATUS_SUCCESS)
    r = f.matmul(handle, o.desc, wide ? (const void *)&wide_one : &one, (const void *)(uintptr_t)c.left, o.left,
                 (const void *)(uintptr_t)c.right, o.right, wide ? (const void *)&wide_zero : &zero,
                 (void *)(uintptr_t)c.out, o.out, (void *)(uintptr_t)c.out, o.out, &best.algo, room,
                 room != NULL ? TSR__CUDA_WORKSPACE : 0, tsr__cuda_queue_stream(queue));
  destroy(&f, &o);
  return r == CUBLAS_STATUS_SUCCESS
             ? TSR_OK
             : TSR__FAIL(ctx, TSR_EDEVICE, "matmul", NULL, "cuBLASLt refuses it: status %d", (int)r);
}

tsr_status tsr__cuda_plan_blas(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_product *p, tsr__cuda_ref out, bool *done,
                               tsr__cuda_plan *plan) {
  const int dtype = p->a.dtype;
  const bool takes =
      dtype == p->b.dtype && (dtype == TSR_F32 || dtype == TSR_F64 || dtype == TSR_F16 || dtype == TSR_BF16);
  blas_call c = {.m = p->n, .n = p->m, .k = p->k, .dtype = dtype, .sum = tsr__cuda_sum_dtype(dtype)};
  int64_t batches;
  int32_t a_rows, b_rows;
  void *handle = NULL;
  *done = false;
  if (!takes || p->k == 0 || !merge_batches(p, &batches, &c.right_step, &c.left_step)) return TSR_OK;
  if (!is_blas_matrix(&p->a, p->m, p->k, &c.right_ld, &a_rows) ||
      !is_blas_matrix(&p->b, p->k, p->n, &c.left_ld, &b_rows))
    return TSR_OK;
  if (p->a.address % 16 != 0 || p->b.address % 16 != 0) return TSR_OK;
  tsr_ctx quiet; /* without the library our own kernel does it, and nobody is told */
  if (tsr_context_init(&quiet, NULL) != TSR_OK || tsr__cuda_blas(gpu, &quiet, &handle) != TSR_OK) return TSR_OK;
  c.left_transposed = !b_rows;
  c.right_transposed = !a_rows;
  c.batches = (int32_t)batches;
  tsr__cuda_plan_call(plan, multiply, &c, sizeof c);
  tsr__cuda_plan_address(plan, offsetof(blas_call, left), p->b.ref);
  tsr__cuda_plan_address(plan, offsetof(blas_call, right), p->a.ref);
  tsr__cuda_plan_address(plan, offsetof(blas_call, out), out);
  *done = true;
  (void)ctx;
  return TSR_OK;
}
