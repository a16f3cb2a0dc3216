/* What norms ask of their arguments, and scale and bias as kernels want them. */
#include "nn/norm/norm.h"

#include "core/tensor.h"
#include "ops/copy/copy.h"

tsr_status tsr__norm_check(tsr_ctx *ctx, const char *op, const tsr_tensor *x, tsr_real eps) {
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__nn_check_float(ctx, op, "x", x);
  if (st != TSR_OK || (eps >= 0 && eps - eps == 0)) return st;
  return TSR__FAIL(ctx, TSR_EARG, op, "eps", "is %r, which is not a number of 0 or more", &eps);
}

tsr_status tsr__norm_check_param(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t, int ndim,
                                 const tsr_index *shape) {
  if (t == NULL) return TSR_OK;
  tsr_status st = tsr__check_input(ctx, op, arg, t);
  if (st == TSR_OK) st = tsr__nn_check_float(ctx, op, arg, t);
  if (st != TSR_OK) return st;
  bool same = t->ndim == ndim;
  for (int i = 0; same && i < ndim; i++) same = t->shape[i] == shape[i];
  return same ? TSR_OK : TSR__FAIL(ctx, TSR_ESHAPE, op, arg, "is %t, not %S", t, ndim, shape);
}

void tsr__norm_param(tsr__norm_params *params, const tsr_tensor *t) { params->tensor[params->count++] = t; }

/* Whether a kernel can read it where it is. */
static bool is_ready(int compute, const tsr_tensor *t, const tsr_tensor *out) {
  if (t->dtype != compute || !tsr_is_contiguous(t, TSR_ROW_MAJOR)) return false;
  return out == NULL || out->data == NULL || !tsr__overlap(t, out);
}

static size_t room_of(int compute, const tsr_tensor *t) {
  return tsr__align_up((size_t)tsr_size(t) * tsr_dtype_size(compute), TSR_DATA_ALIGN);
}

size_t tsr__norm_params_workspace(int compute, const tsr__norm_params *params) {
  size_t bytes = 0;
  for (int i = 0; i < params->count; i++)
    if (params->tensor[i] != NULL && !is_ready(compute, params->tensor[i], NULL))
      bytes += room_of(compute, params->tensor[i]);
  return bytes > 0 ? bytes + (TSR_DATA_ALIGN - 1) : 0;
}

static void bring(tsr_ctx *ctx, int compute, const tsr_tensor *t, void *to) {
  tsr_tensor copy;
  tsr__describe(compute, t->ndim, t->shape, &copy);
  tsr__strides_for(copy.ndim, copy.shape, TSR_ROW_MAJOR, copy.stride);
  copy.data = to;
  if (tsr_size(t) > 0) tsr__copy_apart(ctx, t, &copy);
}

tsr_status tsr__norm_fix(tsr_ctx *ctx, const char *op, int compute, const tsr_tensor *out, tsr__norm_params *params) {
  size_t bytes = 0, at = 0;
  for (int i = 0; i < params->count; i++)
    if (params->tensor[i] != NULL && !is_ready(compute, params->tensor[i], out))
      bytes += room_of(compute, params->tensor[i]);
  const tsr_status st = tsr__scratch_get(ctx, op, bytes, &params->scratch);
  if (st != TSR_OK) return st;
  for (int i = 0; i < params->count; i++) {
    const tsr_tensor *const t = params->tensor[i];
    params->data[i] = t == NULL ? NULL : t->data;
    if (t == NULL || is_ready(compute, t, out)) continue;
    params->data[i] = (char *)params->scratch.data + at;
    bring(ctx, compute, t, (char *)params->scratch.data + at);
    at += room_of(compute, t);
  }
  return TSR_OK;
}
