/* tsr_min_where, tsr_max_where. */
#include "core/operand.h"
#include "ops/cast/convert.h"
#include "ops/reduce/where.h"

#include <math.h>

#define X(isa) tsr__min_##isa,
static tsr__reduce_tables mins = {TSR_ISA_LIST(X)};
#undef X
#define X(isa) tsr__max_##isa,
static tsr__reduce_tables maxes = {TSR_ISA_LIST(X)};
#undef X

static tsr_status check(tsr_ctx *ctx, const char *op, const tsr__reduce *r, const tsr__where *where) {
  if (where->selection.has_initial) return TSR_OK;
  if (where->masked)
    return TSR__FAIL(ctx, TSR_EARG, op, "initial", "is needed with a mask: there may be nothing that it chooses");
  return tsr__reduce_check_some(ctx, r);
}

/* NaN to the results that count nothing, the rest stays: out is ready, and what is chosen are numbers. */
static void put_nan(const tsr_ctx *ctx, const tsr_tensor *counts, const tsr_tensor *out) {
  const float          nan = NAN;
  const int64_t *const count = counts->data;
  const tsr_index      n = tsr_size(out);
  for (tsr_index i = 0; i < n; i++) {
    tsr_index rest = i, offset = 0;
    if (count[i] != 0) continue;
    for (int k = out->ndim - 1; k >= 0; k--) {
      offset += rest % out->shape[k] * out->stride[k];
      rest /= out->shape[k];
    }
    tsr__convert_row(tsr__isa_of(ctx), TSR_F32, out->dtype, 1, (const char *)&nan, 0,
                     (char *)out->data + (ptrdiff_t)offset * tsr__item(out), 0);
  }
}

/* Room for the counts of all results, i64, and for a copy of x as bool. */
static tsr_status count_all(tsr_ctx *ctx, const tsr__where *where, const tsr__reduce *r, tsr__scratch *scratch,
                            tsr_tensor *counts) {
  int          ndim;
  tsr__scratch room = {0};
  tsr_tensor   bools;
  *counts = (tsr_tensor){.dtype = TSR_I64};
  tsr__reduce_shape(r, &ndim, counts->shape);
  counts->ndim = (uint8_t)ndim;
  tsr__strides_for(ndim, counts->shape, TSR_ROW_MAJOR, counts->stride);
  tsr_status st = tsr__scratch_get(ctx, r->op, tsr_nbytes(counts), scratch);
  counts->data = scratch->data;
  if (st == TSR_OK) st = tsr__where_room(ctx, where, TSR_BOOL, &room, &bools);
  if (st == TSR_OK) st = tsr__where_count(ctx, where, r, bools, counts);
  tsr__scratch_put(&room);
  return st;
}

static tsr_status run(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_selection *selection, int naxes,
                      const int *axes, bool keepdims, bool least, const tsr__reduce_tables *tables, tsr_tensor *out) {
  unsigned char fill[16] = {0};
  tsr__scratch  scratch = {0};
  tsr_tensor    counts = {0};
  tsr__reduce   r;
  tsr__where    where;
  tsr_status    st = tsr__reduce_begin(ctx, op, x, naxes, axes, keepdims, &r);
  if (st == TSR_OK) st = tsr__reduce_check_real(ctx, &r);
  if (st == TSR_OK) st = tsr__where_check(ctx, op, x, selection, &where);
  if (st == TSR_OK) st = check(ctx, op, &r, &where);
  if (st != TSR_OK) return st;
  const bool may_be_nan = where.skip_nan && !where.selection.has_initial;
  r.compute = tsr__reduce_compute(x->dtype);
  r.pass[0].kernel = (*tables)[tsr__isa_of(ctx)][r.compute];
  r.out_dtype = x->dtype;
  tsr__where_limit(r.compute, least, fill);
  if (may_be_nan) st = count_all(ctx, &where, &r, &scratch, &counts);
  if (st == TSR_OK) st = tsr__where_run(ctx, &where, &r, fill, true, out);
  if (st == TSR_OK && may_be_nan) put_nan(ctx, &counts, out);
  tsr__scratch_put(&scratch);
  return st;
}

tsr_status tsr_min_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes, const int *axes,
                         bool keepdims, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "min_where", x, selection, naxes, axes, keepdims, true, &mins, out);
}

tsr_status tsr_max_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes, const int *axes,
                         bool keepdims, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "max_where", x, selection, naxes, axes, keepdims, false, &maxes, out);
}
