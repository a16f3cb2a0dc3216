/* Attention in plain loops, where there are no kernels of products. */
#include "nn/attention/attention.h"

#if !TSR_HAVE_MALLOC

static tsr__attention_query_fn *const *const queries[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__attention);

static tsr_index room(tsr_index n) {
  return (tsr_index)(tsr__align_up((size_t)n * sizeof(float), TSR_DATA_ALIGN) / sizeof(float));
}

size_t tsr__attention_scratch(const tsr__attention *a) {
  const tsr_index most = TSR_INDEX_MAX / (tsr_index)(8 * sizeof(float));
  if (a->d > most || a->dv > most) return SIZE_MAX;
  return (size_t)(room(a->d) + room(a->dv) + room(a->d > a->dv ? a->d : a->dv)) * sizeof(float);
}

void tsr__attention_run(const tsr__attention *a, char *scratch) {
  float *const q = (float *)(void *)scratch, *const out = q + room(a->d);
  tsr__attention_query w = {.a = a, .q = q, .out = out, .row = out + room(a->dv)};
  for (w.b = 0; w.b < a->b; w.b++)
    for (w.h = 0; w.h < a->h; w.h++)
      for (w.t = 0; w.t < a->t; w.t++) (*queries[a->isa])(&w);
}

#endif
