/* Quantised tensors of bundles, with scales and zero points beside them. */
#include "nn/quant/quant.h"

#include "core/view.h"

#include <string.h>

static const char op[] = "quant_get";

/* NAME and an ending among a bundle's tensors: names may be long, so they are compared in two parts. */
static const tsr_tensor *find(const tsr_bundle *bundle, const char *name, const char *end) {
  const size_t length = strlen(name);
  for (tsr_index i = 0; i < bundle->count; i++) {
    const char *own = bundle->tensors[i].name;
    if (strncmp(own, name, length) == 0 && strcmp(own + length, end) == 0) return &bundle->tensors[i];
  }
  return NULL;
}

/* The axis along which t has the length of values, all others being 1; -1: it is one element. TSR_ESHAPE. */
static tsr_status axis_of(tsr_ctx *ctx, const tsr_tensor *values, const tsr_tensor *t, const char *arg, int *axis) {
  *axis = -1;
  if (tsr_size(t) == 1 && (t->ndim <= 1 || t->ndim == values->ndim)) return TSR_OK;
  bool fits = t->ndim == values->ndim;
  for (int i = 0; i < t->ndim && fits; i++) {
    if (t->shape[i] == 1) continue;
    fits = *axis < 0 && t->shape[i] == values->shape[i];
    *axis = i;
  }
  return fits ? TSR_OK : TSR__FAIL(ctx, TSR_ESHAPE, op, arg, "%t does not belong to one axis of %t", t, values);
}

static tsr_status check_beside(tsr_ctx *ctx, const tsr_tensor *values, const tsr_tensor *t, int dtype, const char *arg,
                               int *axis) {
  if (t->data == NULL) return TSR__FAIL(ctx, TSR_ESTATE, op, arg, "%t has no data", t);
  if (t->dtype != dtype) return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "%t: %y is expected", t, dtype);
  if (!tsr_is_contiguous(t, TSR_ROW_MAJOR)) return TSR__FAIL(ctx, TSR_ESTRIDE, op, arg, "%t is not contiguous", t);
  return axis_of(ctx, values, t, arg, axis);
}

static tsr_status check_scales(tsr_ctx *ctx, const tsr_tensor *scale) {
  const float *s = scale->data;
  for (tsr_index i = 0; i < tsr_size(scale); i++)
    if (!(s[i] > 0 && s[i] - s[i] == 0))
      return TSR__FAIL(ctx, TSR_ERANGE, op, "scale", "element %l is not positive and finite", (int64_t)i);
  return TSR_OK;
}

static tsr_status check_zeros(tsr_ctx *ctx, const tsr_tensor *zero, int dtype) {
  const int32_t *z = zero->data;
  for (tsr_index i = 0; i < tsr_size(zero); i++)
    if (z[i] < tsr__quant_low(dtype) || z[i] > tsr__quant_high(dtype))
      return TSR__FAIL(ctx, TSR_ERANGE, op, "zero_point", "element %l is %d, no number of %y", (int64_t)i, (int)z[i],
                       dtype);
  return TSR_OK;
}

/* What the two tensors say; zero may be NULL. */
static tsr_status read(tsr_ctx *ctx, const tsr_tensor *values, const tsr_tensor *scale, const tsr_tensor *zero,
                       tsr_quant *out) {
  int axis = -1, zero_axis = -1;
  tsr_status st = check_beside(ctx, values, scale, TSR_F32, "scale", &axis);
  if (st == TSR_OK && zero != NULL) st = check_beside(ctx, values, zero, TSR_I32, "zero_point", &zero_axis);
  if (st == TSR_OK) st = check_scales(ctx, scale);
  if (st == TSR_OK && zero != NULL) st = check_zeros(ctx, zero, values->dtype);
  if (st != TSR_OK) return st;
  if (zero != NULL && tsr_size(zero) != tsr_size(scale))
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "zero_point", "%t is not of the shape of scale %t", zero, scale);
  if (zero != NULL && axis >= 0 && zero_axis != axis)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "zero_point", "%t is along another axis than scale %t", zero, scale);
  *out = (tsr_quant){.dtype = values->dtype};
  if (axis < 0) {
    out->scale = ((const float *)scale->data)[0];
    out->zero = zero != NULL ? ((const int32_t *)zero->data)[0] : 0;
    return TSR_OK;
  }
  out->scales = scale->data;
  out->zeros = zero != NULL ? zero->data : NULL;
  out->count = tsr_size(scale);
  out->axis = (int8_t)axis;
  return TSR_OK;
}

tsr_status tsr_quant_get(tsr_ctx *ctx, const tsr_bundle *bundle, const char *name, const tsr_tensor **values,
                         tsr_quant *quant) {
  const tsr_tensor *found = NULL;
  tsr_quant made;
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "name", "is NULL");
  if (values == NULL || quant == NULL)
    return TSR__FAIL(ctx, TSR_EARG, op, values == NULL ? "values" : "quant", "is NULL");
  tsr_status st = tsr_bundle_get(ctx, bundle, name, &found);
  if (st != TSR_OK) return st;
  if (!tsr__quant_is_small(found->dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "bundle", "'%s' is %t; quantised are i8, u8 and i16", name, found);
  const tsr_tensor *scale = find(bundle, name, ".scale");
  if (scale == NULL) return TSR__FAIL(ctx, TSR_ENAME, op, "bundle", "has no '%s.scale' beside '%s'", name, name);
  st = read(ctx, found, scale, find(bundle, name, ".zero_point"), &made);
  if (st != TSR_OK) return st;
  *values = found;
  *quant = made;
  return TSR_OK;
}
