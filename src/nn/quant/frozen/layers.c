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

/* All that plain kernels look at, field by field: small machines clear memory byte by byte. */
static void set_shapes(const tsr_frozen_layer *f, tsr__conv *c) {
  c->n = f->x_shape[0];
  c->c = f->x_shape[1];
  c->h = f->x_shape[2];
  c->w = f->x_shape[3];
  c->o = f->filters[0];
  c->i = f->filters[1];
  c->kh = f->filters[2];
  c->kw = f->filters[3];
  c->oh = f->out_shape[0];
  c->ow = f->out_shape[1];
  c->ph = f->read[0];
  c->pw = f->read[1];
  c->sh = f->stride[0];
  c->sw = f->stride[1];
  c->dh = f->dilation[0];
  c->dw = f->dilation[1];
  c->top = f->before[0];
  c->left = f->before[1];
  c->groups = f->groups;
}

static void set_run(const tsr_frozen_layer *f, char *const *bases, const tsr_qlayer *layer, bool depthwise,
                    tsr__q_run *run) {
  run->layer = layer;
  run->kernel = TSR__Q_KERNEL_PLAIN;
  run->isa = 0;
  set_shapes(f, &run->c);
  run->depthwise = depthwise;
  run->high = f->high_shifts;
  run->short_ends = f->short_ends;
  run->asymmetric = f->asymmetric;
  run->x = tsr__frozen_at(f->x, bases);
  run->out = tsr__frozen_at(f->out, bases);
  run->scratch = tsr__frozen_at(f->scratch, bases);
  run->each = 0;
  run->w = f->w;
  for (int k = 0; k < 4; k++) {
    run->xs[k] = f->x_step[k];
    run->os[k] = f->out_step[k];
    run->table[k] = f->table + k * f->filters[0];
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
