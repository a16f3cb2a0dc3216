/* Transforms of frames: the signal with its edges, seen as overlapping lines, which are weighed on their way into the transform. */
#include "fft/frames.h"
#include "fft/ops.h"
#include "ops/copy/copy.h"
#include "ops/move/target.h"
#include "ops/parts.h"

#if TSR_HAVE_MALLOC && TSR_HAVE_F64

/* ---- checks ---- */

/* What the edges need of the signal. */
static tsr_status check_edges(const tsr__call *call, const tsr__frames *f, tsr_index length) {
  const tsr__stft_attrs *const attrs = call->attrs;
  const int mode = (int)attrs->mode;
  if (mode < TSR_PAD_CONSTANT || mode > TSR_PAD_WRAP)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "mode", "is %d, and not constant, edge, reflect or wrap", mode);
  const tsr_index least = f->edge == 0              ? 0
                          : mode == TSR_PAD_REFLECT ? f->edge + 1
                          : mode == TSR_PAD_WRAP    ? f->edge
                          : mode == TSR_PAD_EDGE    ? 1
                                                    : 0;
  if (length < least)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x",
                     "has %l elements, %l more at each end are made of at least %l", (int64_t)length, (int64_t)f->edge,
                     (int64_t)least);
  if (length > TSR_INDEX_MAX / 2 || length + 2 * f->edge < f->n)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x", "has %l elements, a frame has %l", (int64_t)length,
                     (int64_t)f->n);
  return TSR_OK;
}

static tsr_status check_signal(const tsr__call *call, tsr__frames *f) {
  const tsr__stft_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  tsr_status st = tsr__fft_dtype(call, false, &f->dtype);
  if (st != TSR_OK) return st;
  if (x->ndim < 1 || x->ndim >= TSR_MAX_DIMS)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x", "is of rank %d: 1 to %d are taken", (int)x->ndim,
                     TSR_MAX_DIMS - 1);
  f->n = attrs->n, f->hop = attrs->hop, f->window = call->in[1];
  f->is_real = !tsr__is_complex(x->dtype);
  st = tsr__check_frames(call, 0, attrs->center, f);
  if (st == TSR_OK) st = check_edges(call, f, x->shape[x->ndim - 1]);
  if (st == TSR_OK) st = tsr__fft_check_norm(call, (int)attrs->norm);
  if (st == TSR_OK) f->count = 1 + (x->shape[x->ndim - 1] + 2 * f->edge - f->n) / f->hop;
  return st;
}

/* ---- the signal with its edges ---- */

/* Temporary memory for it, or the signal itself where nothing is to be changed. */
static tsr_status plan_signal(tsr__call *call, const tsr__frames *f, tsr_tensor *signal) {
  const tsr_tensor *const x = call->in[0];
  if (f->edge == 0) return tsr__fft_input(call, f->dtype, signal);
  *signal = (tsr_tensor){.dtype = (uint8_t)(f->is_real ? f->dtype : tsr__fft_complex(f->dtype)), .ndim = x->ndim};
  for (int i = 0; i < x->ndim; i++) signal->shape[i] = x->shape[i];
  signal->shape[x->ndim - 1] += 2 * f->edge;
  return tsr__plan_tensor(call, "x", signal);
}

/* The edge elements before the signal, which begins at f->edge, or behind it. */
static void fill_edge(const tsr_ctx *ctx, const tsr__frames *f, tsr_pad_mode mode, const tsr_tensor *signal,
                      bool before) {
  const int axis = signal->ndim - 1;
  const tsr_index edge = f->edge, length = signal->shape[axis] - 2 * edge, step = mode == TSR_PAD_REFLECT ? -1 : 1;
  const tsr_tensor to = tsr__part(signal, axis, before ? 0 : edge + length, edge);
  if (mode == TSR_PAD_CONSTANT) {
    tsr__fill_host(ctx, &to, (const double[2]){0, 0});
    return;
  }
  const tsr_index first = mode == TSR_PAD_WRAP   ? (before ? length : edge)
                          : mode == TSR_PAD_EDGE ? (before ? edge : edge + length - 1)
                                                 : (before ? 2 * edge : edge + length - 2);
  tsr_tensor from = tsr__part(signal, axis, first, edge);
  from.stride[axis] = mode == TSR_PAD_EDGE ? 0 : step * from.stride[axis];
  tsr__move_no_alias(ctx, &from, &to);
}

static void fill_signal(const tsr__call *call, const tsr__frames *f, const tsr_tensor *signal) {
  const tsr__stft_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  const int axis = x->ndim - 1;
  if (signal->data == x->data) return;
  const tsr_tensor inside = tsr__part(signal, axis, f->edge, x->shape[axis]);
  tsr__copy_no_alias(call->ctx, x, &inside);
  if (f->edge == 0) return;
  fill_edge(call->ctx, f, attrs->mode, signal, true);
  fill_edge(call->ctx, f, attrs->mode, signal, false);
}

/* ---- the call ---- */

static tsr__fft_axis axis_of(const tsr__call *call, const tsr__frames *f) {
  const tsr__stft_attrs *const attrs = call->attrs;
  const tsr__fft_form form = {f->is_real ? TSR__FFT_TO_HALF : TSR__FFT_COMPLEX, false, false};
  return (tsr__fft_axis){.form = form,
                         .axis = call->in[0]->ndim,
                         .n = f->n,
                         .scale = tsr__fft_scale(form, attrs->norm, f->n),
                         .dtype = f->dtype};
}

/* (..., length) as (..., frames, n), and (..., frequencies, frames) as (..., frames, frequencies). */
static void transform_frames(const tsr__call *call, const tsr__frames *f, const tsr__fft_axis *a,
                             const tsr_tensor *signal, const tsr_tensor *out, void *scratch) {
  const int last = signal->ndim;
  tsr_tensor from = *signal, to = *out;
  from.ndim = (uint8_t)(last + 1);
  from.stride[last] = signal->stride[last - 1];
  from.stride[last - 1] = f->hop * signal->stride[last - 1];
  from.shape[last] = f->n;
  from.shape[last - 1] = to.shape[last - 1] = f->count;
  to.shape[last] = out->shape[last - 1];
  to.stride[last] = out->stride[last - 1], to.stride[last - 1] = out->stride[last];
  tsr__fft_transform(call->ctx, a, &from, &to, scratch);
}

static tsr_status stft(tsr__call *call) {
  const tsr_tensor *const x = call->in[0];
  tsr__frames f = {.weights = NULL};
  tsr_index shape[TSR_MAX_DIMS];
  tsr_tensor signal;
  tsr__target target = {.bytes = 0};
  size_t bytes = 0;
  void *scratch;
  tsr_status st = check_signal(call, &f);
  if (st != TSR_OK) return st;
  tsr__fft_axis a = axis_of(call, &f);
  for (int i = 0; i < x->ndim; i++) shape[i] = x->shape[i];
  shape[x->ndim - 1] = tsr__fft_length(&a), shape[x->ndim] = f.count;
  const int dtype = tsr__fft_complex(f.dtype);
  const tsr__result result = {dtype, TSR_PLAIN, x->ndim + 1, shape, NULL};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = plan_signal(call, &f, &signal);
  if (st == TSR_OK) st = tsr__plan_weights(call, &f);
  if (st == TSR_OK) st = tsr__fft_axis_scratch(call, &a, &bytes);
  if (st == TSR_OK) st = tsr__call_scratch(call, bytes, &scratch);
  if (st == TSR_OK) st = tsr__call_target_of(call, dtype, signal.data == x->data && tsr__call_overlaps(call), &target);
  if (st != TSR_OK || target.bytes == 0) return st;
  st = tsr__fft_axis_plan(call, &a);
  if (st != TSR_OK) return st;
  tsr__fill_weights(call->ctx, &f);
  fill_signal(call, &f, &signal);
  a.window = f.weights;
  transform_frames(call, &f, &a, &signal, &target.view, scratch);
  tsr__fft_axis_done(&a);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

#else

static tsr_status stft(tsr__call *call) {
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, NULL, "needs f64 and malloc");
}

#endif

TSR__OP(stft, stft, 0)
tsr_status tsr_stft(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *window, tsr_index n, tsr_index hop,
                    bool center, tsr_pad_mode mode, tsr_fft_norm norm, tsr_tensor *out) {
  return TSR__CALL(stft, ctx, TSR__INPUTS(x, window), TSR__OUTPUTS(out), .n = n, .hop = hop, .center = center,
                   .mode = mode, .norm = norm);
}
