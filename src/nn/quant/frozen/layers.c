/* Frozen convolutions and dense layers, by the plain kernels. */
#include "nn/quant/frozen/frozen.h"
#include "nn/quant/plain/plain.h"

#if TSR_HAVE_THREADS
/* Scratch is one thread's. */
#define ALONE (&(tsr_ctx){.parallel = tsr_parallel_serial()})
#else
#define ALONE NULL
#endif

/* The layer that a run points to has no tensors: kernels read zero points, bounds and dtypes of it. */
static void set_layer(const tsr_frozen_layer *f, tsr_qlayer *layer) {
  layer->x_zero = f->x_zero;
  layer->out_zero = f->out_zero;
  layer->low = f->low;
  layer->high = f->high;
  layer->x_dtype = f->x_dtype;
  layer->out_dtype = f->out_dtype;
}

static void set_run(const tsr_frozen_layer *f, char *const *bases, const tsr_qlayer *layer, bool depthwise,
                    tsr__q_run *run) {
  const int32_t *const x = f->x_shape, *const w = f->filters;
  *run = (tsr__q_run){.layer = layer,
                      .c = {.n = x[0],
                            .c = x[1],
                            .h = x[2],
                            .w = x[3],
                            .o = w[0],
                            .i = w[1],
                            .kh = w[2],
                            .kw = w[3],
                            .oh = f->out_shape[0],
                            .ow = f->out_shape[1],
                            .ph = f->read[0],
                            .pw = f->read[1],
                            .sh = f->stride[0],
                            .sw = f->stride[1],
                            .dh = f->dilation[0],
                            .dw = f->dilation[1],
                            .top = f->before[0],
                            .left = f->before[1],
                            .groups = f->groups},
                      .depthwise = depthwise,
                      .high = f->high_shifts,
                      .short_ends = f->short_ends,
                      .asymmetric = f->asymmetric,
                      .x = tsr__frozen_at(f->x, bases),
                      .out = tsr__frozen_at(f->out, bases),
                      .scratch = tsr__frozen_at(f->scratch, bases),
                      .w = f->w};
  for (int k = 0; k < 4; k++) {
    run->xs[k] = f->x_step[k];
    run->os[k] = f->out_step[k];
    run->table[k] = f->table + k * w[0];
  }
}

tsr_status tsr_frozen_qconv2d(const void *call, char *const *bases) {
  const tsr_frozen_layer *const f = call;
  tsr_qlayer layer;
  tsr__q_run run;
  set_layer(f, &layer);
  set_run(f, bases, &layer, false, &run);
  if (tsr__q_plain_filters_scratch(&run) > f->scratch_bytes) return TSR_ESCRATCH;
  tsr__q_plain_filters(ALONE, &run);
  return TSR_OK;
}

tsr_status tsr_frozen_qdense(const void *call, char *const *bases) {
  const tsr_frozen_layer *const f = call;
  tsr_qlayer layer;
  tsr__q_run run;
  set_layer(f, &layer);
  set_run(f, bases, &layer, false, &run);
  if (tsr__q_plain_filters_scratch(&run) > f->scratch_bytes) return TSR_ESCRATCH;
  tsr__q_plain_rows(&run);
  return TSR_OK;
}

tsr_status tsr_frozen_qdepthwise(const void *call, char *const *bases) {
  const tsr_frozen_layer *const f = call;
  tsr_qlayer layer;
  tsr__q_run run;
  set_layer(f, &layer);
  set_run(f, bases, &layer, true, &run);
  if (tsr__q_plain_depthwise_scratch(&run) > f->scratch_bytes) return TSR_ESCRATCH;
  tsr__q_plain_depthwise(ALONE, &run);
  return TSR_OK;
}
