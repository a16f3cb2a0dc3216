/* Works that are replayed together: each is planned, and what the plans enqueue is captured once as a graph of the driver. A launch of it is
 * one call. Nothing is compiled or allocated while it is captured. */
#include "cuda/device.h"

/* Memory of others that it touches. */
typedef struct graph_use {
  tsr__cuda_block *block;
  bool writes;
} graph_use;

typedef struct tsr__cuda_graph {
  int count;
  tsr__cuda_plan **plans;
  size_t *scratch;        /* where each plan's temporary memory begins */
  tsr__cuda_block *block; /* of all of it, never empty: who runs the graph is remembered there */
  tsr__cuda_queue *queue; /* for capturing, and for its fault record: never launched in */
  CUgraphExec exec;
  graph_use *uses;
  size_t use_count, use_capacity;
  struct tsr__cuda_graph *next; /* of those that a queue has launched and not looked after yet */
  tsr__cuda_queue *watcher;
} tsr__cuda_graph;

/* ---- plans ---- */

static tsr_status plan_works(tsr__cuda *gpu, tsr_ctx *ctx, const tsr_work *const *works, tsr__cuda_graph *g) {
  tsr_status st = TSR_OK;
  for (int i = 0; i < g->count && st == TSR_OK; i++) {
    tsr_work work = *works[i];
    void *prepared = NULL;
    work.ctx = ctx;
    st = tsr__cuda_prepare(gpu, &work, &prepared);
    g->plans[i] = prepared;
    if (st == TSR_OK && g->plans[i]->sized != NULL)
      st = TSR__FAIL(ctx, TSR_EUNSUPPORTED, work.op, NULL, "the size of its result depends on data");
  }
  return st;
}

/* Plans are done one after the other and share their memory, but for those whose constants have to stay. */
static tsr_status take_scratch(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_graph *g) {
  enum { ALIGN = 256 };
  size_t shared = ALIGN, all;
  for (int i = 0; i < g->count; i++)
    if (g->plans[i]->constants.count == 0 && g->plans[i]->scratch > shared) shared = g->plans[i]->scratch;
  all = tsr__align_up(shared, ALIGN);
  for (int i = 0; i < g->count; i++) {
    g->scratch[i] = 0;
    if (g->plans[i]->constants.count == 0) continue;
    g->scratch[i] = all;
    if (g->plans[i]->scratch > SIZE_MAX / 2 - all)
      return TSR__FAIL(ctx, TSR_ENOMEM, "graph", NULL, "needs too much memory");
    all = tsr__align_up(all + g->plans[i]->scratch, ALIGN);
  }
  return tsr__cuda_memory_take(&gpu->memory, ctx, gpu->standard, all, &g->block);
}

static CUdeviceptr scratch_of(const tsr__cuda_graph *g, int i) {
  return (CUdeviceptr)g->block->address + g->scratch[i];
}

/* Constants are uploaded now, and the workspace of libraries is taken. */
static tsr_status settle(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_graph *g) {
  CUresult r = CUDA_SUCCESS;
  bool calls = false;
  for (int i = 0; i < g->count && r == CUDA_SUCCESS; i++) {
    r = tsr__cuda_plan_constants(gpu, g->queue, g->plans[i], scratch_of(g, i));
    for (size_t k = 0; k < g->plans[i]->steps.count; k++)
      calls = calls || tsr__cuda_plan_step(g->plans[i], k)->kind == TSR__CUDA_CALL;
  }
  if (r == CUDA_SUCCESS) r = gpu->api->cuStreamSynchronize(g->queue->stream);
  if (calls) (void)tsr__cuda_queue_workspace(g->queue);
  return tsr__cuda_check(gpu, ctx, "graph", r, "upload constants");
}

/* ---- whom it touches ---- */

static bool add_use(tsr__cuda_graph *g, const tsr_tensor *t, bool writes) {
  tsr__cuda_block *const block = t != NULL ? tsr_storage_memory(t->storage) : NULL;
  if (block == NULL) return true;
  for (size_t i = 0; i < g->use_count; i++) {
    if (g->uses[i].block != block) continue;
    g->uses[i].writes = g->uses[i].writes || writes;
    return true;
  }
  if (g->use_count == g->use_capacity) return false; /* counted before: never */
  g->uses[g->use_count++] = (graph_use){block, writes};
  return true;
}

static tsr_status note_uses(tsr_ctx *ctx, const tsr_work *const *works, tsr__cuda_graph *g) {
  size_t all = 1;
  for (int i = 0; i < g->count; i++) all += (size_t)works[i]->inputs + (size_t)works[i]->outputs;
  g->uses = tsr__cuda_host_new(all * sizeof *g->uses);
  if (g->uses == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, "graph", NULL, "no memory for its books");
  g->use_capacity = all;
  for (int i = 0; i < g->count; i++) {
    for (int k = 0; k < works[i]->inputs; k++) (void)add_use(g, works[i]->in[k], false);
    for (int k = 0; k < works[i]->outputs; k++) (void)add_use(g, works[i]->out[k], true);
  }
  return TSR_OK;
}

/* ---- capturing ---- */

/* Tickets of its own fault record number the works. */
static tsr_status enqueue_work(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_graph *g, const tsr_work *work, int i) {
  tsr__cuda_fault_args faults[TSR__CUDA_PLAN_FAULTS];
  const tsr_status st = tsr__cuda_plan_faults(ctx, g->queue, g->plans[i], work->op, (uint64_t)i + 1, faults);
  if (st != TSR_OK) return st;
  const tsr__cuda_target target = {work, scratch_of(g, i), faults};
  return tsr__cuda_plan_enqueue(gpu, ctx, g->queue, g->plans[i], &target, 0, g->plans[i]->steps.count);
}

/* The fault record has its memory before a capture begins. */
static tsr_status prepare_faults(tsr_ctx *ctx, tsr__cuda_graph *g) {
  for (int i = 0; i < g->count; i++)
    if (g->plans[i]->faults.count > 0) {
      const tsr_status st = tsr__cuda_faults_begin(g->queue, ctx, "graph");
      if (st != TSR_OK) return st;
      const CUresult r = g->queue->gpu->api->cuStreamSynchronize(g->queue->stream);
      return tsr__cuda_check(g->queue->gpu, ctx, "graph", r, "clear its fault record");
    }
  return TSR_OK;
}

static tsr_status capture(tsr__cuda *gpu, tsr_ctx *ctx, const tsr_work *const *works, tsr__cuda_graph *g) {
  const tsr__cuda_driver *const api = gpu->api;
  CUgraph graph = NULL;
  tsr_status st = prepare_faults(ctx, g);
  if (st != TSR_OK) return st;
  CUresult r = api->cuStreamBeginCapture(g->queue->stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  if (r != CUDA_SUCCESS) return tsr__cuda_check(gpu, ctx, "graph", r, "begin a capture");
  for (int i = 0; i < g->count && st == TSR_OK; i++) st = enqueue_work(gpu, ctx, g, works[i], i);
  r = api->cuStreamEndCapture(g->queue->stream, &graph);
  if (st == TSR_OK && r == CUDA_SUCCESS) r = api->cuGraphInstantiate(&g->exec, graph, 0);
  if (graph != NULL) (void)api->cuGraphDestroy(graph);
  return st != TSR_OK ? st : tsr__cuda_check(gpu, ctx, "graph", r, "make a graph");
}

/* ---- making and ending ---- */

/* The queue that would report its faults does so no more. */
static void unwatch(tsr__cuda_graph *g) {
  if (g->watcher == NULL) return;
  (void)pthread_mutex_lock(&g->watcher->lock);
  tsr__cuda_graph **link = &g->watcher->graphs;
  while (*link != NULL && *link != g) link = &(*link)->next;
  if (*link == g) *link = g->next;
  (void)pthread_mutex_unlock(&g->watcher->lock);
  tsr__cuda_queue_drop(g->watcher);
  g->watcher = NULL;
}

static void free_lists(tsr__cuda_graph *g) {
  const size_t n = (size_t)g->count;
  tsr__cuda_host_free(g->plans, n * sizeof *g->plans);
  tsr__cuda_host_free(g->scratch, n * sizeof *g->scratch);
  tsr__cuda_host_free(g->uses, g->use_capacity * sizeof *g->uses);
  tsr__cuda_host_free(g, sizeof *g);
}

/* The context is current. */
static void end_graph(tsr__cuda *gpu, tsr__cuda_graph *g) {
  if (g->block != NULL) (void)tsr__cuda_block_wait(g->block);
  unwatch(g);
  if (g->exec != NULL) (void)gpu->api->cuGraphExecDestroy(g->exec);
  if (g->block != NULL) tsr__cuda_memory_give(g->block);
  if (g->queue != NULL) tsr__cuda_queue_release(gpu, &g->queue->base);
  for (int i = 0; i < g->count; i++) tsr__cuda_plan_put(gpu, g->plans[i]);
  free_lists(g);
}

void tsr__cuda_graph_free(void *self, void *graph) {
  tsr__cuda *const gpu = self;
  tsr__cuda_scope scope;
  tsr_ctx quiet = {0};
  if (graph == NULL || tsr__cuda_enter(gpu, &quiet, "graph", &scope) != TSR_OK) return;
  end_graph(gpu, graph);
  tsr__cuda_leave(gpu, scope);
}

static tsr_status make_graph(tsr__cuda *gpu, tsr_ctx *ctx, const tsr_work *const *works, tsr__cuda_graph *g) {
  const size_t n = (size_t)g->count;
  tsr_queue *queue = NULL;
  g->plans = tsr__cuda_host_new(n * sizeof *g->plans);
  g->scratch = tsr__cuda_host_new(n * sizeof *g->scratch);
  if (g->plans == NULL || g->scratch == NULL) {
    if (g->plans == NULL) g->count = 0;
    return TSR__FAIL(ctx, TSR_ENOMEM, "graph", NULL, "no memory for its books");
  }
  tsr_status st = plan_works(gpu, ctx, works, g);
  if (st == TSR_OK) st = tsr__cuda_queue_make(gpu, ctx, &queue);
  g->queue = (tsr__cuda_queue *)(void *)queue;
  if (st == TSR_OK) st = take_scratch(gpu, ctx, g);
  if (st == TSR_OK) st = settle(gpu, ctx, g);
  if (st == TSR_OK) st = note_uses(ctx, works, g);
  return st == TSR_OK ? capture(gpu, ctx, works, g) : st;
}

tsr_status tsr__cuda_graph_new(void *self, tsr_ctx *ctx, int count, const tsr_work *const *works, void **graph) {
  tsr__cuda *const gpu = self;
  tsr__cuda_scope scope;
  tsr__cuda_graph *const g = tsr__cuda_host_new(sizeof *g);
  if (g == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, "graph", NULL, "no memory for its books");
  tsr_status st = tsr__cuda_enter(gpu, ctx, "graph", &scope);
  if (st != TSR_OK) {
    tsr__cuda_host_free(g, sizeof *g);
    return st;
  }
  g->count = count;
  st = make_graph(gpu, ctx, works, g);
  if (st != TSR_OK) end_graph(gpu, g);
  if (st == TSR_OK && *graph != NULL) end_graph(gpu, *graph);
  if (st == TSR_OK) *graph = g;
  tsr__cuda_leave(gpu, scope);
  return st;
}

/* ---- running ---- */

/* A queue that waits looks after the fault records of the graphs that it launched. Its lock is held. */
static void watch(tsr__cuda_queue *queue, tsr__cuda_graph *g) {
  if (g->watcher == queue || g->queue->faults.marks == NULL) return;
  g->next = queue->graphs;
  queue->graphs = g;
  g->watcher = queue;
  tsr__cuda_queue_keep(queue);
}

static CUresult order_uses(tsr__cuda *gpu, tsr__cuda_graph *g, tsr__cuda_queue *queue, uint64_t ticket) {
  (void)pthread_mutex_lock(&gpu->lock);
  CUresult r = tsr__cuda_block_use(g->block, queue, ticket, true);
  for (size_t i = 0; i < g->use_count && r == CUDA_SUCCESS; i++)
    r = tsr__cuda_block_use(g->uses[i].block, queue, ticket, g->uses[i].writes);
  (void)pthread_mutex_unlock(&gpu->lock);
  return r;
}

tsr_status tsr__cuda_graph_run(void *self, tsr_ctx *ctx, tsr_queue *queue, void *graph) {
  tsr__cuda *const gpu = self;
  tsr__cuda_graph *const g = graph;
  tsr__cuda_queue *const q = tsr__cuda_queue_of(gpu, queue);
  tsr__cuda_scope scope;
  tsr_status st = tsr__cuda_enter(gpu, ctx, "graph", &scope);
  if (st != TSR_OK) return st;
  if (g->watcher != q) unwatch(g);
  const uint64_t ticket = tsr__cuda_queue_begin(q);
  CUresult r = order_uses(gpu, g, q, ticket);
  if (r == CUDA_SUCCESS) r = gpu->api->cuGraphLaunch(g->exec, q->stream);
  watch(q, g);
  tsr__cuda_queue_end(q);
  st = tsr__cuda_check(gpu, ctx, "graph", r, "launch a graph");
  tsr__cuda_leave(gpu, scope);
  return st;
}

tsr_status tsr__cuda_graphs_report(tsr__cuda_queue *queue, tsr_ctx *ctx) {
  tsr_status st = TSR_OK;
  (void)pthread_mutex_lock(&queue->lock);
  for (tsr__cuda_graph *g = queue->graphs; g != NULL && st == TSR_OK; g = g->next)
    st = tsr__cuda_faults_look(g->queue, ctx);
  (void)pthread_mutex_unlock(&queue->lock);
  return st;
}
