#include "cuda/stage.h"

#include <string.h>

/* Threads take pieces until none is left. Each has buffers of its own, and fills one while the other is on its way; so nobody waits for
 * another, and the link has work as long as one of them is ahead of it. One thread alone copies slower than the link does. */
enum { MOST_LANES = 16, BUFFERS = 2 };

typedef struct stage_buffer {
  tsr__cuda_block *block;
  CUevent event; /* after the copy that uses it */
  bool is_busy;
  size_t at, bytes; /* what it holds, on its way from the device */
} stage_buffer;

typedef struct stage {
  tsr__cuda *gpu;
  tsr__cuda_queue *queue;
  const tsr_transfer *transfer;
  size_t next; /* atomic: the first byte that nobody has taken */
  int error;   /* atomic: the first CUresult that is not success */
  int lanes;
  stage_buffer buffers[MOST_LANES][BUFFERS];
} stage;

/* ---- buffers ---- */

static tsr_status make_buffer(tsr_ctx *ctx, const stage *s, stage_buffer *b) {
  const tsr_status st = tsr__cuda_memory_take(&s->gpu->pinned, ctx, s->queue, TSR__CUDA_STAGE_BYTES, &b->block);
  if (st != TSR_OK) return st;
  return tsr__cuda_check(s->gpu, ctx, s->transfer->op, s->gpu->api->cuEventCreate(&b->event, CU_EVENT_DISABLE_TIMING),
                         "make an event");
}

/* As many as there are threads and pieces; fewer where there is no pinned memory for them, but one. */
static tsr_status make_buffers(tsr_ctx *ctx, stage *s) {
  const tsr_parallel *const parallel = s->transfer->parallel;
  const size_t pieces = (s->transfer->bytes + TSR__CUDA_STAGE_BYTES - 1) / TSR__CUDA_STAGE_BYTES;
  int most = parallel != NULL && parallel->max_workers < MOST_LANES ? parallel->max_workers : MOST_LANES;
  tsr_status st = TSR_OK;
  tsr_ctx quiet = {0};
  if (parallel == NULL) most = 1;
  if ((size_t)most > pieces) most = (int)pieces;
  for (int i = 0; i < most && st == TSR_OK; i++) {
    for (int k = 0; k < BUFFERS && st == TSR_OK; k++) st = make_buffer(i == 0 ? ctx : &quiet, s, &s->buffers[i][k]);
    s->lanes += st == TSR_OK;
  }
  return s->lanes > 0 ? TSR_OK : st;
}

/* One that is still on its way to the device is kept from others by its ticket. */
static void free_buffers(stage *s, uint64_t ticket) {
  for (int i = 0; i < MOST_LANES * BUFFERS; i++) {
    stage_buffer *const b = &s->buffers[i / BUFFERS][i % BUFFERS];
    if (b->event != NULL) (void)s->gpu->api->cuEventDestroy(b->event);
    if (b->block == NULL) continue;
    b->block->uses.at[0].any = ticket;
    tsr__cuda_memory_give(b->block);
  }
}

/* ---- pieces ---- */

/* The copy that uses it is over; bytes from the device go where they belong. */
static CUresult finish_buffer(const stage *s, stage_buffer *b) {
  if (!b->is_busy) return CUDA_SUCCESS;
  const CUresult r = s->gpu->api->cuEventSynchronize(b->event);
  b->is_busy = false;
  if (r == CUDA_SUCCESS && s->transfer->direction == TSR_COPY_FROM_DEVICE)
    memcpy((char *)s->transfer->to + b->at, (const void *)b->block->address, b->bytes);
  return r;
}

static CUresult send_piece(const stage *s, stage_buffer *b, size_t at, size_t bytes) {
  const tsr_transfer *const t = s->transfer;
  const tsr__cuda_driver *const api = s->gpu->api;
  void *const pinned = (void *)b->block->address;
  CUresult r = finish_buffer(s, b);
  if (r != CUDA_SUCCESS) return r;
  if (t->direction == TSR_COPY_TO_DEVICE) {
    memcpy(pinned, (const char *)t->from + at, bytes);
    r = api->cuMemcpyHtoDAsync((CUdeviceptr)(uintptr_t)t->to + at, pinned, bytes, s->queue->stream);
  } else {
    r = api->cuMemcpyDtoHAsync(pinned, (CUdeviceptr)(uintptr_t)t->from + at, bytes, s->queue->stream);
  }
  if (r == CUDA_SUCCESS) r = api->cuEventRecord(b->event, s->queue->stream);
  b->is_busy = r == CUDA_SUCCESS;
  b->at = at;
  b->bytes = bytes;
  return r;
}

/* ---- threads ---- */

static CUresult send_pieces(stage *s, stage_buffer *buffers) {
  const size_t all = s->transfer->bytes;
  CUresult r = CUDA_SUCCESS;
  int which = 0;
  while (r == CUDA_SUCCESS && __atomic_load_n(&s->error, __ATOMIC_RELAXED) == CUDA_SUCCESS) {
    const size_t at = __atomic_fetch_add(&s->next, (size_t)TSR__CUDA_STAGE_BYTES, __ATOMIC_RELAXED);
    if (at >= all) break;
    r = send_piece(s, &buffers[which], at, all - at < TSR__CUDA_STAGE_BYTES ? all - at : (size_t)TSR__CUDA_STAGE_BYTES);
    which = (which + 1) % BUFFERS;
  }
  for (int i = 0; i < BUFFERS && s->transfer->direction == TSR_COPY_FROM_DEVICE && r == CUDA_SUCCESS; i++)
    r = finish_buffer(s, &buffers[(which + i) % BUFFERS]);
  return r;
}

/* What one does not get to do, others do. */
static void run_lanes(void *arg, tsr_index begin, tsr_index end, int worker) {
  stage *const s = arg;
  tsr_ctx quiet = {0};
  tsr__cuda_scope scope;
  (void)worker;
  if (tsr__cuda_enter(s->gpu, &quiet, s->transfer->op, &scope) != TSR_OK) return;
  for (tsr_index i = begin; i < end; i++) {
    const CUresult r = send_pieces(s, s->buffers[i]);
    int none = CUDA_SUCCESS;
    if (r != CUDA_SUCCESS)
      (void)__atomic_compare_exchange_n(&s->error, &none, (int)r, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  tsr__cuda_leave(s->gpu, scope);
}

tsr_status tsr__cuda_stage_copy(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, const tsr_transfer *t,
                                uint64_t ticket) {
  stage s = {.gpu = gpu, .queue = queue, .transfer = t};
  tsr_status st = make_buffers(ctx, &s);
  if (st == TSR_OK && s.lanes > 1)
    t->parallel->parallel_for(t->parallel->self, s.lanes, 1, run_lanes, &s);
  else if (st == TSR_OK)
    run_lanes(&s, 0, 1, 0);
  if (st == TSR_OK) st = tsr__cuda_check(gpu, ctx, t->op, (CUresult)s.error, "copy");
  if (st == TSR_OK && s.next < t->bytes) st = tsr__cuda_check(gpu, ctx, t->op, CUDA_ERROR_INVALID_CONTEXT, "copy");
  free_buffers(&s, ticket);
  return st == TSR_OK ? TSR_OK : tsr__fail_as(ctx, st, t->op);
}
