#include "nn/norm/norm.h"
#include "nn/norm/ops.h"

static tsr__norm_runs *const *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__group_norm);

static tsr_status check_groups(tsr_ctx *ctx, const char *op, int groups) {
  return groups > 0 ? TSR_OK : TSR__FAIL(ctx, TSR_EARG, op, "groups", "is %d, which is not 1 or more", groups);
}

static tsr_status group_norm(tsr__call *call) {
  const tsr__group_norm_attrs *const attrs = call->attrs;
  const tsr__group_norm g = {call->in[0],   call->in[1], call->in[2],
                             attrs->groups, attrs->eps,  tables[tsr__isa_of(call->ctx)]};
  const tsr_status st = check_groups(call->ctx, call->op, attrs->groups);
  return st == TSR_OK ? tsr__group_norm_call(call, &g) : st;
}

TSR__OP(group_norm, group_norm, 0)
tsr_status tsr_group_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale, const tsr_tensor *bias,
                          int groups, tsr_real eps, tsr_tensor *out) {
  return TSR__CALL(group_norm, ctx, TSR__INPUTS(x, scale, bias), TSR__OUTPUTS(out), .groups = groups, .eps = eps);
}
