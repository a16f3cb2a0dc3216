/* The tables of rotary embedding. */
#include "cpu/math/trig_f32.h"
#include "nn/check.h"
#include "nn/loss/loss.h"
#include "nn/loss/math.h"
#include "nn/rotary/ops.h"
#include "nn/rotary/tables.h"

#if TSR_REAL_BITS == 64
static tsr_real cosine(tsr_real x) { return tsr__cos_f64(x); }
static tsr_real sine(tsr_real x) { return tsr__sin_f64(x); }
#else
static tsr_real cosine(tsr_real x) {
  return x < tsr__cos_reach_f32() ? tsr__cos_in_range_f32(x) : tsr__cos_out_of_range_f32(x);
}
static tsr_real sine(tsr_real x) {
  return x < tsr__sin_reach_f32() ? tsr__sin_in_range_f32(x) : tsr__sin_out_of_range_f32(x);
}
#endif

static tsr_status check_tables(tsr_ctx *ctx, const char *op, const tsr__rotary_tables_attrs *attrs) {
  const int dtype = attrs->dtype;
  const tsr_index length = attrs->length, features = attrs->features;
  const tsr_status st = tsr__check_dtype(ctx, op, "dtype", dtype);
  if (st != TSR_OK) return st;
  if (tsr_dtype_describe(dtype)->class_ != TSR_CLASS_FLOAT || !tsr_dtype_supported(dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "dtype", "is %y; tables are floats of this build", dtype);
  if (length < 0) return TSR__FAIL(ctx, TSR_EARG, op, "length", "is %l, which is negative", (int64_t)length);
  if (features < 0 || features % 2 != 0)
    return TSR__FAIL(ctx, TSR_EARG, op, "features", "is %l, which is not an even number", (int64_t)features);
  if (!(attrs->base > 0 && attrs->base - attrs->base == 0))
    return TSR__FAIL(ctx, TSR_EARG, op, "base", "is %r, which is not a finite number above 0", &attrs->base);
  return TSR_OK;
}

void tsr__rotary_fill(tsr_index features, tsr_real base, const tsr_tensor *cos, const tsr_tensor *sin) {
  const ptrdiff_t item = tsr__item(cos);
  const tsr_real logarithm = tsr__loss_log(base);
  for (tsr_index i = 0; i < cos->shape[1]; i++) {
    const tsr_real speed = tsr__loss_exp(-(tsr_real)(2 * i) / (tsr_real)features * logarithm);
    char *c = (char *)cos->data + (ptrdiff_t)cos->stride[1] * (ptrdiff_t)i * item;
    char *s = (char *)sin->data + (ptrdiff_t)sin->stride[1] * (ptrdiff_t)i * item;
    for (tsr_index p = 0; p < cos->shape[0]; p++) {
      const tsr_real angle = (tsr_real)p * speed;
      const ptrdiff_t row = (ptrdiff_t)p * item;
      tsr__loss_store(cos->dtype, cosine(angle), c + (ptrdiff_t)cos->stride[0] * row);
      tsr__loss_store(sin->dtype, sine(angle), s + (ptrdiff_t)sin->stride[0] * row);
    }
  }
}

static tsr_status check_apart(const tsr__call *call) {
  const tsr_tensor *const cos = call->out[0], *const sin = call->out[1];
  const bool given = cos->data != NULL && sin->data != NULL && tsr_size(cos) > 0;
  if (!given || !tsr__overlap(cos, sin)) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_EOVERLAP, call->op, "sin", "overlaps cos");
}

static tsr_status rotary_tables(tsr__call *call) {
  const tsr__rotary_tables_attrs *const attrs = call->attrs;
  const tsr_index shape[2] = {attrs->length, attrs->features / 2};
  const tsr__result result = {attrs->dtype, TSR_PLAIN, 2, shape, NULL};
  tsr_status st = check_tables(call->ctx, call->op, attrs);
  if (st == TSR_OK) st = tsr__call_output(call, 0, &result);
  if (st == TSR_OK) st = tsr__call_output(call, 1, &result);
  if (st == TSR_OK) st = check_apart(call);
  if (st == TSR_OK) st = tsr__call_outputs(call);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st == TSR_OK && tsr_size(call->out[0]) > 0)
    tsr__rotary_fill(attrs->features, attrs->base, call->out[0], call->out[1]);
  return st;
}

TSR__OP(rotary_tables, rotary_tables, 0)
tsr_status tsr_rotary_tables(tsr_ctx *ctx, int dtype, tsr_index length, tsr_index features, tsr_real base,
                             tsr_tensor *cos, tsr_tensor *sin) {
  return TSR__CALL(rotary_tables, ctx, TSR__NO_INPUT, TSR__OUTPUTS(cos, sin), .dtype = dtype, .length = length,
                   .features = features, .base = base);
}
