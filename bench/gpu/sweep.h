/* One case of the sweep: "OP DTYPE SHAPE ORDER STEP", for instance "add f32 64x128x32 2,0,1 2". A row-major tensor of SHAPE, its axes in
 * ORDER, of its last axis each STEP-th element; then OP of it. PyTorch does the same in gpu/torch_rows.py. */
#ifndef BENCH_GPU_SWEEP_H
#define BENCH_GPU_SWEEP_H

#include "bench.h"

typedef struct sweep_case {
  char op[16];
  tsr_tensor base, x, row; /* row: along the last axis of x */
  int dtype, to;
} sweep_case;

static int numbers_of(const char *text, char apart, tsr_index *numbers) {
  int n = 0;
  for (const char *at = text; at != NULL && n < TSR_MAX_DIMS; n++) {
    numbers[n] = (tsr_index)atoll(at);
    at = strchr(at, apart);
    if (at != NULL) at++;
  }
  return n;
}

static tsr_status sweep_make(bench *b, const char *line, sweep_case *s) {
  char dtype[16], shape[128], order[64];
  int step = 1;
  tsr_index lengths[TSR_MAX_DIMS], axes[TSR_MAX_DIMS];
  int perm[TSR_MAX_DIMS];
  if (sscanf(line, "%15s %15s %127s %63s %d", s->op, dtype, shape, order, &step) != 5) return TSR_EARG;
  const int ndim = numbers_of(shape, 'x', lengths);
  if (numbers_of(order, ',', axes) != ndim) return TSR_EARG;
  for (int d = 0; d < ndim; d++) perm[d] = (int)axes[d];
  s->dtype = strcmp(dtype, "f16") == 0   ? TSR_F16
             : strcmp(dtype, "i32") == 0 ? TSR_I32
             : strcmp(dtype, "f64") == 0 ? TSR_F64
                                         : TSR_F32;
  s->to = s->dtype == TSR_F32 ? TSR_F16 : TSR_F32;
  tsr_status st = tsr_ones(&b->ctx, s->dtype, ndim, lengths, &s->base);
  if (st == TSR_OK) st = tsr_permute(&b->ctx, &s->base, perm, &s->x);
  if (st == TSR_OK) st = tsr_slice(&b->ctx, &s->x, -1, TSR_OMIT, TSR_OMIT, step, &s->x);
  if (st == TSR_OK) st = tsr_ones(&b->ctx, s->dtype, TSR_SHAPE(s->x.shape[s->x.ndim - 1]), &s->row);
  return st;
}

static tsr_status sweep_call(bench *b, const void *what) {
  const sweep_case *const s = what;
  if (strcmp(s->op, "copy") == 0) return tsr_copy(&b->ctx, &s->x, &b->out);
  if (strcmp(s->op, "cast") == 0) return tsr_cast(&b->ctx, &s->x, s->to, &b->out);
  if (strcmp(s->op, "add") == 0) return tsr_add(&b->ctx, &s->x, &s->row, &b->out);
  if (strcmp(s->op, "relu") == 0) return tsr_relu(&b->ctx, &s->x, &b->out);
  if (strcmp(s->op, "sum") == 0) return tsr_sum(&b->ctx, &s->x, TSR_AXES(-1), false, &b->out);
  if (strcmp(s->op, "sum0") == 0) return tsr_sum(&b->ctx, &s->x, TSR_AXES(0), false, &b->out);
  if (strcmp(s->op, "max") == 0) return tsr_max(&b->ctx, &s->x, TSR_AXES(-1), false, &b->out);
  if (strcmp(s->op, "softmax") == 0) return tsr_softmax(&b->ctx, &s->x, -1, &b->out);
  return TSR_EARG;
}

#endif
