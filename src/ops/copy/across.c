/* Copies between the host and other devices, and between two of those. */
#include "ops/copy/copy.h"

static tsr_status check_dense(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  const tsr_device *const device = tsr_device_of(t);
  if (device->is_host || tsr_is_contiguous(t, TSR_ROW_MAJOR)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDEVICE, op, arg, "%t on %s is not contiguous in row-major order", t, device->name);
}

static tsr_status device_copy(tsr_ctx *ctx, const char *op, const tsr_device *device, void *dst, const void *src,
                              size_t bytes, tsr_copy_direction direction) {
  tsr_status st = device->copy(device->self, dst, src, bytes, direction);
  if (st == TSR_OK) st = device->sync(device->self);
  if (st == TSR_OK) return TSR_OK;
  return TSR__FAIL(ctx, st, op, NULL, "%s failed to copy %z bytes", device->name, bytes);
}

/* The host's side as contiguous memory: itself, or temporary memory of the same shape. */
static tsr_status stage(tsr_ctx *ctx, const char *op, const tsr_tensor *host, tsr__scratch *scratch, tsr_tensor *staged) {
  *staged = *host;
  *scratch = (tsr__scratch){0};
  if (tsr_is_contiguous(host, TSR_ROW_MAJOR)) return TSR_OK;
  const tsr_status st = tsr__scratch_get(ctx, op, tsr_nbytes(host), scratch);
  if (st != TSR_OK) return st;
  staged->data = scratch->data;
  tsr__strides_for(staged->ndim, staged->shape, TSR_ROW_MAJOR, staged->stride);
  return TSR_OK;
}

static tsr_status to_device(tsr_ctx *ctx, const char *op, const tsr_tensor *src, const tsr_tensor *dst) {
  tsr__scratch scratch;
  tsr_tensor staged;
  tsr_status st = stage(ctx, op, src, &scratch, &staged);
  if (st != TSR_OK) return st;
  if (staged.data != src->data) tsr__copy_apart(ctx, src, &staged);
  st = device_copy(ctx, op, tsr_device_of(dst), dst->data, staged.data, tsr_nbytes(dst), TSR_COPY_TO_DEVICE);
  tsr__scratch_put(&scratch);
  return st;
}

static tsr_status from_device(tsr_ctx *ctx, const char *op, const tsr_tensor *src, const tsr_tensor *dst) {
  tsr__scratch scratch;
  tsr_tensor staged;
  tsr_status st = stage(ctx, op, dst, &scratch, &staged);
  if (st != TSR_OK) return st;
  st = device_copy(ctx, op, tsr_device_of(src), staged.data, src->data, tsr_nbytes(src), TSR_COPY_FROM_DEVICE);
  if (st == TSR_OK && staged.data != dst->data) tsr__copy_apart(ctx, &staged, dst);
  tsr__scratch_put(&scratch);
  return st;
}

static tsr_status between_devices(tsr_ctx *ctx, const char *op, const tsr_tensor *src, const tsr_tensor *dst) {
  const tsr_device *const from = tsr_device_of(src), *const to = tsr_device_of(dst);
  const size_t bytes = tsr_nbytes(src);
  if (from == to) return device_copy(ctx, op, to, dst->data, src->data, bytes, TSR_COPY_WITHIN);
  tsr__scratch scratch;
  tsr_status st = tsr__scratch_get(ctx, op, bytes, &scratch);
  if (st != TSR_OK) return st;
  st = device_copy(ctx, op, from, scratch.data, src->data, bytes, TSR_COPY_FROM_DEVICE);
  if (st == TSR_OK) st = device_copy(ctx, op, to, dst->data, scratch.data, bytes, TSR_COPY_TO_DEVICE);
  tsr__scratch_put(&scratch);
  return st;
}

tsr_status tsr__copy_across(tsr_ctx *ctx, const char *op, const tsr_tensor *src, const tsr_tensor *dst) {
  tsr_status st = check_dense(ctx, op, "in", src);
  if (st == TSR_OK) st = check_dense(ctx, op, "out", dst);
  if (st != TSR_OK || tsr_size(src) == 0) return st;
  const bool from_host = tsr_device_of(src)->is_host, to_host = tsr_device_of(dst)->is_host;
  if (from_host && to_host) return tsr__copy_host(ctx, op, src, dst); /* two kinds of memory, both the CPU's to touch */
  if (src->dtype != dst->dtype)
    return TSR__FAIL(ctx, TSR_EDEVICE, op, "in", "%t to %t: dtypes are converted on the host", src, dst);
  if (from_host) return to_device(ctx, op, src, dst);
  if (to_host) return from_device(ctx, op, src, dst);
  return between_devices(ctx, op, src, dst);
}
