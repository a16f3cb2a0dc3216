/* Boxes from rank to rank: each sends to every other one what that one wants of its own, in one all-to-all. */
#include "mpi/dist.h"

static tsr_index size_of(const tsr__box *box, int ndim) {
  tsr_index size = 1;
  for (int i = 0; i < ndim; i++) size *= box->length[i] > 0 ? box->length[i] : 0;
  return size;
}

static tsr__box common(const tsr__box *a, const tsr__box *b, int ndim) {
  tsr__box box = {{0}, {0}};
  bool none = false;
  for (int i = 0; i < ndim; i++) {
    const tsr_index from = a->first[i] > b->first[i] ? a->first[i] : b->first[i];
    const tsr_index end_a = a->first[i] + a->length[i], end_b = b->first[i] + b->length[i],
                    end = end_a < end_b ? end_a : end_b;
    box.first[i] = from;
    box.length[i] = end - from;
    none = none || end <= from;
  }
  if (none) box = (tsr__box){{0}, {0}};
  if (none && ndim == 0) box.length[0] = 0;
  return box;
}

/* One piece between memory of its own and a tensor whose first index is first. */
static tsr_status copy_piece(tsr_ctx *ctx, const tsr_tensor *t, const tsr_index *first, const tsr__box *box,
                             char *bytes, bool pack) {
  tsr_tensor view = {0}, plain = {0};
  tsr_status st = tsr__box_view(ctx, t, first, box, &view);
  if (st == TSR_OK) st = tsr_from_memory(ctx, bytes, view.dtype, view.ndim, view.shape, &plain);
  if (st != TSR_OK) return st;
  view.flags &= (uint8_t)~TSR_READONLY;
  return pack ? tsr_copy(ctx, &view, &plain) : tsr_copy(ctx, &plain, &view);
}

/* What stays on the rank goes directly. */
static tsr_status copy_own(tsr_ctx *ctx, const tsr__box *box, const tsr_tensor *from, const tsr_index *from_first,
                           tsr_tensor *to, const tsr_index *to_first, int ndim) {
  tsr_tensor a = {0}, b = {0};
  if (size_of(box, ndim) == 0) return TSR_OK;
  tsr_status st = tsr__box_view(ctx, from, from_first, box, &a);
  if (st == TSR_OK) st = tsr__box_view(ctx, to, to_first, box, &b);
  return st == TSR_OK ? tsr_copy(ctx, &a, &b) : st;
}

typedef struct boxes {
  tsr__box have, want; /* of this rank */
  tsr_tensor send, receive;
  size_t whole;
} boxes;

/* How much goes where; memory for it. */
static tsr_status measure(tsr__comm_call *call, const tsr__move *m, tsr_ctx *inner, boxes *b, tsr_comm_request *r) {
  const size_t item = tsr_dtype_size(m->dtype);
  const int rank = call->comm->rank;
  size_t send = 0, receive = 0;
  b->have = m->have(m->have_arg, rank);
  b->want = m->want(m->want_arg, rank);
  for (int i = 0; i < call->comm->size; i++) {
    const tsr__box has = m->have(m->have_arg, i), wants = m->want(m->want_arg, i);
    b->whole += (size_t)size_of(&wants, m->ndim) * item;
    if (i == rank || m->copies) continue;
    const tsr__box to = common(&b->have, &wants, m->ndim), from = common(&has, &b->want, m->ndim);
    r->pieces[i].send_bytes = (size_t)size_of(&to, m->ndim) * item;
    r->pieces[i].receive_bytes = (size_t)size_of(&from, m->ndim) * item;
    send += r->pieces[i].send_bytes;
    receive += r->pieces[i].receive_bytes;
  }
  tsr_status st = tsr_empty(inner, TSR_U8, TSR_SHAPE((tsr_index)send), &b->send);
  if (st == TSR_OK) st = tsr_empty(inner, TSR_U8, TSR_SHAPE((tsr_index)receive), &b->receive);
  return st == TSR_OK ? st : tsr__comm_fail_as(call->ctx, st, call->op, NULL, inner);
}

/* Sends and receives; the tensors are there. */
static tsr_status carry_out(tsr__comm_call *call, const tsr__move *m, tsr_ctx *inner, boxes *b, tsr_comm_request *r,
                            const tsr_tensor *from, tsr_tensor *to) {
  const int size = call->comm->size, rank = call->comm->rank;
  char *out = b->send.data, *in = b->receive.data;
  const tsr__box own = common(&b->have, &b->want, m->ndim);
  tsr_status st = copy_own(inner, &own, from, b->have.first, to, b->want.first, m->ndim);
  for (int i = 0; i < size && st == TSR_OK; i++) {
    tsr__comm_piece *const p = &r->pieces[i];
    const tsr__box wants = m->want(m->want_arg, i), piece = common(&b->have, &wants, m->ndim);
    p->send = out;
    p->receive = in;
    if (p->send_bytes > 0) st = copy_piece(inner, from, b->have.first, &piece, out, true), out += p->send_bytes;
    if (p->receive_bytes > 0) in += p->receive_bytes;
  }
  if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, NULL, inner);
  if (!m->copies) st = tsr__comm_move(call->ctx, call->comm, call->op, TSR__ALL_TO_ALL, -1, r->pieces, b->whole, NULL);
  for (int i = 0; i < size && st == TSR_OK; i++) {
    const tsr__box has = m->have(m->have_arg, i), piece = common(&has, &b->want, m->ndim);
    if (i == rank || r->pieces[i].receive_bytes == 0) continue;
    st = copy_piece(inner, to, b->want.first, &piece, r->pieces[i].receive, false);
    if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, NULL, inner);
  }
  return st;
}

tsr_status tsr__dist_move(tsr__comm_call *call, tsr_status st, const tsr__move *m, const tsr_tensor *from,
                          tsr_tensor *to) {
  boxes b = {.whole = 0};
  tsr_comm_request *r = NULL;
  tsr_tensor host = {0};
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  if (st == TSR_OK) st = tsr__comm_request_new(call, &r);
  if (st == TSR_OK) st = measure(call, m, &inner, &b, r);
  if (st == TSR_OK && from->data != NULL) st = tsr__comm_on_host(call, "x", from, &host);
  st = tsr__comm_agree_status(call, st);
  if (st == TSR_OK) st = carry_out(call, m, &inner, &b, r, &host, to);
  tsr_release(&host);
  tsr_release(&b.send);
  tsr_release(&b.receive);
  tsr__comm_request_free(r);
  return st;
}

/* ---- calls that are one move ---- */

/* Where wanted indices lie in a new part, whose halos outside of the whole stay zeros. */
static tsr_status inside(tsr_ctx *ctx, const tsr_dist *x, tsr_tensor *view) {
  const tsr__division d = tsr__dist_division(x);
  const tsr__box box = tsr__box_halos(&d, tsr_comm_rank(x->comm));
  tsr_index first[TSR_MAX_DIMS];
  for (int i = 0; i < d.ndim; i++) first[i] = x->first[i] - d.layout.halo[i];
  return tsr__box_view(ctx, &x->local, first, &box, view);
}

static tsr_status move_into(tsr__comm_call *call, tsr_status st, tsr__move *m, const tsr_tensor *from,
                            const tsr__division *to, tsr_dist *out) {
  tsr_tensor view = {0};
  bool made = false;
  if (st == TSR_OK) st = tsr__dist_make(call, m->dtype, to, out), made = st == TSR_OK;
  if (st == TSR_OK) st = inside(call->ctx, out, &view);
  m->want = tsr__box_halos;
  m->want_arg = to;
  st = tsr__comm_agree(call, st);
  if (st == TSR_OK) st = tsr__dist_move(call, st, m, from, &view);
  if (st != TSR_OK && made) tsr_dist_release(out);
  return st;
}

tsr_status tsr__dist_bring(tsr__comm_call *call, tsr_status st, const tsr_dist *x, const tsr__division *division,
                           tsr_dist *out) {
  const tsr__division from = tsr__dist_division(x);
  tsr_tensor own = {0};
  if (st == TSR_OK) st = tsr_dist_own(call->ctx, x, &own);
  tsr__move m = {.ndim = from.ndim,
                 .dtype = x->local.dtype,
                 .copies = tsr__dist_is_copies(&from.layout, from.ndim),
                 .have = tsr__box_own,
                 .have_arg = &from};
  return move_into(call, st, &m, &own, division, out);
}

tsr_status tsr_dist_redistribute(tsr_ctx *ctx, const tsr_dist *x, const tsr_dist_layout *layout, tsr_dist *out) {
  static const char op[] = "dist_redistribute";
  tsr__comm_call call;
  tsr__division division = {0};
  if (x == NULL || x->comm == NULL) return tsr__comm_fail(ctx, TSR_ESTATE, op, "x", "is empty");
  tsr_status st = tsr__dist_begin(ctx, x->comm, op, &call);
  if (st == TSR_OK) st = tsr__dist_check(&call, "x", x);
  if (st == TSR_OK) st = tsr__dist_divide(&call, x->local.ndim, x->shape, layout, &division);
  tsr__dist_note(&call, &division.layout, sizeof division.layout);
  return tsr__dist_bring(&call, st, x, &division, out);
}

/* What a rank has of the whole whose axes are swapped. */
typedef struct swapped {
  tsr__division from;
  int axis0, axis1;
} swapped;

static tsr__box box_swapped(const void *arg, int rank) {
  const swapped *const s = arg;
  tsr__box box = tsr__box_own(&s->from, rank);
  const tsr_index first = box.first[s->axis0], length = box.length[s->axis0];
  box.first[s->axis0] = box.first[s->axis1], box.length[s->axis0] = box.length[s->axis1];
  box.first[s->axis1] = first, box.length[s->axis1] = length;
  return box;
}

tsr_status tsr_dist_transpose(tsr_ctx *ctx, const tsr_dist *x, int axis0, int axis1, const tsr_dist_layout *layout,
                              tsr_dist *out) {
  static const char op[] = "dist_transpose";
  tsr__comm_call call;
  tsr__division to = {0};
  tsr_tensor own = {0};
  if (x == NULL || x->comm == NULL) return tsr__comm_fail(ctx, TSR_ESTATE, op, "x", "is empty");
  const int ndim = x->local.ndim;
  tsr_status st = tsr__dist_begin(ctx, x->comm, op, &call);
  if (st == TSR_OK) st = tsr__dist_check(&call, "x", x);
  axis0 += axis0 < 0 ? ndim : 0;
  axis1 += axis1 < 0 ? ndim : 0;
  if (st == TSR_OK && (axis0 < 0 || axis0 >= ndim || axis1 < 0 || axis1 >= ndim))
    st = tsr__comm_fail(ctx, TSR_EAXIS, op, NULL, "axes %d and %d are out of range for rank %d", axis0, axis1, ndim);
  const int numbers[] = {axis0, axis1};
  tsr__dist_note(&call, numbers, sizeof numbers);
  if (st != TSR_OK) return tsr__comm_agree(&call, st);
  swapped s = {tsr__dist_division(x), axis0, axis1};
  tsr_dist_layout grid = x->layout;
  grid.grid[axis0] = x->layout.grid[axis1], grid.grid[axis1] = x->layout.grid[axis0];
  grid.halo[axis0] = x->layout.halo[axis1], grid.halo[axis1] = x->layout.halo[axis0];
  tsr_index shape[TSR_MAX_DIMS];
  for (int i = 0; i < ndim; i++) shape[i] = x->shape[i];
  shape[axis0] = x->shape[axis1], shape[axis1] = x->shape[axis0];
  st = tsr__dist_divide(&call, ndim, shape, layout != NULL ? layout : &grid, &to);
  tsr__dist_note(&call, &to.layout, sizeof to.layout);
  if (st == TSR_OK) st = tsr_dist_own(ctx, x, &own);
  if (st == TSR_OK) st = tsr_transpose(ctx, &own, axis0, axis1, &own);
  tsr__move m = {.ndim = ndim,
                 .dtype = x->local.dtype,
                 .copies = tsr__dist_is_copies(&x->layout, ndim),
                 .have = box_swapped,
                 .have_arg = &s};
  return move_into(&call, st, &m, &own, &to, out);
}

/* ---- from one rank, and to one ---- */

typedef struct one_rank {
  tsr__division whole;
  int root; /* -1: all */
} one_rank;

static tsr__box box_one(const void *arg, int rank) {
  const one_rank *const o = arg;
  tsr__box none = {{0}, {0}};
  if (o->root < 0 || rank == o->root) return tsr__box_all(&o->whole, rank);
  return none;
}

tsr_status tsr_dist_scatter(tsr_ctx *ctx, tsr_comm *comm, int root, const tsr_tensor *x, const tsr_dist_layout *layout,
                            tsr_dist *out) {
  static const char op[] = "dist_scatter";
  tsr__comm_call call;
  const tsr__comm_header *all;
  one_rank from = {.root = root};
  tsr__division to = {0};
  tsr_index shape[TSR_MAX_DIMS];
  tsr_tensor none = {0}, host = {0};
  tsr_status st = tsr__dist_begin(ctx, comm, op, &call);
  if (st != TSR_OK) return st;
  if (root < 0 || root >= comm->size)
    st = tsr__comm_fail(ctx, TSR_EARG, op, "root", "is %d: there are %d ranks", root, comm->size);
  tsr__dist_note(&call, &root, sizeof root);
  if (layout != NULL) tsr__dist_note(&call, layout, sizeof *layout);
  if (st == TSR_OK && comm->rank == root && x != NULL && x->ndim == 0)
    st = tsr__comm_fail(ctx, TSR_ESHAPE, op, "x", "has no axis to divide: tsr_comm_broadcast sends it to all");
  if (st == TSR_OK && comm->rank == root) {
    st = tsr__comm_on_host(&call, "x", x, &host);
    if (st == TSR_OK) tsr__comm_describe(&call, x, -1);
  }
  st = tsr__comm_agree_all(&call, st, &all);
  if (st != TSR_OK) return tsr_release(&host), st;
  const int ndim = all[root].ndim, dtype = all[root].dtype;
  for (int i = 0; i < ndim; i++) shape[i] = (tsr_index)all[root].shape[i];
  st = tsr__dist_divide(&call, ndim, shape, layout, &to);
  from.whole = to;
  tsr__move m = {.ndim = ndim, .dtype = dtype, .have = box_one, .have_arg = &from};
  call.header = (tsr__comm_header){.call = TSR__CALL_DIST, .uneven = -1};
  st = move_into(&call, st, &m, comm->rank == root ? &host : &none, &to, out);
  tsr_release(&host);
  return st;
}

tsr_status tsr_dist_gather(tsr_ctx *ctx, const tsr_dist *x, int root, tsr_tensor *out) {
  static const char op[] = "dist_gather";
  tsr__comm_call call;
  tsr__comm_output output = {.out = NULL};
  tsr_tensor own = {0};
  if (x == NULL || x->comm == NULL) return tsr__comm_fail(ctx, TSR_ESTATE, op, "x", "is empty");
  tsr_comm *const comm = x->comm;
  tsr_status st = tsr__dist_begin(ctx, comm, op, &call);
  if (st == TSR_OK) st = tsr__dist_check(&call, "x", x);
  if (st == TSR_OK && (root < -1 || root >= comm->size))
    st = tsr__comm_fail(ctx, TSR_EARG, op, "root", "is %d: there are %d ranks", root, comm->size);
  tsr__dist_note(&call, &root, sizeof root);
  const tsr__division from = tsr__dist_division(x);
  const one_rank to = {from, root};
  const bool receives = root < 0 || comm->rank == root;
  if (st == TSR_OK) st = tsr_dist_own(ctx, x, &own);
  if (st == TSR_OK && receives) st = tsr__comm_output_new(&call, out, x->local.dtype, from.ndim, x->shape, &output);
  st = tsr__comm_agree(&call, st);
  const tsr__move m = {.ndim = from.ndim,
                       .dtype = x->local.dtype,
                       .copies = tsr__dist_is_copies(&from.layout, from.ndim),
                       .have = tsr__box_own,
                       .have_arg = &from,
                       .want = box_one,
                       .want_arg = &to};
  if (st == TSR_OK && !(m.copies && !receives))
    st = tsr__dist_move(&call, st, &m, &own, &output.host);
  else if (st == TSR_OK)
    st = tsr__comm_agree_status(&call, st);
  if (st == TSR_OK) return tsr__comm_output_finish(ctx, op, &output);
  tsr__comm_output_undo(&output);
  return st;
}
