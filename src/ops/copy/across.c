/* Copies between the host and other devices, and between two of those. */
#include "ops/copy/copy.h"

/* Devices copy runs of bytes: axes may lie in any order, without gaps. */
static tsr_status check_dense(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  const tsr_device *const device = tsr_device_of(t);
  if (device->is_host || tsr_is_contiguous(t, TSR_MEMORY)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDEVICE, op, arg, "%t on %s is not contiguous", t, device->name);
}

/* Whether both have their elements at the same places of a run without gaps. */
static bool lie_alike(const tsr_tensor *a, const tsr_tensor *b) {
  if (!tsr_is_contiguous(a, TSR_MEMORY)) return false;
  for (int i = 0; i < a->ndim; i++)
    if (a->shape[i] > 1 && a->stride[i] != b->stride[i]) return false;
  return true;
}

static tsr_status device_copy(tsr_ctx *ctx, const char *op, const tsr_device *device, void *dst, const void *src,
                              size_t bytes, tsr_copy_direction direction) {
  tsr_status st = device->copy(device->self, dst, src, bytes, direction);
  if (st == TSR_OK) st = device->sync(device->self);
  if (st == TSR_OK) return TSR_OK;
  return TSR__FAIL(ctx, st, op, NULL, "%s failed to copy %z bytes", device->name, bytes);
}

/* The host's side as memory that is laid out as the device's: itself, or temporary memory. */
static tsr_status stage(tsr_ctx *ctx, const char *op, const tsr_tensor *host, const tsr_tensor *like,
                        tsr__scratch *scratch, tsr_tensor *staged) {
  *staged = *host;
  *scratch = (tsr__scratch){0};
  if (lie_alike(host, like)) return TSR_OK;
  const tsr_status st = tsr__scratch_get(ctx, op, tsr_nbytes(host), scratch);
  if (st != TSR_OK) return st;
  for (int i = 0; i < host->ndim; i++) staged->stride[i] = like->stride[i];
  staged->data = (char *)scratch->data + ((char *)like->data - tsr__first_byte(like));
  return TSR_OK;
}

static tsr_status to_device(tsr_ctx *ctx, const char *op, const tsr_tensor *src, const tsr_tensor *dst) {
  tsr__scratch scratch;
  tsr_tensor staged;
  tsr_status st = stage(ctx, op, src, dst, &scratch, &staged);
  if (st != TSR_OK) return st;
  if (staged.data != src->data) tsr__copy_apart(ctx, src, &staged);
  st = device_copy(ctx, op, tsr_device_of(dst), tsr__first_byte(dst), tsr__first_byte(&staged), tsr_nbytes(dst),
                   TSR_COPY_TO_DEVICE);
  tsr__scratch_put(&scratch);
  return st;
}

static tsr_status from_device(tsr_ctx *ctx, const char *op, const tsr_tensor *src, const tsr_tensor *dst) {
  tsr__scratch scratch;
  tsr_tensor staged;
  tsr_status st = stage(ctx, op, dst, src, &scratch, &staged);
  if (st != TSR_OK) return st;
  st = device_copy(ctx, op, tsr_device_of(src), tsr__first_byte(&staged), tsr__first_byte(src), tsr_nbytes(src),
                   TSR_COPY_FROM_DEVICE);
  if (st == TSR_OK && staged.data != dst->data) tsr__copy_apart(ctx, &staged, dst);
  tsr__scratch_put(&scratch);
  return st;
}

static tsr_status between_devices(tsr_ctx *ctx, const char *op, const tsr_tensor *src, const tsr_tensor *dst) {
  const tsr_device *const from = tsr_device_of(src), *const to = tsr_device_of(dst);
  const size_t bytes = tsr_nbytes(src);
  char *const first = tsr__first_byte(src), *const target = tsr__first_byte(dst);
  if (!lie_alike(src, dst))
    return TSR__FAIL(ctx, TSR_EDEVICE, op, "in", "%t on %s has strides %S, out on %s %S: orders are changed on the host",
                     src, from->name, (int)src->ndim, src->stride, to->name, (int)dst->ndim, dst->stride);
  if (from == to) return device_copy(ctx, op, to, target, first, bytes, TSR_COPY_WITHIN);
  tsr__scratch scratch;
  tsr_status st = tsr__scratch_get(ctx, op, bytes, &scratch);
  if (st != TSR_OK) return st;
  st = device_copy(ctx, op, from, scratch.data, first, bytes, TSR_COPY_FROM_DEVICE);
  if (st == TSR_OK) st = device_copy(ctx, op, to, target, scratch.data, bytes, TSR_COPY_TO_DEVICE);
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
