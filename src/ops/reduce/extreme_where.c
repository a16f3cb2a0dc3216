/* tsr_min_where, tsr_max_where. */
#include "ops/cast/convert.h"
#include "ops/reduce/where.h"

#include <math.h>

/* A mask may choose nothing. */
static tsr_status check_chosen(const tsr__call *call, const tsr__where *where, const tsr__reduce *r) {
  if (where->selection.has_initial) return TSR_OK;
  if (where->masked)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "initial",
                     "is needed with a mask: there may be nothing that it chooses");
  return tsr__reduce_check_some(call->ctx, r);
}

/* NaN to the results that count nothing, the rest stays: out is ready, and what is chosen are numbers. */
static void put_nan(const tsr_ctx *ctx, const tsr_tensor *counts, const tsr_tensor *out) {
  const float nan = NAN;
  const int64_t *const count = counts->data;
  const tsr_index n = tsr_size(out);
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

/* Without the NaN, which may be all there is: then a result counts nothing, and is NaN. */
static tsr_status extreme_of_numbers(tsr__call *call, const tsr__where *where, const tsr__reduce *r) {
  static const unsigned char no = 0;
  const tsr_tensor *const out = call->out[0];
  tsr__reduce_frame frame;
  tsr_tensor copy, bools, counts = tsr__reduce_result_as(r, TSR_I64);
  void *memory;
  tsr_status st = tsr__reduce_result(call, r, &frame);
  if (st == TSR_OK) st = tsr__call_scratch(call, tsr_nbytes(&counts), &counts.data);
  if (st == TSR_OK) st = tsr__where_room(call, where, TSR_BOOL, &bools);
  if (st == TSR_OK) st = tsr__where_room(call, where, r->compute, &copy);
  if (st != TSR_OK) return st;
  const tsr__reduce counting = tsr__where_counting(call->ctx, r, &bools, TSR_I64);
  const size_t counted = tsr__reduce_bytes(call->ctx, &counting, &counts);
  tsr__reduce choosing = *r;
  choosing.x = &copy;
  const size_t bytes = tsr__reduce_bytes(call->ctx, &choosing, out);
  st = tsr__call_scratch(call, bytes > counted ? bytes : counted, &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  tsr__where_fill(call->ctx, where, TSR__TAKE_ONE, NULL, &no, &bools);
  tsr__reduce_into(call->ctx, &counting, &counts, memory);
  tsr__where_fill(call->ctx, where, TSR__TAKE_ELEMENT, NULL, where->fill, &copy);
  tsr__reduce_into(call->ctx, &choosing, out, memory);
  put_nan(call->ctx, &counts, out);
  return TSR_OK;
}

static tsr_status extreme_where(tsr__call *call) {
  tsr__reduce r;
  tsr__where where;
  tsr_status st = tsr__where_begin(call, &r, &where);
  if (st == TSR_OK) st = check_chosen(call, &where, &r);
  if (st != TSR_OK) return st;
  if (where.skip_nan && !where.selection.has_initial) return extreme_of_numbers(call, &where, &r);
  return tsr__where_call(call, &where, &r);
}

TSR__WHERE_FUNCTION(min, extreme_where)
TSR__WHERE_FUNCTION(max, extreme_where)
