#include "cuda/gpu.h"

/* Marks, counts and lists of all queues of all GPUs: a queue may wait for one of another GPU. The last lock that is taken. */
static pthread_mutex_t marks = PTHREAD_MUTEX_INITIALIZER;

tsr__cuda_queue *tsr__cuda_queue_of(tsr__cuda *gpu, tsr_queue *queue) {
  return queue != NULL ? (tsr__cuda_queue *)(void *)queue : gpu->standard;
}

void *tsr__cuda_queue_stream(const tsr__cuda_queue *queue) { return queue->stream; }

/* ---- making and ending ---- */

static uint32_t next_id(void) {
  static uint32_t last;
  return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

static void queue_destroy(tsr__cuda_queue *q) {
  if (tsr__cuda_is_alive(q->gpu)) {
    if (q->mark != NULL) (void)q->gpu->api->cuEventDestroy(q->mark);
    if (q->stream != NULL) (void)q->gpu->api->cuStreamDestroy(q->stream);
  }
  (void)pthread_mutex_destroy(&q->lock);
  tsr__cuda_host_free(q, sizeof *q);
}

tsr_status tsr__cuda_queue_make(tsr__cuda *gpu, tsr_ctx *ctx, tsr_queue **queue) {
  static const char op[] = "queue_new";
  tsr__cuda_queue *const q = tsr__cuda_host_new(sizeof *q);
  if (q == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for a queue");
  q->base.device = &gpu->device;
  q->gpu = gpu;
  q->id = next_id();
  q->count = 1;
  (void)pthread_mutex_init(&q->lock, NULL);
  CUresult r = gpu->api->cuStreamCreate(&q->stream, CU_STREAM_NON_BLOCKING);
  if (r == CUDA_SUCCESS) r = gpu->api->cuEventCreate(&q->mark, CU_EVENT_DISABLE_TIMING);
  if (r != CUDA_SUCCESS) {
    const tsr_status st = tsr__cuda_check(gpu, ctx, op, r, "make a queue");
    queue_destroy(q);
    return st;
  }
  (void)pthread_mutex_lock(&marks);
  q->next = gpu->first;
  gpu->first = q;
  (void)pthread_mutex_unlock(&marks);
  *queue = &q->base;
  return TSR_OK;
}

tsr_status tsr__cuda_queue_new(void *self, tsr_ctx *ctx, tsr_queue **queue) {
  tsr__cuda_scope scope;
  tsr_status st = tsr__cuda_enter(self, ctx, "queue_new", &scope);
  if (st != TSR_OK) return st;
  st = tsr__cuda_queue_make(self, ctx, queue);
  tsr__cuda_leave(self, scope);
  return st;
}

void tsr__cuda_queue_keep(tsr__cuda_queue *queue) {
  (void)pthread_mutex_lock(&marks);
  queue->count++;
  (void)pthread_mutex_unlock(&marks);
}

/* The lock of marks is held. */
static void drop(tsr__cuda_queue *queue) {
  if (--queue->count > 0) return;
  tsr__cuda_queue **link = &queue->gpu->first;
  while (*link != NULL && *link != queue) link = &(*link)->next;
  if (*link == queue) *link = queue->next;
  queue_destroy(queue);
}

void tsr__cuda_queue_drop(tsr__cuda_queue *queue) {
  (void)pthread_mutex_lock(&marks);
  drop(queue);
  (void)pthread_mutex_unlock(&marks);
}

/* The newest event is after all that was enqueued. The lock of marks is held. */
static CUresult mark_now(tsr__cuda_queue *q) {
  const uint64_t issued = __atomic_load_n(&q->issued, __ATOMIC_ACQUIRE);
  if (q->mark_ticket >= issued || q->stream == NULL) return CUDA_SUCCESS;
  const CUresult r = q->gpu->api->cuEventRecord(q->mark, q->stream);
  if (r == CUDA_SUCCESS) q->mark_ticket = issued;
  return r;
}

/* What was enqueued last may still use it. */
static void give_workspace(tsr__cuda_queue *q) {
  tsr__cuda_block *const block = q->workspace;
  if (block == NULL) return;
  block->uses.at[0].any = block->uses.at[0].write = __atomic_load_n(&q->issued, __ATOMIC_ACQUIRE);
  tsr__cuda_memory_give(block);
  q->workspace = NULL;
}

/* The stream goes at once; what remembers the queue waits for its last event. */
void tsr__cuda_queue_release(void *self, tsr_queue *queue) {
  tsr__cuda *const gpu = self;
  tsr__cuda_queue *const q = (tsr__cuda_queue *)(void *)queue;
  tsr__cuda_scope scope;
  tsr_ctx quiet = {0};
  if (!tsr__cuda_is_alive(gpu)) return;
  if (tsr__cuda_enter(gpu, &quiet, "queue_release", &scope) != TSR_OK) return;
  give_workspace(q);
  tsr__cuda_faults_end(q);
  (void)pthread_mutex_lock(&marks);
  (void)mark_now(q);
  (void)gpu->api->cuStreamDestroy(q->stream);
  q->stream = NULL;
  drop(q);
  (void)pthread_mutex_unlock(&marks);
  tsr__cuda_leave(gpu, scope);
}

/* ---- tickets ---- */

uint64_t tsr__cuda_queue_begin(tsr__cuda_queue *queue) {
  (void)pthread_mutex_lock(&queue->lock);
  return queue->issued + 1;
}

void tsr__cuda_queue_end(tsr__cuda_queue *queue) {
  __atomic_store_n(&queue->issued, queue->issued + 1, __ATOMIC_RELEASE);
  (void)pthread_mutex_unlock(&queue->lock);
}

CUresult tsr__cuda_queue_await(tsr__cuda_queue *queue, tsr__cuda_queue *other, uint64_t ticket) {
  const uint32_t slot = other->id % TSR__CUDA_SEEN;
  CUresult r = CUDA_SUCCESS;
  if (queue == other || (queue->seen[slot].id == other->id && queue->seen[slot].ticket >= ticket)) return r;
  (void)pthread_mutex_lock(&marks);
  if (other->reached < ticket) {
    if (other->mark_ticket < ticket) r = mark_now(other);
    if (r == CUDA_SUCCESS) r = queue->gpu->api->cuStreamWaitEvent(queue->stream, other->mark, 0);
    queue->seen[slot].id = other->id;
    queue->seen[slot].ticket = other->mark_ticket;
  }
  (void)pthread_mutex_unlock(&marks);
  return r;
}

CUresult tsr__cuda_queue_order(tsr__cuda_queue *queue, uint64_t ticket, void *stream) {
  CUresult r = CUDA_SUCCESS;
  (void)pthread_mutex_lock(&marks);
  if (queue->reached < ticket) {
    if (queue->mark_ticket < ticket) r = mark_now(queue);
    if (r == CUDA_SUCCESS) r = queue->gpu->api->cuStreamWaitEvent(stream, queue->mark, 0);
  }
  (void)pthread_mutex_unlock(&marks);
  return r;
}

bool tsr__cuda_queue_reached(tsr__cuda_queue *queue, uint64_t ticket) {
  (void)pthread_mutex_lock(&marks);
  if (queue->reached < ticket && queue->mark_ticket < ticket) (void)mark_now(queue);
  if (queue->reached < ticket && queue->gpu->api->cuEventQuery(queue->mark) == CUDA_SUCCESS)
    queue->reached = queue->mark_ticket;
  const bool done = queue->reached >= ticket;
  (void)pthread_mutex_unlock(&marks);
  return done;
}

/* The lock of marks is not held while the host waits: another thread may move the mark on, which is later still. */
CUresult tsr__cuda_queue_reach(tsr__cuda_queue *queue, uint64_t ticket) {
  if (tsr__cuda_queue_reached(queue, ticket)) return CUDA_SUCCESS;
  (void)pthread_mutex_lock(&marks);
  const uint64_t covered = queue->mark_ticket;
  const CUevent mark = queue->mark;
  (void)pthread_mutex_unlock(&marks);
  const CUresult r = queue->gpu->api->cuEventSynchronize(mark);
  (void)pthread_mutex_lock(&marks);
  if (r == CUDA_SUCCESS && queue->reached < covered) queue->reached = covered;
  (void)pthread_mutex_unlock(&marks);
  return r;
}

/* ---- waiting ---- */

tsr_status tsr__cuda_queue_finish(tsr__cuda_queue *queue, tsr_ctx *ctx, const char *op) {
  const uint64_t issued = __atomic_load_n(&queue->issued, __ATOMIC_ACQUIRE);
  tsr__cuda *const gpu = queue->gpu;
  const tsr_status st =
      tsr__cuda_check(gpu, ctx, op, gpu->api->cuStreamSynchronize(queue->stream), "finish what was enqueued");
  if (st != TSR_OK) return st;
  (void)pthread_mutex_lock(&marks);
  if (queue->reached < issued) queue->reached = issued;
  (void)pthread_mutex_unlock(&marks);
  const tsr_status found = tsr__cuda_faults_report(queue, ctx, issued);
  return found != TSR_OK || queue->graphs == NULL ? found : tsr__cuda_graphs_report(queue, ctx);
}

/* Every queue of the GPU, held by a count while it is waited for; what went wrong first is reported. */
static tsr_status finish_all(tsr__cuda *gpu, tsr_ctx *ctx, const char *op) {
  tsr_status first = TSR_OK;
  (void)pthread_mutex_lock(&marks);
  tsr__cuda_queue *q = gpu->first;
  if (q != NULL) q->count++;
  while (q != NULL) {
    const bool released = q->stream == NULL;
    tsr_ctx own = {0};
    (void)pthread_mutex_unlock(&marks);
    const tsr_status st = released ? TSR_OK : tsr__cuda_queue_finish(q, first == TSR_OK ? ctx : &own, op);
    if (first == TSR_OK) first = st;
    (void)pthread_mutex_lock(&marks);
    tsr__cuda_queue *const next = q->next;
    if (next != NULL) next->count++;
    drop(q);
    q = next;
  }
  (void)pthread_mutex_unlock(&marks);
  return first;
}

tsr_status tsr__cuda_queue_sync(void *self, tsr_ctx *ctx, tsr_queue *queue, bool all) {
  const char *const op = all ? "device_sync" : "queue_sync";
  tsr__cuda_scope scope;
  tsr_status st = tsr__cuda_enter(self, ctx, op, &scope);
  if (st != TSR_OK) return st;
  st = all ? finish_all(self, ctx, op) : tsr__cuda_queue_finish(tsr__cuda_queue_of(self, queue), ctx, op);
  tsr__cuda_leave(self, scope);
  return st;
}

/* ---- memory of libraries ---- */

void *tsr__cuda_queue_workspace(tsr__cuda_queue *queue) {
  tsr_ctx quiet = {0};
  tsr__cuda_block *block = queue->workspace;
  if (block == NULL && tsr__cuda_memory_take(&queue->gpu->memory, &quiet, queue, TSR__CUDA_WORKSPACE, &block) == TSR_OK)
    queue->workspace = block;
  return block != NULL ? (void *)block->address : NULL;
}
