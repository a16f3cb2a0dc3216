/* Products of vectors. */
#include <tessera/binary.h>
#include <tessera/matmul.h>
#include "core/operand.h"
#include "core/view.h"

static tsr_status check_vectors(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *b) {
  tsr_status st = tsr__check_input(ctx, op, "a", a);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "b", b);
  if (st != TSR_OK) return st;
  if (a->ndim == 1 && b->ndim == 1) return TSR_OK;
  const tsr_tensor *const wrong = a->ndim != 1 ? a : b;
  return TSR__FAIL(ctx, TSR_ESHAPE, op, wrong == a ? "a" : "b", "%S is no vector", (int)wrong->ndim, wrong->shape);
}

tsr_status tsr_dot(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  TSR__OPERANDS(a, b, out);
  static const char op[] = "dot";
  tsr_status st = check_vectors(ctx, op, a, b);
  if (st != TSR_OK) return st;
  st = tsr_matmul(ctx, a, b, out);
  return st == TSR_OK ? TSR_OK : tsr__fail_as(ctx, st, op);
}

tsr_status tsr_outer(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  TSR__OPERANDS(a, b, out);
  static const char op[] = "outer";
  tsr_status st = check_vectors(ctx, op, a, b);
  if (st != TSR_OK) return st;
  tsr_tensor column = *a;
  column.flags &= (uint8_t)~TSR_OWNS;
  tsr__view_add_axis(&column, 1, 1, 0);
  st = tsr_mul(ctx, &column, b, out);
  return st == TSR_OK ? TSR_OK : tsr__fail_as(ctx, st, op);
}

static tsr_status check_matvec(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *x) {
  tsr_status st = tsr__check_input(ctx, op, "a", a);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "x", x);
  if (st != TSR_OK) return st;
  const tsr_tensor *const flat = a->ndim < 2 ? a : x;
  if (a->ndim < 2 || x->ndim < 1)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, flat == a ? "a" : "x", "%S: [..., M, N] by [..., N] is wanted", (int)flat->ndim,
                     flat->shape);
  const tsr_index columns = a->shape[a->ndim - 1], length = x->shape[x->ndim - 1];
  if (columns != length)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, NULL, "a %S and x %S do not fit: %l columns against %l numbers", (int)a->ndim,
                     a->shape, (int)x->ndim, x->shape, (int64_t)columns, (int64_t)length);
  if (x->ndim == TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "x", "%S has too many axes", (int)x->ndim, x->shape);
  return TSR_OK;
}

/* x as one column more: its batch axes are those of the matrices. */
static tsr_status multiply_columns(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *x, tsr_tensor *out) {
  tsr_tensor column = *x, wide;
  column.flags &= (uint8_t)~TSR_OWNS;
  tsr__view_add_axis(&column, x->ndim, 1, 0);
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  wide = *out;
  const bool given = !tsr_is_empty(out);
  if (given && out->ndim < TSR_MAX_DIMS) tsr__view_add_axis(&wide, out->ndim, 1, 0);
  const tsr_status st = tsr_matmul(ctx, a, &column, &wide);
  if (st != TSR_OK || (given && out->data != NULL)) return st;
  tsr__view_drop_axis(&wide, wide.ndim - 1);
  *out = wide;
  return TSR_OK;
}

tsr_status tsr_matvec(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *x, tsr_tensor *out) {
  TSR__OPERANDS(a, x, out);
  static const char op[] = "matvec";
  tsr_status st = check_matvec(ctx, op, a, x);
  if (st != TSR_OK) return st;
  st = x->ndim == 1 ? tsr_matmul(ctx, a, x, out) : multiply_columns(ctx, op, a, x, out);
  return st == TSR_OK ? TSR_OK : tsr__fail_as(ctx, st, op);
}
