/* Products of vectors. */
#include "core/view.h"
#include "ops/binary/broadcast.h"
#include "ops/elementwise/kernels.h"
#include "ops/elementwise/nan_watch.h"
#include "ops/matmul/gemm.h"
#include "ops/matmul/ops.h"
#include "ops/promote.h"

static tsr_status check_vectors(const tsr__call *call) {
  for (int k = 0; k < 2; k++)
    if (call->in[k]->ndim != 1)
      return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, tsr__call_input_name(call, k), "%S is no vector",
                       (int)call->in[k]->ndim, call->in[k]->shape);
  return TSR_OK;
}

static tsr_status dot(tsr__call *call) {
  tsr__gemm g;
  const tsr_status st = check_vectors(call);
  tsr__gemm_init(&g, call->in[0], call->in[1]);
  return st == TSR_OK ? tsr__gemm_call(call, &g) : st;
}

TSR__OP_LIKE(dot, matmul, dot, TSR__OP_PREPARES)
tsr_status tsr_dot(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  return TSR__CALL(dot, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), );
}

/* ---- outer: products that broadcast ---- */

TSR__DECLARE_KERNELS(mul)
static tsr__row_fn *const *const mul_tables[TSR__ISA_COUNT] = TSR__KERNELS_OF(mul);

static tsr_tensor as_column(const tsr_tensor *vectors) {
  tsr_tensor column = *vectors;
  column.flags &= (uint8_t)~TSR_OWNS;
  tsr__view_add_axis(&column, column.ndim, 1, 0);
  return column;
}

/* column by b, of one dtype that the kernel computes in. */
static tsr__elementwise outer_of(const tsr_ctx *ctx, const tsr_tensor *column, const tsr_tensor *b, int dtype) {
  return (tsr__elementwise){.op = "outer",
                            .inputs = 2,
                            .in = {column, b},
                            .compute = dtype,
                            .result = dtype,
                            .out_dtype = dtype,
                            .kernel = mul_tables[tsr__isa_of(ctx)][dtype],
                            .row_batches = true,
                            .grain = TSR__GRAIN_LIGHT};
}

static tsr_status outer(tsr__call *call) {
  static const char *const names[] = {"a", "b"};
  tsr__dtypes dtypes;
  tsr_status st = check_vectors(call);
  if (st == TSR_OK) st = tsr__promote(call->ctx, call->op, TSR__RULE_ALL, 2, call->in, names, &dtypes);
  if (st != TSR_OK) return st;
  const tsr_tensor column = as_column(call->in[0]);
  tsr__elementwise e = outer_of(call->ctx, &column, call->in[1], dtypes.compute);
  e.out_dtype = dtypes.out;
  return tsr__elementwise_call(call, &e, names);
}

/* The small call (see tsr__binary_broadcast): nothing is checked yet. */
static bool outer_small(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out, tsr_status *status) {
  if (!tsr__is_plain_context(ctx) || tsr__nan_watched() || a == NULL || b == NULL || a->ndim != 1 || b->ndim != 1 ||
      a->dtype >= TSR_DTYPE_COUNT)
    return false;
  const tsr_tensor column = as_column(a);
  const tsr__elementwise e = outer_of(ctx, &column, b, a->dtype);
  return tsr__binary_broadcast(ctx, &e, out, status);
}

TSR__OP_LIKE(outer, matmul, outer, 0)
tsr_status tsr_outer(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  tsr_status status;
  if (outer_small(ctx, a, b, out, &status)) return status;
  return TSR__CALL(outer, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), );
}

/* ---- matvec ---- */

static tsr_status check_matvec(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *x) {
  const tsr_tensor *const flat = a->ndim < 2 ? a : x;
  if (a->ndim < 2 || x->ndim < 1)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, flat == a ? "a" : "x", "%S: [..., M, N] by [..., N] is wanted",
                     (int)flat->ndim, flat->shape);
  const tsr_index columns = a->shape[a->ndim - 1], length = x->shape[x->ndim - 1];
  if (columns != length)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, NULL, "a %S and x %S do not fit: %l columns against %l numbers", (int)a->ndim,
                     a->shape, (int)x->ndim, x->shape, (int64_t)columns, (int64_t)length);
  if (x->ndim == TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "x", "%S has too many axes", (int)x->ndim, x->shape);
  return TSR_OK;
}

/* Several vectors are matrices of one column: their batch axes are those of the matrices. */
static tsr_status matvec(tsr__call *call) {
  const tsr_tensor *const x = call->in[1];
  const tsr_status st = check_matvec(call->ctx, call->op, call->in[0], x);
  if (st != TSR_OK) return st;
  const bool many = x->ndim > 1;
  const tsr_tensor column = many ? as_column(x) : *x;
  tsr__gemm g;
  tsr__gemm_init(&g, call->in[0], &column);
  g.drops_column = many;
  return tsr__gemm_call(call, &g);
}

TSR__OP(matvec, matvec, TSR__OP_PREPARES)
tsr_status tsr_matvec(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *x, tsr_tensor *out) {
  return TSR__CALL(matvec, ctx, TSR__INPUTS(a, x), TSR__OUTPUTS(out), );
}
