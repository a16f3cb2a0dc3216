#include "core/normalise.h"
#include "nn/quant/pool.h"

tsr_status tsr_qmax_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *kernel,
                         const tsr_pool_options *options, tsr_tensor *out) {
  TSR__NORMALISE_ALL(x, out);
  static const tsr__q_pool max_pool = {"qmax_pool", true, 0};
  return tsr__q_pool_run(ctx, &max_pool, x, count, kernel, options, out);
}
