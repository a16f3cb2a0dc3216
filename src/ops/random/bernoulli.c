#include "core/operand.h"
#include "ops/random/random.h"

static void make(const tsr__draw *draw, uint64_t position, int n, const uint32_t *words, void *values) {
  uint8_t *const to = values;
  (void)position;
  for (int i = 0; i < n; i++) to[i] = words[i] < draw->threshold;
}

tsr_status tsr_rand_bernoulli(tsr_ctx *ctx, tsr_rng *rng, tsr_real p, int ndim, const tsr_index *shape,
                              tsr_tensor *out) {
  TSR__OPERANDS(out);
  tsr__draw        draw = {.op = "rand_bernoulli", .make = make, .dtype = TSR_BOOL};
  const tsr_status st = tsr__draw_check(ctx, draw.op, rng);
  if (st != TSR_OK) return st;
  if (!(p >= 0 && p <= 1)) return TSR__FAIL(ctx, TSR_EARG, draw.op, "p", "is %r, not a number from 0 to 1", &p);
  /* How many of the 2^32 words are true: rounded down, but for 1. */
  draw.threshold = p < 1 ? (uint32_t)(p * (tsr_real)0x1p32f) : (uint64_t)1 << 32;
  return tsr__draw_run(ctx, &draw, rng, TSR_BOOL, ndim, shape, out);
}
