/* Convolutions by cuDNN's backend. What it is told of a shape, and the plan that it gives, are kept: a call then only executes. Plans are taken
 * that give the same bits each time, in the dtype that sums have: no TF32, no halves as sums. */
#include "cuda/engines/conv.h"

#include "cuda/dnn.h"

#include <string.h>

enum { MOST_AXES = 5, MOST_CONFIGS = 16 };

/* Lengths and strides in the order n, c, (d,) h, w. */
typedef struct dnn_tensor {
  int64_t length[MOST_AXES], stride[MOST_AXES], align;
} dnn_tensor;

/* Compared byte by byte: without a gap. */
typedef struct dnn_shape {
  dnn_tensor x, w, y;
  int64_t stride[3], dilation[3], before[3], after[3];
  int64_t axes, dtype, compute; /* axes: that are convolved over */
} dnn_shape;

/* Descriptors that were made. */
typedef struct dnn_made {
  const tsr__cuda_dnn *dnn;
  int status, count;
  tsr__dnn_descriptor all[MOST_CONFIGS + 12];
} dnn_made;

/* One that the library was asked about; it lives as long as the GPU. */
typedef struct tsr__cuda_dnn_plan {
  dnn_shape shape;
  tsr__dnn_descriptor plan; /* NULL: it does not take this one */
  int64_t workspace;
  dnn_made made; /* what the plan is of */
  struct tsr__cuda_dnn_plan *next;
} dnn_plan;

typedef struct dnn_call {
  uint64_t x, w, y;
  const dnn_plan *plan;
} dnn_call;

/* ---- shapes ---- */

static int64_t alignment_of(uintptr_t address) {
  int64_t align = 16;
  while (address % (uintptr_t)align != 0) align /= 2;
  return align;
}

/* Axes of length 1 get strides that mean something. */
static void set_tensor(dnn_tensor *t, int axes, const int64_t *length, const int64_t *stride, uintptr_t address) {
  int64_t whole = 1;
  for (int d = axes - 1; d >= 0; d--) {
    t->length[d] = length[d];
    t->stride[d] = length[d] > 1 ? stride[d] : whole;
    if (t->stride[d] * length[d] > whole) whole = t->stride[d] * length[d];
  }
  t->align = alignment_of(address);
}

static int type_of(int dtype) {
  return dtype == TSR_F64 ? DNN_DOUBLE : dtype == TSR_F16 ? DNN_HALF : dtype == TSR_BF16 ? DNN_BFLOAT16 : DNN_FLOAT;
}

/* The last axes of three. */
static void set_axes(const tsr__cuda_conv *c, int axes, dnn_shape *s) {
  int64_t x[MOST_AXES] = {c->n, c->each * c->groups}, w[MOST_AXES] = {c->made * c->groups, c->each},
          y[MOST_AXES] = {c->n, c->made * c->groups};
  int64_t xs[MOST_AXES] = {c->x_sample, c->x_channel}, ws[MOST_AXES] = {c->w_filter, c->w_channel},
          ys[MOST_AXES] = {c->out_sample, c->out_filter};
  for (int i = 0; i < axes; i++) {
    const tsr__cuda_conv_axis *const a = &c->axis[3 - axes + i];
    x[2 + i] = a->in, w[2 + i] = a->taps, y[2 + i] = a->out;
    xs[2 + i] = a->x, ws[2 + i] = a->w, ys[2 + i] = a->o;
    s->stride[i] = a->step;
    s->dilation[i] = a->tap;
    s->before[i] = -a->base;
    const int64_t after = (a->out - 1) * a->step + (a->taps - 1) * a->tap + 1 + a->base - a->in;
    s->after[i] = after > 0 ? after : 0;
  }
  set_tensor(&s->x, 2 + axes, x, xs, tsr__cuda_place_of(&c->x));
  set_tensor(&s->w, 2 + axes, w, ws, tsr__cuda_place_of(&c->w));
  set_tensor(&s->y, 2 + axes, y, ys, tsr__cuda_place_of(&c->out));
}

/* Sums that nothing follows: what follows would round them twice. Strides that repeat are not for it. */
static bool set_shape(const tsr__cuda_conv *c, dnn_shape *s) {
  const bool known = c->dtype == TSR_F64 || c->dtype == TSR_F32 || c->dtype == TSR_F16 || c->dtype == TSR_BF16;
  if (!known || c->exact || c->biased || c->activation.kind != NULL || c->each == 0 || tsr_size(&c->x.tensor) == 0)
    return false;
  if (c->axis[0].taps != 1 || c->axis[0].in != 1 || c->axis[0].out != 1) return false;
  memset(s, 0, sizeof *s);
  s->axes = 2;
  s->dtype = type_of(c->dtype);
  s->compute = type_of(c->compute);
  set_axes(c, (int)s->axes, s);
  for (int d = 0; d < 2 + (int)s->axes; d++)
    if (s->x.stride[d] <= 0 || s->w.stride[d] <= 0 || s->y.stride[d] <= 0) return false;
  return true;
}

/* ---- descriptors ---- */

/* Each function is 0, or what the library said first; after that nothing is done. */
static tsr__dnn_descriptor make(dnn_made *m, int kind) {
  tsr__dnn_descriptor d = NULL;
  if (m->status == 0) m->status = m->dnn->make(kind, &d);
  if (m->status == 0) m->all[m->count++] = d;
  return d;
}
static void set(dnn_made *m, tsr__dnn_descriptor d, int name, int type, int64_t count, const void *elements) {
  if (m->status == 0) m->status = m->dnn->set(d, name, type, count, elements);
}
static void finalize(dnn_made *m, tsr__dnn_descriptor d) {
  if (m->status == 0) m->status = m->dnn->finalize(d);
}
static void destroy_all(dnn_made *m) {
  while (m->count > 0) (void)m->dnn->destroy(m->all[--m->count]);
}

static tsr__dnn_descriptor make_tensor(dnn_made *m, const dnn_shape *s, const dnn_tensor *t, int64_t id) {
  const tsr__dnn_descriptor d = make(m, DNN_TENSOR);
  const int type = (int)s->dtype;
  set(m, d, DNN_TENSOR_DATA_TYPE, DNN_TYPE_DATA_TYPE, 1, &type);
  set(m, d, DNN_TENSOR_DIMENSIONS, DNN_TYPE_INT64, 2 + s->axes, t->length);
  set(m, d, DNN_TENSOR_STRIDES, DNN_TYPE_INT64, 2 + s->axes, t->stride);
  set(m, d, DNN_TENSOR_UNIQUE_ID, DNN_TYPE_INT64, 1, &id);
  set(m, d, DNN_TENSOR_BYTE_ALIGNMENT, DNN_TYPE_INT64, 1, &t->align);
  finalize(m, d);
  return d;
}

enum { ID_X = 1, ID_W = 2, ID_Y = 3 };

static tsr__dnn_descriptor make_graph(dnn_made *m, const dnn_shape *s) {
  const int compute = (int)s->compute, mode = DNN_CROSS_CORRELATION;
  const tsr__dnn_descriptor x = make_tensor(m, s, &s->x, ID_X), w = make_tensor(m, s, &s->w, ID_W),
                            y = make_tensor(m, s, &s->y, ID_Y);
  const tsr__dnn_descriptor conv = make(m, DNN_CONVOLUTION);
  set(m, conv, DNN_CONVOLUTION_SPATIAL_DIMS, DNN_TYPE_INT64, 1, &s->axes);
  set(m, conv, DNN_CONVOLUTION_COMP_TYPE, DNN_TYPE_DATA_TYPE, 1, &compute);
  set(m, conv, DNN_CONVOLUTION_CONV_MODE, DNN_TYPE_CONVOLUTION_MODE, 1, &mode);
  set(m, conv, DNN_CONVOLUTION_PRE_PADDINGS, DNN_TYPE_INT64, s->axes, s->before);
  set(m, conv, DNN_CONVOLUTION_POST_PADDINGS, DNN_TYPE_INT64, s->axes, s->after);
  set(m, conv, DNN_CONVOLUTION_DILATIONS, DNN_TYPE_INT64, s->axes, s->dilation);
  set(m, conv, DNN_CONVOLUTION_FILTER_STRIDES, DNN_TYPE_INT64, s->axes, s->stride);
  finalize(m, conv);
  const tsr__dnn_descriptor op = make(m, DNN_OPERATION_CONVOLUTION_FORWARD);
  const float one = 1, zero = 0;
  const double wide_one = 1, wide_zero = 0;
  const bool wide = s->compute == DNN_DOUBLE;
  const int type = wide ? DNN_TYPE_DOUBLE : DNN_TYPE_FLOAT;
  set(m, op, DNN_FORWARD_X, DNN_TYPE_DESCRIPTOR, 1, &x);
  set(m, op, DNN_FORWARD_W, DNN_TYPE_DESCRIPTOR, 1, &w);
  set(m, op, DNN_FORWARD_Y, DNN_TYPE_DESCRIPTOR, 1, &y);
  set(m, op, DNN_FORWARD_CONV_DESC, DNN_TYPE_DESCRIPTOR, 1, &conv);
  set(m, op, DNN_FORWARD_ALPHA, type, 1, wide ? (const void *)&wide_one : &one);
  set(m, op, DNN_FORWARD_BETA, type, 1, wide ? (const void *)&wide_zero : &zero);
  finalize(m, op);
  const tsr__dnn_descriptor graph = make(m, DNN_OPERATIONGRAPH);
  set(m, graph, DNN_OPERATIONGRAPH_OPS, DNN_TYPE_DESCRIPTOR, 1, &op);
  set(m, graph, DNN_OPERATIONGRAPH_HANDLE, DNN_TYPE_HANDLE, 1, &m->dnn->handle);
  finalize(m, graph);
  return graph;
}

/* What its engine does with numbers, a bit each. -1: it does not say. */
static int notes_of(const tsr__cuda_dnn *dnn, tsr__dnn_descriptor config) {
  int notes[DNN_NOTES], all = -1;
  int64_t count = 0;
  tsr__dnn_descriptor engine = NULL;
  if (dnn->make(DNN_ENGINE, &engine) != 0) return -1;
  if (dnn->get(config, DNN_ENGINECFG_ENGINE, DNN_TYPE_DESCRIPTOR, 1, &count, &engine) == 0 &&
      dnn->get(engine, DNN_ENGINE_NUMERICAL_NOTE, DNN_TYPE_NUMERICAL_NOTE, DNN_NOTES, &count, notes) == 0) {
    all = 0;
    for (int64_t i = 0; i < count && i < DNN_NOTES; i++) all |= 1 << notes[i];
  }
  (void)dnn->destroy(engine);
  return all;
}

static bool is_good(const dnn_shape *s, int notes) {
  const bool narrow = s->dtype == DNN_HALF || s->dtype == DNN_BFLOAT16; /* else matrix units round inputs to TF32 */
  const int never = 1 << DNN_NOTE_NONDETERMINISTIC | 1 << DNN_NOTE_REDUCED | 1 << DNN_NOTE_DOWN_CONVERT;
  return notes >= 0 && (notes & never) == 0 && (narrow || (notes & 1 << DNN_NOTE_TENSOR_CORE) == 0);
}

/* The first of the library's configurations that is good, and whose workspace a queue has. */
static void choose(dnn_made *m, const dnn_shape *s, tsr__dnn_descriptor graph, dnn_plan *p) {
  const int mode = DNN_HEUR_MODE_A;
  tsr__dnn_descriptor configs[MOST_CONFIGS];
  int64_t count = 0, one = 0;
  const tsr__dnn_descriptor heuristics = make(m, DNN_ENGINEHEUR);
  set(m, heuristics, DNN_ENGINEHEUR_OPERATION_GRAPH, DNN_TYPE_DESCRIPTOR, 1, &graph);
  set(m, heuristics, DNN_ENGINEHEUR_MODE, DNN_TYPE_HEUR_MODE, 1, &mode);
  finalize(m, heuristics);
  for (int i = 0; i < MOST_CONFIGS; i++) configs[i] = make(m, DNN_ENGINECFG);
  if (m->status == 0)
    m->status = m->dnn->get(heuristics, DNN_ENGINEHEUR_RESULTS, DNN_TYPE_DESCRIPTOR, MOST_CONFIGS, &count, configs);
  for (int64_t i = 0; i < count && i < MOST_CONFIGS && m->status == 0 && p->plan == NULL; i++) {
    tsr__dnn_descriptor plan = NULL;
    if (!is_good(s, notes_of(m->dnn, configs[i])) || m->dnn->make(DNN_EXECUTION_PLAN, &plan) != 0) continue;
    const bool made =
        m->dnn->set(plan, DNN_EXECUTION_PLAN_HANDLE, DNN_TYPE_HANDLE, 1, &m->dnn->handle) == 0 &&
        m->dnn->set(plan, DNN_EXECUTION_PLAN_ENGINE_CONFIG, DNN_TYPE_DESCRIPTOR, 1, &configs[i]) == 0 &&
        m->dnn->finalize(plan) == 0 &&
        m->dnn->get(plan, DNN_EXECUTION_PLAN_WORKSPACE_SIZE, DNN_TYPE_INT64, 1, &one, &p->workspace) == 0 &&
        p->workspace <= TSR__CUDA_WORKSPACE;
    if (made)
      p->plan = plan;
    else
      (void)m->dnn->destroy(plan);
  }
}

/* What is known of a shape, also that the library does not take it; NULL: no memory. The lock and the context are held. */
static const dnn_plan *find_plan(tsr__cuda *gpu, const tsr__cuda_dnn *dnn, const dnn_shape *shape) {
  dnn_plan *p = gpu->dnn_plans;
  while (p != NULL && memcmp(&p->shape, shape, sizeof *shape) != 0) p = p->next;
  if (p == NULL) {
    p = tsr__cuda_host_new(sizeof *p);
    if (p == NULL) return NULL;
    p->shape = *shape;
    p->made.dnn = dnn;
    choose(&p->made, shape, make_graph(&p->made, shape), p);
    if (p->plan == NULL) destroy_all(&p->made);
    p->next = gpu->dnn_plans;
    gpu->dnn_plans = p;
  }
  return p;
}

/* ---- a call ---- */

/* The handle has the stream, which other threads set too: the lock is held. */
static int execute(const tsr__cuda_dnn *dnn, const tsr__cuda_queue *queue, const dnn_call *c, void *room) {
  const int64_t ids[3] = {ID_X, ID_W, ID_Y};
  void *const places[3] = {(void *)(uintptr_t)c->x, (void *)(uintptr_t)c->w, (void *)(uintptr_t)c->y};
  dnn_made m = {.dnn = dnn, .status = dnn->set_stream(dnn->handle, tsr__cuda_queue_stream(queue))};
  const tsr__dnn_descriptor pack = make(&m, DNN_VARIANT_PACK);
  set(&m, pack, DNN_VARIANT_PACK_DATA_POINTERS, DNN_TYPE_VOID_PTR, 3, places);
  set(&m, pack, DNN_VARIANT_PACK_UNIQUE_IDS, DNN_TYPE_INT64, 3, ids);
  set(&m, pack, DNN_VARIANT_PACK_WORKSPACE, DNN_TYPE_VOID_PTR, 1, &room);
  finalize(&m, pack);
  if (m.status == 0) m.status = dnn->execute(dnn->handle, c->plan->plan, pack);
  destroy_all(&m);
  return m.status;
}

static tsr_status convolve(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, void *args) {
  dnn_call c;
  memcpy(&c, args, sizeof c);
  void *const room = c.plan->workspace > 0 ? tsr__cuda_queue_workspace(queue) : NULL;
  if (room == NULL && c.plan->workspace > 0)
    return TSR__FAIL(ctx, TSR_ENOMEM, "conv2d", NULL, "%s has no memory for a workspace of %z bytes", gpu->name,
                     (size_t)TSR__CUDA_WORKSPACE);
  (void)pthread_mutex_lock(&gpu->blas_lock);
  const int r = execute(gpu->dnn, queue, &c, room);
  (void)pthread_mutex_unlock(&gpu->blas_lock);
  return r == 0 ? TSR_OK : TSR__FAIL(ctx, TSR_EDEVICE, "conv2d", NULL, "cuDNN refuses it: status %d", r);
}

tsr_status tsr__cuda_conv_dnn(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c, bool *done, tsr__cuda_plan *plan) {
  dnn_shape shape;
  dnn_call call = {.plan = NULL};
  tsr__cuda_scope scope;
  *done = false;
  if (!set_shape(c, &shape)) return TSR_OK;
  const tsr_status st = tsr__cuda_enter(gpu, ctx, c->op, &scope);
  if (st != TSR_OK) return st;
  (void)pthread_mutex_lock(&gpu->blas_lock);
  const tsr__cuda_dnn *const dnn = tsr__cuda_dnn_open(gpu);
  if (dnn != NULL) call.plan = find_plan(gpu, dnn, &shape);
  (void)pthread_mutex_unlock(&gpu->blas_lock);
  tsr__cuda_leave(gpu, scope);
  if (call.plan == NULL || call.plan->plan == NULL) return TSR_OK; /* our own kernels do it */
  tsr__cuda_plan_call(plan, convolve, &call, sizeof call);
  tsr__cuda_plan_address(plan, offsetof(dnn_call, x), c->x.ref);
  tsr__cuda_plan_address(plan, offsetof(dnn_call, w), c->w.ref);
  tsr__cuda_plan_address(plan, offsetof(dnn_call, y), c->out.ref);
  *done = true;
  return TSR_OK;
}
