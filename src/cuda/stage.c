#include "cuda/stage.h"

#include <string.h>

enum { BUFFERS = 2 };

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
  const tsr_parallel *parallel;
  stage_buffer buffers[BUFFERS];
} stage;

/* ---- the host's part, by several threads: one alone is slower than the link ---- */

typedef struct host_copy {
  char *to;
  const char *from;
  size_t bytes;
} host_copy;

enum { PIECE = 256 << 10 };

static void copy_pieces(void *arg, tsr_index begin, tsr_index end, int worker) {
  const host_copy *const c = arg;
  const size_t from = (size_t)begin * PIECE, past = (size_t)end * PIECE < c->bytes ? (size_t)end * PIECE : c->bytes;
  (void)worker;
  memcpy(c->to + from, c->from + from, past - from);
}

static void copy_on_host(const stage *s, void *to, const void *from, size_t bytes) {
  host_copy copy = {to, from, bytes};
  const tsr_index pieces = (tsr_index)((bytes + PIECE - 1) / PIECE);
  if (s->parallel != NULL)
    s->parallel->parallel_for(s->parallel->self, pieces, 1, copy_pieces, &copy);
  else
    copy_pieces(&copy, 0, pieces, 0);
}

/* ---- buffers ---- */

static tsr_status make_buffers(tsr_ctx *ctx, stage *s) {
  tsr_status st = TSR_OK;
  for (int i = 0; i < BUFFERS && st == TSR_OK; i++) {
    stage_buffer *const b = &s->buffers[i];
    st = tsr__cuda_memory_take(&s->gpu->pinned, ctx, s->queue, TSR__CUDA_STAGE_BYTES, &b->block);
    if (st == TSR_OK)
      st = tsr__cuda_check(s->gpu, ctx, s->transfer->op, s->gpu->api->cuEventCreate(&b->event, CU_EVENT_DISABLE_TIMING),
                           "make an event");
  }
  return st;
}

/* One that is still on its way to the device is kept from others by its ticket. */
static void free_buffers(stage *s, uint64_t ticket) {
  for (int i = 0; i < BUFFERS; i++) {
    stage_buffer *const b = &s->buffers[i];
    if (b->event != NULL) (void)s->gpu->api->cuEventDestroy(b->event);
    if (b->block == NULL) continue;
    b->block->uses.at[0].any = ticket;
    tsr__cuda_memory_give(b->block);
  }
}

/* The copy that uses it is over; bytes from the device go where they belong. */
static CUresult finish_buffer(const stage *s, stage_buffer *b) {
  if (!b->is_busy) return CUDA_SUCCESS;
  const CUresult r = s->gpu->api->cuEventSynchronize(b->event);
  b->is_busy = false;
  if (r == CUDA_SUCCESS && s->transfer->direction == TSR_COPY_FROM_DEVICE)
    copy_on_host(s, (char *)s->transfer->to + b->at, (const void *)b->block->address, b->bytes);
  return r;
}

static CUresult send_chunk(const stage *s, stage_buffer *b, size_t at, size_t bytes) {
  const tsr_transfer *const t = s->transfer;
  const tsr__cuda_driver *const api = s->gpu->api;
  void *const pinned = (void *)b->block->address;
  CUresult r = finish_buffer(s, b);
  if (r != CUDA_SUCCESS) return r;
  if (t->direction == TSR_COPY_TO_DEVICE) {
    copy_on_host(s, pinned, (const char *)t->from + at, bytes);
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

tsr_status tsr__cuda_stage_copy(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, const tsr_transfer *t,
                                uint64_t ticket) {
  stage s = {.gpu = gpu, .queue = queue, .transfer = t, .parallel = t->parallel};
  tsr_status st = make_buffers(ctx, &s);
  CUresult r = CUDA_SUCCESS;
  int which = 0;
  for (size_t at = 0; at < t->bytes && st == TSR_OK && r == CUDA_SUCCESS; at += TSR__CUDA_STAGE_BYTES) {
    const size_t left = t->bytes - at;
    r = send_chunk(&s, &s.buffers[which], at, left < TSR__CUDA_STAGE_BYTES ? left : (size_t)TSR__CUDA_STAGE_BYTES);
    which = (which + 1) % BUFFERS;
  }
  for (int i = 0; i < BUFFERS && t->direction == TSR_COPY_FROM_DEVICE && st == TSR_OK && r == CUDA_SUCCESS; i++)
    r = finish_buffer(&s, &s.buffers[(which + i) % BUFFERS]);
  free_buffers(&s, ticket);
  return st == TSR_OK ? tsr__cuda_check(gpu, ctx, t->op, r, "copy") : tsr__fail_as(ctx, st, t->op);
}
