#include "ops/random/ops.h"
#include "ops/random/random.h"

static const tsr__random_kernels kernels = TSR__RANDOM_KERNELS(normal);

static tsr_status draw_normal(tsr__call *call, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape, tsr_real mean,
                              tsr_real std) {
  tsr__draw draw = tsr__draw_floats(call->ctx, &kernels, dtype);
  draw.form = (tsr__random_form){.low = mean, .scale = std};
  tsr_status st = tsr__draw_check(call, rng);
  if (st == TSR_OK) st = tsr__draw_check_float(call, dtype);
  if (st != TSR_OK) return st;
  if (!(mean - mean == 0)) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "mean", "is %r, which is not finite", &mean);
  if (!(std >= 0 && std - std == 0))
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "std", "is %r, which is not a finite number of 0 or more", &std);
  return tsr__draw_run(call, &draw, rng, dtype, ndim, shape);
}

static tsr_status rand_normal(tsr__call *call) {
  const tsr__rand_normal_attrs *const attrs = call->attrs;
  return draw_normal(call, attrs->rng, attrs->dtype, attrs->shape_count, attrs->shape, 0, 1);
}

TSR__OP(rand_normal, rand_normal, TSR__OP_RANDOM)
tsr_status tsr_rand_normal(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  return TSR__CALL(rand_normal, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .rng = rng, .dtype = dtype, .shape = shape,
                   .shape_count = ndim);
}

static tsr_status rand_normal_scaled(tsr__call *call) {
  const tsr__rand_normal_scaled_attrs *const attrs = call->attrs;
  return draw_normal(call, attrs->rng, attrs->dtype, attrs->shape_count, attrs->shape, attrs->mean, attrs->std);
}

TSR__OP(rand_normal_scaled, rand_normal_scaled, TSR__OP_RANDOM)
tsr_status tsr_rand_normal_scaled(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape,
                                  tsr_real mean, tsr_real std, tsr_tensor *out) {
  return TSR__CALL(rand_normal_scaled, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .rng = rng, .dtype = dtype,
                   .shape = shape, .shape_count = ndim, .mean = mean, .std = std);
}
