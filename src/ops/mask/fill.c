/* tsr_masked_fill: one element to every place under a mask. */
#include "cpu/iterate.h"
#include "cpu/move.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"
#include "ops/mask/bits.h"
#include "ops/mask/ops.h"

#include <string.h>

typedef struct filling {
  size_t item;
  _Alignas(16) unsigned char element[16];
} filling;

/* All elements are written, so that there is no branch; those that stay, with themselves. */
#define FILL_EACH(type)                                                                                      \
  do {                                                                                                       \
    type value;                                                                                              \
    memcpy(&value, f->element, sizeof value);                                                                \
    if (step[0] == (ptrdiff_t)sizeof(type) && step[1] == 1) {                                                \
      type *const to = (type *)(void *)at[0];                                                                \
      for (tsr_index i = 0; i < n; i++) to[i] = mask[i] != 0 ? value : to[i];                                \
    } else {                                                                                                 \
      for (tsr_index i = 0; i < n; i++)                                                                      \
        if (mask[(ptrdiff_t)i * step[1]] != 0) memcpy(at[0] + (ptrdiff_t)i * step[0], &value, sizeof value); \
    }                                                                                                        \
  } while (0)

static void fill_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const filling *const f = args->param;
  const unsigned char *const mask = (const unsigned char *)at[1];
  switch (f->item) {
    case 1: FILL_EACH(uint8_t); break;
    case 2: FILL_EACH(uint16_t); break;
    case 4: FILL_EACH(uint32_t); break;
    case 8: FILL_EACH(uint64_t); break;
    default:
      for (tsr_index i = 0; i < n; i++)
        if (mask[(ptrdiff_t)i * step[1]] != 0) memcpy(at[0] + (ptrdiff_t)i * step[0], f->element, 16);
  }
}

static void fill_masked(const tsr_ctx *ctx, filling *f, const tsr_tensor *mask, const tsr_tensor *out) {
  const tsr_tensor *const operands[2] = {out, mask};
  tsr__loop loop;
  tsr__loop_init(&loop, 2, operands);
  tsr__loop_run_parallel(ctx, &loop, TSR__COPY_GRAIN_BYTES / (tsr_index)f->item, fill_row, f);
}

static tsr_status masked_fill(tsr__call *call) {
  const tsr__masked_fill_attrs *const attrs = call->attrs;
  const tsr_tensor *const in = call->in[0];
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  tsr_tensor view, mask, base;
  filling f = {.item = tsr_dtype_size(in->dtype)};
  tsr_status st = tsr__mask_check(call, &view);
  if (st == TSR_OK) st = tsr__scalar_from_real(call->ctx, call->op, "value", in->dtype, attrs->value, f.element);
  if (st == TSR_OK) st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__call_unaliased(call, &view, &mask);
  if (st == TSR_OK) st = tsr__call_copy_under(call, in, &base);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  tsr__fill_unaliased(call->ctx, &view, &mask);
  tsr__copy_under(call->ctx, in, &base, call->out[0]);
  if (tsr_size(in) > 0) fill_masked(call->ctx, &f, &mask, call->out[0]);
  return TSR_OK;
}

TSR__OP(masked_fill, masked_fill, 0)
tsr_status tsr_masked_fill(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *mask, tsr_real value,
                           tsr_tensor *out) {
  return TSR__CALL(masked_fill, ctx, TSR__INPUTS(in, mask), TSR__OUTPUTS(out), .value = value);
}
