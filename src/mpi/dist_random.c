/* Random numbers: an element depends on its place in the whole, so that each rank draws its own, run by run of the last axis. */
#include "mpi/dist.h"

typedef tsr_status draw_fn(tsr_ctx *ctx, tsr_rng *rng, const void *arg, tsr_tensor *to);

/* Runs of elements that follow each other in the whole: the last axis, or more where that is not divided. */
static tsr_status draw_runs(tsr_ctx *ctx, const tsr_rng *rng, const tsr_dist *x, const tsr_tensor *own, draw_fn *draw,
                            const void *arg) {
  int axis = own->ndim; /* the axes from here on are whole: one run */
  tsr_index index[TSR_MAX_DIMS] = {0};
  while (axis > 0 && own->shape[axis - 1] == x->shape[axis - 1]) axis--;
  if (axis > 0) axis--;
  if (tsr_size(own) == 0) return TSR_OK;
  for (;;) {
    tsr_tensor part = {0};
    tsr_rng from = *rng;
    uint64_t place = 0;
    for (int i = 0; i < own->ndim; i++) place = place * (uint64_t)x->shape[i] + (uint64_t)(x->first[i] + index[i]);
    from.counter += place;
    tsr_status st = tsr_view(ctx, own, &part);
    for (int i = 0; i < axis && st == TSR_OK; i++) st = tsr_select(ctx, &part, 0, index[i], &part);
    if (st == TSR_OK) st = draw(ctx, &from, arg, &part);
    if (st != TSR_OK) return st;
    int i = axis - 1;
    while (i >= 0 && ++index[i] == own->shape[i]) index[i--] = 0;
    if (i < 0) return TSR_OK;
  }
}

typedef struct range {
  tsr_real low, high;
} range;

static tsr_status draw_uniform(tsr_ctx *ctx, tsr_rng *rng, const void *arg, tsr_tensor *to) {
  const range *const r = arg;
  return tsr_rand_uniform(ctx, rng, to->dtype, to->ndim, to->shape, r->low, r->high, to);
}

static tsr_status draw_normal(tsr_ctx *ctx, tsr_rng *rng, const void *arg, tsr_tensor *to) {
  (void)arg;
  return tsr_rand_normal(ctx, rng, to->dtype, to->ndim, to->shape, to);
}

static tsr_status draw_dist(tsr_ctx *ctx, tsr_comm *comm, const char *op, tsr_rng *rng, int dtype, int ndim,
                            const tsr_index *shape, const tsr_dist_layout *layout, draw_fn *draw, const range *arg,
                            tsr_dist *out) {
  tsr__comm_call call;
  tsr__division division = {0};
  tsr_tensor own = {0}, probe = {0};
  tsr_ctx inner;
  tsr_status st = tsr__dist_begin(ctx, comm, op, &call);
  if (st != TSR_OK) return st;
  tsr__comm_inner(ctx, &inner);
  if (rng == NULL) st = tsr__comm_fail(ctx, TSR_EARG, op, "rng", "is NULL");
  if (rng != NULL) tsr__dist_note(&call, &rng->key, sizeof rng->key);
  if (rng != NULL) tsr__dist_note(&call, &rng->counter, sizeof rng->counter);
  tsr__dist_note(&call, arg, sizeof *arg);
  if (st == TSR_OK) { /* what the call refuses on one number it refuses on all */
    tsr_rng any = *rng;
    st = tsr_desc_init(&inner, dtype, 0, NULL, &probe);
    if (st == TSR_OK) st = draw(&inner, &any, arg, &probe);
    if (st != TSR_OK) st = tsr__comm_fail_as(ctx, st, op, NULL, &inner);
    tsr_release(&probe);
  }
  if (st == TSR_OK) st = tsr__dist_divide(&call, ndim, shape, layout, &division);
  bool made = false;
  if (st == TSR_OK) st = tsr__dist_make(&call, dtype, &division, out), made = st == TSR_OK;
  if (made) tsr__dist_note_dist(&call, out);
  st = tsr__comm_agree(&call, st);
  if (st == TSR_OK) st = tsr_dist_own(ctx, out, &own);
  if (st == TSR_OK) {
    st = draw_runs(&inner, rng, out, &own, draw, arg);
    if (st != TSR_OK) st = tsr__comm_fail_as(ctx, st, op, NULL, &inner);
  }
  st = tsr__comm_agree_status(&call, st);
  if (st != TSR_OK && made) tsr_dist_release(out);
  uint64_t count = 1;
  for (int i = 0; i < ndim && st == TSR_OK; i++) count *= (uint64_t)shape[i];
  if (st == TSR_OK) rng->counter += count;
  return st;
}

tsr_status tsr_dist_rand_uniform(tsr_ctx *ctx, tsr_comm *comm, tsr_rng *rng, int dtype, int ndim,
                                 const tsr_index *shape, tsr_real low, tsr_real high, const tsr_dist_layout *layout,
                                 tsr_dist *out) {
  const range r = {low, high};
  return draw_dist(ctx, comm, "dist_rand_uniform", rng, dtype, ndim, shape, layout, draw_uniform, &r, out);
}

tsr_status tsr_dist_rand_normal(tsr_ctx *ctx, tsr_comm *comm, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape,
                                const tsr_dist_layout *layout, tsr_dist *out) {
  const range r = {0, 0};
  return draw_dist(ctx, comm, "dist_rand_normal", rng, dtype, ndim, shape, layout, draw_normal, &r, out);
}
