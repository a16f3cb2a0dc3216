/* Copies between the host and a GPU, within one, and between two. */
#include "cuda/device.h"
#include "cuda/stage.h"

/* ---- the host's side ---- */

/* Whether the device reaches the memory by itself: then a copy may still run when the driver's function returns. */
static bool is_pinned(const tsr__cuda *gpu, const void *host) {
  CUpointer_attribute which = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  unsigned type = 0;
  void *const answers[] = {
      &type}; /* asked for several it says 0 of memory that is not its own; for one that would be an error */
  const CUresult r = gpu->api->cuPointerGetAttributes(1, &which, (void **)answers, (CUdeviceptr)(uintptr_t)host);
  return r == CUDA_SUCCESS && type == CU_MEMORYTYPE_HOST;
}

/* ---- the order ---- */

/* The GPU's lock is taken here, that of the queue is held. */
static CUresult use_block(tsr__cuda_block *block, tsr__cuda_queue *queue, uint64_t ticket, bool writes) {
  if (block == NULL) return CUDA_SUCCESS;
  pthread_mutex_t *const lock = &block->memory->gpu->lock;
  (void)pthread_mutex_lock(lock);
  const CUresult r = tsr__cuda_block_use(block, queue, ticket, writes);
  (void)pthread_mutex_unlock(lock);
  return r;
}

static CUresult order_transfer(tsr__cuda_queue *queue, uint64_t ticket, const tsr_transfer *t, tsr__cuda_block *host) {
  CUresult r = use_block(t->from_memory, queue, ticket, false);
  if (r == CUDA_SUCCESS) r = use_block(t->to_memory, queue, ticket, true);
  if (r == CUDA_SUCCESS) r = use_block(host, queue, ticket, t->direction == TSR_COPY_FROM_DEVICE);
  return r;
}

/* ---- the copy ---- */

/* One range to another that it overlaps: by way of other memory. */
static tsr_status copy_overlapping(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, const tsr_transfer *t,
                                   uint64_t ticket) {
  const CUdeviceptr to = (CUdeviceptr)(uintptr_t)t->to, from = (CUdeviceptr)(uintptr_t)t->from;
  tsr__cuda_block *scratch = NULL;
  tsr_status st = tsr__cuda_memory_take(&gpu->memory, ctx, queue, t->bytes, &scratch);
  if (st != TSR_OK) return tsr__fail_as(ctx, st, t->op);
  const CUdeviceptr between = (CUdeviceptr)scratch->address;
  CUresult r = gpu->api->cuMemcpyDtoDAsync(between, from, t->bytes, queue->stream);
  if (r == CUDA_SUCCESS) r = gpu->api->cuMemcpyDtoDAsync(to, between, t->bytes, queue->stream);
  scratch->uses.at[0].any = scratch->uses.at[0].write = ticket; /* another queue may not have it before that is done */
  tsr__cuda_memory_give(scratch);
  return tsr__cuda_check(gpu, ctx, t->op, r, "copy");
}

static bool overlap(const tsr_transfer *t) {
  const uintptr_t a = (uintptr_t)t->to, b = (uintptr_t)t->from;
  return a < b + t->bytes && b < a + t->bytes;
}

static CUresult copy_bytes(tsr__cuda *gpu, const tsr__cuda_queue *queue, const tsr_transfer *t) {
  const CUdeviceptr to = (CUdeviceptr)(uintptr_t)t->to, from = (CUdeviceptr)(uintptr_t)t->from;
  switch (t->direction) {
    case TSR_COPY_TO_DEVICE: return gpu->api->cuMemcpyHtoDAsync(to, t->from, t->bytes, queue->stream);
    case TSR_COPY_FROM_DEVICE: return gpu->api->cuMemcpyDtoHAsync(t->to, from, t->bytes, queue->stream);
    default: break;
  }
  if (t->source == NULL) return gpu->api->cuMemcpyDtoDAsync(to, from, t->bytes, queue->stream);
  const tsr__cuda *const other = t->source->self;
  return gpu->api->cuMemcpyPeerAsync(to, gpu->context, from, other->context, t->bytes, queue->stream);
}

/* Enqueues it under one ticket. */
static tsr_status enqueue_transfer(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, const tsr_transfer *t,
                                   tsr__cuda_block *host) {
  const uint64_t ticket = tsr__cuda_queue_begin(queue);
  tsr_status st = tsr__cuda_check(gpu, ctx, t->op, order_transfer(queue, ticket, t, host), "order a copy");
  if (st == TSR_OK && t->direction == TSR_COPY_WITHIN && t->source == NULL && overlap(t))
    st = copy_overlapping(gpu, ctx, queue, t, ticket);
  else if (st == TSR_OK && t->direction != TSR_COPY_WITHIN && host == NULL && t->bytes >= TSR__CUDA_STAGE_FROM)
    st = tsr__cuda_stage_copy(gpu, ctx, queue, t);
  else if (st == TSR_OK)
    st = tsr__cuda_check(gpu, ctx, t->op, copy_bytes(gpu, queue, t), "copy");
  tsr__cuda_queue_end(queue);
  return st;
}

static tsr_status transfer(tsr__cuda *gpu, tsr_ctx *ctx, const tsr_transfer *t) {
  tsr__cuda_queue *const queue = tsr__cuda_queue_of(gpu, t->queue);
  const bool by_host = t->direction != TSR_COPY_WITHIN;
  const void *const host_side = t->direction == TSR_COPY_TO_DEVICE ? t->from : t->to;
  tsr__cuda_block *const host = by_host ? tsr__cuda_memory_find(&gpu->pinned, (uintptr_t)host_side) : NULL;
  const tsr_status st = enqueue_transfer(gpu, ctx, queue, t, host);
  if (st != TSR_OK || !by_host || (t->early && host != NULL)) return st;
  /* What the host reads has to be there, and what it may write now has to have been read. */
  if (t->direction == TSR_COPY_TO_DEVICE && host == NULL && !is_pinned(gpu, host_side)) return TSR_OK;
  return tsr__cuda_queue_finish(queue, ctx, t->op);
}

tsr_status tsr__cuda_transfer(void *self, tsr_ctx *ctx, const tsr_transfer *t) {
  tsr__cuda *const gpu = self;
  tsr__cuda_scope scope;
  tsr_status st = tsr__cuda_enter(gpu, ctx, t->op, &scope);
  if (st != TSR_OK) return st;
  st = transfer(gpu, ctx, t);
  tsr__cuda_leave(gpu, scope);
  return st;
}
