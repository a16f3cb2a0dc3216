/* tsr_einsum. */
#include "ops/einsum/einsum.h"
#include "ops/einsum/ops.h"

static tsr_status einsum(tsr__call *call) {
  const tsr__einsum_attrs *const attrs = call->attrs;
  tsr__einsum e;
  uint8_t label[TSR_EINSUM_OPERANDS][TSR_MAX_DIMS];
  if (attrs->equation == NULL) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "equation", "is NULL");
  tsr__einsum_init(call, call->inputs, &e);
  tsr_status st = tsr__einsum_parse(call->ctx, attrs->equation, call->in, &e, label);
  for (int k = 0; k < call->inputs && st == TSR_OK; k++) st = tsr__einsum_bind(call->ctx, &e, k, call->in[k], label[k]);
  return st == TSR_OK ? tsr__einsum_call(call, &e) : st;
}

TSR__OP(einsum, einsum, 0)
tsr_status tsr_einsum(tsr_ctx *ctx, int n, const tsr_tensor *const *in, const char *equation, tsr_tensor *out) {
  if (n < 1 || n > TSR_EINSUM_OPERANDS)
    return TSR__FAIL(ctx, TSR_EARG, "einsum", "n", "is %d: 1 to %d operands are taken", n, TSR_EINSUM_OPERANDS);
  if (in == NULL) return TSR__FAIL(ctx, TSR_EARG, "einsum", "in", "is NULL");
  return tsr__call_many(ctx, &tsr__op_einsum, &(const tsr__einsum_attrs){.equation = equation}, n, in, out);
}
