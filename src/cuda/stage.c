#include "cuda/stage.h"

#include <string.h>

/* Threads take pieces until none is left. Each has buffers of its own, and fills one while the other is on its way; so nobody waits for
 * another, and the link has work as long as one of them is ahead of it. One thread alone copies slower than the link does. */
enum { MOST_LANES = 16, BUFFERS = 2, PIECES_A_LANE = 2, LEAST_PIECE = 256 << 10 };

typedef struct stage_buffer {
  tsr__cuda_block *block;
  CUevent event; /* after the copy that uses it */
  bool is_busy;
  void *back; /* from the device: where its bytes go once they are there */
  size_t bytes;
} stage_buffer;

/* The buffers stay from copy to copy: the next one begins while the last is still on its way. */
struct tsr__cuda_stage {
  int lanes;
  stage_buffer buffers[MOST_LANES][BUFFERS];
};

typedef struct stage {
  tsr__cuda *gpu;
  tsr__cuda_queue *queue;
  const tsr_transfer *transfer;
  size_t next;  /* atomic: the first byte that nobody has taken */
  size_t piece; /* bytes */
  int error;    /* atomic: the first CUresult that is not success */
  int lanes;
  struct tsr__cuda_stage *kept;
} stage;

/* ---- buffers ---- */

/* It is its home's queue that others ask about memory: what these hold is known by their events, and asked when they are given back. */
static tsr_status make_buffer(tsr_ctx *ctx, const stage *s, stage_buffer *b) {
  tsr_status st = TSR_OK;
  if (b->block == NULL)
    st = tsr__cuda_memory_take(&s->gpu->pinned, ctx, s->gpu->standard, TSR__CUDA_STAGE_BYTES, &b->block);
  if (st != TSR_OK || b->event != NULL) return st;
  return tsr__cuda_check(s->gpu, ctx, s->transfer->op, s->gpu->api->cuEventCreate(&b->event, CU_EVENT_DISABLE_TIMING),
                         "make an event");
}

static void free_buffer(const tsr__cuda *gpu, stage_buffer *b) {
  if (b->is_busy) (void)gpu->api->cuEventSynchronize(b->event);
  if (b->event != NULL) (void)gpu->api->cuEventDestroy(b->event);
  if (b->block != NULL) tsr__cuda_memory_give(b->block);
}

static void free_stage(const tsr__cuda *gpu, struct tsr__cuda_stage *kept) {
  for (int i = 0; i < MOST_LANES * BUFFERS; i++) free_buffer(gpu, &kept->buffers[i / BUFFERS][i % BUFFERS]);
  tsr__cuda_host_free(kept, sizeof *kept);
}

void tsr__cuda_stage_trim(tsr__cuda *gpu) {
  struct tsr__cuda_stage *const kept = __atomic_exchange_n(&gpu->stage, NULL, __ATOMIC_ACQ_REL);
  if (kept != NULL) free_stage(gpu, kept);
}

/* As many lanes as there are threads and pieces; fewer where there is no pinned memory for them, but one. */
static tsr_status make_buffers(tsr_ctx *ctx, stage *s) {
  const tsr_parallel *const parallel = s->transfer->parallel;
  const size_t pieces = (s->transfer->bytes + s->piece - 1) / s->piece;
  int most = parallel != NULL && parallel->max_workers < MOST_LANES ? parallel->max_workers : MOST_LANES;
  tsr_status st = TSR_OK;
  tsr_ctx quiet = {0};
  if (parallel == NULL) most = 1;
  if ((size_t)most > pieces) most = (int)pieces;
  struct tsr__cuda_stage *const kept = s->kept;
  for (int i = kept->lanes; i < most && st == TSR_OK; i++) {
    for (int k = 0; k < BUFFERS && st == TSR_OK; k++) st = make_buffer(i == 0 ? ctx : &quiet, s, &kept->buffers[i][k]);
    kept->lanes += st == TSR_OK;
  }
  s->lanes = most < kept->lanes ? most : kept->lanes;
  return s->lanes > 0 ? TSR_OK : st;
}

/* Of two copies at the same time one has the buffers that are kept, and the other its own. */
static struct tsr__cuda_stage *take_stage(tsr__cuda *gpu) {
  struct tsr__cuda_stage *const kept = __atomic_exchange_n(&gpu->stage, NULL, __ATOMIC_ACQUIRE);
  return kept != NULL ? kept : tsr__cuda_host_new(sizeof *kept);
}

/* After a copy that failed, nothing goes to its memory any more. */
static void keep_stage(tsr__cuda *gpu, struct tsr__cuda_stage *kept) {
  for (int i = 0; i < MOST_LANES * BUFFERS; i++) kept->buffers[i / BUFFERS][i % BUFFERS].back = NULL;
  struct tsr__cuda_stage *const other = __atomic_exchange_n(&gpu->stage, kept, __ATOMIC_ACQ_REL);
  if (other != NULL) free_stage(gpu, other);
}

/* ---- pieces ---- */

/* The copy that uses it is over; bytes from the device go where they belong. */
static CUresult finish_buffer(const stage *s, stage_buffer *b) {
  if (!b->is_busy) return CUDA_SUCCESS;
  const CUresult r = s->gpu->api->cuEventSynchronize(b->event);
  b->is_busy = false;
  if (r == CUDA_SUCCESS && b->back != NULL) memcpy(b->back, (const void *)b->block->address, b->bytes);
  b->back = NULL;
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
  if (b->is_busy && t->direction == TSR_COPY_FROM_DEVICE) b->back = (char *)t->to + at;
  b->bytes = bytes;
  return r;
}

/* ---- threads ---- */

static CUresult send_pieces(stage *s, stage_buffer *buffers) {
  const size_t all = s->transfer->bytes;
  CUresult r = CUDA_SUCCESS;
  int which = 0;
  while (r == CUDA_SUCCESS && __atomic_load_n(&s->error, __ATOMIC_RELAXED) == CUDA_SUCCESS) {
    const size_t at = __atomic_fetch_add(&s->next, s->piece, __ATOMIC_RELAXED);
    if (at >= all) break;
    r = send_piece(s, &buffers[which], at, all - at < s->piece ? all - at : s->piece);
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
    const CUresult r = send_pieces(s, s->kept->buffers[i]);
    int none = CUDA_SUCCESS;
    if (r != CUDA_SUCCESS)
      (void)__atomic_compare_exchange_n(&s->error, &none, (int)r, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  tsr__cuda_leave(s->gpu, scope);
}

/* Pieces are smaller where there are few: the link waits for the first of them, and threads for the last. */
static size_t piece_of(const tsr_transfer *t) {
  const size_t lanes = t->parallel != NULL && t->parallel->max_workers < MOST_LANES ? (size_t)t->parallel->max_workers
                                                                                    : (size_t)MOST_LANES;
  const size_t piece = tsr__align_up(t->bytes / (lanes * PIECES_A_LANE), 4096);
  if (piece < LEAST_PIECE) return LEAST_PIECE;
  return piece < TSR__CUDA_STAGE_BYTES ? piece : (size_t)TSR__CUDA_STAGE_BYTES;
}

tsr_status tsr__cuda_stage_copy(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, const tsr_transfer *t) {
  stage s = {.gpu = gpu, .queue = queue, .transfer = t, .piece = piece_of(t), .kept = take_stage(gpu)};
  if (s.kept == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, t->op, NULL, "no memory for the books of a copy");
  tsr_status st = make_buffers(ctx, &s);
  if (st == TSR_OK && s.lanes > 1)
    t->parallel->parallel_for(t->parallel->self, s.lanes, 1, run_lanes, &s);
  else if (st == TSR_OK)
    run_lanes(&s, 0, 1, 0);
  if (st == TSR_OK) st = tsr__cuda_check(gpu, ctx, t->op, (CUresult)s.error, "copy");
  if (st == TSR_OK && s.next < t->bytes) st = tsr__cuda_check(gpu, ctx, t->op, CUDA_ERROR_INVALID_CONTEXT, "copy");
  keep_stage(gpu, s.kept);
  return st == TSR_OK ? TSR_OK : tsr__fail_as(ctx, st, t->op);
}
