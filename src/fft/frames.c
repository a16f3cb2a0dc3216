#include "fft/frames.h"

#include <string.h>

#include "ops/copy/copy.h"
#include "ops/parts.h"

#if TSR_HAVE_MALLOC && TSR_HAVE_F64

static tsr_status check_window(const tsr__call *call, const tsr_tensor *window) {
  if (window->ndim != 1 || window->shape[0] < 1)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "window", "%S is no vector of weights", (int)window->ndim,
                     window->shape);
  if (!tsr_dtype_supported(window->dtype) || tsr__is_complex(window->dtype))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "window", "is %t; real weights are taken", window);
  return TSR_OK;
}

tsr_status tsr__check_frames(const tsr__call *call, tsr_index length, bool center, tsr__frames *f) {
  const tsr_status st = f->window != NULL ? check_window(call, f->window) : TSR_OK;
  if (st != TSR_OK) return st;
  if (f->n == 0) f->n = length > 0 ? length : f->window != NULL ? f->window->shape[0] : 0;
  if (f->n < 1 || f->n > TSR_INDEX_MAX / 64)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "n", "is %l%s", (int64_t)f->n,
                     f->n == 0 ? ", and there is no window that says it" : "");
  if (f->window != NULL && f->window->shape[0] > f->n)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "window", "has %l weights, more than the %l elements of a frame",
                     (int64_t)f->window->shape[0], (int64_t)f->n);
  if (f->hop == 0) f->hop = f->n < 8 ? 1 : f->n / 4;
  if (f->hop < 1 || f->hop > TSR_INDEX_MAX / 64)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "hop", "is %l", (int64_t)f->hop);
  f->edge = center ? f->n / 2 : 0;
  return TSR_OK;
}

tsr_status tsr__plan_weights(tsr__call *call, tsr__frames *f) {
  if (f->window == NULL) return TSR_OK;
  return tsr__call_scratch(call, (size_t)f->n * tsr_dtype_size(f->dtype), &f->weights);
}

void tsr__fill_weights(const tsr_ctx *ctx, const tsr__frames *f) {
  if (f->window == NULL) return;
  const tsr_index taps = f->window->shape[0];
  const size_t item = tsr_dtype_size(f->dtype), before = (size_t)((f->n - taps) / 2) * item;
  const tsr_tensor to = {
      .dtype = (uint8_t)f->dtype, .ndim = 1, .shape = {taps}, .stride = {1}, .data = (char *)f->weights + before};
  memset(f->weights, 0, (size_t)f->n * item);
  tsr__copy_no_alias(ctx, f->window, &to);
}

tsr_status tsr__plan_tensor(tsr__call *call, const char *arg, tsr_tensor *t) {
  tsr_index size = 1;
  bool fits = true;
  for (int i = 0; i < t->ndim; i++) fits = fits && tsr__mul_index(size, t->shape[i], &size);
  if (!fits || (uint64_t)size > PTRDIFF_MAX / 16)
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, arg, "does not fit the address space");
  tsr__strides_for(t->ndim, t->shape, TSR_ROW_MAJOR, t->stride);
  return tsr__call_scratch(call, (size_t)size * tsr_dtype_size(t->dtype), &t->data);
}

#endif
