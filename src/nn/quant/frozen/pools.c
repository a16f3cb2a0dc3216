/* Frozen pooling. */
#include "nn/quant/frozen/frozen.h"
#include "nn/quant/plain/pools.h"

static void set_axis(const int32_t *from, tsr__pool_axis *a) {
  a->length = from[0];
  a->out = from[1];
  a->kernel = from[2];
  a->stride = from[3];
  a->dilation = from[4];
  a->before = from[5];
  a->after = from[6];
}

/* All that kernels look at, field by field: small machines clear memory byte by byte. */
tsr_status tsr_frozen_qmax_pool(const void *call, char *const *bases) {
  const tsr_frozen_pool *const f = call;
  tsr__q_pool run;
  run.max = f->max;
  run.zero = f->zero;
  run.dtype = f->dtype;
  run.images = f->images;
  run.channels = f->channels;
  run.p.include_pad = f->include_pad;
  set_axis(f->axis[0], &run.p.row);
  set_axis(f->axis[1], &run.p.column);
  run.x = tsr__frozen_at(f->x, bases);
  run.out = tsr__frozen_at(f->out, bases);
  for (int k = 0; k < TSR__IMAGE_AXES; k++) {
    run.xs[k] = f->x_step[k];
    run.os[k] = f->out_step[k];
  }
  tsr__q_pool_run(NULL, &run);
  return TSR_OK;
}

tsr_status tsr_frozen_qavg_pool(const void *call, char *const *bases) { return tsr_frozen_qmax_pool(call, bases); }
