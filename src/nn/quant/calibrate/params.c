/* Calibration: scales and zero points from ranges. */
#include "nn/quant/quant.h"

#include "core/normalise.h"
#include "core/view.h"
#include "nn/check.h"

#include <tessera/elements.h>
#include <tessera/reduce.h>

static void set_affine(int dtype, float low, float high, float *scale, int32_t *zero) {
  const int32_t least = tsr__quant_low(dtype), most = tsr__quant_high(dtype);
  const float steps = (float)(most - least), span = high - low;
  float s = span - span == 0 ? span / steps : high / steps - low / steps;
  if (s < 0x1p-126f) s = span > 0 ? 0x1p-126f : 1;
  const float z = (float)least - low / s;
  *scale = s;
  *zero = z < (float)least ? least : z > (float)most ? most : tsr__quant_round(z);
}

static void set_symmetric(int dtype, float low, float high, float *scale, int32_t *zero) {
  const float most = dtype == TSR_I16 ? 32767.0f : 127.0f, reach = high > -low ? high : -low;
  float s = reach / most;
  if (s < 0x1p-126f) s = reach > 0 ? 0x1p-126f : 1;
  *scale = s;
  *zero = dtype == TSR_U8 ? 128 : 0;
}

static tsr_status check_kind(tsr_ctx *ctx, const char *op, int dtype, tsr_quant_kind kind) {
  if (!tsr__quant_is_small(dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "dtype", "is %y; it takes i8, u8 and i16", dtype);
  if (kind != TSR_QUANT_AFFINE && kind != TSR_QUANT_SYMMETRIC)
    return TSR__FAIL(ctx, TSR_EARG, op, "kind", "%d is none", kind);
  return TSR_OK;
}

tsr_status tsr__quant_from_range(tsr_ctx *ctx, const char *op, int dtype, tsr_quant_kind kind, float low, float high,
                                 float *scale, int32_t *zero) {
  if (!(low - low == 0 && high - high == 0 && low <= high)) {
    const tsr_real from = (tsr_real)low, to = (tsr_real)high;
    return TSR__FAIL(ctx, TSR_EARG, op, NULL, "from %r to %r is no range of finite numbers", &from, &to);
  }
  (kind == TSR_QUANT_AFFINE ? set_affine : set_symmetric)(dtype, low < 0 ? low : 0, high > 0 ? high : 0, scale, zero);
  return TSR_OK;
}

tsr_status tsr_quant_init(tsr_ctx *ctx, int dtype, tsr_quant_kind kind, float low, float high, tsr_quant *quant) {
  static const char op[] = "quant_init";
  tsr_quant made = {.dtype = (uint8_t)dtype};
  if (quant == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "quant", "is NULL");
  tsr_status st = check_kind(ctx, op, dtype, kind);
  if (st == TSR_OK) st = tsr__quant_from_range(ctx, op, dtype, kind, low, high, &made.scale, &made.zero);
  if (st == TSR_OK) *quant = made;
  return st;
}

/* The least and the greatest element. */
static tsr_status range_of(tsr_ctx *ctx, const tsr_tensor *x, float *low, float *high) {
  _Alignas(16) char ends[2][16];
  tsr_real value[2] = {0};
  for (int i = 0; i < 2; i++) {
    tsr_tensor end = {.dtype = x->dtype, .data = ends[i]};
    tsr_status st = i == 0 ? tsr_min(ctx, x, 0, NULL, false, &end) : tsr_max(ctx, x, 0, NULL, false, &end);
    if (st == TSR_OK) st = tsr_get(ctx, &end, 0, NULL, &value[i]);
    if (st != TSR_OK) return st;
  }
  *low = (float)value[0];
  *high = (float)value[1];
  return TSR_OK;
}

tsr_status tsr__quant_check_range(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int dtype, tsr_quant_kind kind) {
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__nn_check_float(ctx, op, "x", x);
  if (st == TSR_OK) st = check_kind(ctx, op, dtype, kind);
  if (st == TSR_OK && tsr_size(x) == 0) st = TSR__FAIL(ctx, TSR_ESHAPE, op, "x", "is %t: it has no range", x);
  return st;
}

tsr_status tsr_quant_params(tsr_ctx *ctx, const tsr_tensor *x, int dtype, tsr_quant_kind kind, tsr_quant *quant) {
  TSR__NORMALISE_ALL(x);
  static const char op[] = "quant_params";
  tsr_quant made = {.dtype = (uint8_t)dtype};
  float low, high;
  if (quant == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "quant", "is NULL");
  tsr_status st = tsr__quant_check_range(ctx, op, x, dtype, kind);
  if (st == TSR_OK) st = range_of(ctx, x, &low, &high);
  if (st == TSR_OK) st = tsr__quant_from_range(ctx, op, dtype, kind, low, high, &made.scale, &made.zero);
  if (st == TSR_OK) *quant = made;
  return st;
}

tsr_status tsr_quant_params_axis(tsr_ctx *ctx, const tsr_tensor *x, int axis, int dtype, tsr_quant_kind kind,
                                 float *scales, int32_t *zeros, tsr_quant *quant) {
  TSR__NORMALISE_ALL(x);
  static const char op[] = "quant_params_axis";
  float low, high, scale;
  int32_t zero;
  if (scales == NULL || zeros == NULL || quant == NULL)
    return TSR__FAIL(ctx, TSR_EARG, op, scales == NULL ? "scales" : zeros == NULL ? "zeros" : "quant", "is NULL");
  tsr_status st = tsr__quant_check_range(ctx, op, x, dtype, kind);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, x->ndim, &axis);
  if (st != TSR_OK) return st;
  const tsr_index count = x->shape[axis];
  for (tsr_index i = 0; st == TSR_OK && i < 2 * count; i++) { /* once to see whether it works, once to write */
    tsr_tensor part = *x;
    const tsr_index c = i % count;
    part.flags = 0;
    tsr__view_move(&part, c, part.stride[axis]);
    part.shape[axis] = 1;
    st = range_of(ctx, &part, &low, &high);
    if (st == TSR_OK) st = tsr__quant_from_range(ctx, op, dtype, kind, low, high, &scale, &zero);
    if (st != TSR_OK || i < count) continue;
    scales[c] = scale;
    zeros[c] = zero;
  }
  if (st != TSR_OK) return st;
  *quant = (tsr_quant){
      .dtype = (uint8_t)dtype, .scales = scales, .zeros = zeros, .count = x->shape[axis], .axis = (int8_t)axis};
  return TSR_OK;
}
