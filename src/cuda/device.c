/* The tables of a GPU. */
#include "cuda/device.h"

#include "cuda/engine.h"
#include "cuda/stage.h"

#include <string.h>

/* ---- memory ---- */

static tsr_status memory_new(void *self, tsr_ctx *ctx, tsr_queue *queue, size_t bytes, void **ptr, void **memory) {
  tsr__cuda *const gpu = self;
  tsr__cuda_scope scope;
  tsr__cuda_block *block = NULL;
  tsr_status st = tsr__cuda_enter(gpu, ctx, "memory", &scope);
  if (st != TSR_OK) return st;
  st = tsr__cuda_memory_take(&gpu->memory, ctx, tsr__cuda_queue_of(gpu, queue), bytes, &block);
  tsr__cuda_leave(gpu, scope);
  if (st != TSR_OK) return st;
  *ptr = (void *)block->address;
  *memory = block;
  return TSR_OK;
}

static tsr_status memory_adopt(void *self, tsr_ctx *ctx, void *ptr, size_t bytes, tsr_release_fn *release, void *user,
                               void **memory) {
  tsr__cuda *const gpu = self;
  tsr__cuda_block *const block = tsr__cuda_host_new(sizeof *block);
  if (block == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, "memory", NULL, "no memory for the books of %s", gpu->name);
  *block = (tsr__cuda_block){.memory = &gpu->memory,
                             .address = (uintptr_t)ptr,
                             .bytes = bytes,
                             .asked = bytes,
                             .release = release,
                             .user = user,
                             .is_adopted = true};
  *memory = block;
  return TSR_OK;
}

static void memory_free(void *self, void *memory) {
  (void)self;
  tsr__cuda_memory_give(memory);
}

static tsr_status memory_order(void *self, tsr_ctx *ctx, void *memory, void *stream) {
  return tsr__cuda_block_order(self, ctx, memory, stream);
}

static void *queue_native(void *self, tsr_queue *queue) { return tsr__cuda_queue_of(self, queue)->stream; }

static size_t trim(void *self) {
  tsr__cuda *const gpu = self;
  tsr__cuda_scope scope;
  tsr_ctx quiet = {0};
  if (tsr__cuda_enter(gpu, &quiet, "trim", &scope) != TSR_OK) return 0;
  tsr__cuda_stage_trim(gpu);
  const size_t bytes = tsr__cuda_memory_trim(&gpu->memory) + tsr__cuda_memory_trim(&gpu->pinned);
  tsr__cuda_leave(gpu, scope);
  return bytes;
}

/* ---- the functions that every device has: by address, in the order of the default queue ---- */

static tsr_status plain_alloc(void *self, size_t bytes, size_t align, int hint, void **ptr) {
  tsr_ctx quiet = {0};
  void *memory = NULL;
  (void)align, (void)hint;
  const tsr_status st = memory_new(self, &quiet, NULL, bytes, ptr, &memory);
  if (st != TSR_OK || tsr__cuda_memory_enter(memory)) return st;
  tsr__cuda_memory_give(memory);
  return TSR_ENOMEM;
}

static void plain_free(void *self, void *ptr, size_t bytes) {
  tsr__cuda *const gpu = self;
  (void)bytes;
  if (tsr__cuda_is_child()) return;
  tsr__cuda_block *const block = tsr__cuda_memory_find(&gpu->memory, (uintptr_t)ptr);
  if (block == NULL) return;
  tsr__cuda_memory_remove(block);
  tsr__cuda_memory_give(block);
}

static tsr_status plain_copy(void *self, void *dst, const void *src, size_t bytes, tsr_copy_direction direction) {
  tsr__cuda *const gpu = self;
  tsr_ctx quiet = {0};
  const tsr_transfer transfer = {
      .size = sizeof transfer,
      .op = "copy",
      .to = dst,
      .from = src,
      .bytes = bytes,
      .direction = direction,
      .to_memory = direction != TSR_COPY_FROM_DEVICE ? tsr__cuda_memory_find(&gpu->memory, (uintptr_t)dst) : NULL,
      .from_memory = direction != TSR_COPY_TO_DEVICE ? tsr__cuda_memory_find(&gpu->memory, (uintptr_t)src) : NULL};
  return tsr__cuda_transfer(gpu, &quiet, &transfer);
}

/* A pattern that the driver cannot set: once, then doubled by copies. */
static CUresult fill_by_copies(const tsr__cuda *gpu, CUdeviceptr to, const void *pattern, size_t item, size_t count) {
  const CUstream stream = gpu->standard->stream;
  CUresult r = gpu->api->cuMemcpyHtoDAsync(to, pattern, item, stream);
  for (size_t done = 1; done < count && r == CUDA_SUCCESS; done *= 2) {
    const size_t more = done < count - done ? done : count - done;
    r = gpu->api->cuMemcpyDtoDAsync(to + done * item, to, more * item, stream);
  }
  return r;
}

static tsr_status plain_fill(void *self, void *dst, const void *pattern, size_t item, size_t count) {
  tsr__cuda *const gpu = self;
  tsr__cuda_scope scope;
  tsr_ctx quiet = {0};
  const CUdeviceptr to = (CUdeviceptr)(uintptr_t)dst;
  uint32_t word = 0;
  if (count == 0) return TSR_OK;
  tsr_status st = tsr__cuda_enter(gpu, &quiet, "fill", &scope);
  if (st != TSR_OK) return st;
  memcpy(&word, pattern, item < sizeof word ? item : sizeof word);
  (void)tsr__cuda_queue_begin(gpu->standard);
  const CUstream stream = gpu->standard->stream;
  CUresult r = CUDA_SUCCESS;
  switch (item) {
    case 1: r = gpu->api->cuMemsetD8Async(to, (unsigned char)word, count, stream); break;
    case 2: r = gpu->api->cuMemsetD16Async(to, (unsigned short)word, count, stream); break;
    case 4: r = gpu->api->cuMemsetD32Async(to, word, count, stream); break;
    default: r = fill_by_copies(gpu, to, pattern, item, count); break;
  }
  tsr__cuda_queue_end(gpu->standard);
  st = tsr__cuda_check(gpu, &quiet, "fill", r, "fill memory");
  tsr__cuda_leave(gpu, scope);
  return st;
}

static tsr_status plain_sync(void *self) {
  tsr_ctx quiet = {0};
  return tsr__cuda_queue_sync(self, &quiet, NULL, true);
}

/* ---- what it is ---- */

static bool has(void *self, const char *op) {
  (void)self;
  return tsr__cuda_op_find(op) != NULL;
}

static tsr_status describe(void *self, tsr_ctx *ctx, tsr_device_details *details) {
  tsr__cuda *const gpu = self;
  tsr__cuda_scope scope;
  tsr_status st = tsr__cuda_enter(gpu, ctx, "device_info", &scope);
  if (st != TSR_OK) return st;
  memcpy(details->name, gpu->product, sizeof gpu->product);
  st = tsr__cuda_check(gpu, ctx, "device_info", gpu->api->cuMemGetInfo(&details->free, &details->total), "tell");
  tsr__cuda_leave(gpu, scope);
  (void)pthread_mutex_lock(&gpu->lock);
  details->memory = gpu->memory.stats;
  (void)pthread_mutex_unlock(&gpu->lock);
  details->capability = gpu->traits.capability;
  details->multiprocessors = gpu->traits.multiprocessors;
  details->driver = gpu->version;
  (void)pthread_mutex_lock(&gpu->kernels.lock);
  details->compiler = gpu->kernels.compiler;
  details->kernels = gpu->kernels.count;
  details->kernels_compiled = gpu->kernels.compiled;
  (void)pthread_mutex_unlock(&gpu->kernels.lock);
  return st;
}

void tsr__cuda_device_init(tsr__cuda *gpu) {
  gpu->host = (tsr_allocator){sizeof gpu->host, tsr__cuda_pinned_alloc, tsr__cuda_pinned_free, gpu};
  gpu->queues = (tsr_device_queues){.size = sizeof gpu->queues,
                                    .queue_new = tsr__cuda_queue_new,
                                    .queue_release = tsr__cuda_queue_release,
                                    .queue_sync = tsr__cuda_queue_sync,
                                    .queue_wait = tsr__cuda_queue_wait,
                                    .event_new = tsr__cuda_event_new,
                                    .event_release = tsr__cuda_event_release,
                                    .event_record = tsr__cuda_event_record,
                                    .event_sync = tsr__cuda_event_sync,
                                    .event_query = tsr__cuda_event_query,
                                    .event_elapsed = tsr__cuda_event_elapsed,
                                    .memory_new = memory_new,
                                    .memory_adopt = memory_adopt,
                                    .memory_free = memory_free,
                                    .queue_native = queue_native,
                                    .memory_order = memory_order,
                                    .transfer = tsr__cuda_transfer,
                                    .trim = trim,
                                    .host = &gpu->host,
                                    .graph_new = tsr__cuda_graph_new,
                                    .graph_run = tsr__cuda_graph_run,
                                    .graph_free = tsr__cuda_graph_free};
  gpu->device = (tsr_device){.size = sizeof gpu->device,
                             .name = gpu->name,
                             .alloc = plain_alloc,
                             .free = plain_free,
                             .copy = plain_copy,
                             .fill = plain_fill,
                             .sync = plain_sync,
                             .self = gpu,
                             .prepare = tsr__cuda_prepare,
                             .run = tsr__cuda_run,
                             .has = has,
                             .kind = 2, /* kDLCUDA */
                             .reports = true,
                             .describe = describe,
                             .queues = &gpu->queues};
}
