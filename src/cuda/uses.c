/* Who used a block of memory, and how others are kept behind them. */
#include "cuda/gpu.h"

/* Entry k; NULL past the last. */
static tsr__cuda_use *use_at(tsr__cuda_block *block, int k) {
  tsr__cuda_uses *some = &block->uses;
  for (; k >= TSR__CUDA_USES && some != NULL; k -= TSR__CUDA_USES) some = some->more;
  return some != NULL ? &some->at[k] : NULL;
}

/* Room for another queue: an entry that is free or over, else more of them. */
static tsr__cuda_use *new_use(tsr__cuda_block *block) {
  tsr__cuda_uses *last = &block->uses;
  tsr__cuda_use *use;
  for (int k = 1; (use = use_at(block, k)) != NULL; k++) {
    if (use->queue == NULL) return use;
    if (!tsr__cuda_queue_reached(use->queue, use->any)) continue;
    tsr__cuda_queue_drop(use->queue);
    *use = (tsr__cuda_use){0};
    return use;
  }
  while (last->more != NULL) last = last->more;
  last->more = tsr__cuda_host_new(sizeof *last->more);
  return last->more != NULL ? &last->more->at[0] : NULL;
}

static tsr__cuda_use *use_of(tsr__cuda_block *block, tsr__cuda_queue *queue) {
  tsr__cuda_use *use;
  for (int k = 0; (use = use_at(block, k)) != NULL; k++)
    if (use->queue == queue) return use;
  use = new_use(block);
  if (use == NULL) return NULL;
  tsr__cuda_queue_keep(queue);
  *use = (tsr__cuda_use){.queue = queue};
  return use;
}

CUresult tsr__cuda_block_use(tsr__cuda_block *block, tsr__cuda_queue *queue, uint64_t ticket, bool writes) {
  tsr__cuda_use *use = &block->uses.at[0];
  CUresult r = CUDA_SUCCESS;
  if (use->queue != queue || tsr__cuda_uses_have_others(block)) { /* else: its home's own order is enough */
    for (int k = 0; (use = use_at(block, k)) != NULL && r == CUDA_SUCCESS; k++) {
      const uint64_t before = writes ? use->any : use->write;
      if (use->queue != NULL && use->queue != queue && before > 0) r = tsr__cuda_queue_await(queue, use->queue, before);
    }
    use = use_of(block, queue);
  }
  if (use == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  use->any = ticket;
  if (writes) use->write = ticket;
  return r;
}

CUresult tsr__cuda_block_wait(tsr__cuda_block *block) {
  const tsr__cuda_use *use;
  CUresult r = CUDA_SUCCESS;
  for (int k = 0; (use = use_at(block, k)) != NULL && r == CUDA_SUCCESS; k++)
    if (use->queue != NULL) r = tsr__cuda_queue_reach(use->queue, use->any);
  return r;
}

bool tsr__cuda_uses_have_others(const tsr__cuda_block *block) {
  for (int k = 1; k < TSR__CUDA_USES; k++)
    if (block->uses.at[k].queue != NULL) return true;
  return block->uses.more != NULL;
}

bool tsr__cuda_uses_are_over(tsr__cuda_block *block) {
  tsr__cuda_use *use;
  bool over = true;
  for (int k = 1; (use = use_at(block, k)) != NULL; k++) {
    if (use->queue == NULL) continue;
    if (tsr__cuda_queue_reached(use->queue, use->any)) {
      tsr__cuda_queue_drop(use->queue);
      *use = (tsr__cuda_use){0};
    } else {
      over = false;
    }
  }
  return over;
}

void tsr__cuda_uses_end(tsr__cuda_block *block) {
  tsr__cuda_use *use;
  for (int k = 0; (use = use_at(block, k)) != NULL; k++)
    if (use->queue != NULL) tsr__cuda_queue_drop(use->queue);
  while (block->uses.more != NULL) {
    tsr__cuda_uses *const more = block->uses.more;
    block->uses.more = more->more;
    tsr__cuda_host_free(more, sizeof *more);
  }
  block->uses = (tsr__cuda_uses){0};
}

/* Whoever writes the block: a foreign stream goes on after an event of each such queue, or the host waits. */
tsr_status tsr__cuda_block_order(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_block *block, void *stream) {
  static const char op[] = "memory_order";
  tsr__cuda_scope scope;
  tsr_status st = tsr__cuda_enter(gpu, ctx, op, &scope);
  if (st != TSR_OK) return st;
  const tsr__cuda_use *use;
  CUresult r = CUDA_SUCCESS;
  (void)pthread_mutex_lock(&gpu->lock);
  for (int k = 0; (use = use_at(block, k)) != NULL && r == CUDA_SUCCESS; k++) {
    if (use->queue == NULL || use->write == 0) continue;
    r = stream != NULL ? tsr__cuda_queue_order(use->queue, use->write, stream)
                       : tsr__cuda_queue_reach(use->queue, use->write);
  }
  (void)pthread_mutex_unlock(&gpu->lock);
  st = tsr__cuda_check(gpu, ctx, op, r, "order a stream of another library");
  tsr__cuda_leave(gpu, scope);
  return st;
}
