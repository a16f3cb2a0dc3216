/* Creation: one number everywhere, evenly spaced numbers, ones on a diagonal. */
#include "cuda/engines/engines.h"

#include "ops/cast/convert.h"
#include "ops/copy/ops.h"
#include "ops/create/ops.h"

tsr_status tsr__cuda_nothing(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)gpu, (void)op, (void)work, (void)plan;
  return TSR_OK;
}

/* ---- one number ---- */

static tsr_status fill_output(tsr__cuda *gpu, const tsr_work *work, tsr_status st, const void *element,
                              tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  return st == TSR_OK ? tsr__cuda_plan_fill(gpu, work->ctx, element, &out, plan) : st;
}

static tsr_status fill_real(tsr__cuda *gpu, const tsr_work *work, tsr_real value, tsr__cuda_plan *plan) {
  unsigned char element[16];
  const tsr_status st = tsr__scalar_from_real(work->ctx, work->op, "value", work->out[0]->dtype, value, element);
  return fill_output(gpu, work, st, element, plan);
}

static tsr_status fill_whole(tsr__cuda *gpu, const tsr_work *work, int64_t value, tsr__cuda_plan *plan) {
  unsigned char element[16];
  const tsr_status st = tsr__scalar_from_i64(work->ctx, work->op, "value", work->out[0]->dtype, value, element);
  return fill_output(gpu, work, st, element, plan);
}

tsr_status tsr__cuda_zeros(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return fill_whole(gpu, work, 0, plan);
}
tsr_status tsr__cuda_ones(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return fill_whole(gpu, work, 1, plan);
}
tsr_status tsr__cuda_full(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return fill_real(gpu, work, ((const tsr__full_attrs *)work->attrs)->value, plan);
}
tsr_status tsr__cuda_full_like(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return fill_real(gpu, work, ((const tsr__full_like_attrs *)work->attrs)->value, plan);
}
tsr_status tsr__cuda_fill(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return fill_real(gpu, work, ((const tsr__fill_attrs *)work->attrs)->value, plan);
}
tsr_status tsr__cuda_fill_i64(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return fill_whole(gpu, work, ((const tsr__fill_i64_attrs *)work->attrs)->value, plan);
}

static tsr_status fill_pair(tsr__cuda *gpu, const tsr_work *work, tsr_complex value, tsr__cuda_plan *plan) {
  unsigned char element[16];
  const tsr_status st = tsr__scalar_from_complex(work->ctx, work->op, "value", work->out[0]->dtype, value, element);
  return fill_output(gpu, work, st, element, plan);
}
tsr_status tsr__cuda_full_complex(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return fill_pair(gpu, work, ((const tsr__full_complex_attrs *)work->attrs)->value, plan);
}
tsr_status tsr__cuda_fill_complex(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return fill_pair(gpu, work, ((const tsr__fill_complex_attrs *)work->attrs)->value, plan);
}

/* ---- by the place ---- */

/* A line of the place of an element, a, and two numbers, which gives from; then converted to the output. */
static tsr_status plan_place(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, const char *line, int from,
                             const void *b, const void *c, const int64_t *factor, tsr__cuda_plan *plan) {
  tsr__cuda_elements e = {.maker = op, .out = tsr__cuda_output(work, 0)};
  const uint8_t dtype = (uint8_t)from;
  tsr__cuda_add_position(&e, 0, factor);
  tsr__cuda_add_number(&e, from, b);
  tsr__cuda_add_number(&e, from, c);
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = line,
                                          .inputs = 3,
                                          .in = {0, 1, 2},
                                          .dtype = {TSR_I64, dtype, dtype},
                                          .compute = dtype,
                                          .result = dtype,
                                          .out = work->out[0]->dtype};
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}

static const int64_t one_axis[TSR_MAX_DIMS] = {1};
static const char integer_line[] = "(int64_t)((uint64_t)b + (uint64_t)c * (uint64_t)a)";
static const char real_line[] = "b + (double)a * c";

static tsr_status plan_integers(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, int64_t start,
                                int64_t step, tsr__cuda_plan *plan) {
  return plan_place(gpu, op, work, integer_line, TSR_I64, &start, &step, one_axis, plan);
}

tsr_status tsr__cuda_arange_i64(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__arange_i64_attrs *const attrs = work->attrs;
  return plan_integers(gpu, op, work, attrs->start, attrs->step, plan);
}

tsr_status tsr__cuda_arange(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__arange_attrs *const attrs = work->attrs;
  const int class_ = tsr_dtype_describe(work->out[0]->dtype)->class_;
  const double start = (double)attrs->start, step = (double)attrs->step;
  if (class_ != TSR_CLASS_FLOAT && class_ != TSR_CLASS_COMPLEX)
    return plan_integers(gpu, op, work, (int64_t)start, (int64_t)step, plan);
  return plan_place(gpu, op, work, real_line, TSR_F64, &start, &step, one_axis, plan);
}

/* The last is stop itself. */
tsr_status tsr__cuda_linspace(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__linspace_attrs *const attrs = work->attrs;
  const double start = (double)attrs->start, stop = (double)attrs->stop;
  const double steps = attrs->count > 1 ? (double)(attrs->count - 1) : 1;
  double step = (stop - start) / steps;
  if (!(step - step == 0)) step = stop / steps - start / steps; /* the ends are further apart than a number can say */
  tsr_status st = plan_place(gpu, op, work, real_line, TSR_F64, &start, &step, one_axis, plan);
  if (st != TSR_OK || attrs->count <= 1) return st;
  tsr__cuda_view last = tsr__cuda_output(work, 0);
  last.ref.offset +=
      (ptrdiff_t)((attrs->count - 1) * last.tensor.stride[0]) * (ptrdiff_t)tsr_dtype_size(last.tensor.dtype);
  last.tensor.ndim = 0;
  last.tensor.data = NULL;
  unsigned char element[16];
  st = tsr__scalar_from_real(work->ctx, work->op, "stop", last.tensor.dtype, attrs->stop, element);
  return st == TSR_OK ? tsr__cuda_plan_fill(gpu, work->ctx, element, &last, plan) : st;
}

/* 1 where the column is the row and the offset. */
tsr_status tsr__cuda_eye(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__eye_attrs *const attrs = work->attrs;
  const int64_t factor[TSR_MAX_DIMS] = {-1, 1}, offset = attrs->offset, none = 0;
  return plan_place(gpu, op, work, "a == b ? 1 : 0", TSR_I64, &offset, &none, factor, plan);
}
