/* Calibration by percentiles: the numbers in order, less some at each end. */
#include "core/normalise.h"
#include "core/tensor.h"
#include "nn/quant/quant.h"

#include <tessera/ops.h>
#include <tessera/sort.h>

/* The numbers of x in order at to, which has room for them. */
static tsr_status sort_numbers(tsr_ctx *ctx, const tsr_tensor *x, float *to) {
  tsr_tensor numbers;
  tsr__describe(TSR_F32, x->ndim, x->shape, &numbers);
  tsr__default_strides(&numbers);
  numbers.data = to;
  tsr_status st = tsr_copy(ctx, x, &numbers);
  if (st != TSR_OK) return st;
  const tsr_index size = tsr_size(x);
  tsr_tensor line;
  tsr__describe(TSR_F32, 1, &size, &line);
  tsr__default_strides(&line);
  line.data = to;
  return tsr_sort(ctx, &line, 0, false, &line);
}

/* How many of n are left out at each end. */
static tsr_index left_out(tsr_index n, float percent) {
  const tsr_index most = (n - 1) / 2;
  const tsr_real part = (tsr_real)n * ((tsr_real)100 - (tsr_real)percent) / 100;
  return part < (tsr_real)most ? (tsr_index)(part + (tsr_real)0.5) : most; /* 99.9f is not quite 99.9 */
}

tsr_status tsr_quant_percentile(tsr_ctx *ctx, const tsr_tensor *x, float percent, int dtype, tsr_quant_kind kind,
                                tsr_quant *quant) {
  TSR__NORMALISE_ALL(x);
  static const char op[] = "quant_percentile";
  tsr_quant made = {.dtype = (uint8_t)dtype};
  tsr__scratch scratch;
  if (quant == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "quant", "is NULL");
  tsr_status st = tsr__quant_check_range(ctx, op, x, dtype, kind);
  if (st != TSR_OK) return st;
  if (!(percent > 0 && percent <= 100)) {
    const tsr_real given = (tsr_real)percent;
    return TSR__FAIL(ctx, TSR_EARG, op, "percent", "%r is not above 0 and at most 100", &given);
  }
  const tsr_index n = tsr_size(x), out = left_out(n, percent);
  st = tsr__scratch_get(ctx, op, (size_t)n * sizeof(float), &scratch);
  if (st != TSR_OK) return st;
  const float *const sorted = scratch.data;
  st = sort_numbers(ctx, x, scratch.data);
  if (st == TSR_OK && sorted[n - 1] != sorted[n - 1]) /* NaN comes last */
    st = TSR__FAIL(ctx, TSR_EARG, op, "x", "%t has NaN in it", x);
  if (st == TSR_OK)
    st = tsr__quant_from_range(ctx, op, dtype, kind, sorted[out], sorted[n - 1 - out], &made.scale, &made.zero);
  if (st == TSR_OK) *quant = made;
  tsr__scratch_put(&scratch);
  return st;
}
