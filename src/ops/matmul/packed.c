/* Packed weights. */
#include "ops/matmul/gemm.h"

#include <tessera/binary.h>
#include "core/normalise.h"
#include "core/tensor.h"
#include "cpu/isa_table.h"
#include "ops/matmul/ops.h"

#if TSR_HAVE_MALLOC

/* The numbers of kernels in packed weights; they never change. */
enum {
  KERNEL_SUM = 1,
  KERNEL_BF16 = 2,
  KERNEL_U8 = 3,
  KERNEL_I8 = 4,
  KERNEL_I16 = 5,
  KERNEL_NARROW = 6,
  KERNEL_BF16_TILES = 7,
  KERNEL_U8_TILES = 8,
  KERNEL_I8_TILES = 9
};

static int kernel_number(const tsr__gemm_kernel *kernel, int a_dtype) {
  if (kernel->group > 1 && kernel->item == 8)
    return kernel->sum == TSR_F32 ? KERNEL_BF16_TILES : a_dtype == TSR_U8 ? KERNEL_U8_TILES : KERNEL_I8_TILES;
  if (kernel->group == 2) return kernel->from == TSR_I16 ? KERNEL_I16 : KERNEL_BF16;
  if (kernel->group == 4) return a_dtype == TSR_U8 ? KERNEL_U8 : KERNEL_I8;
  return kernel->b_item != 0 ? KERNEL_NARROW : KERNEL_SUM;
}

/* With the width of the panels, in which builds can differ: pairs of i16 have the widest panels that are compiled in. */
static uint8_t number_of(const tsr__gemm_kernel *kernel, int a_dtype) {
  return tsr__layout_number(kernel_number(kernel, a_dtype), kernel->nr);
}

/* The dtype that b is packed in: what a product with a of a_dtype is summed in. Bytes are summed in i32. */
static int sum_for(int a_dtype, int dtype) {
  const int promoted = tsr_dtype_promote(a_dtype, dtype);
  const int class_ = tsr_dtype_describe(promoted)->class_;
  if (class_ == TSR_CLASS_FLOAT) return promoted == TSR_F64 ? TSR_F64 : TSR_F32;
  return tsr_dtype_size(promoted) == 8 ? TSR_I64 : TSR_I32;
}

typedef struct plan {
  const tsr__gemm_kernel *kernel;
  int isa, a_dtype;
  tsr_index rows, cols, groups, kb;
  size_t bytes;
} plan;

/* A matrix of dtype, for products with an a of a_dtype. */
static tsr_status plan_of(tsr_ctx *ctx, const char *op, int isa, int dtype, tsr_index rows, tsr_index cols, int a_dtype,
                          plan *p) {
  if (a_dtype == TSR_NONE) a_dtype = dtype;
  const tsr_status st = tsr__check_dtype(ctx, op, "a_dtype", a_dtype);
  if (st != TSR_OK) return st;
  const int class_ = tsr_dtype_describe(tsr_dtype_promote(a_dtype, dtype))->class_;
  if (!tsr_dtype_supported(a_dtype) || !tsr_dtype_supported(dtype) || class_ == TSR_CLASS_COMPLEX ||
      class_ == TSR_CLASS_BOOL)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, NULL, "%y by %y: only for real numbers", a_dtype, dtype);
  const tsr_index most = TSR_INDEX_MAX / 64;
  *p = (plan){.isa = isa, .a_dtype = a_dtype, .rows = rows, .cols = cols};
  p->kernel = tsr__gemm_kernel_for(isa, a_dtype, dtype, sum_for(a_dtype, dtype));
  if (rows <= most && cols <= most) {
    p->groups = (rows + p->kernel->group - 1) / p->kernel->group;
    p->kb = tsr__k_block(p->kernel, rows);
    const tsr_index blocks = p->kb > 0 ? (p->groups + p->kb - 1) / p->kb : 0;
    const size_t wide = tsr__packed_bytes(p->kernel, cols, 1);
    if (tsr__mul_size(wide, (size_t)(p->groups + blocks * p->kernel->extra), &p->bytes) && p->bytes <= PTRDIFF_MAX)
      return TSR_OK;
  }
  return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "b", "is too large to pack: %l rows, %l columns", (int64_t)rows,
                   (int64_t)cols);
}

static tsr_status plan_pack(tsr_ctx *ctx, const char *op, const tsr_tensor *b, int a_dtype, plan *p) {
  const tsr_status st = tsr__check_input(ctx, op, "b", b);
  if (st != TSR_OK) return st;
  if (b->ndim != 2) return TSR__FAIL(ctx, TSR_ESHAPE, op, "b", "%S is no matrix", (int)b->ndim, b->shape);
  return plan_of(ctx, op, tsr__isa_of(ctx), b->dtype, b->shape[0], b->shape[1], a_dtype, p);
}

static void pack_blocks(const plan *p, const tsr_tensor *b, char *panels) {
  const ptrdiff_t item = tsr__item(b), row = (ptrdiff_t)b->stride[0] * item, col = (ptrdiff_t)b->stride[1] * item;
  const tsr_index step = p->kb * p->kernel->group;
  for (tsr_index p0 = 0; p0 < p->groups && p->cols > 0; p0 += p->kb) {
    const tsr_index k = p0 * p->kernel->group, left = p->rows - k;
    tsr__pack_from(p->kernel, p->isa, b->dtype, true, p->cols, left < step ? left : step,
                   (const char *)b->data + (ptrdiff_t)k * row, col, row,
                   panels + tsr__packed_block(p->kernel, p->cols, p->kb, p0));
  }
}

tsr_status tsr_pack_size(tsr_ctx *ctx, const tsr_tensor *b, int a_dtype, size_t *bytes) {
  TSR__NORMALISE_ALL(b);
  static const char op[] = "pack_size";
  plan p = {0};
  if (b == NULL || bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, op, b == NULL ? "b" : "bytes", "is NULL");
  const tsr_status st = plan_pack(ctx, op, b, a_dtype, &p);
  if (st == TSR_OK) *bytes = p.bytes;
  return st;
}

tsr_status tsr_pack(tsr_ctx *ctx, const tsr_tensor *b, int a_dtype, tsr_packed *packed) {
  TSR__NORMALISE_ALL(b);
  static const char op[] = "pack";
  plan p = {0};
  if (b == NULL || packed == NULL) return TSR__FAIL(ctx, TSR_EARG, op, b == NULL ? "b" : "packed", "is NULL");
  tsr_status st = plan_pack(ctx, op, b, a_dtype, &p);
  if (st != TSR_OK) return st;
  const tsr_index shape[1] = {(tsr_index)p.bytes};
  const tsr__result result = {TSR_U8, TSR_PLAIN, 1, shape, NULL};
  st = tsr__output_check(ctx, op, &result, &packed->panels);
  if (st != TSR_OK) return st;
  if (packed->panels.data != NULL &&
      ((uintptr_t)packed->panels.data % TSR_DATA_ALIGN != 0 || (packed->panels.stride[0] != 1 && p.bytes > 1)))
    return TSR__FAIL(ctx, TSR_EALIGN, op, "packed", "its panels are not contiguous and aligned to %d bytes",
                     TSR_DATA_ALIGN);
  if (packed->panels.data != NULL && b->data != NULL && tsr__overlap(b, &packed->panels))
    return TSR__FAIL(ctx, TSR_EOVERLAP, op, "packed", "its panels overlap b");
  st = tsr__output(ctx, op, &result, &packed->panels);
  if (st != TSR_OK) return st;
  packed->rows = p.rows;
  packed->cols = p.cols;
  packed->dtype = b->dtype;
  packed->a_dtype = (uint8_t)p.a_dtype;
  packed->kernel = number_of(p.kernel, p.a_dtype);
  packed->isa = tsr__isa_rows[p.isa].id;
  pack_blocks(&p, b, packed->panels.data);
  return TSR_OK;
}

/* ---- products with them ---- */

/* Whether the struct, whose panels are given, can be what tsr_pack made: it may come from anywhere. */
static tsr_status check_packed(tsr_ctx *ctx, const char *op, const tsr_packed *b, const tsr_tensor *panels,
                               const tsr_tensor *a, tsr_tensor *desc) {
  const tsr_index shape[2] = {b->rows, b->cols};
  plan p = {0};
  if (b->dtype == TSR_NONE) return TSR__FAIL(ctx, TSR_ESTATE, op, "b", "is empty");
  tsr_status st = tsr__check_desc(ctx, op, b->dtype, 2, shape);
  if (st != TSR_OK) return st;
  int isa;
  st = tsr__isa_find(ctx, op, "b", b->isa, &isa);
  if (st != TSR_OK) return st;
  if (a->dtype != b->a_dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "a", "is %y, b was packed for %y", (int)a->dtype, (int)b->a_dtype);
  tsr__describe(b->dtype, 2, shape, desc);
  st = plan_of(ctx, op, isa, b->dtype, b->rows, b->cols, b->a_dtype, &p);
  if (st != TSR_OK) return st;
  if (panels->dtype != TSR_U8 || panels->ndim != 1 || (size_t)panels->shape[0] != p.bytes ||
      number_of(p.kernel, p.a_dtype) != b->kernel || (p.bytes > 0 && (uintptr_t)panels->data % TSR_DATA_ALIGN != 0))
    return TSR__FAIL(ctx, TSR_ESTATE, op, "b", "is not what tsr_pack makes of %t on this machine", desc);
  return TSR_OK;
}

/* A product whose first inputs are a and the panels of b; what else there is, *g has. */
static tsr_status call_packed(tsr__call *call, const tsr_packed *b, tsr__gemm *g) {
  const tsr_tensor *const panels = call->in[1];
  tsr_tensor desc;
  const tsr_status st = check_packed(call->ctx, call->op, b, panels, call->in[0], &desc);
  if (st != TSR_OK) return st;
  g->a = call->in[0];
  g->b = &desc; /* cppcheck-suppress autoVariables */
  g->packed = b;
  g->panels = panels->data;
  return tsr__gemm_call(call, g);
}

static tsr_status matmul_packed(tsr__call *call) {
  const tsr__matmul_packed_attrs *const attrs = call->attrs;
  tsr__gemm g = {.alpha = 1, .bias = call->in[2], .scale = call->in[3], .options = attrs->options};
  return call_packed(call, attrs->b, &g);
}

static tsr_status gemm_packed(tsr__call *call) {
  const tsr__gemm_packed_attrs *const attrs = call->attrs;
  tsr__gemm g = {.alpha = attrs->alpha,
                 .beta = attrs->beta,
                 .c = call->in[2],
                 .bias = call->in[3],
                 .scale = call->in[4],
                 .options = attrs->options};
  return call_packed(call, attrs->b, &g);
}

static const tsr_tensor *panels_of(const tsr_packed *b) { return b != NULL ? &b->panels : NULL; }

TSR__OP(matmul_packed, matmul_packed, 0)
tsr_status tsr_matmul_packed(tsr_ctx *ctx, const tsr_tensor *a, const tsr_packed *b, const tsr_gemm_options *options,
                             tsr_tensor *out) {
  return TSR__CALL(matmul_packed, ctx, TSR__INPUTS(a, panels_of(b), tsr__gemm_bias(options), tsr__gemm_scale(options)),
                   TSR__OUTPUTS(out), .b = b, .options = options);
}

TSR__OP(gemm_packed, gemm_packed, 0)
tsr_status tsr_gemm_packed(tsr_ctx *ctx, tsr_real alpha, const tsr_tensor *a, const tsr_packed *b, tsr_real beta,
                           const tsr_tensor *c, const tsr_gemm_options *options, tsr_tensor *out) {
  return TSR__CALL(
      gemm_packed, ctx,
      TSR__INPUTS(a, panels_of(b), beta != 0 ? c : NULL, tsr__gemm_bias(options), tsr__gemm_scale(options)),
      TSR__OUTPUTS(out), .alpha = alpha, .b = b, .beta = beta, .options = options);
}

#else

static tsr_status refuse(tsr_ctx *ctx, const char *op) {
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, NULL, "this build multiplies without packing");
}

tsr_status tsr_pack_size(tsr_ctx *ctx, const tsr_tensor *b, int a_dtype, size_t *bytes) {
  (void)b;
  (void)a_dtype;
  (void)bytes;
  return refuse(ctx, "pack_size");
}

tsr_status tsr_pack(tsr_ctx *ctx, const tsr_tensor *b, int a_dtype, tsr_packed *packed) {
  (void)b;
  (void)a_dtype;
  (void)packed;
  return refuse(ctx, "pack");
}

tsr_status tsr_matmul_packed(tsr_ctx *ctx, const tsr_tensor *a, const tsr_packed *b, const tsr_gemm_options *options,
                             tsr_tensor *out) {
  (void)a;
  (void)b;
  (void)options;
  (void)out;
  return refuse(ctx, "matmul_packed");
}

tsr_status tsr_gemm_packed(tsr_ctx *ctx, tsr_real alpha, const tsr_tensor *a, const tsr_packed *b, tsr_real beta,
                           const tsr_tensor *c, const tsr_gemm_options *options, tsr_tensor *out) {
  (void)alpha;
  (void)a;
  (void)b;
  (void)beta;
  (void)c;
  (void)options;
  (void)out;
  return refuse(ctx, "gemm_packed");
}

#endif

void tsr_packed_release(tsr_packed *packed) {
  if (packed == NULL) return;
  tsr_release(&packed->panels);
  *packed = (tsr_packed){0};
}
