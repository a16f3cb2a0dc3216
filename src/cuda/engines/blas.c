/* Products by cuBLASLt. What the library is told, and the algorithm that it chooses, are kept for each shape: a call then only launches. */
#include "cuda/engines/product.h"
#include "cuda/gpu.h"

#include <cublasLt.h>
#include <string.h>

/* A product as the library sees it. Its matrices are column-major: the transpose of a row-major result is the product of the
 * transposes, in the other order. Compared byte by byte: without a gap. */
typedef struct blas_shape {
  int64_t m, n, k; /* of the library's result: n, m of ours */
  int64_t left_ld, right_ld;
  int64_t left_step, right_step; /* of batches */
  int32_t left_transposed, right_transposed, batches, dtype, out, biased;
  uint32_t left_align, right_align, out_align, none;
} blas_shape;
_Static_assert(sizeof(blas_shape) == 7 * 8 + 10 * 4, "compared byte by byte");

/* One that the library was asked about; it lives as long as the GPU. */
typedef struct blas_product {
  blas_shape shape;
  bool is_taken; /* there is an algorithm */
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t left, right, result;
  cublasLtMatmulAlgo_t algo;
  size_t workspace;
  struct blas_product *next;
} blas_product;

/* What a call needs when it is enqueued. */
typedef struct blas_call {
  uint64_t left, right, out, bias; /* b, a, the result */
  const blas_product *product;
} blas_call;

/* ---- shapes ---- */

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

/* The largest power of 2 up to 256 that an address is a multiple of: the library assumes 256 where it is not told. */
static uint32_t alignment_of(uintptr_t address) {
  uint32_t align = 256;
  while (address % align != 0) align /= 2;
  return align;
}

static bool takes(const tsr__cuda_product *p, int out) {
  const int dtype = p->a.dtype;
  if (dtype != p->b.dtype || p->k == 0) return false;
  if (dtype == TSR_F32 || dtype == TSR_F64) return out == dtype;
  return (dtype == TSR_F16 || dtype == TSR_BF16) && (out == dtype || out == TSR_F32);
}

static bool set_shape(const tsr__cuda_product *p, const tsr__cuda_view *out, const tsr__cuda_view *bias,
                      blas_shape *s) {
  int64_t batches;
  int32_t a_rows, b_rows;
  memset(s, 0, sizeof *s);
  s->m = p->n;
  s->n = p->m;
  s->k = p->k;
  s->dtype = p->a.dtype;
  s->out = out->tensor.dtype;
  s->biased = bias != NULL;
  if (!takes(p, s->out) || !merge_batches(p, &batches, &s->right_step, &s->left_step)) return false;
  if (!is_blas_matrix(&p->a, p->m, p->k, &s->right_ld, &a_rows) ||
      !is_blas_matrix(&p->b, p->k, p->n, &s->left_ld, &b_rows))
    return false;
  s->batches = (int32_t)batches;
  s->left_transposed = !b_rows;
  s->right_transposed = !a_rows;
  s->left_align = alignment_of(p->b.address);
  s->right_align = alignment_of(p->a.address);
  s->out_align = alignment_of(tsr__cuda_place_of(out));
  return true;
}

/* ---- the library ---- */

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

/* Found once. The lock is held. */
static const blas_functions *find_functions(tsr__cuda *gpu) {
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
  blas_functions *f = gpu->blas_functions;
  void *found[sizeof names / sizeof names[0]];
  _Static_assert(sizeof found == sizeof *f, "a function for each name");
  if (f != NULL) return f;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if ((found[i] = tsr__cuda_blas_symbol(gpu, names[i])) == NULL) return NULL;
  f = tsr__cuda_host_new(sizeof *f);
  if (f == NULL) return NULL;
  memcpy(f, found, sizeof *f);
  gpu->blas_functions = f;
  return f;
}

/* ---- asking it ---- */

static cudaDataType_t type_of(int dtype) {
  return dtype == TSR_F64 ? CUDA_R_64F : dtype == TSR_F16 ? CUDA_R_16F : dtype == TSR_BF16 ? CUDA_R_16BF : CUDA_R_32F;
}

static bool make_layout(const blas_functions *f, int dtype, int64_t rows, int64_t cols, int64_t ld, int32_t batches,
                        int64_t step, cublasLtMatrixLayout_t *layout) {
  return f->layout_create(layout, type_of(dtype), (uint64_t)rows, (uint64_t)cols, ld) == CUBLAS_STATUS_SUCCESS &&
         f->layout_set(*layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches, sizeof batches) ==
             CUBLAS_STATUS_SUCCESS &&
         f->layout_set(*layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &step, sizeof step) ==
             CUBLAS_STATUS_SUCCESS;
}

/* f32 is summed in f32, and multiplied so: no TF32. A bias is added to the sum before it is rounded. */
static bool make_desc(const blas_functions *f, const blas_shape *s, blas_product *p) {
  const bool wide = s->dtype == TSR_F64;
  const cublasOperation_t left = s->left_transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                          right = s->right_transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_BIAS;
  const void *const somewhere = (const void *)(uintptr_t)256; /* it looks at the alignment alone */
  if (f->desc_create(&p->desc, wide ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, wide ? CUDA_R_64F : CUDA_R_32F) !=
          CUBLAS_STATUS_SUCCESS ||
      f->desc_set(p->desc, CUBLASLT_MATMUL_DESC_TRANSA, &left, sizeof left) != CUBLAS_STATUS_SUCCESS ||
      f->desc_set(p->desc, CUBLASLT_MATMUL_DESC_TRANSB, &right, sizeof right) != CUBLAS_STATUS_SUCCESS)
    return false;
  return !s->biased ||
         (f->desc_set(p->desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue) == CUBLAS_STATUS_SUCCESS &&
          f->desc_set(p->desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &somewhere, sizeof somewhere) ==
              CUBLAS_STATUS_SUCCESS);
}

static bool make_layouts(const blas_functions *f, const blas_shape *s, blas_product *p) {
  const bool lt = s->left_transposed != 0, rt = s->right_transposed != 0;
  return make_layout(f, s->dtype, lt ? s->k : s->m, lt ? s->m : s->k, s->left_ld, s->batches, s->left_step, &p->left) &&
         make_layout(f, s->dtype, rt ? s->n : s->k, rt ? s->k : s->n, s->right_ld, s->batches, s->right_step,
                     &p->right) &&
         make_layout(f, s->out, s->m, s->n, s->m, s->batches, s->m * s->n, &p->result);
}

/* Split sums are joined in the compute type, and one workspace serves every call: the same bits every run. */
static bool choose(const blas_functions *f, void *handle, const blas_shape *s, blas_product *p) {
  const uint32_t scheme = CUBLASLT_REDUCTION_SCHEME_NONE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  const uint64_t room = TSR__CUDA_WORKSPACE;
  const uint32_t align[4] = {s->left_align, s->right_align, s->out_align, s->out_align};
  cublasLtMatmulPreference_t preference = NULL;
  cublasLtMatmulHeuristicResult_t best;
  int found = 0;
  if (f->preference_create(&preference) != CUBLAS_STATUS_SUCCESS) return false;
  bool good = f->preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room, sizeof room) ==
                  CUBLAS_STATUS_SUCCESS &&
              f->preference_set(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &scheme, sizeof scheme) ==
                  CUBLAS_STATUS_SUCCESS;
  for (int i = 0; i < 4 && good; i++)
    good = f->preference_set(preference,
                             (cublasLtMatmulPreferenceAttributes_t)(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES + i),
                             &align[i], sizeof align[i]) == CUBLAS_STATUS_SUCCESS;
  good = good &&
         f->heuristic(handle, p->desc, p->left, p->right, p->result, p->result, preference, 1, &best, &found) ==
             CUBLAS_STATUS_SUCCESS &&
         found > 0 && best.state == CUBLAS_STATUS_SUCCESS && best.workspaceSize <= room;
  (void)f->preference_destroy(preference);
  if (!good) return false;
  p->algo = best.algo;
  p->workspace = best.workspaceSize;
  return true;
}

static void forget(const blas_functions *f, blas_product *p) {
  if (p->result != NULL) (void)f->layout_destroy(p->result);
  if (p->right != NULL) (void)f->layout_destroy(p->right);
  if (p->left != NULL) (void)f->layout_destroy(p->left);
  if (p->desc != NULL) (void)f->desc_destroy(p->desc);
  p->result = p->right = p->left = NULL;
  p->desc = NULL;
}

/* What is known of a shape, also that the library does not take it; NULL: no memory. The lock and the context are held. */
static const blas_product *find_product(tsr__cuda *gpu, void *handle, const blas_shape *shape) {
  blas_product *p = gpu->blas_products;
  while (p != NULL && memcmp(&p->shape, shape, sizeof *shape) != 0) p = p->next;
  if (p != NULL) return p;
  const blas_functions *const f = find_functions(gpu);
  p = f != NULL ? tsr__cuda_host_new(sizeof *p) : NULL;
  if (p == NULL) return NULL;
  p->shape = *shape;
  p->is_taken = make_desc(f, shape, p) && make_layouts(f, shape, p) && choose(f, handle, shape, p);
  if (!p->is_taken) forget(f, p);
  p->next = gpu->blas_products;
  gpu->blas_products = p;
  return p;
}

/* ---- a call ---- */

/* The place of the bias is in the description, which other threads use too: the lock is held until the product is enqueued. */
static cublasStatus_t launch(tsr__cuda *gpu, tsr__cuda_queue *queue, const blas_call *c, void *room) {
  static const float one = 1, zero = 0;
  static const double wide_one = 1, wide_zero = 0;
  const blas_product *const p = c->product;
  const bool wide = p->shape.dtype == TSR_F64;
  const blas_functions *const f = gpu->blas_functions;
  const void *const bias = (const void *)(uintptr_t)c->bias;
  void *const out = (void *)(uintptr_t)c->out;
  cublasStatus_t r = CUBLAS_STATUS_SUCCESS;
  if (p->shape.biased) r = f->desc_set(p->desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias);
  if (r != CUBLAS_STATUS_SUCCESS) return r;
  return f->matmul(gpu->blas_handle, p->desc, wide ? (const void *)&wide_one : &one, (const void *)(uintptr_t)c->left,
                   p->left, (const void *)(uintptr_t)c->right, p->right, wide ? (const void *)&wide_zero : &zero, out,
                   p->result, out, p->result, &p->algo, room, room != NULL ? TSR__CUDA_WORKSPACE : 0,
                   tsr__cuda_queue_stream(queue));
}

static tsr_status multiply(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, void *args) {
  blas_call c;
  memcpy(&c, args, sizeof c);
  void *const room = c.product->workspace > 0 ? tsr__cuda_queue_workspace(queue) : NULL;
  if (room == NULL && c.product->workspace > 0)
    return TSR__FAIL(ctx, TSR_ENOMEM, "matmul", NULL, "%s has no memory for a workspace of %z bytes", gpu->name,
                     (size_t)TSR__CUDA_WORKSPACE);
  (void)pthread_mutex_lock(&gpu->blas_lock);
  const cublasStatus_t r = launch(gpu, queue, &c, room);
  (void)pthread_mutex_unlock(&gpu->blas_lock);
  return r == CUBLAS_STATUS_SUCCESS
             ? TSR_OK
             : TSR__FAIL(ctx, TSR_EDEVICE, "matmul", NULL, "cuBLASLt refuses it: status %d", (int)r);
}

tsr_status tsr__cuda_plan_blas(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_product *p, const tsr__cuda_view *out,
                               const tsr__cuda_view *bias, bool *done, tsr__cuda_plan *plan) {
  blas_shape shape;
  blas_call c = {.product = NULL};
  tsr__cuda_scope scope;
  *done = false;
  if (!set_shape(p, out, bias, &shape)) return TSR_OK;
  const tsr_status st = tsr__cuda_enter(gpu, ctx, "matmul", &scope);
  if (st != TSR_OK) return st;
  (void)pthread_mutex_lock(&gpu->blas_lock);
  void *const handle = tsr__cuda_blas(gpu);
  if (handle != NULL) c.product = find_product(gpu, handle, &shape);
  (void)pthread_mutex_unlock(&gpu->blas_lock);
  tsr__cuda_leave(gpu, scope);
  if (c.product == NULL || !c.product->is_taken) return TSR_OK; /* our own kernel does it */
  tsr__cuda_plan_call(plan, multiply, &c, sizeof c);
  tsr__cuda_plan_address(plan, offsetof(blas_call, left), p->b.ref);
  tsr__cuda_plan_address(plan, offsetof(blas_call, right), p->a.ref);
  tsr__cuda_plan_address(plan, offsetof(blas_call, out), out->ref);
  if (bias != NULL) tsr__cuda_plan_address(plan, offsetof(blas_call, bias), bias->ref);
  *done = true;
  return TSR_OK;
}
