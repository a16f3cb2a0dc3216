#include "nn/pool/global.h"
#include "nn/pool/ops.h"

static tsr__reduce_tables tables = TSR__FOR_ISAS(tsr__max);

static const tsr__global_kernels kernels = {tables, NULL, false};

TSR__OP_ROW(global_max_pool, global_max_pool, tsr__global_pool, &kernels, 0)
tsr_status tsr_global_max_pool(tsr_ctx *ctx, const tsr_tensor *x, bool keepdims, tsr_tensor *out) {
  return TSR__CALL(global_max_pool, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .keepdims = keepdims);
}
