#include "ops/random/ops.h"
#include "ops/random/random.h"

/* The output is the working memory: from the last element on, each changes places with one before it or with itself. */
static void shuffle(const tsr_rng *rng, const tsr_tensor *out) {
  tsr_index *const at = out->data;
  const tsr_index n = out->shape[0], step = out->stride[0];
  for (tsr_index i = 0; i < n; i++) at[i * step] = i;
  for (tsr_index i = n - 1; i > 0; i--) {
    const tsr_index j = (tsr_index)tsr__random_below(rng, rng->counter + (uint64_t)i, (uint64_t)i + 1);
    const tsr_index moved = at[i * step];
    at[i * step] = at[j * step];
    at[j * step] = moved;
  }
}

static tsr_status rand_permutation(tsr__call *call) {
  const tsr__rand_permutation_attrs *const attrs = call->attrs;
  tsr_status st = tsr__draw_check(call, attrs->rng);
  if (st != TSR_OK) return st;
  if (attrs->n < 0) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "n", "is %l", (int64_t)attrs->n);
  const tsr__result result = {TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32, TSR_PLAIN, 1, &attrs->n, NULL};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  shuffle(attrs->rng, call->out[0]);
  attrs->rng->counter += (uint64_t)attrs->n;
  return TSR_OK;
}

TSR__OP(rand_permutation, rand_permutation, TSR__OP_RANDOM)
tsr_status tsr_rand_permutation(tsr_ctx *ctx, tsr_rng *rng, tsr_index n, tsr_tensor *out) {
  return TSR__CALL(rand_permutation, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .rng = rng, .n = n);
}
