/* Frozen pooling. */
#include "nn/quant/frozen/frozen.h"
#include "nn/quant/plain/pools.h"

static tsr__pool_axis axis_of(const int32_t *a) {
  return (tsr__pool_axis){
      .length = a[0], .out = a[1], .kernel = a[2], .stride = a[3], .dilation = a[4], .before = a[5], .after = a[6]};
}

tsr_status tsr_frozen_qmax_pool(const void *call, char *const *bases) {
  const tsr_frozen_pool *const f = call;
  tsr__q_pool run = {.max = f->max,
                     .zero = f->zero,
                     .dtype = f->dtype,
                     .images = f->images,
                     .p = {.include_pad = f->include_pad, .row = axis_of(f->axis[0]), .column = axis_of(f->axis[1])},
                     .x = tsr__frozen_at(f->x, bases),
                     .out = tsr__frozen_at(f->out, bases),
                     .channels = f->channels};
  for (int k = 0; k < TSR__IMAGE_AXES; k++) {
    run.xs[k] = f->x_step[k];
    run.os[k] = f->out_step[k];
  }
  tsr__q_pool_run(NULL, &run);
  return TSR_OK;
}

tsr_status tsr_frozen_qavg_pool(const void *call, char *const *bases) { return tsr_frozen_qmax_pool(call, bases); }
