/* Programs that another device replays: its works as one graph, which is made again when operands have moved and stay there. */
#include "core/storage.h"
#include "program/program.h"

#if TSR_HAVE_OPS

static size_t list_bytes(const tsr_program *p) {
  return (size_t)p->work_count * (sizeof *p->works + sizeof *p->work_pointers);
}

/* Numbers that are drawn differ from one replay to the next: such a call is made each time. */
static bool differs(const tsr_work *work) { return (((const tsr__op_info *)work->info)->flags & TSR__OP_RANDOM) != 0; }

tsr_status tsr__program_make_works(tsr_ctx *ctx, tsr_program *p) {
  int count = 0;
  for (size_t i = 0; i < p->nodes.count; i++) count += tsr__program_node(p, i)->needed;
  p->work_count = count;
  if (count == 0) return TSR_OK;
  p->works = p->allocator->alloc(p->allocator->self, list_bytes(p), TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (p->works == NULL) return tsr__no_memory(ctx, "program_end", list_bytes(p));
  p->work_pointers = (const tsr_work **)(void *)(p->works + count);
  p->is_graph = TSR__DEVICE_HAS(p->home, queues) && p->home->queues->graph_new != NULL;
  count = 0;
  for (size_t i = 0; i < p->nodes.count; i++) {
    const tsr__node *const node = tsr__program_node(p, i);
    if (!node->needed) continue;
    tsr_work *const work = &p->works[count];
    *work = *node->work;
    work->in = p->pointers + node->operands;
    work->out = (tsr_tensor *const *)(const void *)(work->in + work->inputs);
    if (differs(work)) p->is_graph = false;
    p->work_pointers[count++] = work;
  }
  return TSR_OK;
}

static tsr_status run_graph(tsr_ctx *ctx, tsr_program *p) {
  const tsr_device_queues *const queues = p->home->queues;
  tsr_queue *queue;
  tsr_status st = tsr__device_queue(ctx, "program_run", p->home, &queue);
  if (st == TSR_OK && (p->is_moved || p->graph == NULL))
    st = queues->graph_new(p->home->self, tsr__ctx(ctx), p->work_count, p->work_pointers, &p->graph);
  if (st == TSR_OK) p->is_moved = false;
  return st == TSR_OK ? queues->graph_run(p->home->self, tsr__ctx(ctx), queue, p->graph) : st;
}

/* Sets the operands of a call from the base of their values. Whether one of them is elsewhere than in the run before. */
static bool bind_works(const tsr_program *p, const tsr__node *node) {
  const size_t count = (size_t)node->work->inputs + (size_t)node->work->outputs;
  bool moved = false;
  for (size_t k = 0; k < count; k++) {
    const tsr__operand_ref ref = p->refs[node->operands + k];
    if (ref.value < 0) continue;
    const tsr__value *const value = tsr__program_value(p, (size_t)ref.value);
    tsr_tensor *const t = &p->tensors[node->operands + k];
    char *const at = value->base + ref.offset;
    moved = moved || t->data != at || t->storage != value->storage;
    t->data = at;
    t->storage = value->storage;
  }
  return moved;
}

tsr_status tsr__program_run_home(tsr_ctx *ctx, tsr_program *p) {
  tsr_status st = TSR_OK;
  bool moved = false;
  for (size_t i = 0; i < p->nodes.count; i++)
    if (tsr__program_node(p, i)->needed && bind_works(p, tsr__program_node(p, i))) moved = true;
  if (p->work_count == 0) return TSR_OK;
  p->is_moved = p->is_moved || moved;
  const bool replays = !p->is_new && (p->graph == NULL || !moved); /* else the next one may lie elsewhere again */
  p->is_new = false;
  if (p->is_graph && replays) return run_graph(ctx, p);
  for (int i = 0; i < p->work_count && st == TSR_OK; i++)
    st = tsr_work_run(ctx, &p->works[i], p->works[i].in, p->works[i].out);
  return st;
}

void tsr__program_end_home(tsr_program *p) {
  if (p->home == NULL) return;
  if (p->graph != NULL) p->home->queues->graph_free(p->home->self, p->graph);
  if (p->works != NULL) p->allocator->free(p->allocator->self, p->works, list_bytes(p));
  tsr_storage_release(p->store);
}

#endif
