#include "core/dtypes.h"
#include "nn/pool/ops.h"
#include "nn/pool/plain.h"

#define TEMPLATE "nn/pool/adaptive_avg.tmpl.h"
#include "nn/each_float.h"

static tsr__window_fold *const folds[TSR_DTYPE_COUNT] = {TSR__BY_FLOAT(mean)};

TSR__OP_ROW(adaptive_avg_pool, adaptive_avg_pool, tsr__adaptive_pool, folds, 0)
tsr_status tsr_adaptive_avg_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *size, tsr_tensor *out) {
  return TSR__CALL(adaptive_avg_pool, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .size = size, .size_count = count);
}
