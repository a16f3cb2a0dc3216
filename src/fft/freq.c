/* Frequencies, and frequency 0 in the middle. */
#include "fft/ops.h"
#include "ops/copy/copy.h"
#include "ops/move/target.h"

/* ---- frequencies ---- */

static tsr_status check_freq(const tsr__call *call, const tsr__fftfreq_attrs *attrs) {
  const tsr_status st = tsr__check_dtype(call->ctx, call->op, "dtype", attrs->dtype);
  if (st != TSR_OK) return st;
  if (tsr_dtype_describe(attrs->dtype)->class_ != TSR_CLASS_FLOAT || !tsr_dtype_supported(attrs->dtype))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "dtype", "is %s: frequencies are real floats",
                     tsr_dtype_name(attrs->dtype));
  if (attrs->n < 1) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "n", "is %l", (int64_t)attrs->n);
  if (!(attrs->d > 0 || attrs->d < 0)) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "d", "is 0 or not a number");
  return TSR_OK;
}

static tsr_status frequencies(tsr__call *call, bool half) {
  const tsr__fftfreq_attrs *const attrs = call->attrs;
  tsr_status st = check_freq(call, attrs);
  if (st != TSR_OK) return st;
  const tsr_index n = attrs->n, count = half ? n / 2 + 1 : n;
  const tsr_real unit = 1 / ((tsr_real)n * attrs->d);
  const tsr__result result = {attrs->dtype, TSR_PLAIN, 1, &count, NULL};
  void *memory;
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__call_scratch(call, (size_t)count * sizeof(tsr_real), &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  const tsr_tensor numbers = {
      .dtype = sizeof(tsr_real) == 8 ? TSR_F64 : TSR_F32, .ndim = 1, .shape = {count}, .stride = {1}, .data = memory};
  for (tsr_index i = 0; i < count; i++)
    ((tsr_real *)memory)[i] = (tsr_real)(half || i <= (n - 1) / 2 ? i : i - n) * unit;
  tsr__copy_no_alias(call->ctx, &numbers, call->out[0]);
  return TSR_OK;
}

static tsr_status fftfreq(tsr__call *call) { return frequencies(call, false); }
static tsr_status rfftfreq(tsr__call *call) { return frequencies(call, true); }

TSR__OP(fftfreq, fftfreq, 0)
tsr_status tsr_fftfreq(tsr_ctx *ctx, int dtype, tsr_index n, tsr_real d, tsr_tensor *out) {
  return TSR__CALL(fftfreq, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .dtype = dtype, .n = n, .d = d);
}

TSR__OP_LIKE(rfftfreq, fftfreq, rfftfreq, 0)
tsr_status tsr_rfftfreq(tsr_ctx *ctx, int dtype, tsr_index n, tsr_real d, tsr_tensor *out) {
  const tsr__fftfreq_attrs attrs = {.dtype = dtype, .n = n, .d = d};
  return tsr__call_op(ctx, &tsr__op_rfftfreq, &attrs, TSR__NO_INPUT, TSR__OUTPUTS(out));
}

/* ---- shifts ---- */

/* The two parts of an axis change places: along each axis of the mask, so that 2^axes parts are copied. */
static void shift_parts(const tsr_ctx *ctx, tsr_tensor from, tsr_tensor to, uint32_t mask, int axis, bool back,
                        size_t whole) {
  while (axis < from.ndim && ((mask >> axis & 1) == 0 || from.shape[axis] < 2)) axis++;
  if (axis == from.ndim) {
    tsr__copy_part(ctx, &from, &to, whole);
    return;
  }
  const tsr_index n = from.shape[axis], moved = back ? n - n / 2 : n / 2, kept = n - moved;
  shift_parts(ctx, tsr__part(&from, axis, 0, kept), tsr__part(&to, axis, moved, kept), mask, axis + 1, back, whole);
  shift_parts(ctx, tsr__part(&from, axis, kept, moved), tsr__part(&to, axis, 0, moved), mask, axis + 1, back, whole);
}

static tsr_status shift(tsr__call *call, bool back) {
  const tsr__fftshift_attrs *const attrs = call->attrs;
  const tsr_tensor *const in = call->in[0];
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  tsr__target target;
  uint32_t mask;
  tsr_status st = tsr__check_axes(call->ctx, call->op, in, attrs->axes_count, attrs->axes, &mask);
  if (st == TSR_OK) st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  if (target.bytes > 0) shift_parts(call->ctx, *in, target.view, mask, 0, back, target.bytes);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

static tsr_status fftshift(tsr__call *call) { return shift(call, false); }
static tsr_status ifftshift(tsr__call *call) { return shift(call, true); }

TSR__OP(fftshift, fftshift, 0)
tsr_status tsr_fftshift(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, tsr_tensor *out) {
  return TSR__CALL(fftshift, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axes_count = naxes, .axes = axes);
}

TSR__OP_LIKE(ifftshift, fftshift, ifftshift, 0)
tsr_status tsr_ifftshift(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, tsr_tensor *out) {
  const tsr__fftshift_attrs attrs = {.axes_count = naxes, .axes = axes};
  return tsr__call_op(ctx, &tsr__op_ifftshift, &attrs, TSR__INPUTS(x), TSR__OUTPUTS(out));
}
