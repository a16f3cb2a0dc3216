#include "cuda/gpu.h"

tsr_status tsr__cuda_faults_begin(tsr__cuda_queue *queue, tsr_ctx *ctx, const char *op) {
  tsr__cuda_faults *const f = &queue->faults;
  const tsr__cuda_driver *const api = queue->gpu->api;
  void *marks = NULL;
  if (f->marks != NULL) return TSR_OK;
  CUresult r = api->cuMemHostAlloc(&marks, TSR__CUDA_FAULTS * sizeof(uint32_t), CU_MEMHOSTALLOC_DEVICEMAP);
  if (r == CUDA_SUCCESS) r = api->cuMemHostGetDevicePointer(&f->marks_device, marks, 0);
  if (r == CUDA_SUCCESS) r = api->cuMemAlloc(&f->positions, TSR__CUDA_FAULTS * sizeof(uint64_t));
  if (r == CUDA_SUCCESS)
    r = api->cuMemsetD8Async(f->positions, 0xff, TSR__CUDA_FAULTS * sizeof(uint64_t), queue->stream);
  if (r != CUDA_SUCCESS) {
    if (f->positions != 0) (void)api->cuMemFree(f->positions);
    if (marks != NULL) (void)api->cuMemFreeHost(marks);
    f->positions = 0;
    return tsr__cuda_check(queue->gpu, ctx, op, r, "take memory for its fault record");
  }
  f->marks = marks;
  for (int i = 0; i < TSR__CUDA_FAULTS; i++) f->marks[i] = 0;
  return TSR_OK;
}

/* A free slot, or one whose call is done and left no mark. Where every slot has a mark, calls share the first: the
 * report is of the earliest call, which has one of its own. */
static uint32_t find_slot(tsr__cuda_queue *queue) {
  tsr__cuda_faults *const f = &queue->faults;
  for (uint32_t i = 0; i < TSR__CUDA_FAULTS; i++) {
    const uint32_t at = (f->next + i) % TSR__CUDA_FAULTS;
    if (f->marks[at] != 0) continue;
    if (f->slots[at].ticket != 0) (void)tsr__cuda_queue_reach(queue, f->slots[at].ticket); /* the oldest of all */
    if (f->marks[at] == 0) return at;
  }
  return 0;
}

tsr_status tsr__cuda_fault_take(tsr__cuda_queue *queue, tsr_ctx *ctx, const tsr__cuda_fault *fault,
                                tsr__cuda_fault_args *args) {
  tsr__cuda_faults *const f = &queue->faults;
  const tsr_status st = tsr__cuda_faults_begin(queue, ctx, fault->op);
  if (st != TSR_OK) return st;
  const uint32_t at = find_slot(queue);
  if (f->marks[at] == 0) f->slots[at] = *fault;
  f->next = (at + 1) % TSR__CUDA_FAULTS;
  *args = (tsr__cuda_fault_args){f->positions + at * sizeof(uint64_t), f->marks_device + at * sizeof(uint32_t)};
  return TSR_OK;
}

/* The position that a slot holds; it is clear afterwards. */
static uint64_t take_position(tsr__cuda_queue *queue, uint32_t at) {
  const tsr__cuda_driver *const api = queue->gpu->api;
  const CUdeviceptr from = queue->faults.positions + at * sizeof(uint64_t);
  uint64_t position = UINT64_MAX;
  if (api->cuMemcpyDtoHAsync(&position, from, sizeof position, queue->stream) == CUDA_SUCCESS)
    (void)api->cuStreamSynchronize(queue->stream);
  (void)api->cuMemsetD8Async(from, 0xff, sizeof position, queue->stream);
  queue->faults.marks[at] = 0;
  return position;
}

static tsr_status report(const tsr__cuda_queue *queue, tsr_ctx *ctx, const tsr__cuda_fault *fault, uint64_t position) {
  return TSR__FAIL(ctx, fault->status, fault->op, fault->argument,
                   "has %s, number %l of them in row-major order (found on %s)", fault->what, (int64_t)position,
                   queue->gpu->name);
}

/* The first of the calls up to ticket that left a mark, and its position; NULL op: none. All their marks are clear then. The
 * queue's lock is held, or nobody else has it. */
static tsr__cuda_fault first_fault(tsr__cuda_queue *queue, uint64_t ticket, bool frees, uint64_t *position) {
  tsr__cuda_faults *const f = &queue->faults;
  tsr__cuda_fault first = {.ticket = UINT64_MAX};
  for (uint32_t i = 0; i < TSR__CUDA_FAULTS; i++) {
    tsr__cuda_fault *const slot = &f->slots[i];
    if (slot->ticket == 0 || slot->ticket > ticket) continue;
    if (f->marks[i] != 0) {
      const uint64_t at = take_position(queue, i);
      if (slot->ticket < first.ticket) {
        first = *slot;
        *position = at;
      }
    }
    if (frees) *slot = (tsr__cuda_fault){0};
  }
  return first;
}

tsr_status tsr__cuda_faults_report(tsr__cuda_queue *queue, tsr_ctx *ctx, uint64_t ticket) {
  uint64_t position = 0;
  if (queue->faults.marks == NULL) return TSR_OK;
  (void)pthread_mutex_lock(&queue->lock);
  const tsr__cuda_fault first = first_fault(queue, ticket, true, &position);
  (void)pthread_mutex_unlock(&queue->lock);
  return first.op == NULL ? TSR_OK : report(queue, ctx, &first, position);
}

tsr_status tsr__cuda_faults_look(tsr__cuda_queue *queue, tsr_ctx *ctx) {
  uint64_t position = 0;
  const tsr__cuda_fault first = first_fault(queue, UINT64_MAX - 1, false, &position);
  return first.op == NULL ? TSR_OK : report(queue, ctx, &first, position);
}

void tsr__cuda_faults_end(tsr__cuda_queue *queue) {
  tsr__cuda_faults *const f = &queue->faults;
  if (f->marks == NULL) return;
  (void)queue->gpu->api->cuStreamSynchronize(queue->stream);
  (void)queue->gpu->api->cuMemFreeHost((void *)(uintptr_t)f->marks);
  (void)queue->gpu->api->cuMemFree(f->positions);
  f->marks = NULL;
}
