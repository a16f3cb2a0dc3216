/* Queues and events: what the public functions check before a device does them. */
#include "core/check.h"
#include "core/device.h"
#include "core/storage.h"

#if TSR_HAVE_OPS

/* The queues of a device; NULL and a message: it has none. */
static const tsr_device_queues *queues_of(tsr_ctx *ctx, const char *op, const tsr_device *device) {
  if (device == NULL) {
    (void)TSR__FAIL(ctx, TSR_EARG, op, "device", "is NULL");
    return NULL;
  }
  if (TSR__DEVICE_HAS(device, queues)) return device->queues;
  (void)TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "device", "is %s, which has no queues", device->name);
  return NULL;
}

static tsr_status status_of(tsr_ctx *ctx) { return tsr__ctx(ctx)->error.status; }

static tsr_status refuse_null(tsr_ctx *ctx, const char *op, const char *arg) {
  return TSR__FAIL(ctx, TSR_EARG, op, arg, "is NULL");
}

/* ---- queues ---- */

tsr_status tsr_queue_new(tsr_ctx *ctx, const tsr_device *device, tsr_queue **queue) {
  static const char op[] = "queue_new";
  if (queue == NULL) return refuse_null(ctx, op, "queue");
  const tsr_device_queues *const q = queues_of(ctx, op, device);
  return q != NULL ? q->queue_new(device->self, tsr__ctx(ctx), queue) : status_of(ctx);
}

void tsr_queue_release(tsr_queue *queue) {
  if (queue != NULL) queue->device->queues->queue_release(queue->device->self, queue);
}

tsr_status tsr_queue_sync(tsr_ctx *ctx, tsr_queue *queue) {
  if (queue == NULL) return refuse_null(ctx, "queue_sync", "queue");
  return queue->device->queues->queue_sync(queue->device->self, tsr__ctx(ctx), queue, false);
}

tsr_status tsr_device_sync(tsr_ctx *ctx, const tsr_device *device) {
  if (device == NULL) return refuse_null(ctx, "device_sync", "device");
  if (TSR__DEVICE_HAS(device, queues)) return device->queues->queue_sync(device->self, tsr__ctx(ctx), NULL, true);
  const tsr_status st = device->sync(device->self);
  return st == TSR_OK ? TSR_OK : TSR__FAIL(ctx, st, "device_sync", "device", "%s failed", device->name);
}

void *tsr_queue_native(const tsr_device *device, tsr_queue *queue) {
  if (device == NULL || !TSR__DEVICE_HAS(device, queues)) return NULL;
  return device->queues->queue_native(device->self, queue);
}

tsr_status tsr_context_set_queue(tsr_ctx *ctx, tsr_queue *queue) {
  if (ctx == NULL) return refuse_null(NULL, "context_set_queue", "ctx");
  ctx->queue = queue;
  return TSR_OK;
}

const tsr_allocator *tsr_device_host_allocator(const tsr_device *device) {
  return device != NULL && TSR__DEVICE_HAS(device, queues) ? device->queues->host : NULL;
}

size_t tsr_device_trim(const tsr_device *device) {
  if (device == NULL || device->is_host) return tsr_trim();
  return TSR__DEVICE_HAS(device, queues) ? device->queues->trim(device->self) : 0;
}

/* ---- events ---- */

tsr_status tsr_event_new(tsr_ctx *ctx, const tsr_device *device, tsr_event **event) {
  static const char op[] = "event_new";
  if (event == NULL) return refuse_null(ctx, op, "event");
  const tsr_device_queues *const q = queues_of(ctx, op, device);
  return q != NULL ? q->event_new(device->self, tsr__ctx(ctx), event) : status_of(ctx);
}

void tsr_event_release(tsr_event *event) {
  if (event != NULL) event->device->queues->event_release(event->device->self, event);
}

/* An event and a queue of the same device. */
static tsr_status check_pair(tsr_ctx *ctx, const char *op, const tsr_queue *queue, const tsr_event *event) {
  if (event == NULL) return refuse_null(ctx, op, "event");
  if (queue == NULL || queue->device == event->device) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDEVICE, op, "queue", "is of %s, the event of %s", queue->device->name,
                   event->device->name);
}

tsr_status tsr_event_record(tsr_ctx *ctx, tsr_event *event, tsr_queue *queue) {
  const tsr_status st = check_pair(ctx, "event_record", queue, event);
  if (st != TSR_OK) return st;
  return event->device->queues->event_record(event->device->self, tsr__ctx(ctx), event, queue);
}

tsr_status tsr_queue_wait(tsr_ctx *ctx, tsr_queue *queue, const tsr_event *event) {
  const tsr_status st = check_pair(ctx, "queue_wait", queue, event);
  if (st != TSR_OK) return st;
  return event->device->queues->queue_wait(event->device->self, tsr__ctx(ctx), queue, event);
}

tsr_status tsr_event_sync(tsr_ctx *ctx, const tsr_event *event) {
  if (event == NULL) return refuse_null(ctx, "event_sync", "event");
  return event->device->queues->event_sync(event->device->self, tsr__ctx(ctx), event);
}

tsr_status tsr_event_query(tsr_ctx *ctx, const tsr_event *event, bool *done) {
  if (event == NULL) return refuse_null(ctx, "event_query", "event");
  if (done == NULL) return refuse_null(ctx, "event_query", "done");
  return event->device->queues->event_query(event->device->self, tsr__ctx(ctx), event, done);
}

tsr_status tsr_event_elapsed(tsr_ctx *ctx, const tsr_event *from, const tsr_event *to, double *seconds) {
  static const char op[] = "event_elapsed";
  if (from == NULL) return refuse_null(ctx, op, "from");
  if (to == NULL) return refuse_null(ctx, op, "to");
  if (seconds == NULL) return refuse_null(ctx, op, "seconds");
  if (from->device != to->device)
    return TSR__FAIL(ctx, TSR_EDEVICE, op, "to", "is of %s, from of %s", to->device->name, from->device->name);
  return to->device->queues->event_elapsed(to->device->self, tsr__ctx(ctx), from, to, seconds);
}

/* ---- copies that return early ---- */

static tsr_status check_alike(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *out) {
  static const char op[] = "copy_async";
  tsr_status st = tsr__check_given(ctx, op, "in", in);
  if (st == TSR_OK) st = tsr__check_given(ctx, op, "out", out);
  if (st != TSR_OK) return st;
  if (in->dtype != out->dtype) return TSR__FAIL(ctx, TSR_EDTYPE, op, "out", "is %t, in is %t", out, in);
  if (!tsr_same_shape(in, out)) return TSR__FAIL(ctx, TSR_ESHAPE, op, "out", "is %t, in is %t", out, in);
  if ((out->flags & TSR_READONLY) != 0) return TSR__FAIL(ctx, TSR_EREADONLY, op, "out", "%t is read-only", out);
  if (!tsr_is_contiguous(in, TSR_MEMORY))
    return TSR__FAIL(ctx, TSR_ESTRIDE, op, "in", "%t with strides %S is not contiguous", in, (int)in->ndim, in->stride);
  for (int i = 0; i < in->ndim; i++)
    if (in->shape[i] > 1 && in->stride[i] != out->stride[i])
      return TSR__FAIL(ctx, TSR_ESTRIDE, op, "out", "has strides %S, in %S", (int)out->ndim, out->stride, (int)in->ndim,
                       in->stride);
  return TSR_OK;
}

tsr_status tsr_copy_async(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  static const char op[] = "copy_async";
  const tsr_status st = check_alike(ctx, in, out);
  if (st != TSR_OK || tsr_size(in) == 0) return st;
  const tsr_device *const from = tsr_device_of(in), *const to = tsr_device_of(out);
  const tsr_device *const device = to->is_host ? from : to;
  if (device->is_host || (!from->is_host && !to->is_host && (from != to && from->kind != to->kind)) ||
      !TSR__DEVICE_HAS(device, queues))
    return TSR__FAIL(ctx, TSR_EDEVICE, op, "in", "is on %s and out on %s: no queue copies between them", from->name,
                     to->name);
  tsr_transfer transfer = {.to = tsr__first_byte(out),
                           .from = tsr__first_byte(in),
                           .bytes = tsr_nbytes(in),
                           .direction = to->is_host     ? TSR_COPY_FROM_DEVICE
                                        : from->is_host ? TSR_COPY_TO_DEVICE
                                                        : TSR_COPY_WITHIN,
                           .to_memory = tsr_storage_memory(out->storage),
                           .from_memory = tsr_storage_memory(in->storage),
                           .source = from != to && !from->is_host && !to->is_host ? from : NULL,
                           .early = true};
  return tsr__device_transfer(ctx, op, device, &transfer);
}

#endif
