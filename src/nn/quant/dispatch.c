/* Which kernels a run takes. */
#include "nn/quant/panels.h"

size_t tsr__q_scratch(const tsr_ctx *ctx, tsr__q_run *run) {
  if (run->kernel != TSR__Q_KERNEL_PLAIN) return tsr__q_fast_scratch(ctx, run);
  const size_t plain = tsr__q_plain_scratch(ctx, run), rows = tsr__q_depthwise_scratch(run);
  return run->depthwise && rows > plain ? rows : plain;
}

void tsr__q_dispatch(const tsr_ctx *ctx, const tsr__q_run *run) {
  if (run->kernel != TSR__Q_KERNEL_PLAIN)
    tsr__q_run_fast(ctx, run);
  else if (tsr__q_depthwise_fits(run))
    tsr__q_run_depthwise(ctx, run);
  else
    tsr__q_run_plain(ctx, run);
}
