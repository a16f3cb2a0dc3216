#include "nn/pool/ops.h"
#include "nn/pool/pool.h"

static const tsr__pool_kernel *const *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__max_pool);

TSR__OP_ROW(max_pool, max_pool, tsr__pool_run, tables, TSR__OP_PREPARES)
tsr_status tsr_max_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *kernel,
                        const tsr_pool_options *options, tsr_tensor *out) {
  return TSR__CALL(max_pool, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .kernel = kernel, .kernel_count = count,
                   .options = options);
}
