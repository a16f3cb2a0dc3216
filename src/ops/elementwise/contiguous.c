#include "ops/elementwise/contiguous.h"

#include "ops/elementwise/cache_blocking.h"

/* More than is worth one thread. */
static void run_large(const tsr_ctx *ctx, const tsr__elementwise *e, tsr_index grain, tsr_index size, char *const *at,
                      const ptrdiff_t *step) {
  tsr__row_loop rows = {.row = e->kernel,
                        .param = e->param,
                        .operands = e->inputs + 1,
                        .grain = grain,
                        .row_batches = e->row_batches,
                        .no_alias = true};
  rows.item[0] = tsr__item_sizes[e->result];
  for (int k = 1; k <= e->inputs; k++) {
    rows.item[k] = tsr__item_sizes[tsr__kernel_dtype(e, k - 1)];
    rows.no_alias = rows.no_alias && at[k] != at[0];
  }
  tsr__run_flat(ctx, &rows, size, at, step);
}

bool tsr__elementwise_contiguous(tsr_ctx *ctx, const tsr__elementwise *e, tsr_tensor *out, tsr_status *status) {
  const tsr_tensor *const model = e->in[0];
  if (model == NULL || out == NULL || e->out_dtype != e->result) return false;
  const tsr_index grain = e->grain != 0 ? e->grain : TSR__GRAIN_LIGHT;
  const tsr_index size = tsr__contiguous_size_to(model, TSR__CONTIGUOUS_LARGE);
  if (size == 0) return false;
  const size_t out_item = tsr__item_sizes[e->out_dtype], out_bytes = (size_t)size * out_item;
  const bool fresh = out->dtype == TSR_NONE && out->data == NULL;
  if (!fresh && !tsr__contiguous_output(out, e->out_dtype, out_item, model)) return false;

  char *at[TSR__MAX_OPERANDS];
  ptrdiff_t step[TSR__MAX_OPERANDS];
  for (int k = 0; k < e->inputs; k++) {
    const tsr_tensor *const in = e->in[k];
    const int dtype = tsr__kernel_dtype(e, k);
    const size_t item = tsr__item_sizes[dtype];
    if (in == NULL || !tsr__contiguous_usable(in, dtype, item)) return false;
    const bool repeats = in->ndim == 0 && k > 0; /* of a rank 0 that is the model's there is one element */
    if (!repeats && k > 0 && !tsr__contiguous_alike(in, model)) return false;
    const size_t bytes = repeats ? item : (size_t)size * item;
    if (!fresh && !tsr__contiguous_safe(in->data, bytes, out->data, out_bytes)) return false;
    at[k + 1] = in->data;
    step[k + 1] = repeats ? 0 : (ptrdiff_t)item;
  }
  if (fresh) {
    const tsr__result result = {e->out_dtype, tsr__common_layout(e, model->ndim), model->ndim, model->shape, NULL};
    *status = tsr__output(ctx, e->op, &result, out);
    if (*status != TSR_OK) return true;
  }
  at[0] = out->data;
  step[0] = (ptrdiff_t)out_item;
  if (size <= grain)
    e->kernel(&(const tsr__row_args){.param = e->param, .count = 1, .next = step}, size, at, step);
  else
    run_large(ctx, e, grain, size, at, step);
  *status = TSR_OK;
  return true;
}
