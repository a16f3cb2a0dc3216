/* What functions that scatter check, and where they write. */
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"
#include "ops/scatter/scatter.h"

tsr_status tsr__scatter_check(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *src,
                              tsr_scatter_mode mode) {
  tsr_status st = tsr__check_input(ctx, op, "in", in);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "src", src);
  if (st != TSR_OK) return st;
  if ((unsigned)mode > TSR_SCATTER_MAX)
    return TSR__FAIL(ctx, TSR_EARG, op, "mode", "is %d, which is none", (int)mode);
  if (src->dtype != in->dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "src", "is %t and in is %t: the dtypes differ", src, in);
  if (mode == TSR_SCATTER_SET) return TSR_OK;
  if (in->dtype == TSR_C64 || in->dtype == TSR_C128)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "in", "is %y; only TSR_SCATTER_SET takes complex numbers", (int)in->dtype);
  if (!tsr_dtype_supported(in->dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "in", "is %y, which this build does not compute with", (int)in->dtype);
  return TSR_OK;
}

/* ---- the target ---- */

static bool overlaps(const tsr_tensor *a, const tsr_tensor *out) {
  return out->data != NULL && tsr_size(a) > 0 && tsr_size(out) > 0 && tsr__overlap(a, out);
}

/* t as dtype, row-major, in temporary memory. */
static tsr_status converted(tsr_ctx *ctx, const char *op, const tsr_tensor *t, int dtype, tsr__scratch *scratch,
                            tsr_tensor *copy) {
  size_t bytes;
  if (!tsr__mul_size((size_t)tsr_size(t), tsr__item_sizes[dtype], &bytes) || bytes > PTRDIFF_MAX)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "a copy of %t does not fit the address space", t);
  const tsr_status st = tsr__scratch_get(ctx, op, bytes, scratch);
  if (st != TSR_OK) return st;
  *copy = *t;
  copy->dtype = (uint8_t)dtype;
  copy->data = scratch->data;
  tsr__strides_for(t->ndim, t->shape, TSR_ROW_MAJOR, copy->stride);
  if (bytes > 0) tsr__copy_apart(ctx, t, copy);
  return TSR_OK;
}

/* f32 for the floats that are smaller, unless bits only move. */
static int wide_dtype(int dtype, tsr_scatter_mode mode) {
  const tsr_dtype_info *const info = tsr_dtype_describe(dtype);
  return mode != TSR_SCATTER_SET && info->class_ == TSR_CLASS_FLOAT && info->bytes < 4 ? TSR_F32 : dtype;
}

static tsr_status fill_target(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int wide, tsr_tensor *out,
                              tsr__scatter_target *target) {
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  tsr_status        st = TSR_OK;
  target->staged = wide != in->dtype;
  if (target->staged) st = converted(ctx, op, in, wide, &target->scratch, &target->view);
  if (st == TSR_OK) st = tsr__output(ctx, op, &result, out);
  if (st != TSR_OK || target->staged) return st;
  if (!tsr__same_view(in, out) && tsr_size(in) > 0) st = tsr__copy_host(ctx, op, in, out);
  target->view = *out;
  return st;
}

tsr_status tsr__scatter_begin(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *src,
                              tsr_scatter_mode mode, tsr_tensor *out, tsr__scatter_target *target) {
  const int  wide = wide_dtype(in->dtype, mode);
  tsr_status st = TSR_OK;
  target->src = *src;
  if (wide != in->dtype || overlaps(src, out))
    st = converted(ctx, op, src, wide, &target->src_scratch, &target->src);
  return st == TSR_OK ? fill_target(ctx, op, in, wide, out, target) : st;
}

void tsr__scatter_end(const tsr_ctx *ctx, bool ok, const tsr_tensor *out, tsr__scatter_target *target) {
  if (ok && target->staged && tsr_size(out) > 0) tsr__copy_apart(ctx, &target->view, out);
  tsr__scratch_put(&target->scratch);
  tsr__scratch_put(&target->src_scratch);
}
