/* The call of a reduction: small ones at once, all others in the frame. */
#include "ops/copy/copy.h"
#include "ops/elementwise/contiguous.h"
#include "ops/reduce/engine.h"
#include "ops/reduce/ops.h"

/* ---- small calls ---- */

/* The kernel that reads elements of a dtype as they lie and whose values are the results, or NULL. */
static const tsr__reduce_kernel *small_kernel(const tsr_ctx *ctx, const tsr__reduce_op *op, int dtype) {
  const bool truth = op->rule == TSR__REDUCE_TRUTH || op->rule == TSR__REDUCE_COUNTS;
  if (dtype >= TSR_DTYPE_COUNT || truth != (dtype == TSR_BOOL) || op->pass[1].tables[0] != NULL) return NULL;
  const tsr__reduce_kernel *const kernel = op->pass[0].tables[tsr__isa_of(ctx)][truth ? TSR_U8 : dtype];
  return kernel != NULL && (op->rule != TSR__REDUCE_REALS || kernel->dtype == dtype) ? kernel : NULL;
}

/* The number of axes before those that are reduced, where these are the last ones; else -1. */
TSR__ALWAYS_INLINE int small_axes(const tsr_tensor *x, int naxes, const int *axes) {
  uint32_t reduced;
  if (x->ndim > TSR_MAX_DIMS || !tsr__resolve_axes(x->ndim, naxes, axes, &reduced) || reduced == 0) return -1;
  const int kept = __builtin_ctz(reduced);
  return (reduced >> kept) + 1 == (uint32_t)1 << (x->ndim - kept) ? kept : -1;
}

/* The small call of x, whose axes from kept on are reduced. */
typedef struct small_call {
  const tsr__reduce_kernel *kernel;
  const tsr_tensor *x;
  int kept, ndim; /* of the result */
  tsr__reduce_terms terms;
  size_t bytes; /* of x */
} small_call;

static bool has_small_shape(const small_call *c, const tsr_tensor *out) {
  if (out->ndim != c->ndim) return false;
  TSR__KEEP_LOOP
  for (int i = 0; i < c->ndim; i++)
    if (out->shape[i] != (i < c->kept ? c->x->shape[i] : 1)) return false;
  return true;
}

/* Whether out is given as it usually is: of the result's shape, contiguous, apart from x, on the host. It needs no
 * other check then. */
static bool is_small_output(const small_call *c, tsr_index outputs, const tsr_tensor *out) {
  const int dtype = c->kernel->dtype;
  const size_t item = tsr__item_sizes[dtype], bytes = (size_t)outputs * item;
  return outputs != 0 && has_small_shape(c, out) && (out->flags & TSR_READONLY) == 0 && out->data != c->x->data &&
         tsr__contiguous_usable(out, dtype, item) && tsr__contiguous_safe(c->x->data, c->bytes, out->data, bytes);
}

static tsr_status make_small_output(tsr_ctx *ctx, const char *name, const small_call *c, tsr_tensor *out) {
  tsr_index shape[TSR_MAX_DIMS];
  const int layout = c->ndim == c->x->ndim ? c->x->layout : TSR_PLAIN;
  const tsr__result result = {c->kernel->dtype, layout, c->ndim, shape, NULL};
  for (int i = 0; i < c->ndim; i++) shape[i] = i < c->kept ? c->x->shape[i] : 1;
  return tsr__output(ctx, name, &result, out);
}

/* Whether a call is one of the kernel's: few contiguous elements, reduced along the last axes. */
TSR__ALWAYS_INLINE bool is_small_call(const tsr_ctx *ctx, const tsr__reduce_op *op, const tsr_tensor *x, int naxes,
                                      const int *axes, bool keepdims, small_call *c) {
  if (!TSR__REDUCE_FAST || !tsr__is_plain_context(ctx) || x == NULL) return false;
  c->kernel = small_kernel(ctx, op, x->dtype);
  c->kept = c->kernel != NULL ? small_axes(x, naxes, axes) : -1;
  if (c->kept < 0) return false;
  const tsr_index size = tsr__contiguous_size_to(x, TSR__REDUCE_TASK);
  const size_t item = tsr__item_sizes[x->dtype];
  if (size == 0 || !tsr__contiguous_usable(x, x->dtype, item)) return false;
  c->x = x;
  c->ndim = keepdims ? x->ndim : c->kept;
  c->bytes = (size_t)size * item;
  c->terms = (tsr__reduce_terms){.count = 1};
  TSR__KEEP_LOOP
  for (int i = c->kept; i < x->ndim; i++) c->terms.count *= x->shape[i];
  if (!c->kernel->any_order && tsr__reduce_fills_lanes(c->terms.count))
    return c->terms.count <= tsr__reduce_most(c->kernel);
  return c->terms.count <= tsr__reduce_most(c->kernel) && !tsr__reduce_is_short(size / c->terms.count, c->terms.count);
}

/* All of a small call, under a name; false: it is none. */
TSR__ALWAYS_INLINE bool reduce_at_once(tsr_ctx *ctx, const char *name, const tsr__reduce_op *op, const tsr_tensor *x,
                                       int naxes, const int *axes, bool keepdims, tsr_tensor *out, tsr_status *status) {
  small_call c;
  *status = TSR_OK;
  if (out == NULL || !is_small_call(ctx, op, x, naxes, axes, keepdims, &c)) return false;
  tsr_index outputs = tsr__contiguous_size(out);
  if (out->dtype == TSR_NONE && out->data == NULL) {
    *status = make_small_output(ctx, name, &c, out);
    if (*status != TSR_OK) return true;
    outputs = tsr__contiguous_size(out);
  } else if (!is_small_output(&c, outputs, out)) {
    return false;
  }
  const ptrdiff_t step = (ptrdiff_t)c.terms.count * tsr__item(x);
  c.kernel->many(outputs, c.terms.count, x->data, step, NULL, out->data);
  if (op->pass[0].finish != NULL) op->pass[0].finish(&c.terms, outputs, out->data, NULL);
  return true;
}

bool tsr__reduce_small(tsr_ctx *ctx, const char *name, const tsr__reduce_op *op, const tsr_tensor *x, int naxes,
                       const int *axes, bool keepdims, tsr_tensor *out, tsr_status *status) {
  return reduce_at_once(ctx, name, op, x, naxes, axes, keepdims, out, status);
}

/* ---- in a frame ---- */

tsr_status tsr__reduce_result(tsr__call *call, const tsr__reduce *r, tsr__reduce_frame *frame) {
  int ndim;
  tsr__reduce_shape(r, &ndim, frame->shape);
  const int layout = ndim == r->x->ndim ? r->x->layout : TSR_PLAIN;
  frame->result = (tsr__result){r->out_dtype, layout, ndim, frame->shape, NULL};
  return tsr__call_result(call, &frame->result);
}

tsr_status tsr__reduce_output(tsr__call *call, const tsr__reduce *r, tsr__reduce_frame *frame) {
  const tsr_status st = tsr__reduce_result(call, r, frame);
  frame->r = *r;
  if (st != TSR_OK || !tsr__call_was_given(call, 0) || call->out[0]->data == NULL || r->x->data == NULL) return st;
  if (!tsr__overlap(r->x, call->out[0])) return TSR_OK;
  frame->r.x = &frame->copy;
  return tsr__call_copy_of(call, r->x, &frame->copy);
}

tsr_status tsr__reduce_start(const tsr__call *call, const tsr__reduce *r, const tsr__reduce_frame *frame) {
  const tsr_status st = tsr__call_start(call);
  if (st == TSR_OK && frame->r.x != r->x) tsr__move_no_alias(call->ctx, r->x, &frame->copy);
  return st;
}

tsr_status tsr__reduce_call(tsr__call *call, const tsr__reduce *r) {
  tsr__reduce_frame frame;
  tsr__reduce_engine e;
  void *memory;
  if (tsr__call_tells(call, TSR__TELLS_REDUCTION, r)) return TSR__STOP;
  tsr_status st = tsr__reduce_output(call, r, &frame);
  if (st == TSR_OK) st = tsr__call_scratch(call, tsr__reduce_prepare(call->ctx, &frame.r, call->out[0], &e), &memory);
  if (st == TSR_OK) st = tsr__reduce_start(call, r, &frame);
  if (st == TSR_OK) tsr__reduce_execute(call->ctx, &e, memory);
  return st;
}

tsr_status tsr__reduction(tsr__call *call) {
  const tsr__reduction_attrs *const attrs = call->attrs;
  const tsr__reduce_op *const op = call->info->kernels;
  tsr__reduce r;
  if (tsr__reduces_complex(call, op))
    return tsr__reduce_complex(call, op, attrs->axes_count, attrs->axes, attrs->keepdims, (tsr__reduce_terms){0},
                               false);
  tsr_status st = tsr__reduce_call_begin(call, op, attrs->axes_count, attrs->axes, attrs->keepdims, &r);
  if (st == TSR_OK && op->some) st = tsr__reduce_check_some(call->ctx, &r);
  return st == TSR_OK ? tsr__reduce_call(call, &r) : st;
}

tsr_status tsr__reduction_run(tsr_ctx *ctx, const tsr__reduce_op *op, const tsr_tensor *x, int naxes, const int *axes,
                              bool keepdims, tsr_tensor *out) {
  tsr_status status;
  if (reduce_at_once(ctx, op->info->name, op, x, naxes, axes, keepdims, out, &status)) return status;
  const tsr__reduction_attrs attrs = {.axes = axes, .axes_count = naxes, .keepdims = keepdims};
  return tsr__call_op(ctx, op->info, &attrs, TSR__INPUTS(x), TSR__OUTPUTS(out));
}

/* ---- in a frame of its own ---- */

static tsr_status run_inner_reduction(tsr__call *call) { return tsr__reduce_call(call, call->attrs); }

tsr_status tsr__reduce_run(tsr_ctx *ctx, const tsr__reduce *r, tsr_tensor *out) {
  static const tsr__operand_info operands[] = {{TSR__OPERAND_NAME("out") TSR__OPERAND_OUTPUT}};
  static const tsr__op_info inner = {.name = "", .run = run_inner_reduction, .operands = operands};
  return tsr__call_run(
      &(tsr__call){.ctx = ctx, .info = &inner, .op = r->op, .attrs = r, .out = TSR__OUTPUTS(out), .outputs = 1});
}
