/* What functions that scatter check, and where they write. */
#include "ops/copy/copy.h"
#include "ops/move/indices.h"
#include "ops/scatter/scatter.h"

tsr_status tsr__scatter_check(const tsr__call *call, tsr_scatter_mode mode) {
  const tsr_tensor *const in = call->in[0], *const src = call->in[2];
  if ((unsigned)mode > TSR_SCATTER_MAX)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "mode", "is %d, which is none", (int)mode);
  if (src->dtype != in->dtype)
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "src", "is %t and in is %t: the dtypes differ", src, in);
  if (mode != TSR_SCATTER_SET && (in->dtype == TSR_C64 || in->dtype == TSR_C128))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "in", "is %y; only TSR_SCATTER_SET takes complex numbers",
                     (int)in->dtype);
  if (mode != TSR_SCATTER_SET && !tsr_dtype_supported(in->dtype))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "in", "is %y, which this build does not compute with",
                     (int)in->dtype);
  return tsr__indices_check_dtype(call->ctx, call->op, call->in[1]);
}

/* ---- the target ---- */

/* f32 for the floats that are smaller, unless bits only move. */
static int wide_dtype(int dtype, tsr_scatter_mode mode) {
  const tsr_dtype_info *const info = tsr_dtype_describe(dtype);
  return mode != TSR_SCATTER_SET && info->class_ == TSR_CLASS_FLOAT && info->bytes < 4 ? TSR_F32 : dtype;
}

tsr_status tsr__scatter_plan(tsr__call *call, const tsr__result *result, const tsr_tensor *src, tsr_scatter_mode mode,
                             bool contiguous, tsr__scatter_target *target) {
  const tsr_tensor *const in = call->in[0];
  const int wide = wide_dtype(in->dtype, mode);
  tsr_status st = tsr__call_result(call, result);
  if (st != TSR_OK) return st;
  target->view = *call->out[0];
  st = wide != in->dtype || contiguous ? tsr__call_copy_as(call, src, wide, &target->src)
                                       : tsr__call_unaliased(call, src, &target->src);
  if (st != TSR_OK) return st;
  return wide != in->dtype ? tsr__call_copy_as(call, in, wide, &target->view)
                           : tsr__call_copy_under(call, in, &target->base);
}

static bool is_staged(const tsr__call *call, const tsr__scatter_target *target) {
  return target->view.dtype != call->out[0]->dtype;
}

void tsr__scatter_fill(const tsr__call *call, const tsr_tensor *src, const tsr__scatter_target *target) {
  if (target->src.data != src->data && tsr_size(src) > 0) tsr__copy_no_alias(call->ctx, src, &target->src);
  if (!is_staged(call, target))
    tsr__copy_under(call->ctx, call->in[0], &target->base, call->out[0]);
  else if (tsr_size(call->in[0]) > 0)
    tsr__copy_no_alias(call->ctx, call->in[0], &target->view);
}

void tsr__scatter_end(const tsr__call *call, const tsr__scatter_target *target) {
  if (is_staged(call, target) && tsr_size(call->out[0]) > 0) tsr__copy_no_alias(call->ctx, &target->view, call->out[0]);
}
