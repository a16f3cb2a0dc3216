/* Which kernels a run takes. */
#include "nn/quant/panels.h"

size_t tsr__q_scratch(const tsr_ctx *ctx, tsr__q_run *run) {
  return run->layer->kernel == TSR__Q_KERNEL_PLAIN ? tsr__q_plain_scratch(ctx, run) : tsr__q_fast_scratch(ctx, run);
}

void tsr__q_go(const tsr_ctx *ctx, const tsr__q_run *run) {
  if (run->layer->kernel == TSR__Q_KERNEL_PLAIN)
    tsr__q_plain_go(ctx, run);
  else
    tsr__q_fast_go(ctx, run);
}
