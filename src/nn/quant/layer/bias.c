/* Biases in the units of a layer's sums. */
#include "nn/quant/layer/layer.h"
#include "nn/quant/ops.h"
#include "ops/move/target.h"

/* To the nearest, halves to even, into i32; NaN is 0. Past 2^23 floats are integers. */
static int32_t round_i32(float v) {
  if (!(v == v)) return 0;
  if (v >= 0x1p31f) return INT32_MAX;
  if (v < -0x1p31f) return INT32_MIN;
  if (v >= 4194304 || v <= -4194304) { /* halves at most: cut them by hand */
    const int32_t whole = (int32_t)v;
    const float rest = v - (float)whole;
    if (rest == 0.5f || rest == -0.5f) return whole % 2 == 0 ? whole : rest > 0 ? whole + 1 : whole - 1;
    return whole;
  }
  return tsr__quant_round(v);
}

static tsr_status check_bias(const tsr__call *call, const tsr_qscheme *scheme) {
  const tsr_tensor *const bias = call->in[0];
  tsr_ctx *const ctx = call->ctx;
  if (bias->dtype != TSR_F32) return TSR__FAIL(ctx, TSR_EDTYPE, call->op, "bias", "is %t, not f32", bias);
  const tsr_status st = tsr__q_scheme_check(ctx, call->op, scheme);
  if (st != TSR_OK) return st;
  if (bias->ndim != 1 || (scheme->w.scales != NULL && scheme->w.count != bias->shape[0]))
    return TSR__FAIL(ctx, TSR_ESHAPE, call->op, "bias", "is %t, the weights have %l scales", bias,
                     scheme->w.scales != NULL ? (int64_t)scheme->w.count : (int64_t)1);
  return TSR_OK;
}

static tsr_status qbias(tsr__call *call) {
  const tsr_qscheme *const scheme = ((const tsr__qbias_attrs *)call->attrs)->scheme;
  const tsr_tensor *const bias = call->in[0];
  const tsr__result result = {TSR_I32, TSR_PLAIN, 1, bias->shape, NULL};
  tsr__target target;
  tsr_status st = check_bias(call, scheme);
  if (st == TSR_OK) st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  for (tsr_index o = 0; o < bias->shape[0]; o++) {
    const float unit = scheme->x.scale * tsr__quant_scale(&scheme->w, o);
    const float value = ((const float *)bias->data)[o * bias->stride[0]];
    ((int32_t *)target.view.data)[o * target.view.stride[0]] = round_i32(value / unit);
  }
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(qbias, qbias, 0)
tsr_status tsr_qbias(tsr_ctx *ctx, const tsr_tensor *bias, const tsr_qscheme *scheme, tsr_tensor *out) {
  return TSR__CALL(qbias, ctx, TSR__INPUTS(bias), TSR__OUTPUTS(out), .scheme = scheme);
}
