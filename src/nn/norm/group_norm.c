#include "core/operand.h"
#include "nn/norm/norm.h"

#include <tessera/norm.h>

#define X(isa) tsr__group_norm_##isa,
static tsr__norm_runs *const *const tables[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

static tsr_status check_groups(tsr_ctx *ctx, const char *op, int groups) {
  return groups > 0 ? TSR_OK : TSR__FAIL(ctx, TSR_EARG, op, "groups", "is %d, which is not 1 or more", groups);
}

tsr_status tsr_group_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale, const tsr_tensor *bias,
                          int groups, tsr_real eps, tsr_tensor *out) {
  TSR__OPERANDS(x, scale, bias, out);
  const tsr__group_norm g = {"group_norm", x, scale, bias, groups, eps, tables[tsr__isa_of(ctx)]};
  const tsr_status      st = check_groups(ctx, g.op, groups);
  return st == TSR_OK ? tsr__group_norm_run(ctx, &g, out) : st;
}

tsr_status tsr_group_norm_workspace_size(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale,
                                         const tsr_tensor *bias, int groups, tsr_real eps, size_t *bytes) {
  TSR__OPERANDS(x, scale, bias);
  const tsr__group_norm g = {"group_norm_workspace_size", x, scale, bias, groups, eps, NULL};
  const tsr_status      st = check_groups(ctx, g.op, groups);
  return st == TSR_OK ? tsr__group_norm_workspace(ctx, &g, bytes) : st;
}
