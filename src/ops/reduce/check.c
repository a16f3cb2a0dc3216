/* What every reduction checks, and the dtypes that it computes with. */
#include "core/operand.h"
#include "ops/copy/copy.h"
#include "ops/elementwise/dense.h"
#include "ops/reduce/real.h"

#include <tessera/reduce.h>

static tsr_status check_axes(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int naxes, const int *axes,
                             uint32_t *reduced) {
  if (axes == NULL && naxes == 0) {
    *reduced = ((uint32_t)1 << x->ndim) - 1;
    return TSR_OK;
  }
  if (naxes < 0) return TSR__FAIL(ctx, TSR_EARG, op, "naxes", "is %d", naxes);
  if (axes == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "axes", "is NULL for %d axes", naxes);
  uint32_t seen = 0;
  for (int i = 0; i < naxes; i++) {
    int axis = 0;
    const tsr_status st = tsr__check_axis(ctx, op, "axis", axes[i], x->ndim, &axis);
    if (st != TSR_OK) return st;
    if ((seen >> axis & 1) != 0)
      return TSR__FAIL(ctx, TSR_EAXIS, op, "axes", "name axis %d of %t twice", axis, x);
    seen |= (uint32_t)1 << axis;
  }
  *reduced = seen;
  return TSR_OK;
}

/* Whether x is of the many that need no other check: small, without gaps, on the host. */
static bool is_plain(const tsr_tensor *x) {
  return x != NULL && x->dtype < TSR_DTYPE_COUNT && tsr__dense_size(x) != 0 &&
         tsr__dense_usable(x, x->dtype, tsr__item_sizes[x->dtype]);
}

tsr_status tsr__reduce_begin(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int naxes, const int *axes,
                             bool keepdims, tsr__reduce *r) {
  tsr_tensor room;
  const bool plain = is_plain(x);
  tsr_status st = plain ? TSR_OK : tsr__check_input(ctx, op, "x", x);
  if (st != TSR_OK) return st;
  if (!plain) x = tsr__operand(x, &room);
  *r = (tsr__reduce){.op = op, .x = *x, .keepdims = keepdims, .passes = 1};
  st = check_axes(ctx, op, x, naxes, axes, &r->axes);
  if (st != TSR_OK) return st;
  if (!tsr_dtype_supported(x->dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "x", "is %y, which this build does not compute with", (int)x->dtype);
  r->count = 1;
  for (int i = 0; i < x->ndim; i++)
    if ((r->axes >> i & 1) != 0) r->count *= x->shape[i];
  return TSR_OK;
}

tsr_status tsr__reduce_begin_axis(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int axis, bool keepdims,
                                  tsr__reduce *r) {
  if (axis == TSR_ALL_AXES) return tsr__reduce_begin(ctx, op, x, 0, NULL, keepdims, r);
  tsr_status st = is_plain(x) ? TSR_OK : tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, x->ndim, &axis);
  return st == TSR_OK ? tsr__reduce_begin(ctx, op, x, 1, &axis, keepdims, r) : st;
}

tsr_status tsr__reduce_check_real(tsr_ctx *ctx, const tsr__reduce *r) {
  if (r->x.dtype != TSR_C64 && r->x.dtype != TSR_C128) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDTYPE, r->op, "x", "is %y; %s takes real numbers", (int)r->x.dtype, r->op);
}

tsr_status tsr__reduce_check_some(tsr_ctx *ctx, const tsr__reduce *r) {
  if (r->count > 0) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESHAPE, r->op, "x", "is %t: %s of no elements has no result", &r->x, r->op);
}

int tsr__reduce_compute(int dtype) {
  if (dtype == TSR_BOOL) return TSR_U8;
  const tsr_dtype_info *const info = tsr_dtype_describe(dtype);
  return info->class_ == TSR_CLASS_FLOAT && info->bytes < 4 ? TSR_F32 : dtype;
}

int tsr__reduce_float_dtype(int dtype) {
  const tsr_dtype_info *const info = tsr_dtype_describe(dtype);
  if (info->class_ == TSR_CLASS_FLOAT) return dtype;
  return info->bytes <= 2 ? TSR_F32 : TSR__REDUCE_REAL;
}

int tsr__reduce_real_compute(int dtype) {
  return tsr__reduce_float_dtype(dtype) == TSR_F64 ? TSR__REDUCE_REAL : TSR_F32;
}

int tsr__reduce_sum_dtype(int dtype) {
  const int class = tsr_dtype_describe(dtype)->class_;
  return class == TSR_CLASS_FLOAT ? dtype : class == TSR_CLASS_UINT ? TSR_U64 : TSR_I64;
}

tsr_status tsr__reduce_begin_real(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int naxes, const int *axes,
                                  bool keepdims, tsr__reduce *r) {
  const tsr_status st = tsr__reduce_begin(ctx, op, x, naxes, axes, keepdims, r);
  if (st != TSR_OK) return st;
  r->out_dtype = tsr__reduce_float_dtype(x->dtype);
  r->compute = tsr__reduce_real_compute(x->dtype);
  return tsr__reduce_check_real(ctx, r);
}

void tsr__reduce_shape(const tsr__reduce *r, int *ndim, tsr_index *shape) {
  int n = 0;
  for (int i = 0; i < r->x.ndim; i++) {
    const bool gone = (r->axes >> i & 1) != 0;
    if (gone && !r->keepdims) continue;
    shape[n++] = gone ? 1 : r->x.shape[i];
  }
  *ndim = n;
}

tsr_status tsr__reduce_output(tsr_ctx *ctx, tsr__reduce *r, tsr__scratch *scratch, tsr_tensor *out) {
  int         ndim;
  tsr_index   shape[TSR_MAX_DIMS];
  tsr_tensor  copy;
  *scratch = (tsr__scratch){0};
  tsr__reduce_shape(r, &ndim, shape);
  const int         layout = ndim == r->x.ndim ? r->x.layout : TSR_PLAIN;
  const tsr__result result = {r->out_dtype, layout, ndim, shape, NULL};
  tsr_status        st = tsr__output_check(ctx, r->op, &result, out);
  if (st == TSR_OK && out->data != NULL && r->x.data != NULL && tsr__overlap(&r->x, out)) {
    st = tsr__copy_to_scratch(ctx, r->op, &r->x, scratch, &copy);
    if (st == TSR_OK) r->x = copy;
  }
  return st == TSR_OK ? tsr__output(ctx, r->op, &result, out) : st;
}

void tsr__reduce_undo(const tsr_tensor *before, tsr_tensor *out) {
  if (before->data != NULL || tsr_size(out) == 0) return;
  tsr_release(out);
  *out = *before;
}
