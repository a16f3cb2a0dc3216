/* Norms whose statistics are known: a line over elements. */
#include "cuda/engines/engines.h"

#include "nn/check.h"
#include "nn/norm/ops.h"
#include "ops/promote.h"

/* A vector of channels over the axes of x. */
static tsr__cuda_view over_channels(const tsr__cuda_view *v, const tsr_tensor *x, int channel) {
  tsr__cuda_view wide = *v;
  wide.tensor.ndim = x->ndim;
  for (int d = 0; d < x->ndim; d++) {
    wide.tensor.shape[d] = d == channel ? x->shape[d] : 1;
    wide.tensor.stride[d] = d == channel ? v->tensor.stride[0] : 0;
  }
  return wide;
}

/* (scale / √(variance + eps)), of each channel: parameters in the compute type, as the host has them, and f64 from there. */
static tsr_status plan_factors(tsr__cuda *gpu, const tsr_work *work, int compute, const tsr__cuda_view *factor,
                               tsr__cuda_plan *plan) {
  static const char maker[2];
  const tsr__batch_norm_attrs *const attrs = work->attrs;
  const bool scaled = work->in[1] != NULL;
  const double eps = (double)attrs->eps, one = 1;
  tsr__cuda_elements e = {.maker = &maker[scaled], .out = *factor};
  const tsr__cuda_view variance = tsr__cuda_input(work, 4);
  tsr__cuda_add_view(&e, &variance);
  tsr__cuda_add_number(&e, TSR_F64, &eps);
  if (scaled) {
    const tsr__cuda_view scale = tsr__cuda_input(work, 1);
    tsr__cuda_add_view(&e, &scale);
  } else {
    tsr__cuda_add_number(&e, TSR_F64, &one);
  }
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = "c / __builtin_sqrt(a + b)",
                                          .inputs = 3,
                                          .in = {0, 1, 2},
                                          .dtype = {(uint8_t)compute, TSR_F64, (uint8_t)compute},
                                          .compute = TSR_F64,
                                          .result = TSR_F64,
                                          .out = (uint8_t)compute};
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}

tsr_status tsr__cuda_batch_norm(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  static const char maker[2];
  const tsr_tensor *const x = work->in[0];
  const uint8_t compute = (uint8_t)tsr__compute_of(x->dtype);
  const bool biased = work->in[2] != NULL;
  int channel = 0;
  (void)op;
  tsr_status st = tsr__nn_channel_axis(work->ctx, work->op, x, &channel);
  if (st != TSR_OK || tsr_size(x) == 0) return st;
  const tsr__cuda_view factor = tsr__cuda_temporary(plan, compute, 1, &x->shape[channel]);
  st = plan_factors(gpu, work, compute, &factor, plan);
  if (st != TSR_OK) return st;
  tsr__cuda_elements e = {.maker = &maker[biased], .out = tsr__cuda_output(work, 0)};
  const tsr__cuda_view of_x = tsr__cuda_input(work, 0), given = tsr__cuda_input(work, 3);
  const tsr__cuda_view mean = over_channels(&given, x, channel), factors = over_channels(&factor, x, channel);
  const double zero = 0;
  tsr__cuda_add_view(&e, &of_x);
  tsr__cuda_add_view(&e, &mean);
  tsr__cuda_add_view(&e, &factors);
  if (biased) {
    const tsr__cuda_view own = tsr__cuda_input(work, 2), bias = over_channels(&own, x, channel);
    tsr__cuda_add_view(&e, &bias);
  } else {
    tsr__cuda_add_number(&e, TSR_F64, &zero);
  }
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = "FN(tsr__fma)(a - b, c, p)",
                                          .needs = "#include \"cpu/math/bits.h\"\n",
                                          .inputs = 4,
                                          .in = {0, 1, 2, 3},
                                          .dtype = {compute, compute, compute, compute},
                                          .compute = compute,
                                          .result = compute,
                                          .out = x->dtype};
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}
