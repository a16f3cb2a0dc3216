/* tsr_any_where, tsr_all_where, tsr_count_nonzero_where. */
#include "core/operand.h"
#include "ops/reduce/where.h"

#define X(isa) tsr__any_##isa,
static tsr__reduce_tables anys = {TSR_ISA_LIST(X)};
#undef X
#define X(isa) tsr__all_##isa,
static tsr__reduce_tables alls = {TSR_ISA_LIST(X)};
#undef X
#define X(isa) tsr__count_##isa,
static tsr__reduce_tables counts = {TSR_ISA_LIST(X)};
#undef X

/* fill: what an element that is not chosen counts as. */
static tsr_status run(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_selection *selection, int naxes,
                      const int *axes, bool keepdims, const tsr__reduce_kernel *kernel, unsigned char fill, int dtype,
                      tsr_tensor *out) {
  tsr__reduce r;
  tsr__where  where;
  tsr_status  st = tsr__reduce_begin(ctx, op, x, naxes, axes, keepdims, &r);
  if (st == TSR_OK) st = tsr__where_check(ctx, op, x, selection, &where);
  if (st != TSR_OK) return st;
  r.compute = TSR_BOOL;
  r.pass[0].kernel = kernel;
  r.out_dtype = dtype;
  return tsr__where_run(ctx, &where, &r, &fill, false, out);
}

tsr_status tsr_any_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes, const int *axes,
                         bool keepdims, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "any_where", x, selection, naxes, axes, keepdims, anys[tsr__isa_of(ctx)][TSR_U8], 0, TSR_BOOL, out);
}

tsr_status tsr_all_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes, const int *axes,
                         bool keepdims, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "all_where", x, selection, naxes, axes, keepdims, alls[tsr__isa_of(ctx)][TSR_U8], 1, TSR_BOOL, out);
}

tsr_status tsr_count_nonzero_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes,
                                   const int *axes, bool keepdims, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "count_nonzero_where", x, selection, naxes, axes, keepdims, counts[tsr__isa_of(ctx)][TSR_U8], 0,
             TSR_I64, out);
}
