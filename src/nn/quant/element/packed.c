/* Rows of two tensors of one shape, packed alike, where nothing else is taken (core/call.h): one row. */
#include "core/prepare.h"
#include "nn/quant/element/channels.h"
#include "ops/move/target.h"

#if TSR_PACKED_CALLS

typedef struct packed_rows {
  tsr__row_fn *kernel;
  tsr_index n;
  char *at[3];
  ptrdiff_t step[3];
#if TSR__QADD_BYTES
  tsr__quant_sum param;
#else
  tsr__quant_row param;
#endif
} packed_rows;

static void run_rows(const tsr_ctx *ctx, const void *plan) {
  const packed_rows *const r = plan;
  const tsr__row_args args = tsr__one_row((void *)(uintptr_t)&r->param);
  (void)ctx;
  r->kernel(&args, r->n, r->at, r->step);
}

static bool same_layout(const tsr_tensor *a, const tsr_tensor *b) {
  if (a->ndim != b->ndim) return false;
  for (int i = 0; i < a->ndim; i++)
    if (a->shape[i] != b->shape[i] || (a->shape[i] > 1 && a->stride[i] != b->stride[i])) return false;
  return true;
}

/* Apart from the inputs, or in the place of one that is no narrower. */
static bool may_write(const tsr_tensor *in, const tsr_tensor *out) {
  return (in->data == out->data && tsr__item(in) == tsr__item(out)) || !tsr__overlap(in, out);
}

tsr_status tsr__quant_rows(tsr__call *call, bool as_is, const char *const *names, const tsr_tensor *b,
                           tsr__row_fn *kernel, const tsr__quant_row *row, void *param, size_t bytes) {
  const tsr_tensor *const a = call->in[0], *const out = call->out[0];
  const tsr__result result = {row->out_dtype, a->layout, a->ndim, a->shape, a};
  packed_rows r;
  (void)as_is;
  tsr_status st = tsr__call_result(call, &result);
  if (st == TSR_OK && (bytes == 0 || bytes > sizeof r.param || !same_layout(a, b) || !same_layout(a, out)))
    st = TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, names[1], "is %t, %s is %t: this build takes them alike", b,
                   names[0], a);
  if (st == TSR_OK && (!may_write(a, out) || !may_write(b, out)))
    st = TSR__FAIL(call->ctx, TSR_EOVERLAP, call->op, "out", "overlaps an input");
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  r.kernel = kernel;
  r.n = tsr_size(a);
  r.at[0] = out->data;
  r.at[1] = a->data;
  r.at[2] = b->data;
  r.step[0] = tsr__item(out);
  r.step[1] = tsr__item(a);
  r.step[2] = tsr__item(b);
  for (size_t i = 0; i < bytes / sizeof(int32_t); i++) ((int32_t *)(void *)&r.param)[i] = ((const int32_t *)param)[i];
  return tsr__call_finish(call, NULL, run_rows, &r, sizeof r);
}
#else
typedef int tsr__quant_packed_none; /* a file has to declare something */
#endif
