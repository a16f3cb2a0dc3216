#include "ops/cast/convert.h"
#include "ops/random/ops.h"
#include "ops/random/random.h"

/* The words of the first attempt are at hand; the few that are thrown away start again. */
static void make_small(const tsr__draw *draw, uint64_t position, int n, const uint32_t *words, void *values) {
  int64_t *const to = values;
  for (int i = 0; i < n; i++) {
    const uint64_t product = words[i] * draw->range;
    uint64_t value = product >> 32;
    if ((uint32_t)product < draw->threshold)
      value = tsr__random_below(&draw->rng, position + (uint64_t)(unsigned)i, draw->range);
    to[i] = draw->low + (int64_t)value;
  }
}

static void make_large(const tsr__draw *draw, uint64_t position, int n, const uint32_t *words, void *values) {
  int64_t *const to = values;
  (void)words;
  for (int i = 0; i < n; i++) {
    const uint64_t value = tsr__random_below(&draw->rng, position + (uint64_t)(unsigned)i, draw->range);
    to[i] = (int64_t)((uint64_t)draw->low + value);
  }
}

static tsr_status check_bounds(tsr_ctx *ctx, const char *op, int dtype, int64_t low, int64_t high) {
  const tsr_dtype_info *const info = tsr_dtype_describe(dtype);
  unsigned char element[16];
  if (info == NULL) return TSR__FAIL(ctx, TSR_EDTYPE, op, "dtype", "%d is not a dtype", dtype);
  if (info->class_ != TSR_CLASS_INT && info->class_ != TSR_CLASS_UINT)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "dtype", "is %y; these numbers are integers", dtype);
  if (low >= high) return TSR__FAIL(ctx, TSR_EARG, op, "low", "%l is not less than high %l", low, high);
  const tsr_status st = tsr__scalar_from_i64(ctx, op, "low", dtype, low, element);
  return st != TSR_OK ? st : tsr__scalar_from_i64(ctx, op, "high - 1", dtype, high - 1, element);
}

static tsr_status rand_integers(tsr__call *call) {
  const tsr__rand_integers_attrs *const attrs = call->attrs;
  tsr__draw draw = {.make = make_small, .dtype = TSR_I64, .low = attrs->low};
  tsr_status st = tsr__draw_check(call, attrs->rng);
  if (st == TSR_OK) st = check_bounds(call->ctx, call->op, attrs->dtype, attrs->low, attrs->high);
  if (st != TSR_OK) return st;
  draw.range = (uint64_t)attrs->high - (uint64_t)attrs->low;
  if (draw.range >> 32 == 0) {
    draw.threshold = (((uint64_t)1 << 32) - draw.range) % draw.range;
  } else {
    draw.make = make_large;
    draw.width = TSR__PAIRS;
  }
  return tsr__draw_run(call, &draw, attrs->rng, attrs->dtype, attrs->shape_count, attrs->shape);
}

TSR__OP(rand_integers, rand_integers, TSR__OP_RANDOM)
tsr_status tsr_rand_integers(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape, int64_t low,
                             int64_t high, tsr_tensor *out) {
  return TSR__CALL(rand_integers, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .rng = rng, .dtype = dtype, .shape = shape,
                   .shape_count = ndim, .low = low, .high = high);
}
