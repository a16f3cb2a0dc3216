#include "ops/reduce/ops.h"

/* A sum starts with -0, which changes nothing; the sum of nothing is 0. */
static void finish_sum(const tsr__reduce_terms *terms, tsr_index n, void *values, const void *param) {
  (void)param;
  if (terms->count == 0) memset(values, 0, (size_t)n * terms->item);
}

static const tsr__reduce_op sum_op = {&tsr__op_sum,
                                      TSR__REDUCE_SUMS,
                                      TSR__NEUTRAL_ZERO,
                                      false,
                                      .pass = {{TSR__KERNELS_OF(sum), finish_sum}},
                                      .complex_way = TSR__COMPLEX_BY_PARTS};
TSR__REDUCE_FUNCTION(sum) /* tsr_sum */

tsr_status tsr__sum_as(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                       int dtype, tsr_tensor *out) {
  tsr__reduce r;
  tsr_status st;
  const bool own = dtype == TSR_NONE || (out != NULL && out->dtype == dtype); /* a fresh one gets the sum's */
  if (own && tsr__reduce_small(ctx, op, &sum_op, x, naxes, axes, keepdims, out, &st)) return st;
  st = tsr__reduce_begin_as(ctx, op, &sum_op, x, naxes, axes, keepdims, &r);
  if (st != TSR_OK) return st;
  if (dtype != TSR_NONE) r.out_dtype = dtype;
  return tsr__reduce_run(ctx, &r, out);
}
