/* Products of vectors. */
#include <tessera/binary.h>
#include <tessera/matmul.h>
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
  const tsr_status st = check_vectors(ctx, "dot", a, b);
  return st == TSR_OK ? tsr_matmul(ctx, a, b, out) : st;
}

tsr_status tsr_outer(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  const tsr_status st = check_vectors(ctx, "outer", a, b);
  if (st != TSR_OK) return st;
  tsr_tensor column = *a;
  column.flags &= (uint8_t)~TSR_OWNS;
  tsr__view_add_axis(&column, 1, 1, 0);
  return tsr_mul(ctx, &column, b, out);
}

/* x as one column more: its batch axes are those of the matrices. */
tsr_status tsr_matvec(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *x, tsr_tensor *out) {
  static const char op[] = "matvec";
  tsr_status st = tsr__check_input(ctx, op, "a", a);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "x", x);
  if (st != TSR_OK) return st;
  if (a->ndim < 2 || x->ndim < 1)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, a->ndim < 2 ? "a" : "x", "%S: [..., M, N] by [..., N] is wanted",
                     (int)(a->ndim < 2 ? a : x)->ndim, (a->ndim < 2 ? a : x)->shape);
  if (x->ndim == 1) return tsr_matmul(ctx, a, x, out);
  if (x->ndim == TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "x", "%S has too many axes", (int)x->ndim, x->shape);
  tsr_tensor column = *x, wide;
  column.flags &= (uint8_t)~TSR_OWNS;
  tsr__view_add_axis(&column, x->ndim, 1, 0);
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  wide = *out;
  const bool given = !tsr_is_empty(out);
  if (given && out->ndim < TSR_MAX_DIMS) tsr__view_add_axis(&wide, out->ndim, 1, 0);
  st = tsr_matmul(ctx, a, &column, &wide);
  if (st != TSR_OK || (given && out->data != NULL)) return st;
  tsr__view_drop_axis(&wide, wide.ndim - 1);
  *out = wide;
  return TSR_OK;
}
