#define _GNU_SOURCE
#include <stdlib.h>
#include <time.h>

#include "graph.h"
#include "stream.h"

struct event {
  struct stream *stream; /* where it was recorded last, */
  uint64_t ticket;       /* and when */
  double ms;             /* when that was done */
  int pending;           /* records that have not run */
  bool timing, destroyed;
  uint64_t capture; /* recorded while capturing: which one, else 0 */
};

typedef struct record_operation {
  operation op;
  struct event *event;
} record_operation;

static double now_ms(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static CUresult run_record(operation *op) {
  struct event *const e = ((record_operation *)(void *)op)->event;
  pthread_mutex_lock(&emulator.lock);
  e->ms = now_ms();
  const bool gone = --e->pending == 0 && e->destroyed;
  pthread_mutex_unlock(&emulator.lock);
  if (gone) free(e);
  return CUDA_SUCCESS;
}

EXPORT CUresult cuEventCreate(CUevent *made, unsigned flags) {
  ENTER_CONTEXT(c);
  *made = calloc(1, sizeof **made);
  if (*made == NULL) return leave(CUDA_ERROR_OUT_OF_MEMORY);
  (*made)->timing = (flags & 2) == 0;
  return leave(CUDA_SUCCESS);
}

/* Where it is to fail the event is gone all the same: nobody can ask a second time. */
EXPORT CUresult cuEventDestroy_v2(CUevent e) {
  const CUresult entered = enter(__func__);
  if (entered != CUDA_SUCCESS) pthread_mutex_lock(&emulator.lock);
  if (e == NULL || e->destroyed) return leave(CUDA_ERROR_INVALID_HANDLE);
  e->destroyed = true;
  if (e->pending == 0) free(e);
  return leave(entered);
}

EXPORT CUresult cuEventRecord(CUevent e, CUstream handle) {
  ENTER_CONTEXT(c);
  struct stream *const s = stream_of(handle);
  if (e == NULL || s == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  e->capture = s->graph != NULL ? s->graph->id : 0;
  if (s->graph != NULL) return leave(CUDA_SUCCESS); /* the order of the calls is kept anyway */
  record_operation *const r = (record_operation *)(void *)operation_new(sizeof *r, run_record, false);
  r->event = e;
  e->pending++;
  e->stream = s;
  e->ticket = stream_put(s, &r->op);
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuEventRecordWithFlags(CUevent e, CUstream handle, unsigned flags) {
  (void)flags;
  return cuEventRecord(e, handle);
}

static bool is_done(const struct event *e) { return e->stream == NULL || e->stream->done >= e->ticket; }

EXPORT CUresult cuEventQuery(CUevent e) {
  ENTER_CONTEXT(c);
  if (e == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  if (e->capture != 0) return leave(CUDA_ERROR_CAPTURED_EVENT);
  if (e->stream != NULL && e->stream->wanted < e->ticket) e->stream->wanted = e->ticket;
  pthread_cond_broadcast(&emulator.changed);
  return leave(is_done(e) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY);
}

EXPORT CUresult cuEventSynchronize(CUevent e) {
  ENTER_CONTEXT(c);
  if (e == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  if (e->capture != 0) return leave(CUDA_ERROR_CAPTURED_EVENT);
  if (e->stream != NULL) stream_wait(e->stream, e->ticket);
  return leave(context_state(c));
}

EXPORT CUresult cuEventElapsedTime_v2(float *ms, CUevent from, CUevent to) {
  ENTER_CONTEXT(c);
  if (from == NULL || to == NULL || !from->timing || !to->timing) return leave(CUDA_ERROR_INVALID_HANDLE);
  if (from->stream == NULL || to->stream == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  if (!is_done(from) || !is_done(to)) return leave(CUDA_ERROR_NOT_READY);
  *ms = (float)(to->ms - from->ms);
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to) { return cuEventElapsedTime_v2(ms, from, to); }

EXPORT CUresult cuStreamWaitEvent(CUstream handle, CUevent e, unsigned flags) {
  ENTER_CONTEXT(c);
  struct stream *const s = stream_of(handle);
  if (e == NULL || s == NULL || flags > 1) return leave(CUDA_ERROR_INVALID_HANDLE);
  if (e->capture != 0) { /* the stream joins the capture */
    struct graph *const g = stream_capture(e->capture);
    if (g == NULL || (s->graph != NULL && s->graph != g)) return leave(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    s->graph = g;
    return leave(CUDA_SUCCESS);
  }
  if (s->graph != NULL) {
    graph_invalidate(s->graph);
    return leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  }
  if (is_done(e)) return leave(CUDA_SUCCESS);
  operation *const op = operation_new(sizeof *op, NULL, false);
  op->wait_stream = e->stream;
  op->wait_ticket = e->ticket;
  (void)stream_put(s, op);
  return leave(CUDA_SUCCESS);
}
