/* Events: places in a queue. */
#include "cuda/device.h"

typedef struct cuda_event {
  tsr_event base;
  CUevent event;
  bool is_recorded;
} cuda_event;

static cuda_event *inside(const tsr_event *event) { return (cuda_event *)(uintptr_t)event; }

tsr_status tsr__cuda_event_new(void *self, tsr_ctx *ctx, tsr_event **event) {
  static const char op[] = "event_new";
  tsr__cuda *const gpu = self;
  tsr__cuda_scope scope;
  cuda_event *const e = tsr__cuda_host_new(sizeof *e);
  if (e == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for an event");
  tsr_status st = tsr__cuda_enter(gpu, ctx, op, &scope);
  if (st == TSR_OK) {
    st = tsr__cuda_check(gpu, ctx, op, gpu->api->cuEventCreate(&e->event, CU_EVENT_DEFAULT), "make an event");
    tsr__cuda_leave(gpu, scope);
  }
  if (st != TSR_OK) {
    tsr__cuda_host_free(e, sizeof *e);
    return st;
  }
  e->base.device = &gpu->device;
  *event = &e->base;
  return TSR_OK;
}

void tsr__cuda_event_release(void *self, tsr_event *event) {
  tsr__cuda *const gpu = self;
  if (tsr__cuda_is_alive(gpu)) (void)gpu->api->cuEventDestroy(inside(event)->event);
  tsr__cuda_host_free(inside(event), sizeof(cuda_event));
}

tsr_status tsr__cuda_event_record(void *self, tsr_ctx *ctx, tsr_event *event, tsr_queue *queue) {
  tsr__cuda *const gpu = self;
  tsr__cuda_scope scope;
  tsr_status st = tsr__cuda_enter(gpu, ctx, "event_record", &scope);
  if (st != TSR_OK) return st;
  const CUstream stream = tsr__cuda_queue_of(gpu, queue)->stream;
  st = tsr__cuda_check(gpu, ctx, "event_record", gpu->api->cuEventRecord(inside(event)->event, stream), "record it");
  if (st == TSR_OK) inside(event)->is_recorded = true;
  tsr__cuda_leave(gpu, scope);
  return st;
}

tsr_status tsr__cuda_queue_wait(void *self, tsr_ctx *ctx, tsr_queue *queue, const tsr_event *event) {
  tsr__cuda *const gpu = self;
  tsr__cuda_scope scope;
  if (!inside(event)->is_recorded) return TSR_OK;
  tsr_status st = tsr__cuda_enter(gpu, ctx, "queue_wait", &scope);
  if (st != TSR_OK) return st;
  const CUstream stream = tsr__cuda_queue_of(gpu, queue)->stream;
  st = tsr__cuda_check(gpu, ctx, "queue_wait", gpu->api->cuStreamWaitEvent(stream, inside(event)->event, 0), "wait");
  tsr__cuda_leave(gpu, scope);
  return st;
}

tsr_status tsr__cuda_event_sync(void *self, tsr_ctx *ctx, const tsr_event *event) {
  tsr__cuda *const gpu = self;
  tsr__cuda_scope scope;
  tsr_status st = tsr__cuda_enter(gpu, ctx, "event_sync", &scope);
  if (st != TSR_OK) return st;
  if (inside(event)->is_recorded)
    st = tsr__cuda_check(gpu, ctx, "event_sync", gpu->api->cuEventSynchronize(inside(event)->event), "wait");
  tsr__cuda_leave(gpu, scope);
  return st;
}

tsr_status tsr__cuda_event_query(void *self, tsr_ctx *ctx, const tsr_event *event, bool *done) {
  tsr__cuda *const gpu = self;
  tsr__cuda_scope scope;
  tsr_status st = tsr__cuda_enter(gpu, ctx, "event_query", &scope);
  if (st != TSR_OK) return st;
  const CUresult r = inside(event)->is_recorded ? gpu->api->cuEventQuery(inside(event)->event) : CUDA_SUCCESS;
  if (r != CUDA_ERROR_NOT_READY) st = tsr__cuda_check(gpu, ctx, "event_query", r, "tell");
  if (st == TSR_OK) *done = r == CUDA_SUCCESS;
  tsr__cuda_leave(gpu, scope);
  return st;
}

tsr_status tsr__cuda_event_elapsed(void *self, tsr_ctx *ctx, const tsr_event *from, const tsr_event *to,
                                   double *seconds) {
  static const char op[] = "event_elapsed";
  tsr__cuda *const gpu = self;
  float milliseconds = 0;
  if (!inside(from)->is_recorded || !inside(to)->is_recorded)
    return TSR__FAIL(ctx, TSR_ESTATE, op, inside(from)->is_recorded ? "to" : "from", "was not recorded");
  tsr__cuda_scope scope;
  tsr_status st = tsr__cuda_enter(gpu, ctx, op, &scope);
  if (st != TSR_OK) return st;
  CUresult r = gpu->api->cuEventSynchronize(inside(to)->event);
  if (r == CUDA_SUCCESS) r = gpu->api->cuEventElapsedTime(&milliseconds, inside(from)->event, inside(to)->event);
  st = tsr__cuda_check(gpu, ctx, op, r, "tell the time between two events");
  if (st == TSR_OK) *seconds = (double)milliseconds * 1e-3;
  tsr__cuda_leave(gpu, scope);
  return st;
}
