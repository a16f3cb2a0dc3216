/* What calls ask of devices with queues and of those without. */
#include "core/device.h"

#include "core/check.h"

#if TSR__HAVE_OFFLOAD

tsr_status tsr__device_queue(tsr_ctx *ctx, const char *op, const tsr_device *device, tsr_queue **queue) {
  *queue = ctx != NULL && TSR__DEVICE_HAS(device, queues) ? ctx->queue : NULL;
  if (*queue == NULL || (*queue)->device == device) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "is a call on %s, the context has a queue of %s", device->name,
                   (*queue)->device->name);
}

tsr_status tsr__device_transfer(tsr_ctx *ctx, const char *op, const tsr_device *device, tsr_transfer *transfer) {
  tsr_status st = tsr__device_queue(ctx, op, device, &transfer->queue);
  if (st != TSR_OK) return st;
  transfer->size = sizeof *transfer;
  transfer->op = op;
  if (transfer->parallel == NULL && ctx != NULL) transfer->parallel = ctx->parallel;
  if (TSR__DEVICE_HAS(device, queues)) return device->queues->transfer(device->self, tsr__ctx(ctx), transfer);
  st = device->copy(device->self, transfer->to, transfer->from, transfer->bytes, transfer->direction);
  if (st == TSR_OK) st = device->sync(device->self);
  if (st == TSR_OK) return TSR_OK;
  return TSR__FAIL(ctx, st, op, NULL, "%s failed to copy %z bytes", device->name, transfer->bytes);
}

#endif
