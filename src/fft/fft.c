/* Transforms along one axis. */
#include "fft/ops.h"
#include "fft/transform.h"
#include "ops/copy/copy.h"
#include "ops/move/target.h"
#include "ops/parts.h"

/* The length of the transform: as asked for, or as x has it. */
static tsr_status check_length(const tsr__call *call, tsr__fft_axis *a) {
  const tsr_tensor *const x = call->in[0];
  const tsr_index length = x->shape[a->axis];
  if (a->n < 0) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "n", "is %l", (int64_t)a->n);
  if (a->n == 0) a->n = a->form.kind != TSR__FFT_TO_REAL ? length : length > TSR_INDEX_MAX / 2 ? 0 : 2 * (length - 1);
  if (a->n >= 1) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x", "%S has %l elements along axis %d: nothing to transform",
                   (int)x->ndim, x->shape, (int64_t)length, a->axis);
}

static tsr_status check_line(const tsr__call *call, tsr__fft_axis *a) {
  const tsr__fft_line_attrs *const attrs = call->attrs;
  tsr_status st = tsr__fft_dtype(call, a->form.kind == TSR__FFT_TO_HALF, &a->dtype);
  a->axis = attrs->axis;
  a->n = attrs->n;
  if (st == TSR_OK) st = tsr__call_axis(call, "axis", call->in[0]->ndim, &a->axis);
  if (st == TSR_OK) st = check_length(call, a);
  if (st == TSR_OK) st = tsr__fft_check_norm(call, (int)attrs->norm);
  if (st == TSR_OK) a->scale = tsr__fft_scale(a->form, attrs->norm, a->n);
  return st;
}

static tsr_status transform_line(tsr__call *call) {
  const tsr_tensor *const in = call->in[0];
  tsr__fft_axis a = {.form = *(const tsr__fft_form *)call->info->kernels};
  tsr_index shape[TSR_MAX_DIMS];
  tsr_tensor x;
  tsr__target target;
  size_t bytes = 0;
  void *scratch;
  tsr_status st = check_line(call, &a);
  if (st != TSR_OK) return st;
  for (int i = 0; i < in->ndim; i++) shape[i] = i == a.axis ? tsr__fft_length(&a) : in->shape[i];
  const int dtype = a.form.kind == TSR__FFT_TO_REAL ? a.dtype : tsr__fft_complex(a.dtype);
  const tsr__result result = {dtype, TSR_PLAIN, in->ndim, shape, NULL};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__fft_input(call, a.dtype, &x);
  if (st == TSR_OK) st = tsr__fft_axis_scratch(call, &a, &bytes);
  if (st == TSR_OK) st = tsr__call_scratch(call, bytes, &scratch);
  if (st != TSR_OK) return st;
  const bool in_place = in->dtype == dtype && tsr__same_view(in, call->out[0]);
  st = tsr__call_target_of(call, dtype, x.data == in->data && !in_place && tsr__call_overlaps(call), &target);
  if (st != TSR_OK || target.bytes == 0) return st;
  st = tsr__fft_axis_plan(call, &a);
  if (st != TSR_OK) return st;
  if (x.data != in->data) tsr__copy_no_alias(call->ctx, in, &x);
  tsr__fft_transform(call->ctx, &a, &x, &target.view, scratch);
  tsr__fft_axis_done(&a);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

#define LINE(name, kind, inverse, conjugated)                                                        \
  static const tsr__fft_form name##_form = {kind, inverse, conjugated};                              \
  TSR__OP_ROW(name, fft_line, transform_line, &name##_form, 0)                                       \
  tsr_status tsr_##name(tsr_ctx *ctx, const tsr_tensor *x, tsr_index n, int axis, tsr_fft_norm norm, \
                        tsr_tensor *out) {                                                           \
    const tsr__fft_line_attrs attrs = {.n = n, .axis = axis, .norm = norm};                          \
    return tsr__call_op(ctx, &tsr__op_##name, &attrs, TSR__INPUTS(x), TSR__OUTPUTS(out));            \
  }
LINE(fft, TSR__FFT_COMPLEX, false, false)  /* tsr_fft */
LINE(ifft, TSR__FFT_COMPLEX, true, false)  /* tsr_ifft */
LINE(rfft, TSR__FFT_TO_HALF, false, false) /* tsr_rfft */
LINE(irfft, TSR__FFT_TO_REAL, true, false) /* tsr_irfft */
LINE(hfft, TSR__FFT_TO_REAL, true, true)   /* tsr_hfft */
LINE(ihfft, TSR__FFT_TO_HALF, false, true) /* tsr_ihfft */
