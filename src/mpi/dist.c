/* What distributed tensors are: grids, parts, halos. */
#include "mpi/dist.h"

#include <string.h>

/* ---- what ranks agree on ---- */

tsr_status tsr__dist_begin(tsr_ctx *ctx, tsr_comm *comm, const char *op, tsr__comm_call *call) {
  const tsr_status st = tsr__comm_begin(ctx, comm, op, TSR__CALL_DIST, call);
  if (st == TSR_OK) tsr__dist_note(call, op, strlen(op));
  return st;
}

void tsr__dist_note(tsr__comm_call *call, const void *bytes, size_t count) {
  uint32_t value = (uint32_t)call->header.numbers[0] ^ 2166136261u;
  for (size_t i = 0; i < count; i++) value = (value ^ ((const unsigned char *)bytes)[i]) * 16777619u;
  call->header.numbers[0] = (int32_t)value;
}

void tsr__dist_note_dist(tsr__comm_call *call, const tsr_dist *x) {
  tsr_tensor whole = {.dtype = x->local.dtype, .ndim = x->local.ndim};
  for (int i = 0; i < whole.ndim; i++) whole.shape[i] = x->shape[i];
  if (call->header.dtype == TSR_NONE) tsr__comm_describe(call, &whole, -1);
  tsr__dist_note(call, x->shape, sizeof x->shape);
  tsr__dist_note(call, &x->layout, sizeof x->layout);
}

tsr_status tsr__dist_check(tsr__comm_call *call, const char *arg, const tsr_dist *x) {
  if (x == NULL) return tsr__comm_fail(call->ctx, TSR_EARG, call->op, arg, "is NULL");
  if (x->comm == NULL || tsr_is_none(&x->local))
    return tsr__comm_fail(call->ctx, TSR_ESTATE, call->op, arg, "is empty");
  if (x->comm != call->comm)
    return tsr__comm_fail(call->ctx, TSR_EARG, call->op, arg, "is of another communicator than the first operand");
  tsr__dist_note_dist(call, x);
  return TSR_OK;
}

/* ---- grids ---- */

bool tsr__dist_is_copies(const tsr_dist_layout *layout, int ndim) {
  for (int i = 0; i < ndim; i++)
    if (layout->grid[i] > 1) return false;
  return true;
}

void tsr__dist_place(const tsr_dist_layout *layout, int ndim, int rank, int *at) {
  for (int i = ndim - 1; i >= 0; i--) {
    const int parts = layout->grid[i] > 1 ? layout->grid[i] : 1;
    at[i] = rank % parts;
    rank /= parts;
  }
}

tsr__division tsr__dist_division(const tsr_dist *x) {
  tsr__division d = {.ndim = x->local.ndim, .size = tsr_comm_size(x->comm), .layout = x->layout};
  for (int i = 0; i < d.ndim; i++) d.shape[i] = x->shape[i];
  return d;
}

tsr__box tsr__box_own(const void *division, int rank) {
  const tsr__division *const d = division;
  tsr__box box = {{0}, {0}};
  int at[TSR_MAX_DIMS];
  tsr__dist_place(&d->layout, d->ndim, rank, at);
  for (int i = 0; i < d->ndim; i++)
    box.length[i] = tsr_comm_part(d->shape[i], d->layout.grid[i] > 1 ? d->layout.grid[i] : 1, at[i], &box.first[i]);
  return box;
}

tsr__box tsr__box_halos(const void *division, int rank) {
  const tsr__division *const d = division;
  tsr__box box = tsr__box_own(division, rank);
  for (int i = 0; i < d->ndim; i++) {
    const tsr_index halo = d->layout.halo[i];
    const tsr_index first = box.first[i] > halo ? box.first[i] - halo : 0, end = box.first[i] + box.length[i];
    box.length[i] = (d->shape[i] - end > halo ? end + halo : d->shape[i]) - first;
    box.first[i] = first;
  }
  return box;
}

tsr__box tsr__box_all(const void *division, int rank) {
  const tsr__division *const d = division;
  tsr__box box = {{0}, {0}};
  (void)rank;
  for (int i = 0; i < d->ndim; i++) box.length[i] = d->shape[i];
  return box;
}

static tsr_status refuse_layout(tsr__comm_call *call, const tsr__division *d, int axis) {
  const int size = call->comm->size;
  if (axis < 0)
    return tsr__comm_fail(call->ctx, TSR_ESHAPE, call->op, "layout", "has a grid that is not for %d ranks", size);
  if (d->layout.grid[axis] < 0)
    return tsr__comm_fail(call->ctx, TSR_EARG, call->op, "layout", "has a grid of %d along axis %d",
                          d->layout.grid[axis], axis);
  return tsr__comm_fail(call->ctx, TSR_ESHAPE, call->op, "layout",
                        "has a halo of %lld along axis %d, and some part is shorter: %lld indices in %d parts",
                        (long long)d->layout.halo[axis], axis, (long long)d->shape[axis], d->layout.grid[axis]);
}

tsr_status tsr__dist_divide(tsr__comm_call *call, int ndim, const tsr_index *shape, const tsr_dist_layout *layout,
                            tsr__division *division) {
  tsr_tensor whole = {0};
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  const tsr_status st = tsr_desc_init(&inner, TSR_U8, ndim, shape, &whole); /* rank, lengths, their product */
  if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, "shape", &inner);
  *division = (tsr__division){.ndim = ndim, .size = call->comm->size};
  if (layout != NULL) division->layout = *layout;
  if (layout == NULL && ndim > 0) division->layout.grid[0] = call->comm->size;
  int64_t ranks = 1;
  for (int i = 0; i < TSR_MAX_DIMS; i++) {
    int *const parts = &division->layout.grid[i];
    if (i < ndim) division->shape[i] = shape[i];
    if (*parts == 0 || i >= ndim) *parts = 1;
    if (i >= ndim) division->layout.halo[i] = 0;
    if (i >= ndim) continue;
    if (*parts < 0) return refuse_layout(call, division, i);
    ranks = ranks > INT32_MAX ? ranks : ranks * *parts;
    const tsr_index halo = division->layout.halo[i];
    if (halo < 0 || (halo > 0 && *parts > 1 && shape[i] / *parts < halo) || (halo > 0 && shape[i] < halo))
      return refuse_layout(call, division, i);
  }
  return ranks == 1 || ranks == call->comm->size ? TSR_OK : refuse_layout(call, division, -1);
}

/* ---- parts ---- */

tsr_status tsr__dist_make(tsr__comm_call *call, int dtype, const tsr__division *division, tsr_dist *out) {
  tsr_index shape[TSR_MAX_DIMS];
  if (out == NULL) return tsr__comm_fail(call->ctx, TSR_EARG, call->op, "out", "is NULL");
  if (out->comm != NULL)
    return tsr__comm_fail(call->ctx, TSR_ESTATE, call->op, "out", "is not empty: release it first");
  const tsr__box own = tsr__box_own(division, call->comm->rank);
  for (int i = 0; i < division->ndim; i++) shape[i] = own.length[i] + 2 * division->layout.halo[i];
  *out = (tsr_dist){.layout = division->layout};
  tsr_ctx inner; /* parts are the host's, whatever ctx's device */
  tsr__comm_inner(call->ctx, &inner);
  const tsr_status st = tsr_zeros(&inner, dtype, division->ndim, shape, &out->local);
  if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  for (int i = 0; i < TSR_MAX_DIMS; i++) out->shape[i] = i < division->ndim ? division->shape[i] : 1;
  for (int i = 0; i < division->ndim; i++) out->first[i] = own.first[i];
  out->comm = call->comm;
  return TSR_OK;
}

tsr_status tsr_dist_zeros(tsr_ctx *ctx, tsr_comm *comm, int dtype, int ndim, const tsr_index *shape,
                          const tsr_dist_layout *layout, tsr_dist *out) {
  tsr__comm_call call;
  tsr__division division;
  tsr_status st = tsr__dist_begin(ctx, comm, "dist_zeros", &call);
  if (st != TSR_OK) return st;
  st = tsr__dist_divide(&call, ndim, shape, layout, &division);
  if (st == TSR_OK) st = tsr__dist_make(&call, dtype, &division, out);
  const bool made = st == TSR_OK;
  if (made) tsr__dist_note_dist(&call, out);
  st = tsr__comm_agree(&call, st);
  if (st != TSR_OK && made) tsr_dist_release(out);
  return st;
}

void tsr_dist_release(tsr_dist *x) {
  if (x == NULL) return;
  tsr_release(&x->local);
  *x = (tsr_dist){.comm = NULL};
}

tsr_status tsr__box_view(tsr_ctx *ctx, const tsr_tensor *local, const tsr_index *first, const tsr__box *box,
                         tsr_tensor *view) {
  tsr_status st = tsr_view(ctx, local, view);
  for (int i = 0; i < local->ndim && st == TSR_OK; i++)
    st = tsr_narrow(ctx, view, i, box->first[i] - first[i], box->length[i], view);
  return st;
}

tsr_status tsr_dist_own(tsr_ctx *ctx, const tsr_dist *x, tsr_tensor *out) {
  tsr_tensor view = {0};
  if (x == NULL || x->comm == NULL) return tsr__comm_fail(ctx, TSR_ESTATE, "dist_own", "x", "is empty");
  tsr_status st = tsr_view(ctx, &x->local, &view);
  for (int i = 0; i < view.ndim && st == TSR_OK; i++)
    st = tsr_narrow(ctx, &view, i, x->layout.halo[i], x->local.shape[i] - 2 * x->layout.halo[i], &view);
  return st == TSR_OK ? tsr_view(ctx, &view, out) : st;
}
