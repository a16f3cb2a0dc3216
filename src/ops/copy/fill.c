/* tsr_fill: every element of a given or described tensor, on any device. */
#include "core/check.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"

#include <tessera/ops.h>

static tsr_status check_not_empty(tsr_ctx *ctx, const char *op, const tsr_tensor *out) {
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (tsr_is_empty(out)) return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "is empty: it has no shape to fill");
  return TSR_OK;
}

static tsr_status fill_device(tsr_ctx *ctx, const char *op, const void *element, const tsr_tensor *out) {
  const tsr_device *const device = tsr_device_of(out);
  tsr_status st = tsr__check_given(ctx, op, "out", out);
  if (st != TSR_OK) return st;
  if ((out->flags & TSR_READONLY) != 0) return TSR__FAIL(ctx, TSR_EREADONLY, op, "out", "%t is read-only", out);
  if (!tsr_is_contiguous(out, TSR_MEMORY))
    return TSR__FAIL(ctx, TSR_EDEVICE, op, "out", "%t on %s is not contiguous", out, device->name);
  st = device->fill(device->self, tsr__first_byte(out), element, tsr_dtype_size(out->dtype), (size_t)tsr_size(out));
  if (st == TSR_OK) st = device->sync(device->self);
  return st == TSR_OK ? TSR_OK : TSR__FAIL(ctx, st, op, "out", "%t: %s failed to fill it", out, device->name);
}

static tsr_status fill_pattern(tsr_ctx *ctx, const char *op, const void *element, tsr_tensor *out) {
  if (!tsr_device_of(out)->is_host) return fill_device(ctx, op, element, out);
  const tsr__result result = {out->dtype, out->layout, out->ndim, out->shape, NULL};
  const tsr_status st = tsr__output(ctx, op, &result, out);
  if (st == TSR_OK) tsr__fill_host(ctx, out, element);
  return st;
}

tsr_status tsr_fill(tsr_ctx *ctx, tsr_real value, tsr_tensor *out) {
  static const char op[] = "fill";
  unsigned char element[16];
  tsr_status st = check_not_empty(ctx, op, out);
  if (st == TSR_OK) st = tsr__scalar_from_real(ctx, op, "value", out->dtype, value, element);
  return st == TSR_OK ? fill_pattern(ctx, op, element, out) : st;
}

tsr_status tsr_fill_i64(tsr_ctx *ctx, int64_t value, tsr_tensor *out) {
  static const char op[] = "fill_i64";
  unsigned char element[16];
  tsr_status st = check_not_empty(ctx, op, out);
  if (st == TSR_OK) st = tsr__scalar_from_i64(ctx, op, "value", out->dtype, value, element);
  return st == TSR_OK ? fill_pattern(ctx, op, element, out) : st;
}
