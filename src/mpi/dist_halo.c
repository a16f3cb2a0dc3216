/* Halos: an axis after another, so that corners come by way of the neighbour between. */
#include "mpi/dist.h"

#include <stdlib.h>

/* The slabs of one axis: what goes to the rank before and the one after, and what comes from them. */
enum { TO_BEFORE, TO_AFTER, FROM_BEFORE, FROM_AFTER, SLABS };

typedef struct exchange {
  tsr_dist *x;
  bool periodic;
  int axis;               /* the next one */
  int before, after;      /* neighbours along the axis that is under way; -1: none */
  tsr_tensor slab[SLABS]; /* contiguous; the views of x that they are of are made when they are used */
} exchange;

static tsr_status slab_view(tsr_ctx *ctx, const exchange *e, int axis, int which, tsr_tensor *view) {
  const tsr_index halo = e->x->layout.halo[axis], length = e->x->local.shape[axis];
  const tsr_index first[SLABS] = {halo, length - 2 * halo, 0, length - halo};
  return tsr_narrow(ctx, &e->x->local, axis, first[which], halo, view);
}

static void drop(exchange *e) {
  for (int i = 0; i < SLABS; i++) tsr_release(&e->slab[i]);
}

static void exchange_free(void *more) {
  drop(more);
  free(more);
}

/* The neighbour by steps along an axis; -1: none. */
static int neighbour(const exchange *e, int axis, int step) {
  const tsr_dist *const x = e->x;
  int at[TSR_MAX_DIMS], rank = 0;
  tsr__dist_place(&x->layout, x->local.ndim, tsr_comm_rank(x->comm), at);
  if (tsr__dist_is_copies(&x->layout, x->local.ndim)) return e->periodic ? tsr_comm_rank(x->comm) : -1;
  const int parts = x->layout.grid[axis], to = at[axis] + step;
  if (!e->periodic && (to < 0 || to >= parts)) return -1;
  at[axis] = (to + parts) % parts;
  for (int i = 0; i < x->local.ndim; i++) rank = rank * x->layout.grid[i] + at[i];
  return rank;
}

/* What came along the axis before is put in. */
static tsr_status put_in(tsr_ctx *ctx, exchange *e) {
  tsr_status st = TSR_OK;
  for (int which = FROM_BEFORE; which <= FROM_AFTER && st == TSR_OK; which++) {
    tsr_tensor view = {0};
    if (e->slab[which].data == NULL) continue;
    st = slab_view(ctx, e, e->axis - 1, which, &view);
    if (st == TSR_OK) st = tsr_copy(ctx, &e->slab[which], &view);
  }
  drop(e);
  return st;
}

static tsr_status post_slabs(tsr_ctx *ctx, tsr_comm_request *r, exchange *e, int axis) {
  const int ranks[SLABS] = {e->before, e->after, e->before, e->after};
  static const int order[] = {FROM_BEFORE, FROM_AFTER, TO_AFTER,
                              TO_BEFORE}; /* two messages between the same two ranks keep theirs */
  tsr_status st = TSR_OK;
  for (int i = 0; i < SLABS && st == TSR_OK; i++) {
    tsr_tensor view = {0};
    if (ranks[i] < 0) continue;
    st = slab_view(ctx, e, axis, i, &view);
    if (st == TSR_OK) st = tsr_copy(ctx, &view, &e->slab[i]);
  }
  for (int i = 0; i < SLABS && st == TSR_OK; i++) {
    tsr_tensor *const slab = &e->slab[order[i]];
    const int rank = ranks[order[i]];
    if (rank >= 0 && rank != r->comm->rank)
      st = tsr__comm_post(ctx, r, rank, slab->data, tsr_nbytes(slab), order[i] == TO_AFTER || order[i] == TO_BEFORE);
  }
  if (st == TSR_OK && e->before == r->comm->rank) { /* the only part along this axis */
    st = tsr_copy(ctx, &e->slab[TO_AFTER], &e->slab[FROM_BEFORE]);
    if (st == TSR_OK) st = tsr_copy(ctx, &e->slab[TO_BEFORE], &e->slab[FROM_AFTER]);
  }
  return st;
}

static tsr_status next_axis(tsr_ctx *ctx, tsr_comm_request *r) {
  exchange *const e = r->more;
  const tsr_dist *const x = e->x;
  tsr_status st = put_in(ctx, e);
  while (st == TSR_OK && e->axis < x->local.ndim && x->layout.halo[e->axis] == 0) e->axis++;
  if (st != TSR_OK || e->axis >= x->local.ndim) return st;
  const int axis = e->axis++;
  e->before = neighbour(e, axis, -1);
  e->after = neighbour(e, axis, 1);
  r->next = next_axis;
  return post_slabs(ctx, r, e, axis);
}

tsr_status tsr_dist_exchange(tsr_ctx *ctx, tsr_dist *x, bool periodic, tsr_comm_request **request) {
  static const char op[] = "dist_exchange";
  tsr__comm_call call;
  tsr_comm_request *r = NULL;
  exchange *e = NULL;
  if (x == NULL || x->comm == NULL) return tsr__comm_fail(ctx, TSR_ESTATE, op, "x", "is empty");
  tsr_status st = tsr__dist_begin(ctx, x->comm, op, &call);
  if (st == TSR_OK) st = tsr__dist_check(&call, "x", x);
  tsr__dist_note(&call, &periodic, sizeof periodic);
  if (st == TSR_OK && (x->local.flags & TSR_READONLY) != 0)
    st = tsr__comm_fail(ctx, TSR_EREADONLY, op, "x", "is read-only");
  if (st == TSR_OK) st = tsr__comm_request_new(&call, &r);
  if (st == TSR_OK && (e = calloc(1, sizeof *e)) == NULL)
    st = tsr__comm_fail(ctx, TSR_ENOMEM, op, NULL, "no memory for a request");
  if (e != NULL) {
    *e = (exchange){.x = x, .periodic = periodic};
    r->more = e;
    r->more_free = exchange_free;
  }
  st = tsr__comm_agree(&call, st);
  if (st != TSR_OK) {
    tsr__comm_request_free(r);
    return st;
  }
  r->tag = (int)(x->comm->requests++ % TSR__TAG_MESSAGE);
  st = next_axis(&r->ctx, r);
  if (st == TSR_OK) return tsr__comm_run(ctx, r, request);
  st = tsr__comm_fail_as(ctx, st, op, NULL, &r->ctx);
  tsr__comm_request_free(r);
  return st;
}
