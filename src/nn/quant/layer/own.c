/* Whether a struct is a layer that only an op of its own reads. */
#include "core/tensor.h"
#include "nn/quant/layer/layer.h"
#include "nn/quant/ops.h"

enum { X, W, TABLE, PANELS }; /* among the inputs */

tsr_status tsr__q_own_init(const tsr__call *call, int ndim, int kernel, tsr__q_filters *f, tsr__q_run *run) {
  const tsr_qlayer *const l = ((const tsr__qconv2d_attrs *)call->attrs)->layer;
  tsr_ctx *const ctx = call->ctx;
  run->layer = l;
  run->kernel = TSR__Q_KERNEL_PLAIN;
  run->isa = 0;
  run->depthwise = false;
  if (l->w.dtype == TSR_NONE || l->kernel != kernel || l->w.ndim != ndim)
    return TSR__FAIL(ctx, TSR_ESTATE, call->op, "layer", "is empty, or was not packed for %s", call->op);
  if (!tsr__quant_is_small(l->x_dtype) || !tsr__quant_is_small(l->out_dtype) || l->low > l->high ||
      !tsr__quant_has(l->out_dtype, l->low) || !tsr__quant_has(l->out_dtype, l->high) ||
      !tsr__quant_has(l->x_dtype, l->x_zero) || !tsr__quant_has(l->out_dtype, l->out_zero))
    return TSR__FAIL(ctx, TSR_ESTATE, call->op, "layer", "has dtypes, bounds or zero points that are none");
  const tsr_status st = tsr__check_desc(ctx, call->op, l->w.dtype, l->w.ndim, l->w.shape);
  if (st != TSR_OK) return st;
  if (call->in[X]->dtype != l->x_dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, call->op, "x", "is %t, the layer is for %y", call->in[X], (int)l->x_dtype);
  return tsr__q_filters_init(ctx, call->op, &l->w, &l->options, f);
}

/* All of its tables; run keeps the first, and what holds for each. */
static tsr_status check_tables(const tsr__call *call, tsr_index outputs, tsr_index tables, tsr__q_run *run) {
  const int32_t *const first = call->in[TABLE]->data;
  bool high = true, short_ends = true, asymmetric = false;
  for (tsr_index k = tables - 1; k >= 0; k--) {
    const tsr_status st = tsr__q_run_table(call, outputs, first + k * TSR__Q_TABLE_ROWS * outputs, run);
    if (st != TSR_OK) return st;
    high = high && run->high;
    short_ends = short_ends && run->short_ends;
    asymmetric = asymmetric || run->asymmetric;
  }
  run->high = high;
  run->short_ends = short_ends;
  run->asymmetric = asymmetric;
  return TSR_OK;
}

tsr_status tsr__q_own_parts(const tsr__call *call, const tsr__q_filters *f, tsr_index tables, size_t bytes,
                            tsr__q_run *run) {
  const tsr_tensor *const t = call->in[TABLE], *const p = call->in[PANELS];
  tsr_index rows;
  if (t == NULL || p == NULL)
    return TSR__FAIL(call->ctx, TSR_ESTATE, call->op, t == NULL ? "table" : "panels", "is empty");
  if (!tsr__mul_index(tables, TSR__Q_TABLE_ROWS, &rows) || t->dtype != TSR_I32 || t->ndim != 2 || t->shape[0] != rows ||
      t->shape[1] != f->o || !tsr_is_contiguous(t, TSR_ROW_MAJOR))
    return TSR__FAIL(call->ctx, TSR_ESTATE, call->op, "table",
                     "is %t, not contiguous i32 with four rows for each of %l tables of %l", t, (int64_t)tables,
                     (int64_t)f->o);
  if (p->dtype != TSR_U8 || p->ndim != 1 || (size_t)p->shape[0] != bytes || (bytes > 1 && p->stride[0] != 1))
    return TSR__FAIL(call->ctx, TSR_ESTATE, call->op, "panels", "are not what is packed of %t", &run->layer->w);
  run->w = p->data;
  return TSR_HAVE_OPS && call->device != NULL ? TSR_OK : check_tables(call, f->o, tables, run);
}
