/* Frequencies of Fourier transforms, and frequency 0 in the middle. */
#include "cuda/engines/engines.h"

#include "fft/ops.h"

/* Place a, or below 0 from b on, times the unit p. */
static tsr_status plan_frequencies(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, bool half,
                                   tsr__cuda_plan *plan) {
  const tsr__fftfreq_attrs *const attrs = work->attrs;
  const int64_t n = attrs->n, middle = half ? n : (n - 1) / 2, along[TSR_MAX_DIMS] = {1};
  const double unit = (double)(1 / ((tsr_real)attrs->n * attrs->d));
  tsr__cuda_elements e = {.maker = op, .out = tsr__cuda_output(work, 0)};
  tsr__cuda_add_position(&e, 0, along);
  tsr__cuda_add_number(&e, TSR_I64, &middle);
  tsr__cuda_add_number(&e, TSR_I64, &n);
  tsr__cuda_add_number(&e, TSR_F64, &unit);
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = "(double)(a <= b ? a : a - c) * p",
                                          .inputs = 4,
                                          .in = {0, 1, 2, 3},
                                          .dtype = {TSR_I64, TSR_I64, TSR_I64, TSR_F64},
                                          .compute = TSR_F64,
                                          .result = TSR_F64,
                                          .out = e.out.tensor.dtype};
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}
tsr_status tsr__cuda_fftfreq(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  return plan_frequencies(gpu, op, work, false, plan);
}
tsr_status tsr__cuda_rfftfreq(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  return plan_frequencies(gpu, op, work, true, plan);
}

/* Indices first … first + n of an axis. */
static tsr__cuda_view some_of(const tsr__cuda_view *v, int axis, tsr_index first, tsr_index n) {
  tsr__cuda_view some = *v;
  const ptrdiff_t bytes = (ptrdiff_t)(first * v->tensor.stride[axis]) * (ptrdiff_t)tsr_dtype_size(v->tensor.dtype);
  some.ref.offset += bytes;
  if (some.tensor.data != NULL) some.tensor.data = (char *)some.tensor.data + bytes;
  some.tensor.shape[axis] = n;
  return some;
}

/* The two parts of each axis of the mask change places. */
static tsr_status shift_parts(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *from, const tsr__cuda_view *to,
                              uint32_t mask, int axis, bool back, tsr__cuda_plan *plan) {
  while (axis < from->tensor.ndim && ((mask >> axis & 1) == 0 || from->tensor.shape[axis] < 2)) axis++;
  if (axis == from->tensor.ndim) return tsr__cuda_plan_cast(gpu, ctx, from, to, plan);
  const tsr_index n = from->tensor.shape[axis], moved = back ? n - n / 2 : n / 2, kept = n - moved;
  const tsr__cuda_view first = some_of(from, axis, 0, kept), last = some_of(from, axis, kept, moved);
  const tsr__cuda_view to_end = some_of(to, axis, moved, kept), to_begin = some_of(to, axis, 0, moved);
  const tsr_status st = shift_parts(gpu, ctx, &first, &to_end, mask, axis + 1, back, plan);
  return st == TSR_OK ? shift_parts(gpu, ctx, &last, &to_begin, mask, axis + 1, back, plan) : st;
}

static tsr_status plan_shift(tsr__cuda *gpu, const tsr_work *work, bool back, tsr__cuda_plan *plan) {
  const tsr__fftshift_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view in = tsr__cuda_input(work, 0);
  uint32_t mask;
  tsr_status st = tsr__check_axes(work->ctx, work->op, work->in[0], attrs->axes_count, attrs->axes, &mask);
  if (st == TSR_OK) st = tsr__cuda_unaliased(gpu, work->ctx, &out, &in, plan);
  return st == TSR_OK ? shift_parts(gpu, work->ctx, &in, &out, mask, 0, back, plan) : st;
}
tsr_status tsr__cuda_fftshift(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_shift(gpu, work, false, plan);
}
tsr_status tsr__cuda_ifftshift(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_shift(gpu, work, true, plan);
}
