#include "nn/pool/global.h"
#include "nn/pool/ops.h"
#include "ops/reduce/real.h"

static tsr__reduce_tables tables = TSR__FOR_ISAS(tsr__total);

static const tsr__global_kernels kernels = {tables, tsr__reduce_finish_mean, true};

TSR__OP_ROW(global_avg_pool, global_max_pool, tsr__global_pool, &kernels, 0)
tsr_status tsr_global_avg_pool(tsr_ctx *ctx, const tsr_tensor *x, bool keepdims, tsr_tensor *out) {
  return TSR__CALL(global_avg_pool, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .keepdims = keepdims);
}
