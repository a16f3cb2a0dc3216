#include "ops/random/ops.h"
#include "ops/random/random.h"

static void make_bernoulli(const tsr__draw *draw, uint64_t position, int n, const uint32_t *words, void *values) {
  uint8_t *const to = values;
  (void)position;
  for (int i = 0; i < n; i++) to[i] = words[i] < draw->threshold;
}

static tsr_status rand_bernoulli(tsr__call *call) {
  const tsr__rand_bernoulli_attrs *const attrs = call->attrs;
  const tsr_real p = attrs->p;
  tsr__draw draw = {.make = make_bernoulli, .dtype = TSR_BOOL};
  const tsr_status st = tsr__draw_check(call, attrs->rng);
  if (st != TSR_OK) return st;
  if (!(p >= 0 && p <= 1)) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "p", "is %r, not a number from 0 to 1", &p);
  /* How many of the 2^32 words are true: rounded down, but for 1. */
  draw.threshold = p < 1 ? (uint32_t)(p * (tsr_real)0x1p32f) : (uint64_t)1 << 32;
  return tsr__draw_run(call, &draw, attrs->rng, TSR_BOOL, attrs->shape_count, attrs->shape);
}

TSR__OP(rand_bernoulli, rand_bernoulli, TSR__OP_RANDOM)
tsr_status tsr_rand_bernoulli(tsr_ctx *ctx, tsr_rng *rng, tsr_real p, int ndim, const tsr_index *shape,
                              tsr_tensor *out) {
  return TSR__CALL(rand_bernoulli, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .rng = rng, .p = p, .shape = shape,
                   .shape_count = ndim);
}
