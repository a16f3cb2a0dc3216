#include "nn/quant/ops.h"
#include "nn/quant/pool.h"

static tsr_status qavg_pool(tsr__call *call) {
  const tsr__qavg_pool_attrs *const attrs = call->attrs;
  return tsr__q_pool_call(call, &(tsr__q_pool){.zero = attrs->zero}, attrs->kernel_count, attrs->kernel,
                          attrs->options);
}

TSR__OP(qavg_pool, qavg_pool, 0)
tsr_status tsr_qavg_pool(tsr_ctx *ctx, const tsr_tensor *x, int32_t zero, int count, const tsr_index *kernel,
                         const tsr_pool_options *options, tsr_tensor *out) {
  return TSR__CALL(qavg_pool, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .zero = zero, .kernel = kernel,
                   .kernel_count = count, .options = options);
}
