/* Copies between the host and other devices, and between two of those, by the tables of the devices. */
#include "core/device.h"
#include "cpu/parallel.h"
#include "ops/copy/copy.h"

#include <tessera/ops.h>

/* Devices copy runs of bytes: axes may lie in any order, contiguous. */
static tsr_status check_contiguous(const tsr__call *call, const char *arg, const tsr_tensor *t) {
  const tsr_device *const device = tsr_device_of(t);
  if (device->is_host || tsr_is_contiguous(t, TSR_MEMORY)) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_EDEVICE, call->op, arg, "%t on %s is not contiguous", t, device->name);
}

/* Whether both have their elements at the same places of a contiguous run. */
static bool have_same_layout(const tsr_tensor *a, const tsr_tensor *b) {
  if (!tsr_is_contiguous(a, TSR_MEMORY)) return false;
  for (int i = 0; i < a->ndim; i++)
    if (a->shape[i] > 1 && a->stride[i] != b->stride[i]) return false;
  return true;
}

/* t with the strides of like, which is contiguous, over bytes that begin at first. */
static void lay_alike(const tsr_tensor *like, char *first, tsr_tensor *t) {
  for (int i = 0; i < t->ndim; i++) t->stride[i] = like->stride[i];
  t->data = first + ((char *)like->data - tsr__first_byte(like));
}

/* The bytes of src to those of dst, of which the device has one or both. */
#if TSR__HAVE_OFFLOAD
static tsr_status device_copy(const tsr__call *call, const tsr_device *device, const tsr_tensor *dst,
                              const tsr_tensor *src, tsr_copy_direction direction) {
  tsr_transfer transfer = {.to = tsr__first_byte(dst),
                           .from = tsr__first_byte(src),
                           .bytes = tsr_nbytes(src),
                           .direction = direction,
                           .to_memory = tsr_storage_memory(dst->storage),
                           .from_memory = tsr_storage_memory(src->storage),
                           .parallel = tsr__parallel(call->ctx)};
  if (direction == TSR_COPY_WITHIN && tsr_device_of(src) != device) transfer.source = tsr_device_of(src);
  return tsr__device_transfer(call->ctx, call->op, device, &transfer);
}
#else
static tsr_status device_copy(const tsr__call *call, const tsr_device *device, const tsr_tensor *dst,
                              const tsr_tensor *src, tsr_copy_direction direction) {
  const size_t bytes = tsr_nbytes(src);
  tsr_status st = device->copy(device->self, tsr__first_byte(dst), tsr__first_byte(src), bytes, direction);
  if (st == TSR_OK) st = device->sync(device->self);
  if (st == TSR_OK) return TSR_OK;
  return TSR__FAIL(call->ctx, st, call->op, NULL, "%s failed to copy %z bytes", device->name, bytes);
}
#endif

/* The host's side as memory that is laid out as the device's: itself, or temporary memory. */
static tsr_status stage(tsr__call *call, const tsr_tensor *host, const tsr_tensor *like, tsr_tensor *staged) {
  void *memory = NULL;
  *staged = *host;
  if (have_same_layout(host, like)) return tsr__call_start(call);
  const tsr_status st = tsr__call_scratch(call, tsr_nbytes(host), &memory);
  if (st != TSR_OK) return st;
  lay_alike(like, memory, staged);
  return tsr__call_start(call);
}

static tsr_status to_device(tsr__call *call, const tsr_tensor *src, const tsr_tensor *dst) {
  tsr_tensor staged;
  const tsr_status st = stage(call, src, dst, &staged);
  if (st != TSR_OK) return st;
  if (staged.data != src->data) tsr__copy_no_alias(call->ctx, src, &staged);
  return device_copy(call, tsr_device_of(dst), dst, &staged, TSR_COPY_TO_DEVICE);
}

static tsr_status from_device(tsr__call *call, const tsr_tensor *src, const tsr_tensor *dst) {
  tsr_tensor staged;
  tsr_status st = stage(call, dst, src, &staged);
  if (st != TSR_OK) return st;
  st = device_copy(call, tsr_device_of(src), &staged, src, TSR_COPY_FROM_DEVICE);
  if (st == TSR_OK && staged.data != dst->data) tsr__copy_no_alias(call->ctx, &staged, dst);
  return st;
}

/* Two devices of a kind that know each other's memory. */
static bool are_peers(const tsr_device *from, const tsr_device *to) {
#if TSR__HAVE_OFFLOAD
  return TSR__DEVICE_HAS(from, queues) && TSR__DEVICE_HAS(to, queues) && from->kind == to->kind;
#else
  (void)from, (void)to;
  return false;
#endif
}

static tsr_status between_devices(tsr__call *call, const tsr_tensor *src, const tsr_tensor *dst) {
  const tsr_device *const from = tsr_device_of(src), *const to = tsr_device_of(dst);
  tsr_tensor staged = *src;
  void *memory = NULL;
  tsr_status st = TSR_OK;
  if (!have_same_layout(src, dst))
    return TSR__FAIL(call->ctx, TSR_EDEVICE, call->op, "in",
                     "%t on %s has strides %S, out on %s %S: orders are changed on the host", src, from->name,
                     (int)src->ndim, src->stride, to->name, (int)dst->ndim, dst->stride);
  const bool direct = from == to || are_peers(from, to);
  if (!direct) st = tsr__call_scratch(call, tsr_nbytes(src), &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  if (direct) return device_copy(call, to, dst, src, TSR_COPY_WITHIN);
  lay_alike(src, memory, &staged);
  staged.storage = NULL;
  st = device_copy(call, from, &staged, src, TSR_COPY_FROM_DEVICE);
  return st == TSR_OK ? device_copy(call, to, dst, &staged, TSR_COPY_TO_DEVICE) : st;
}

static tsr_status copy_contiguous(tsr__call *call, const tsr_tensor *src, tsr_tensor *dst) {
  if (src->dtype != dst->dtype)
    return TSR__FAIL(call->ctx, TSR_EDEVICE, call->op, "in", "%t to %t: dtypes are converted on the host", src, dst);
  if (tsr_device_of(src)->is_host) return to_device(call, src, dst);
  if (tsr_device_of(dst)->is_host) return from_device(call, src, dst);
  /* A fresh output runs backwards where the input does. */
  if (call->result[0]->like == src) lay_alike(src, tsr__first_byte(dst), dst);
  return between_devices(call, src, dst);
}

/* Whether a device that computes can bring t into order itself. */
static bool can_gather(const tsr_tensor *t) {
  return TSR__HAVE_OFFLOAD && tsr__device_runs(tsr_device_of(t)) && !tsr_is_contiguous(t, TSR_MEMORY);
}

/* From a device that computes: its elements brought together there first. */
static tsr_status copy_gathered(tsr__call *call, const tsr_tensor *src, tsr_tensor *dst) {
  tsr_tensor together = TSR_EMPTY;
  tsr_status st = tsr_clone(call->ctx, src, &together);
  if (st == TSR_OK) st = copy_contiguous(call, &together, dst);
  tsr_release(&together);
  return st;
}

/* To one: as memory beside the output, which is then spread out. */
static tsr_status copy_spread(tsr__call *call, const tsr_tensor *src, tsr_tensor *dst) {
  tsr_tensor together = *dst;
  together.storage = NULL;
  together.data = NULL;
  together.flags = 0;
  tsr__strides_for(together.ndim, together.shape, TSR_ROW_MAJOR, together.stride);
  tsr_status st = tsr_allocate(call->ctx, tsr_device_of(dst), TSR_HINT_DEFAULT, &together);
  if (st != TSR_OK) return st;
  st = copy_contiguous(call, src, &together);
  if (st == TSR_OK) st = tsr_copy(call->ctx, &together, dst);
  tsr_release(&together);
  return st;
}

tsr_status tsr__call_copy_across(tsr__call *call) {
  const tsr_tensor *const src = call->in[0];
  tsr_tensor *const dst = call->out[0];
  const bool gathers = can_gather(src), spreads = can_gather(dst);
  tsr_status st = gathers ? TSR_OK : check_contiguous(call, "in", src);
  if (st == TSR_OK && !spreads) st = check_contiguous(call, "out", dst);
  if (st != TSR_OK) return st;
  if (tsr_size(src) == 0) return tsr__call_start(call);
  if (gathers) return copy_gathered(call, src, dst);
  return spreads ? copy_spread(call, src, dst) : copy_contiguous(call, src, dst);
}
