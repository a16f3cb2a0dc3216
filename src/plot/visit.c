/* Numbers of tensors as doubles, a block at a time. */
#include "plot/scene.h"

#if TSR_HAVE_PLOT

#include <math.h>

#include <tessera/ops.h>
#include <tessera/view.h>

/* n elements of a vector from number at on. */
static tsr_status read_block(tsr_ctx *ctx, const tsr_tensor *t, tsr_index at, tsr_index n, double *to) {
  tsr_tensor part = {0}, values = {0};
  tsr_status st = tsr_narrow(ctx, t, 0, at, n, &part);
  if (st == TSR_OK) st = tsr_from_memory(ctx, to, TSR_F64, 1, &n, &values);
  return st == TSR_OK ? tsr_cast(ctx, &part, TSR_F64, &values) : st;
}

/* A time that is missing is no number. */
static void drop_missing(const tsr_tensor *t, tsr_index n, double *x) {
  if (t->dtype != TSR_I64) return;
  for (tsr_index i = 0; i < n; i++)
    if (x[i] == -0x1p63) x[i] = (double)NAN;
}

tsr_status tsr__pairs_visit(tsr__plot_draw *d, const tsr__plot_frame *f, const tsr__plot_series *s, tsr__pairs_fn *fn,
                            void *user) {
  double *const x = d->block, *const y = x + TSR__PLOT_BLOCK, *const c = y + TSR__PLOT_BLOCK;
  const bool colors = s->color.dtype != TSR_NONE;
  tsr_status st = TSR_OK;
  for (tsr_index at = 0; at < s->y.shape[0] && st == TSR_OK; at += TSR__PLOT_BLOCK) {
    const tsr_index left = s->y.shape[0] - at, n = left < TSR__PLOT_BLOCK ? left : TSR__PLOT_BLOCK;
    st = read_block(d->ctx, &s->y, at, n, y);
    if (st == TSR_OK && s->x.dtype != TSR_NONE) {
      st = read_block(d->ctx, &s->x, at, n, x);
      if (f->panel->axes.x_time != TSR_UNIT_NONE) drop_missing(&s->x, n, x);
    } else {
      for (tsr_index i = 0; i < n; i++) x[i] = (double)(at + i);
    }
    if (st == TSR_OK && colors) st = read_block(d->ctx, &s->color, at, n, c);
    if (st == TSR_OK) fn(user, n, x, y, colors ? c : NULL);
  }
  return st;
}

static tsr_status visit_vector(tsr__plot_draw *d, const tsr_tensor *t, tsr__pairs_fn *fn, void *user) {
  tsr_status st = TSR_OK;
  for (tsr_index at = 0; at < t->shape[0] && st == TSR_OK; at += TSR__PLOT_BLOCK) {
    const tsr_index left = t->shape[0] - at, n = left < TSR__PLOT_BLOCK ? left : TSR__PLOT_BLOCK;
    st = read_block(d->ctx, t, at, n, d->block);
    if (st == TSR_OK) fn(user, n, NULL, d->block, NULL);
  }
  return st;
}

tsr_status tsr__elements_visit(tsr__plot_draw *d, const tsr_tensor *t, tsr__pairs_fn *fn, void *user) {
  tsr_tensor part = {0};
  tsr_status st = TSR_OK;
  if (tsr_size(t) == 0) return TSR_OK;
  if (t->ndim == 0) {
    st = tsr_unsqueeze(d->ctx, t, 0, &part);
    return st == TSR_OK ? visit_vector(d, &part, fn, user) : st;
  }
  if (t->ndim == 1) return visit_vector(d, t, fn, user);
  if (tsr_is_contiguous(t, TSR_ROW_MAJOR)) {
    const tsr_index n = tsr_size(t);
    st = tsr_from_const_memory(d->ctx, t->data, t->dtype, 1, &n, &part);
    return st == TSR_OK ? visit_vector(d, &part, fn, user) : st;
  }
  for (tsr_index i = 0; i < t->shape[0] && st == TSR_OK; i++) {
    st = tsr_select(d->ctx, t, 0, i, &part);
    if (st == TSR_OK) st = tsr__elements_visit(d, &part, fn, user);
  }
  return st;
}

#endif
