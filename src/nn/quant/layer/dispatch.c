/* Which kernels a run takes. */
#include "nn/quant/fast/fast.h"
#include "nn/quant/layer/layer.h"
#include "nn/quant/plain/plain.h"

size_t tsr__q_run_scratch(const tsr_ctx *ctx, tsr__q_run *run) {
  if (TSR__Q_FAST && run->kernel != TSR__Q_KERNEL_PLAIN) return tsr__q_fast_scratch(run);
  const size_t plain = tsr__q_plain_scratch(ctx, run);
  const size_t rows = TSR__Q_FAST && run->depthwise ? tsr__q_fast_depthwise_scratch(run) : 0;
  return rows > plain ? rows : plain;
}

void tsr__q_run_dense(const tsr_ctx *ctx, const void *plan) {
  if (TSR__Q_FAST)
    tsr__q_run_all(ctx, plan);
  else if (TSR_PACKED_CALLS) /* row by row: a third of the code */
    tsr__q_plain_rows(plan);
  else
    tsr__q_plain_filters(ctx, plan);
}

void tsr__q_run_all(const tsr_ctx *ctx, const void *plan) {
  const tsr__q_run *const run = plan;
  if (TSR__Q_FAST && run->kernel != TSR__Q_KERNEL_PLAIN)
    tsr__q_fast_run(ctx, run);
  else if (TSR__Q_FAST && tsr__q_fast_depthwise_fits(run))
    tsr__q_fast_depthwise(ctx, run);
  else
    tsr__q_plain_run(ctx, run);
}
