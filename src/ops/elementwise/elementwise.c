#include "ops/elementwise/elementwise.h"

#include "core/prepare.h"
#include "core/tensor.h"
#include "cpu/isa.h"
#include "cpu/move.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"
#include "ops/elementwise/cache_blocking.h"
#include "ops/elementwise/nan_watch.h"

#include <string.h>

/* Bytes of each operand's block on the stack. */
enum { BLOCK_BYTES = TSR_HAVE_MALLOC ? 1024 : 64 };

/* ---- inputs of another dtype than the kernel's: block by block ---- */

typedef struct converting {
  const tsr__elementwise *e;
  int isa;
  int dtype[TSR__MAX_OPERANDS]; /* as they lie in memory, the output first */
} converting;

static void convert_block(const converting *c, int from, int to, tsr_index n, const char *src, ptrdiff_t src_step,
                          char *dst, ptrdiff_t dst_step) {
  if (from != to)
    tsr__convert_row(c->isa, from, to, n, src, src_step, dst, dst_step);
  else
    tsr__move_row(tsr_dtype_size(from), n, src, src_step, dst, dst_step);
}

/* One block: inputs to compute, the kernel, the result to the output. Operands that have the right dtype stay where
 * they are, and so does an input that repeats one element: converted once, it repeats in its block. */
static void run_block(const converting *c, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const tsr__elementwise *const e = c->e;
  _Alignas(16) char blocks[TSR__MAX_OPERANDS][BLOCK_BYTES];
  char *use[TSR__MAX_OPERANDS];
  ptrdiff_t use_step[TSR__MAX_OPERANDS];
  for (int k = 1; k <= e->inputs; k++) {
    use[k] = at[k];
    use_step[k] = step[k];
    const int wanted = tsr__kernel_dtype(e, k - 1);
    if (c->dtype[k] == wanted) continue;
    const ptrdiff_t item = (ptrdiff_t)tsr_dtype_size(wanted);
    use[k] = blocks[k];
    use_step[k] = step[k] == 0 ? 0 : item;
    convert_block(c, c->dtype[k], wanted, step[k] == 0 ? 1 : n, at[k], step[k], blocks[k], item);
  }
  const bool direct = c->dtype[0] == e->result;
  use[0] = direct ? at[0] : blocks[0];
  use_step[0] = direct ? step[0] : (ptrdiff_t)tsr_dtype_size(e->result);
  const tsr__row_args one = tsr__one_row(e->param);
  e->kernel(&one, n, use, use_step);
  if (!direct) convert_block(c, e->result, c->dtype[0], n, blocks[0], use_step[0], at[0], step[0]);
}

static void converting_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const converting *const c = args->param;
  const size_t compute = tsr_dtype_size(c->e->compute), result = tsr_dtype_size(c->e->result);
  const tsr_index most = (tsr_index)(BLOCK_BYTES / (compute > result ? compute : result));
  char *now[TSR__MAX_OPERANDS];
  for (tsr_index first = 0; first < n; first += most) {
    for (int k = 0; k <= c->e->inputs; k++) now[k] = at[k] + (ptrdiff_t)first * step[k];
    run_block(c, n - first < most ? n - first : most, now, step);
  }
}

/* ---- the run ---- */

void tsr__broadcast_view(const tsr_tensor *in, int ndim, const tsr_index *shape, tsr_tensor *view) {
  const int added = ndim - in->ndim;
  tsr__copy_view(in, view);
  for (int i = 0; i < ndim; i++) {
    const int own = i - added;
    view->shape[i] = shape[i];
    view->stride[i] = own >= 0 && in->shape[own] == shape[i] ? in->stride[own] : 0;
  }
  view->ndim = (uint8_t)ndim;
}

static bool must_copy(const tsr_tensor *in, const tsr_tensor *out) {
  return out->data != NULL && in->data != NULL && tsr__overlap(in, out) && !tsr__same_view(in, out);
}

static void run_loop(const tsr_ctx *ctx, const tsr__row_loop *rows, tsr__loop *loop) {
  if (TSR_HAVE_MALLOC) /* a host, with caches */
    tsr__run_cache_blocked(ctx, rows, loop);
  else
    tsr__loop_run_parallel(ctx, loop, rows->grain, rows->row, rows->param);
}

void tsr__run_flat(const tsr_ctx *ctx, const tsr__row_loop *rows, tsr_index n, char *const *at, const ptrdiff_t *step) {
  tsr__loop loop = {.ndim = 1, .operands = rows->operands, .size = n, .length = {n}};
  for (int k = 0; k < rows->operands; k++) {
    loop.base[k] = at[k];
    loop.step[k][0] = step[k];
  }
  run_loop(ctx, rows, &loop);
}

/* A call that is ready to run. */
typedef struct plan {
  tsr__row_loop rows;
  tsr__loop loop;
  bool kept; /* rows.param is a copy of what it was */
  uint64_t param[8];
} plan;

static void run_plan(const tsr_ctx *ctx, const void *planned) {
  const plan *const p = planned;
#if TSR_HAVE_MALLOC
  tsr__row_loop rows = p->rows;
  tsr__loop loop = p->loop; /* whose axes may change their places */
  if (p->kept) rows.param = (void *)(uintptr_t)p->param;
  run_loop(ctx, &rows, &loop);
#else
  void *const param = p->kept ? (void *)(uintptr_t)p->param : p->rows.param;
  tsr__loop_run_parallel(ctx, &p->loop, p->rows.grain, p->rows.row, param);
#endif
}

/* Why a plan is good for its call alone; NULL: it is not. Its parameter is copied into it. */
static const char *keep_param(const tsr__call *call, const tsr__elementwise *e, bool convert, plan *p) {
  if (convert) return "it converts";
  for (int k = 0; k < e->inputs; k++)
    if (k >= call->inputs || e->in[k] != call->in[k]) return "an input is a number";
  if (e->param == NULL) return NULL;
  if (e->param_bytes == 0 || e->param_bytes > sizeof p->param) return "its attributes cannot be copied";
  memcpy(p->param, e->param, e->param_bytes);
  p->kept = true;
  return NULL;
}

static tsr_status run_loops(tsr__call *call, const tsr__elementwise *e, tsr__row_fn *converting_fn,
                            const tsr_tensor *in, const tsr_tensor *out) {
  const tsr_tensor *operands[TSR__MAX_OPERANDS] = {out};
  converting c = {e, tsr__isa_of(call->ctx), {out->dtype}};
  plan p;
  tsr__row_loop *const rows = &p.rows;
  bool convert = out->dtype != e->result;
  *rows = (tsr__row_loop){.operands = e->inputs + 1,
                          .item = {tsr__item_sizes[out->dtype]},
                          .no_alias = true,
                          .grain = e->grain > 0 ? e->grain : TSR__GRAIN_LIGHT};
  for (int k = 0; k < e->inputs; k++) {
    operands[k + 1] = &in[k];
    c.dtype[k + 1] = in[k].dtype;
    rows->item[k + 1] = tsr__item_sizes[in[k].dtype];
    rows->no_alias = rows->no_alias && in[k].data != out->data; /* what overlaps otherwise was copied */
    convert = convert || in[k].dtype != tsr__kernel_dtype(e, k);
  }
  rows->row_batches = e->row_batches && !convert;
  rows->row = convert ? converting_fn : e->kernel;
  rows->param = convert ? &c : e->param;
  tsr__loop_init(&p.loop, rows->operands, operands);
  p.kept = false;
  const char *const odd = tsr__preparing(call) != NULL ? keep_param(call, e, convert, &p) : NULL;
  return tsr__call_finish(call, odd, run_plan, &p, sizeof p);
}

static bool same_lengths(int ndim, const tsr_index *a, const tsr_index *b) {
  for (int i = 0; i < ndim; i++)
    if (a[i] != b[i]) return false;
  return true;
}

/* The input that a fresh output is laid out as: the first of the result's own shape, else of its rank. */
static const tsr_tensor *model_of(const tsr__elementwise *e, int ndim, const tsr_index *shape) {
  const tsr_tensor *model = NULL;
  for (int k = 0; k < e->inputs; k++) {
    if (e->in[k]->ndim != ndim) continue;
    if (same_lengths(ndim, e->in[k]->shape, shape)) return e->in[k];
    if (model == NULL) model = e->in[k];
  }
  return model;
}

/* Copies of the inputs that lie over the output in another way than it, behind each other in memory. */
typedef struct copies {
  tsr_tensor of[TSR__MAX_OPERANDS - 1]; /* the inputs over the output's shape */
  tsr_tensor copy[TSR__MAX_OPERANDS - 1];
  bool made[TSR__MAX_OPERANDS - 1];
} copies;

static tsr_status make_room(tsr__call *call, const tsr__elementwise *e, const tsr_tensor *out, copies *c) {
  tsr_status st = TSR_OK;
  for (int k = 0; k < e->inputs && st == TSR_OK; k++) {
    tsr__broadcast_view(e->in[k], out->ndim, out->shape, &c->of[k]);
    c->made[k] = tsr__call_was_given(call, 0) && must_copy(&c->of[k], out);
    if (c->made[k]) st = tsr__call_copy_of(call, e->in[k], &c->copy[k]);
  }
  return st;
}

/* Where there are none, or calls run. */
static tsr_status fill_copies(const tsr__call *call, const tsr__elementwise *e, const tsr_tensor *out, copies *c) {
  for (int k = 0; k < e->inputs; k++) {
    if (!c->made[k]) continue;
    if (tsr__preparing(call) != NULL) return tsr__preparing(call)->refuse(call, "its output overlaps an input");
    tsr__move_seldom(call->ctx, e->in[k], &c->copy[k]);
    tsr__broadcast_view(&c->copy[k], out->ndim, out->shape, &c->of[k]);
  }
  return TSR_OK;
}

/* converting_fn is handed down, so that calls which never convert bring no conversions with them. */
static tsr_status call_with(tsr__call *call, const tsr__elementwise *e, const char *const *names,
                            tsr__row_fn *converting_fn) {
  int ndim;
  tsr_index shape[TSR_MAX_DIMS];
  copies c;
  if (tsr__call_tells(call, TSR__TELLS_ELEMENTWISE, e)) return TSR__STOP;
  tsr_status st = tsr__broadcast_shape(call->ctx, call->op, e->inputs, e->in, names, &ndim, shape);
  if (st != TSR_OK) return st;
  const tsr__result result = {e->out_dtype, tsr__common_layout(e, ndim), ndim, shape, model_of(e, ndim, shape)};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = make_room(call, e, call->out[0], &c);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  const tsr_tensor *const out = call->out[0];
  const bool watched = tsr__nan_watch_begin(e);
  st = fill_copies(call, e, out, &c);
  if (st == TSR_OK) st = run_loops(call, e, converting_fn, c.of, out);
  if (watched && st == TSR_OK && tsr__preparing(call) == NULL) tsr__nan_watch_end(e, out);
  return st;
}

tsr_status tsr__elementwise_call(tsr__call *call, const tsr__elementwise *e, const char *const *names) {
  return call_with(call, e, names, converting_row);
}

tsr_status tsr__elementwise_call_as_is(tsr__call *call, const tsr__elementwise *e, const char *const *names) {
  return call_with(call, e, names, NULL);
}

/* ---- in a frame of its own ---- */

typedef struct inner_attrs {
  const tsr__elementwise *e;
  const char *const *names;
} inner_attrs;

static tsr_status run_inner(tsr__call *call) {
  const inner_attrs *const attrs = call->attrs;
  return tsr__elementwise_call(call, attrs->e, attrs->names);
}

tsr_status tsr__elementwise_run(tsr_ctx *ctx, const tsr__elementwise *e, const char *const *names, tsr_tensor *out) {
  static const tsr__operand_info operands[] = {{TSR__OPERAND_NAME("out") TSR__OPERAND_OUTPUT}};
  static const tsr__op_info inner = {.name = "", .run = run_inner, .operands = operands};
  return tsr__call_run(&(tsr__call){.ctx = ctx,
                                    .info = &inner,
                                    .op = e->op,
                                    .attrs = &(inner_attrs){e, names},
                                    .out = TSR__OUTPUTS(out),
                                    .outputs = 1});
}
