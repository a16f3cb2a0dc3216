#include "core/operand.h"
#include "nn/pool/pool.h"

#define X(isa) tsr__max_pool_##isa,
static const tsr__pool_kernel *const *const tables[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_max_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *kernel,
                        const tsr_pool_options *options, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  tsr__pool        p;
  const tsr_status st = tsr__pool_begin(ctx, "max_pool", x, count, kernel, options, &p);
  return st == TSR_OK ? tsr__pool_run(ctx, &p, tables[tsr__isa_of(ctx)], out) : st;
}

tsr_status tsr_max_pool_workspace_size(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *kernel,
                                       const tsr_pool_options *options, size_t *bytes) {
  TSR__OPERANDS(x);
  tsr__pool        p;
  const tsr_status st = tsr__pool_begin(ctx, "max_pool_workspace_size", x, count, kernel, options, &p);
  return st == TSR_OK ? tsr__pool_workspace(ctx, &p, bytes) : st;
}
