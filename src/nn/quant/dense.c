/* Quantised dense layers: rows are images of one pixel. */
#include "core/normalise.h"
#include "core/tensor.h"
#include "nn/lines.h"
#include "nn/quant/layer.h"
#include "ops/copy/copy.h"
#include "ops/move/target.h"

/* How many rows there are, and the shape of the result. */
static tsr_status resolve(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_qlayer *layer, tsr__q_run *run,
                          tsr_index *shape) {
  tsr__q_filters f;
  const tsr_status st = tsr__q_run_init(ctx, op, layer, &f, run);
  if (st != TSR_OK) return st;
  if (layer->w.ndim != 2)
    return TSR__FAIL(ctx, TSR_ESTATE, op, "layer", "is a convolution: its weights are %t", &layer->w);
  if (x->dtype != layer->x_dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "x", "is %t, the layer is for %y", x, (int)layer->x_dtype);
  if (x->ndim == 0 || x->shape[x->ndim - 1] != f.i)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "x", "is %t, the layer takes %l features", x, (int64_t)f.i);
  tsr_index rows = 1;
  for (int k = 0; k + 1 < x->ndim; k++) rows *= shape[k] = x->shape[k];
  shape[x->ndim - 1] = f.o;
  run->c = (tsr__conv){.op = op,
                       .rank = 4,
                       .last = true,
                       .n = rows,
                       .c = f.i,
                       .h = 1,
                       .w = 1,
                       .o = f.o,
                       .i = f.i,
                       .kh = 1,
                       .kw = 1,
                       .oh = 1,
                       .ow = 1,
                       .ph = 1,
                       .pw = 1,
                       .sh = 1,
                       .sw = 1,
                       .dh = 1,
                       .dw = 1,
                       .groups = 1};
  return TSR_OK;
}

/* From row to row and from element to element, in bytes; false where rows do not lie evenly. */
static bool set_steps(const tsr_tensor *t, ptrdiff_t *steps) {
  tsr__lines rows;
  tsr__lines_init(&rows, t->ndim - 1, t->shape);
  tsr__lines_add(&rows, t, 0);
  tsr__lines_merge(&rows);
  steps[0] = rows.ndim > 0 ? rows.step[0][0] : 0;
  steps[1] = (ptrdiff_t)t->stride[t->ndim - 1] * tsr__item(t);
  steps[2] = steps[3] = 0;
  return rows.ndim <= 1;
}

static tsr_tensor dense_like(const tsr_tensor *t) {
  tsr_tensor copy = *t;
  tsr__strides_for(copy.ndim, copy.shape, TSR_ROW_MAJOR, copy.stride);
  copy.layout = TSR_PLAIN;
  copy.flags = 0;
  copy.storage = NULL;
  return copy;
}

/* Temporary memory of a call: copies of what does not lie evenly, and the run's own. */
typedef struct memory {
  tsr__scratch x, out, run;
  bool staged; /* the result goes to out first */
} memory;

static tsr_status get_memory(tsr_ctx *ctx, const char *op, const tsr_tensor *x, size_t result, const tsr_tensor *out,
                             tsr__q_run *run, memory *m) {
  tsr_tensor copy;
  ptrdiff_t steps[4];
  tsr_status st = TSR_OK;
  *m = (memory){.staged = out->data != NULL && !set_steps(out, steps)};
  run->x = x->data;
  if (!set_steps(x, run->xs)) {
    st = tsr__copy_to_scratch(ctx, op, x, &m->x, &copy);
    if (st != TSR_OK) return st;
    (void)set_steps(&copy, run->xs);
    run->x = copy.data;
  }
  if (m->staged) st = tsr__scratch_get(ctx, op, result, &m->out);
  if (st == TSR_OK) st = tsr__scratch_get(ctx, op, tsr__q_scratch(ctx, run), &m->run);
  run->scratch = m->run.data;
  return st;
}

static void put_memory(memory *m) {
  tsr__scratch_put(&m->run);
  tsr__scratch_put(&m->out);
  tsr__scratch_put(&m->x);
}

static void run_rows(tsr_ctx *ctx, const tsr_tensor *out, const memory *m, tsr__q_run *run) {
  tsr_tensor first = m->staged ? dense_like(out) : *out;
  if (m->staged) first.data = m->out.data;
  (void)set_steps(&first, run->os);
  run->out = first.data;
  tsr__q_dispatch(ctx, run);
  if (m->staged) tsr__copy_no_alias(ctx, &first, out);
}

tsr_status tsr_qdense(tsr_ctx *ctx, const tsr_tensor *x, const tsr_qlayer *layer, tsr_tensor *out) {
  TSR__NORMALISE_ALL(x, out);
  static const char op[] = "qdense";
  tsr__q_run run;
  tsr_index shape[TSR_MAX_DIMS];
  tsr__target target;
  memory m = {.staged = false};
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = resolve(ctx, op, x, layer, &run, shape);
  if (st != TSR_OK) return st;
  const tsr__result result = {layer->out_dtype, TSR_PLAIN, x->ndim, shape, NULL};
  st = tsr__output_check(ctx, op, &result, out);
  if (st != TSR_OK) return st;
  const size_t bytes = (size_t)run.c.n * (size_t)run.c.o * (layer->out_dtype == TSR_I16 ? 2 : 1);
  st = get_memory(ctx, op, x, bytes, out, &run, &m);
  if (st == TSR_OK) st = tsr__target_begin(ctx, op, &result, 1, &x, out, &target);
  if (st == TSR_OK) {
    if (target.bytes > 0) run_rows(ctx, &target.view, &m, &run);
    tsr__target_end(ctx, out, &target);
  }
  put_memory(&m);
  return st;
}

tsr_status tsr_qdense_workspace_size(tsr_ctx *ctx, const tsr_tensor *x, const tsr_qlayer *layer, size_t *bytes) {
  TSR__NORMALISE_ALL(x);
  static const char op[] = "qdense_workspace_size";
  tsr__q_run run;
  tsr_index shape[TSR_MAX_DIMS];
  if (x == NULL || bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, op, x == NULL ? "x" : "bytes", "is NULL");
  tsr_status st = tsr__check_desc(ctx, op, x->dtype, x->ndim, x->shape);
  if (st == TSR_OK) st = resolve(ctx, op, x, layer, &run, shape);
  if (st != TSR_OK) return st;
  tsr_tensor described = *x;
  if (x->data == NULL) tsr__default_strides(&described);
  size_t copy = 0, own;
  if (!set_steps(&described, run.xs)) {
    tsr_tensor dense = dense_like(&described);
    copy = tsr__align_up(tsr_nbytes(&dense), TSR_DATA_ALIGN);
    (void)set_steps(&dense, run.xs);
  }
  own = tsr__q_scratch(ctx, &run);
  *bytes = tsr__q_with_slack(tsr__add_size(copy, own, &own) ? own : SIZE_MAX);
  return TSR_OK;
}
