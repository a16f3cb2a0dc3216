#include "nn/quant/ops.h"
#include "nn/quant/pool.h"

static tsr_status qmax_pool(tsr__call *call) {
  const tsr__qmax_pool_attrs *const attrs = call->attrs;
  return tsr__q_pool_call(call, &(tsr__q_pool){.max = true}, attrs->kernel_count, attrs->kernel, attrs->options);
}

TSR__OP(qmax_pool, qmax_pool, 0)
tsr_status tsr_qmax_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *kernel,
                         const tsr_pool_options *options, tsr_tensor *out) {
  return TSR__CALL(qmax_pool, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .kernel = kernel, .kernel_count = count,
                   .options = options);
}
