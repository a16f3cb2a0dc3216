/* The checks, and the way through memory. */
#include "ops/cumulative/cumulative.h"

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

/* Where neighbours in memory belong to different rows. Both ways give the same bits. */
static bool by_columns(const tsr__cumulative *c) {
  const ptrdiff_t step = magnitude(c->kept.step[0][0]);
  return TSR__CUMULATIVE_FAST && c->kept.length[0] >= 8 && c->length > 1 && c->length * c->kept.size >= 1024 &&
         step != 0 && step < magnitude(c->in_step);
}

static tsr_status run(tsr_ctx *ctx, tsr__cumulative *c) {
  const int workers = TSR_HAVE_THREADS ? tsr__parallel(ctx)->max_workers : 1;
  return by_columns(c) ? tsr__cumulative_columns(ctx, c, workers) : tsr__cumulative_rows(ctx, c, workers);
}

static tsr_status check(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int axis, int *resolved) {
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st != TSR_OK) return st;
  if (tsr_dtype_describe(x->dtype)->class_ == TSR_CLASS_COMPLEX)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "x", "is %y; %s takes real numbers", (int)x->dtype, op);
  if (!tsr_dtype_supported(x->dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "x", "is %y, which this build does not compute with", (int)x->dtype);
  return tsr__check_axis(ctx, op, "axis", axis, x->ndim, resolved);
}

/* The output is ready. x may be a copy of the input. */
static tsr_status run_into(tsr_ctx *ctx, tsr__cumulative *c, const tsr_tensor *x, int axis, const tsr_tensor *out) {
  if (tsr_size(out) == 0) return TSR_OK;
  c->isa = tsr__isa_of(ctx);
  c->move = TSR__CUMULATIVE_FAST ? tsr__move_kernels_of(ctx) : NULL;
  c->in_dtype = x->dtype;
  c->item = (ptrdiff_t)tsr_dtype_size(c->compute);
  c->apart = x->data != out->data;
  drop_axis(c, x, out, axis);
  return run(ctx, c);
}

tsr_status tsr__cumulative_run(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int axis,
                               const tsr__cumulative_tables tables, bool sums, tsr_tensor *out) {
  tsr__cumulative c = {.op = op};
  tsr__scratch    scratch = {0};
  tsr_tensor      copy;
  tsr_status      st = check(ctx, op, x, axis, &axis);
  if (st != TSR_OK) return st;
  c.out_dtype = sums ? tsr__reduce_sum_dtype(x->dtype) : x->dtype;
  c.compute = tsr__reduce_compute(c.out_dtype);
  c.kernel = tables[tsr__isa_of(ctx)][c.compute];
  const tsr__result result = {c.out_dtype, x->layout, x->ndim, x->shape, x};
  const tsr_tensor  before = out != NULL ? *out : (tsr_tensor){0};
  st = tsr__output_check(ctx, op, &result, out);
  if (st == TSR_OK && out->data != NULL && x->data != NULL && tsr__overlap(x, out) && !tsr__same_view(x, out)) {
    st = tsr__copy_to_scratch(ctx, op, x, &scratch, &copy);
    if (st == TSR_OK) x = &copy;
  }
  if (st == TSR_OK) st = tsr__output(ctx, op, &result, out);
  if (st == TSR_OK) {
    st = run_into(ctx, &c, x, axis, out);
    if (st != TSR_OK) tsr__reduce_undo(&before, out);
  }
  tsr__scratch_put(&scratch);
  return st;
}
