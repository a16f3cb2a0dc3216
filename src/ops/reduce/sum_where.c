/* tsr_sum_where, tsr_prod_where. */
#include "core/operand.h"
#include "ops/cast/convert.h"
#include "ops/reduce/where.h"

#define X(isa) tsr__sum_##isa,
static tsr__reduce_tables sums = {TSR_ISA_LIST(X)};
#undef X
#define X(isa) tsr__prod_##isa,
static tsr__reduce_tables products = {TSR_ISA_LIST(X)};
#undef X

static tsr_status begin(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_selection *selection, int naxes,
                        const int *axes, bool keepdims, tsr__reduce *r, tsr__where *where) {
  tsr_status st = tsr__reduce_begin(ctx, op, x, naxes, axes, keepdims, r);
  if (st == TSR_OK) st = tsr__reduce_check_real(ctx, r);
  if (st == TSR_OK) st = tsr__where_check(ctx, op, x, selection, where);
  if (st == TSR_OK) r->out_dtype = tsr__reduce_sum_dtype(x->dtype);
  return st;
}

/* A sum starts with -0, which changes nothing; the sum of nothing is 0. */
static void finish_empty(const tsr__reduce *r, tsr_index n, void *values, const void *param) {
  (void)param;
  if (r->count == 0) memset(values, 0, (size_t)n * tsr_dtype_size(r->pass[0].kernel->dtype));
}

tsr_status tsr_sum_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes, const int *axes,
                         bool keepdims, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  static const unsigned char zero[8] = {0};
  tsr__reduce r;
  tsr__where  where;
  const tsr_status st = begin(ctx, "sum_where", x, selection, naxes, axes, keepdims, &r, &where);
  if (st != TSR_OK) return st;
  r.compute = tsr__reduce_compute(x->dtype);
  r.pass[0] = (tsr__reduce_pass){sums[tsr__isa_of(ctx)][r.compute], finish_empty};
  return tsr__where_run(ctx, &where, &r, zero, true, out);
}

tsr_status tsr_prod_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes, const int *axes,
                          bool keepdims, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  unsigned char one[16];
  tsr__reduce   r;
  tsr__where    where;
  tsr_status    st = begin(ctx, "prod_where", x, selection, naxes, axes, keepdims, &r, &where);
  if (st != TSR_OK) return st;
  r.compute = tsr__reduce_compute(r.out_dtype);
  r.pass[0].kernel = products[tsr__isa_of(ctx)][r.compute];
  st = tsr__scalar_from_i64(ctx, r.op, "x", r.compute, 1, one);
  return st == TSR_OK ? tsr__where_run(ctx, &where, &r, one, true, out) : st;
}
