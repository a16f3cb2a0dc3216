#include "core/normalise.h"
#include "nn/quant/pool.h"

tsr_status tsr_qavg_pool(tsr_ctx *ctx, const tsr_tensor *x, int32_t zero, int count, const tsr_index *kernel,
                         const tsr_pool_options *options, tsr_tensor *out) {
  TSR__NORMALISE_ALL(x, out);
  const tsr__q_pool mean = {"qavg_pool", false, zero};
  return tsr__q_pool_run(ctx, &mean, x, count, kernel, options, out);
}
