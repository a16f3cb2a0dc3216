/* Frozen sums of two tensors. */
#include "nn/quant/element/rows.h"
#include "nn/quant/frozen/frozen.h"

tsr_status tsr_frozen_qadd(const void *call, char *const *bases) {
  const tsr_frozen_sum *const f = call;
  tsr__quant_row row = {.x_dtype = f->dtype[0],
                        .b_dtype = f->dtype[1],
                        .out_dtype = f->dtype[2],
                        .x_zero = f->zero[0],
                        .b_zero = f->zero[1],
                        .out_zero = f->zero[2],
                        .x_multiplier = f->ratio[0],
                        .b_multiplier = f->ratio[1],
                        .shift = f->ratio[2]};
#if TSR__ROUND_TWICE
  row.x_ratio = (tsr__fixed){f->ratio_twice[0], f->ratio_twice[1]};
  row.b_ratio = (tsr__fixed){f->ratio_twice[2], f->ratio_twice[3]};
  row.out_ratio = (tsr__fixed){f->ratio_twice[4], f->ratio_twice[5]};
#endif
  char *const at[] = {tsr__frozen_at(f->out, bases), tsr__frozen_at(f->a, bases), tsr__frozen_at(f->b, bases)};
  const ptrdiff_t step[] = {tsr__quant_item(f->dtype[2]), tsr__quant_item(f->dtype[0]), tsr__quant_item(f->dtype[1])};
#if TSR__QADD_BYTES
  tsr__quant_sum sum;
  if (tsr__qadd_bytes_init(&row, &sum)) {
    const tsr__row_args bytes = tsr__one_row(&sum);
    tsr__qadd_bytes_row(&bytes, f->count, at, step);
    return TSR_OK;
  }
#endif
  const tsr__row_args any = tsr__one_row(&row);
  tsr__qadd_row_base(&any, f->count, at, step);
  return TSR_OK;
}
