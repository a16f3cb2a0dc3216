#include "core/dtypes.h"
#include "nn/pool/ops.h"
#include "nn/pool/plain.h"

#define TEMPLATE "nn/pool/adaptive_max.tmpl.h"
#include "nn/each_float.h"

static tsr__window_fold *const folds[TSR_DTYPE_COUNT] = {TSR__BY_FLOAT(window_max)};

TSR__OP_ROW(adaptive_max_pool, adaptive_avg_pool, tsr__adaptive_pool, folds, 0)
tsr_status tsr_adaptive_max_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *size, tsr_tensor *out) {
  return TSR__CALL(adaptive_max_pool, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .size = size, .size_count = count);
}
