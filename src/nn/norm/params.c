/* What norms ask of their arguments, and scale and bias as kernels want them. */
#include "nn/norm/norm.h"

#include "core/tensor.h"
#include "ops/copy/copy.h"

tsr_status tsr__norm_check(tsr_ctx *ctx, const char *op, const tsr_tensor *x, tsr_real eps) {
  const tsr_status st = tsr__nn_check_float(ctx, op, "x", x);
  if (st != TSR_OK || (eps >= 0 && eps - eps == 0)) return st;
  return TSR__FAIL(ctx, TSR_EARG, op, "eps", "is %r, which is not a number of 0 or more", &eps);
}

tsr_status tsr__norm_check_param(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t, int ndim,
                                 const tsr_index *shape) {
  if (t == NULL) return TSR_OK;
  const tsr_status st = tsr__nn_check_float(ctx, op, arg, t);
  if (st != TSR_OK) return st;
  bool same = t->ndim == ndim;
  for (int i = 0; same && i < ndim; i++) same = t->shape[i] == shape[i];
  return same ? TSR_OK : TSR__FAIL(ctx, TSR_ESHAPE, op, arg, "is %t, not %S", t, ndim, shape);
}

/* Whether a kernel can read it where it is. */
static bool is_ready(int compute, const tsr_tensor *t) {
  return t->dtype == compute && tsr_is_contiguous(t, TSR_ROW_MAJOR);
}

static size_t room_of(int compute, const tsr_tensor *t) {
  return tsr__align_up((size_t)tsr_size(t) * tsr_dtype_size(compute), TSR_DATA_ALIGN);
}

tsr_status tsr__norm_take(tsr__call *call, tsr__norm_params *params) {
  size_t bytes = 0, at[TSR__NORM_PARAMS];
  void *memory;
  bool copied[TSR__NORM_PARAMS] = {false};
  for (int i = 0; i < params->count; i++) {
    const tsr_tensor *const t = params->tensor[i];
    params->data[i] = t == NULL ? NULL : t->data;
    copied[i] = t != NULL && (!is_ready(params->compute, t) || tsr__overlaps_given(call, t));
    at[i] = bytes;
    if (copied[i]) bytes += room_of(params->compute, t);
  }
  if (bytes == 0) return TSR_OK;
  const tsr_status st = tsr__call_scratch(call, bytes, &memory);
  for (int i = 0; i < params->count && st == TSR_OK; i++)
    if (copied[i]) params->data[i] = (char *)memory + at[i];
  return st;
}

static void bring(const tsr_ctx *ctx, int compute, const tsr_tensor *t, const void *to) {
  tsr_tensor copy;
  tsr__describe(compute, t->ndim, t->shape, &copy);
  tsr__strides_for(copy.ndim, copy.shape, TSR_ROW_MAJOR, copy.stride);
  copy.data = (void *)(uintptr_t)to;
  tsr__copy_no_alias(ctx, t, &copy);
}

void tsr__norm_bring(const tsr_ctx *ctx, const tsr__norm_params *params) {
  for (int i = 0; i < params->count; i++) {
    const tsr_tensor *const t = params->tensor[i];
    if (t != NULL && params->data[i] != t->data && tsr_size(t) > 0) bring(ctx, params->compute, t, params->data[i]);
  }
}
