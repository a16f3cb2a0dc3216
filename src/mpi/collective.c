/* Collectives that move elements as they are: broadcast, gather, allgather, scatter, all-to-all, barrier. */
#include "mpi/comm.h"

#include <string.h>

/* ---- checks that they share ---- */

static tsr_status check_root(tsr__comm_call *call, int root) {
  call->header.numbers[0] = root;
  if (root >= 0 && root < call->comm->size) return TSR_OK;
  return tsr__comm_fail(call->ctx, TSR_EARG, call->op, "root", "is %d: there are %d ranks", root, call->comm->size);
}

/* Notes an axis of x as a number of the header: the same on all ranks, -1 and the last one too. */
static tsr_status check_axis(tsr__comm_call *call, const char *arg, int number, int axis, int ndim, int *resolved) {
  const int at = axis < 0 ? axis + ndim : axis;
  *resolved = 0;
  call->header.numbers[number] = at;
  if (at < 0 || at >= ndim)
    return tsr__comm_fail(call->ctx, TSR_EAXIS, call->op, arg, "%d is out of range for rank %d", axis, ndim);
  *resolved = at;
  return TSR_OK;
}

static size_t item_of(const tsr_tensor *x) { return tsr_dtype_size(x->dtype); }

/* Elements of one index of axis. */
static size_t slab_of(int ndim, const int64_t *shape, int axis) {
  size_t count = 1;
  for (int i = 0; i < ndim; i++)
    if (i != axis) count *= (size_t)shape[i];
  return count;
}

static tsr_status ended(tsr_comm_request *r, tsr_status st) {
  tsr__comm_request_free(r);
  return st;
}

/* ---- barrier ---- */

tsr_status tsr_comm_barrier(tsr_ctx *ctx, tsr_comm *comm) {
  tsr__comm_call call;
  const tsr_status st = tsr__comm_begin(ctx, comm, "comm_barrier", TSR__CALL_BARRIER, &call);
  return st == TSR_OK ? tsr__comm_agree_status(&call, st) : st;
}

/* ---- broadcast ---- */

/* What the root has, on a rank whose x is empty or fits. */
static tsr_status broadcast_output(tsr__comm_call *call, int root, const tsr__comm_header *all, tsr_tensor *x,
                                   tsr_comm_request *r) {
  const tsr__comm_header *const from = &all[root];
  tsr_index shape[TSR_MAX_DIMS];
  for (int i = 0; i < TSR_MAX_DIMS; i++) shape[i] = (tsr_index)from->shape[i];
  return tsr__comm_output_new(call, x, from->dtype, from->ndim, shape, &r->output);
}

tsr_status tsr_comm_broadcast(tsr_ctx *ctx, tsr_comm *comm, int root, tsr_tensor *x, tsr_comm_request **request) {
  tsr__comm_call call;
  tsr_comm_request *r = NULL;
  const tsr__comm_header *all;
  tsr_status st = tsr__comm_begin(ctx, comm, "comm_broadcast", TSR__CALL_BROADCAST, &call);
  if (st != TSR_OK) return st;
  const bool is_root = comm->rank == root;
  st = check_root(&call, root);
  if (st == TSR_OK) st = tsr__comm_request_new(&call, &r);
  if (st == TSR_OK && x == NULL) st = tsr__comm_fail(ctx, TSR_EARG, call.op, "x", "is NULL");
  if (st == TSR_OK && is_root) st = tsr__comm_stage_in(&call, "x", x, &r->input);
  if (st == TSR_OK && !tsr_is_none(x)) tsr__comm_describe(&call, x, -1);
  st = tsr__comm_agree_all(&call, st, &all);
  if (st != TSR_OK) return ended(r, st);
  if (!is_root) st = broadcast_output(&call, root, all, x, r);
  st = tsr__comm_agree_status(&call, st);
  if (st != TSR_OK) return ended(r, st);
  const tsr_tensor *const host = is_root ? &r->input : &r->output.host;
  st = tsr__comm_bcast(ctx, comm, call.op, root, host->data, tsr_nbytes(host), tsr__comm_started(r, request));
  return st == TSR_OK ? tsr__comm_run(ctx, r, request) : ended(r, st);
}

/* ---- gather, allgather: pieces along an axis become one ---- */

/* Pieces that do not lie in place go in one by one, when they are there. */
static tsr_status join(tsr_ctx *ctx, tsr_comm_request *r) {
  tsr_status st = TSR_OK;
  tsr_index first = 0;
  const size_t slab = slab_of(r->output.host.ndim, r->output.host.shape, r->axis) * item_of(&r->output.host);
  for (int i = 0; i < r->comm->size && st == TSR_OK; i++) {
    const tsr_index length = slab > 0 ? (tsr_index)(r->pieces[i].receive_bytes / slab) : 0;
    st = tsr__comm_unpack(ctx, r->op, r->pieces[i].receive, r->axis, first, length, &r->output.host);
    first += length;
  }
  return st;
}

/* Where what arrives is put: in the output, or beside it. */
static tsr_status receive_memory(tsr__comm_call *call, tsr_comm_request *r, size_t bytes, char **at) {
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  if (tsr__comm_parts_in_place(&r->output.host, r->axis)) {
    *at = r->output.host.data;
    return TSR_OK;
  }
  const tsr_status st = tsr_empty(&inner, TSR_U8, TSR_SHAPE((tsr_index)bytes), &r->parts);
  if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  *at = r->parts.data;
  r->next = join;
  return TSR_OK;
}

static void place_received(tsr_comm_request *r, char *at) {
  for (int i = 0; i < r->comm->size; i++) {
    r->pieces[i].receive = at;
    if (r->pieces[i].receive_bytes > 0) at += r->pieces[i].receive_bytes;
  }
}

static tsr_status gather(tsr_ctx *ctx, tsr_comm *comm, const char *op, int number, int root, int axis,
                         const tsr_tensor *x, tsr_tensor *out, tsr_comm_request **request) {
  tsr__comm_call call;
  tsr_comm_request *r = NULL;
  const tsr__comm_header *all;
  tsr_status st = tsr__comm_begin(ctx, comm, op, number, &call);
  if (st != TSR_OK) return st;
  const bool to_all = number == TSR__CALL_ALLGATHER, receives = to_all || comm->rank == root;
  if (!to_all) st = check_root(&call, root);
  if (st == TSR_OK) st = tsr__comm_request_new(&call, &r);
  if (st == TSR_OK) st = tsr__comm_stage_in(&call, "x", x, &r->input);
  if (st == TSR_OK) st = check_axis(&call, "axis", 1, axis, x->ndim, &axis);
  if (st == TSR_OK) tsr__comm_describe(&call, x, axis);
  st = tsr__comm_agree_all(&call, st, &all);
  if (st != TSR_OK) return ended(r, st);
  tsr_index shape[TSR_MAX_DIMS] = {0}, length = 0;
  const size_t slab = slab_of(x->ndim, x->shape, axis) * item_of(x);
  for (int i = 0; i < x->ndim; i++) shape[i] = x->shape[i];
  for (int i = 0; i < comm->size; i++) {
    length += (tsr_index)all[i].shape[axis];
    if (receives) r->pieces[i].receive_bytes = slab * (size_t)all[i].shape[axis];
  }
  shape[axis] = length;
  r->axis = axis;
  char *at = NULL;
  if (receives) st = tsr__comm_output_new(&call, out, x->dtype, x->ndim, shape, &r->output);
  if (st == TSR_OK && receives) st = receive_memory(&call, r, slab * (size_t)length, &at);
  if (st == TSR_OK && receives) st = tsr__comm_unalias(&call, r);
  st = tsr__comm_agree_status(&call, st);
  if (st != TSR_OK) return ended(r, st);
  for (int i = 0; i < comm->size; i++) {
    r->pieces[i].send = r->input.data;
    r->pieces[i].send_bytes = to_all || i == root ? tsr_nbytes(&r->input) : 0;
  }
  if (receives) place_received(r, at);
  st = tsr__comm_move(ctx, comm, op, to_all ? TSR__ALL_GATHER : TSR__GATHER, root, r->pieces, slab * (size_t)length,
                      tsr__comm_started(r, request));
  return st == TSR_OK ? tsr__comm_run(ctx, r, request) : ended(r, st);
}

tsr_status tsr_comm_gather(tsr_ctx *ctx, tsr_comm *comm, int root, int axis, const tsr_tensor *x, tsr_tensor *out,
                           tsr_comm_request **request) {
  return gather(ctx, comm, "comm_gather", TSR__CALL_GATHER, root, axis, x, out, request);
}

tsr_status tsr_comm_allgather(tsr_ctx *ctx, tsr_comm *comm, int axis, const tsr_tensor *x, tsr_tensor *out,
                              tsr_comm_request **request) {
  return gather(ctx, comm, "comm_allgather", TSR__CALL_ALLGATHER, -1, axis, x, out, request);
}

/* ---- scatter, all-to-all: parts along an axis go to the ranks ---- */

/* Parts of x along axis, where they are or packed one after another. */
static tsr_status split(tsr__comm_call *call, tsr_comm_request *r, int axis) {
  const tsr_tensor *const x = &r->input;
  const size_t slab = slab_of(x->ndim, x->shape, axis) * item_of(x);
  tsr_tensor packed = {0};
  tsr_ctx inner;
  tsr_status st = TSR_OK;
  char *at = x->data;
  const bool in_place = tsr__comm_parts_in_place(x, axis);
  tsr__comm_inner(call->ctx, &inner);
  if (!in_place) {
    st = tsr_empty(&inner, TSR_U8, TSR_SHAPE((tsr_index)tsr_nbytes(x)), &packed);
    if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, "x", &inner);
    at = packed.data;
  }
  for (int i = 0; i < call->comm->size && st == TSR_OK; i++) {
    tsr_index first;
    const tsr_index length = tsr_comm_part(x->shape[axis], call->comm->size, i, &first);
    r->pieces[i].send = at;
    r->pieces[i].send_bytes = slab * (size_t)length;
    if (!in_place) st = tsr__comm_pack(call->ctx, call->op, x, axis, first, length, at);
    if (r->pieces[i].send_bytes > 0) at += r->pieces[i].send_bytes;
  }
  if (!in_place) {
    tsr_release(&r->input);
    r->input = tsr_move(&packed);
  }
  return st;
}

tsr_status tsr_comm_scatter(tsr_ctx *ctx, tsr_comm *comm, int root, int axis, const tsr_tensor *x, tsr_tensor *out,
                            tsr_comm_request **request) {
  tsr__comm_call call;
  tsr_comm_request *r = NULL;
  const tsr__comm_header *all;
  tsr_status st = tsr__comm_begin(ctx, comm, "comm_scatter", TSR__CALL_SCATTER, &call);
  if (st != TSR_OK) return st;
  const bool is_root = comm->rank == root;
  int at = axis;
  st = check_root(&call, root);
  call.header.numbers[1] = axis;
  if (st == TSR_OK) st = tsr__comm_request_new(&call, &r);
  if (st == TSR_OK && is_root) st = tsr__comm_on_host(&call, "x", x, &r->input);
  if (st == TSR_OK && is_root) st = check_axis(&call, "axis", 1, axis, x->ndim, &at);
  call.header.numbers[1] = axis; /* as it was given: only the root knows its rank */
  if (st == TSR_OK && is_root) tsr__comm_describe(&call, x, -1);
  st = tsr__comm_agree_all(&call, st, &all);
  if (st != TSR_OK) return ended(r, st);
  const tsr__comm_header *const from = &all[root];
  tsr_index shape[TSR_MAX_DIMS] = {0};
  for (int i = 0; i < from->ndim; i++) shape[i] = (tsr_index)from->shape[i];
  r->axis = axis < 0 ? axis + from->ndim : axis;
  const size_t slab = slab_of(from->ndim, from->shape, r->axis) * tsr_dtype_size(from->dtype);
  const size_t whole = slab * (size_t)shape[r->axis];
  shape[r->axis] = tsr_comm_part(shape[r->axis], comm->size, comm->rank, NULL);
  st = tsr__comm_output_new(&call, out, from->dtype, from->ndim, shape, &r->output);
  if (st == TSR_OK && is_root) st = tsr__comm_unalias(&call, r);
  if (st == TSR_OK && is_root) st = split(&call, r, r->axis);
  st = tsr__comm_agree_status(&call, st);
  if (st != TSR_OK) return ended(r, st);
  r->pieces[root].receive = r->output.host.data;
  r->pieces[root].receive_bytes = slab * (size_t)shape[r->axis];
  st = tsr__comm_move(ctx, comm, call.op, TSR__SCATTER, root, r->pieces, whole, tsr__comm_started(r, request));
  return st == TSR_OK ? tsr__comm_run(ctx, r, request) : ended(r, st);
}

/* What a rank gets from rank i: its shape, and the bytes. */
static size_t arriving(const tsr__comm_header *from, const tsr_comm *comm, int split_axis, int join_axis,
                       tsr_index *length) {
  tsr_index shape[TSR_MAX_DIMS] = {0};
  size_t bytes = tsr_dtype_size(from->dtype);
  for (int i = 0; i < from->ndim; i++) shape[i] = (tsr_index)from->shape[i];
  shape[split_axis] = tsr_comm_part(shape[split_axis], comm->size, comm->rank, NULL);
  for (int i = 0; i < from->ndim; i++) bytes *= (size_t)shape[i];
  *length = shape[join_axis];
  return bytes;
}

tsr_status tsr_comm_alltoall(tsr_ctx *ctx, tsr_comm *comm, int split_axis, int join_axis, const tsr_tensor *x,
                             tsr_tensor *out, tsr_comm_request **request) {
  tsr__comm_call call;
  tsr_comm_request *r = NULL;
  const tsr__comm_header *all;
  tsr_status st = tsr__comm_begin(ctx, comm, "comm_alltoall", TSR__CALL_ALLTOALL, &call);
  if (st != TSR_OK) return st;
  st = tsr__comm_request_new(&call, &r);
  if (st == TSR_OK) st = tsr__comm_on_host(&call, "x", x, &r->input);
  if (st == TSR_OK) st = check_axis(&call, "split", 0, split_axis, x->ndim, &split_axis);
  if (st == TSR_OK) st = check_axis(&call, "join", 1, join_axis, x->ndim, &join_axis);
  if (st == TSR_OK) tsr__comm_describe(&call, x, join_axis);
  st = tsr__comm_agree_all(&call, st, &all);
  if (st != TSR_OK) return ended(r, st);
  tsr_index shape[TSR_MAX_DIMS] = {0}, length = 0;
  size_t bytes = 0, whole = 0;
  for (int i = 0; i < x->ndim; i++) shape[i] = x->shape[i];
  shape[split_axis] = tsr_comm_part(shape[split_axis], comm->size, comm->rank, NULL);
  for (int i = 0; i < comm->size; i++) {
    tsr_index part;
    r->pieces[i].receive_bytes = arriving(&all[i], comm, split_axis, join_axis, &part);
    bytes += r->pieces[i].receive_bytes;
    whole += slab_of(x->ndim, x->shape, join_axis) * (size_t)all[i].shape[join_axis] * item_of(x);
    length += part;
  }
  shape[join_axis] = length;
  r->axis = join_axis;
  char *at = NULL;
  st = tsr__comm_output_new(&call, out, x->dtype, x->ndim, shape, &r->output);
  if (st == TSR_OK) st = tsr__comm_unalias(&call, r);
  if (st == TSR_OK) st = split(&call, r, split_axis);
  if (st == TSR_OK) st = receive_memory(&call, r, bytes, &at);
  st = tsr__comm_agree_status(&call, st);
  if (st != TSR_OK) return ended(r, st);
  place_received(r, at);
  st = tsr__comm_move(ctx, comm, call.op, TSR__ALL_TO_ALL, -1, r->pieces, whole, tsr__comm_started(r, request));
  return st == TSR_OK ? tsr__comm_run(ctx, r, request) : ended(r, st);
}
