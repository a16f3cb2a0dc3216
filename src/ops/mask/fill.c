/* tsr_masked_fill: one element to every place under a mask. */
#include "core/operand.h"
#include "cpu/iterate.h"
#include "cpu/move.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"
#include "ops/mask/bits.h"

#include <string.h>
#include <tessera/mask.h>

typedef struct filling {
  size_t item;
  _Alignas(16) unsigned char element[16];
} filling;

/* All elements are written, so that there is no branch; those that stay, with themselves. */
#define FILL_EACH(type)                                                                                 \
  do {                                                                                                  \
    type value;                                                                                         \
    memcpy(&value, f->element, sizeof value);                                                           \
    if (step[0] == (ptrdiff_t)sizeof(type) && step[1] == 1) {                                           \
      type *const to = (type *)(void *)at[0];                                                           \
      for (tsr_index i = 0; i < n; i++) to[i] = mask[i] != 0 ? value : to[i];                           \
    } else {                                                                                            \
      for (tsr_index i = 0; i < n; i++)                                                                 \
        if (mask[(ptrdiff_t)i * step[1]] != 0) memcpy(at[0] + (ptrdiff_t)i * step[0], &value, sizeof value); \
    }                                                                                                   \
  } while (0)

static void fill_row(void *arg, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const filling *const       f = arg;
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

tsr_status tsr_masked_fill(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *mask, tsr_real value,
                           tsr_tensor *out) {
  TSR__OPERANDS(in, mask, out);
  static const char op[] = "masked_fill";
  tsr__scratch      scratch = {0};
  tsr_tensor        view, copy;
  filling           f;
  tsr_status        st = tsr__check_input(ctx, op, "in", in);
  if (st == TSR_OK) st = tsr__mask_check(ctx, op, in, mask, &view);
  if (st == TSR_OK) st = tsr__scalar_from_real(ctx, op, "value", in->dtype, value, f.element);
  if (st != TSR_OK) return st;
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  f.item = tsr_dtype_size(in->dtype);
  st = tsr__output_check(ctx, op, &result, out);
  if (st == TSR_OK && out->data != NULL && tsr_size(&view) > 0 && tsr__overlap(&view, out)) {
    st = tsr__copy_to_scratch(ctx, op, &view, &scratch, &copy);
    view = copy;
  }
  if (st == TSR_OK) st = tsr__output(ctx, op, &result, out);
  if (st == TSR_OK && tsr_size(in) > 0 && !tsr__same_view(in, out)) st = tsr__copy_host(ctx, op, in, out);
  if (st == TSR_OK && tsr_size(out) > 0) {
    const tsr_tensor *const operands[2] = {out, &view};
    tsr__loop loop;
    tsr__loop_init(&loop, 2, operands);
    tsr__loop_run_parallel(ctx, &loop, TSR__COPY_GRAIN_BYTES / (tsr_index)f.item, fill_row, &f);
  }
  tsr__scratch_put(&scratch);
  return st;
}
