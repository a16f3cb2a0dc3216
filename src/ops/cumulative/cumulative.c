/* The checks, and the way through memory. */
#include "ops/cumulative/ops.h"

#include "cpu/parallel.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"
#include "ops/cumulative/engine.h"
#include "ops/reduce/reduce.h"

void tsr__cumulative_fetch(const tsr__cumulative *c, tsr_index n, const char *x, ptrdiff_t step, char *values) {
  if (!tsr__reduce_reads(c->compute, c->in_dtype))
    tsr__convert_row(c->isa, c->in_dtype, c->compute, n, x, step, values, c->item);
  else if (TSR__CUMULATIVE_FAST && step != c->item && n >= 32)
    c->move->strided(&(tsr__block){x, values, {n, 1}, {step, 0}, {c->item, 0}, (size_t)c->item, false, NULL});
  else
    tsr__move_row((size_t)c->item, n, x, step, values, c->item);
}

void tsr__cumulative_store(const tsr__cumulative *c, tsr_index n, const char *values, char *out, ptrdiff_t step) {
  if (tsr__reduce_reads(c->compute, c->out_dtype))
    tsr__move_row((size_t)c->item, n, values, c->item, out, step);
  else
    tsr__convert_row(c->isa, c->compute, c->out_dtype, n, values, c->item, out, step);
}

/* x and out without the axis, as two operands of one shape. */
static void drop_axis(tsr__cumulative *c, const tsr_tensor *x, const tsr_tensor *out, int axis) {
  tsr_tensor a = *x, b = *out;
  c->length = x->shape[axis];
  c->in_step = (ptrdiff_t)x->stride[axis] * tsr__item(x);
  c->out_step = (ptrdiff_t)out->stride[axis] * tsr__item(out);
  for (int i = axis; i + 1 < x->ndim; i++) {
    a.shape[i] = b.shape[i] = x->shape[i + 1];
    a.stride[i] = x->stride[i + 1];
    b.stride[i] = out->stride[i + 1];
  }
  a.ndim = b.ndim = (uint8_t)(x->ndim - 1);
  const tsr_tensor *const operands[2] = {&a, &b};
  tsr__loop_init(&c->kept, 2, operands);
}

static ptrdiff_t magnitude(ptrdiff_t step) { return step < 0 ? -step : step; }

/* Elements of a row that cost less side by side, although they are transposed twice: of sums, of extremes, whose rows go
 * element by element, and of what is converted. */
enum { SHORT_SUMS = 24, SHORT_EXTREMES = 48, SHORT_CONVERTED = TSR__REDUCE_SHORT };

#if TSR__CUMULATIVE_FAST
static tsr_index most_side_by_side(const tsr__cumulative *c) {
  const bool same = tsr__reduce_reads(c->compute, c->in_dtype) && tsr__reduce_reads(c->compute, c->out_dtype);
  return !same ? SHORT_CONVERTED : c->sums ? SHORT_SUMS : SHORT_EXTREMES;
}
#else
static tsr_index most_side_by_side(const tsr__cumulative *c) {
  (void)c;
  return 0;
}
#endif

/* Where neighbours in memory belong to different rows, and where there are many short rows. Both ways give the same
 * bits. */
static bool by_columns(const tsr__cumulative *c) {
  const ptrdiff_t step = magnitude(c->kept.step[0][0]);
  if (TSR__CUMULATIVE_FAST && c->length <= most_side_by_side(c) && tsr__reduce_is_short(c->kept.length[0], c->length))
    return true;
  return TSR__CUMULATIVE_FAST && c->kept.length[0] >= 8 && c->length > 1 && c->length * c->kept.size >= 1024 &&
         step != 0 && step < magnitude(c->in_step);
}

static tsr_status check_scan(const tsr__call *call, int *axis) {
  const tsr__cumsum_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  *axis = attrs->axis;
  const tsr__cumulative_op *const op = call->info->kernels;
  if (!op->sums && tsr_dtype_describe(x->dtype)->class_ == TSR_CLASS_COMPLEX)
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "x", "is %y; %s takes real numbers", (int)x->dtype, call->op);
  if (!tsr_dtype_supported(x->dtype))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "x", "is %y, which this build does not compute with",
                     (int)x->dtype);
  return tsr__call_axis(call, "axis", x->ndim, axis);
}

/* The dtypes and the kernel. */
static tsr__cumulative prepare_scan(const tsr_ctx *ctx, const tsr__cumulative_op *op, int dtype) {
  const int isa = tsr__isa_of(ctx), out_dtype = op->sums ? tsr__reduce_sum_dtype(dtype) : dtype;
  const int compute = tsr__reduce_compute(out_dtype);
  return (tsr__cumulative) {
    .kernel = op->tables[isa][compute],
#if TSR__CUMULATIVE_FAST
    .sums = op->sums,
#endif
    .isa = isa, .in_dtype = dtype, .out_dtype = out_dtype, .compute = compute,
    .item = (ptrdiff_t)tsr_dtype_size(compute), .move = TSR__CUMULATIVE_FAST ? tsr__move_kernels_of(ctx) : NULL
  };
}

/* The way through memory; returns the temporary bytes that it needs. */
static size_t plan_scan(const tsr_ctx *ctx, tsr__cumulative *c, const tsr_tensor *x, int axis, const tsr_tensor *out) {
  const int workers = TSR_HAVE_THREADS ? tsr__parallel(ctx)->max_workers : 1;
  if (tsr_size(out) == 0) return 0;
  c->no_alias = x->data != out->data;
  drop_axis(c, x, out, axis);
  c->columns = by_columns(c);
  return c->columns ? tsr__cumulative_plan_columns(c, workers) : tsr__cumulative_plan_rows(c, workers);
}

static void run_scan(const tsr_ctx *ctx, tsr__cumulative *c, void *memory) {
  c->memory = memory;
  if (c->columns)
    tsr__cumulative_columns(ctx, c);
  else
    tsr__cumulative_rows(ctx, c);
}

static bool must_copy(const tsr__call *call, const tsr_tensor *x, const tsr_tensor *out) {
  return tsr__call_was_given(call, 0) && out->data != NULL && x->data != NULL && tsr__overlap(x, out) &&
         !tsr__same_view(x, out);
}

tsr_status tsr__cumulative_call(tsr__call *call) {
  const tsr_tensor *const in = call->in[0], *const out = call->out[0], *x = in;
  tsr_tensor copy;
  void *memory;
  int axis;
  tsr_status st = check_scan(call, &axis);
  if (st != TSR_OK) return st;
  tsr__cumulative c = prepare_scan(call->ctx, call->info->kernels, in->dtype);
  const tsr__result result = {c.out_dtype, in->layout, in->ndim, in->shape, in};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK && must_copy(call, in, out)) {
    st = tsr__call_copy_of(call, in, &copy);
    x = &copy;
  }
  if (st == TSR_OK) st = tsr__call_scratch(call, plan_scan(call->ctx, &c, x, axis, out), &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || tsr_size(out) == 0) return st;
  if (x == &copy) tsr__move_no_alias(call->ctx, in, &copy);
  run_scan(call->ctx, &c, memory);
  return TSR_OK;
}
