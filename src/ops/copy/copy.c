/* tsr_copy, tsr_cast, tsr_clone, tsr_to_device: what they check and what they give back. */
#include "ops/copy/copy.h"

#include "core/operand.h"
#include "core/tensor.h"
#include "ops/cast/convert.h"
#include <tessera/ops.h>

static bool on_host(const tsr_tensor *t) { return tsr_device_of(t)->is_host; }

/* Host to host, with conversion to dtype. */
static tsr_status copy_as(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int dtype, const tsr_tensor *like,
                          tsr_tensor *out) {
  const tsr__result result = {dtype, in->layout, in->ndim, in->shape, like};
  tsr_status st = tsr__check_cast(ctx, op, in->dtype, dtype);
  if (st == TSR_OK) st = tsr__output(ctx, op, &result, out);
  return st == TSR_OK ? tsr__copy_host(ctx, op, in, out) : st;
}

/* Whether a given output on any device can take a copy of in. */
static tsr_status check_given_output(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *out) {
  const tsr_status st = tsr__check_given(ctx, op, "out", out);
  if (st != TSR_OK) return st;
  if (!tsr_same_shape(in, out)) return TSR__FAIL(ctx, TSR_ESHAPE, op, "out", "is %t, the result is %t", out, in);
  if ((out->flags & TSR_READONLY) != 0) return TSR__FAIL(ctx, TSR_EREADONLY, op, "out", "%t is read-only", out);
  if (tsr__self_overlaps(out))
    return TSR__FAIL(ctx, TSR_EOVERLAP, op, "out", "%t: two of its indices share an address", out);
  return TSR_OK;
}

/* A fresh copy on device (NULL: the host); *out is empty, or described as in. From one device to another elements stay in
 * the order that they are in. */
static tsr_status copy_to_fresh(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_device *device,
                                tsr_tensor *out) {
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  tsr_tensor fresh = *out;
  tsr_status st = tsr__output_check(ctx, op, &result, out);
  if (st != TSR_OK) return st;
  if (tsr_is_empty(out)) {
    tsr__describe(in->dtype, in->ndim, in->shape, &fresh);
    fresh.layout = in->layout;
    const bool keep = !on_host(in) && device != NULL && !device->is_host && tsr_is_contiguous(in, TSR_MEMORY);
    for (int i = 0; i < in->ndim && keep; i++) fresh.stride[i] = in->stride[i];
  }
  tsr__default_strides(&fresh);
  st = tsr__allocate(ctx, op, device, TSR_HINT_DEFAULT, &fresh);
  if (st == TSR_OK) st = tsr__copy_across(ctx, op, in, &fresh);
  if (st == TSR_OK)
    *out = fresh;
  else
    tsr_release(&fresh);
  return st;
}

static bool is_given(const tsr_tensor *out) { return out->data != NULL || (!tsr_is_empty(out) && tsr_size(out) == 0); }

tsr_status tsr_copy(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  TSR__OPERANDS(in, out);
  static const char op[] = "copy";
  tsr_status st = tsr__check_given(ctx, op, "in", in);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const bool given = is_given(out);
  if (on_host(in) && (!given || on_host(out)))
    return copy_as(ctx, op, in, tsr_is_empty(out) ? in->dtype : out->dtype, NULL, out);
  if (given) {
    st = check_given_output(ctx, op, in, out);
    return st == TSR_OK ? tsr__copy_across(ctx, op, in, out) : st;
  }
  return copy_to_fresh(ctx, op, in, NULL, out);
}

tsr_status tsr_cast(tsr_ctx *ctx, const tsr_tensor *in, int dtype, tsr_tensor *out) {
  TSR__OPERANDS(in, out);
  static const char op[] = "cast";
  tsr_status st = tsr__check_input(ctx, op, "in", in);
  if (st == TSR_OK) st = tsr__check_dtype(ctx, op, "dtype", dtype);
  return st == TSR_OK ? copy_as(ctx, op, in, dtype, in, out) : st;
}

static tsr_status copy_to_device(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_device *device,
                                 tsr_tensor *out) {
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (device == tsr_device_cpu() && on_host(in)) return copy_as(ctx, op, in, in->dtype, NULL, out);
  if (!is_given(out)) return copy_to_fresh(ctx, op, in, device, out);
  const tsr_status st = check_given_output(ctx, op, in, out);
  if (st != TSR_OK) return st;
  if (tsr_device_of(out) != device)
    return TSR__FAIL(ctx, TSR_EDEVICE, op, "out", "is on %s, not on %s", tsr_device_of(out)->name, device->name);
  return tsr__copy_across(ctx, op, in, out);
}

tsr_status tsr_clone(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  TSR__OPERANDS(in, out);
  static const char op[] = "clone";
  const tsr_status st = tsr__check_given(ctx, op, "in", in);
  if (st != TSR_OK) return st;
  return on_host(in) ? copy_as(ctx, op, in, in->dtype, in, out) : copy_to_device(ctx, op, in, tsr_device_of(in), out);
}

tsr_status tsr_to_device(tsr_ctx *ctx, const tsr_tensor *in, const tsr_device *device, tsr_tensor *out) {
  TSR__OPERANDS(in, out);
  static const char op[] = "to_device";
  const tsr_status st = tsr__check_given(ctx, op, "in", in);
  return st == TSR_OK ? copy_to_device(ctx, op, in, device != NULL ? device : tsr_device_cpu(), out) : st;
}
