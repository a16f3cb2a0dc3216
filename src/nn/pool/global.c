#include "nn/pool/global.h"

#include "nn/check.h"
#include "nn/pool/ops.h"

/* x along all axes but samples and channels. */
static tsr__reduce reduction_of(const tsr__call *call, int channel) {
  const tsr__global_max_pool_attrs *const attrs = call->attrs;
  const tsr__global_kernels *const kernels = call->info->kernels;
  const tsr_tensor *const x = call->in[0];
  tsr__reduce r = {.op = call->op, .x = x, .keepdims = attrs->keepdims, .passes = 1, .terms = {.count = 1}};
  for (int i = 1; i < x->ndim; i++) {
    if (i == channel) continue;
    r.axes |= (uint32_t)1 << i;
    r.terms.count *= x->shape[i];
  }
  r.out_dtype = x->dtype;
  r.compute = tsr__reduce_compute(x->dtype);
  r.pass[0] = (tsr__reduce_pass){kernels->tables[tsr__isa_of(call->ctx)][r.compute], kernels->finish};
  return r;
}

tsr_status tsr__global_pool(tsr__call *call) {
  const tsr__global_kernels *const kernels = call->info->kernels;
  int channel = 0;
  tsr_status st = tsr__nn_check_float(call->ctx, call->op, "x", call->in[0]);
  if (st == TSR_OK) st = tsr__nn_channel_axis(call->ctx, call->op, call->in[0], &channel);
  if (st != TSR_OK) return st;
  const tsr__reduce r = reduction_of(call, channel);
  if (!kernels->of_none) st = tsr__reduce_check_some(call->ctx, &r);
  return st == TSR_OK ? tsr__reduce_call(call, &r) : st;
}
