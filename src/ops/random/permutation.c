#include "core/operand.h"
#include "ops/random/random.h"

/* The output is the working memory: from the last element on, each changes places with one before it or with itself. */
static void shuffle(const tsr_rng *rng, const tsr_tensor *out) {
  tsr_index *const at = out->data;
  const tsr_index  n = out->shape[0], step = out->stride[0];
  for (tsr_index i = 0; i < n; i++) at[i * step] = i;
  for (tsr_index i = n - 1; i > 0; i--) {
    const tsr_index j = (tsr_index)tsr__random_below(rng, rng->counter + (uint64_t)i, (uint64_t)i + 1);
    const tsr_index moved = at[i * step];
    at[i * step] = at[j * step];
    at[j * step] = moved;
  }
}

tsr_status tsr_rand_permutation(tsr_ctx *ctx, tsr_rng *rng, tsr_index n, tsr_tensor *out) {
  TSR__OPERANDS(out);
  static const char op[] = "rand_permutation";
  tsr_status        st = tsr__draw_check(ctx, op, rng);
  if (st != TSR_OK) return st;
  if (n < 0) return TSR__FAIL(ctx, TSR_EARG, op, "n", "is %l", (int64_t)n);
  const tsr__result result = {TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32, TSR_PLAIN, 1, &n, NULL};
  st = tsr__output(ctx, op, &result, out);
  if (st != TSR_OK) return st;
  shuffle(rng, out);
  rng->counter += (uint64_t)n;
  return TSR_OK;
}
