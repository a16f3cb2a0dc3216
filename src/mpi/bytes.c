/* Bytes between ranks. What MPI has a call for, and fits its ints, is that call; all else, and what a request is for, goes from rank to
 * rank in chunks, with a tag of its own. */
#include "mpi/comm.h"

#include <stdlib.h>
#include <string.h>

size_t tsr__comm_chunk = (size_t)1 << 30;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* ---- rank to rank ---- */

static tsr_status refuse_memory(tsr_ctx *ctx, const char *op) {
  return tsr__comm_fail(ctx, TSR_ENOMEM, op, NULL, "no memory for a request");
}

tsr_status tsr__comm_post(tsr_ctx *ctx, tsr_comm_request *r, int rank, char *bytes, size_t count, bool send) {
  for (size_t done = 0; done < count; done += least(count - done, tsr__comm_chunk)) {
    const int n = (int)least(count - done, tsr__comm_chunk);
    MPI_Request *const slot = tsr__comm_request_add(r);
    if (slot == NULL) return refuse_memory(ctx, r->op);
    const int code = send ? MPI_Isend(bytes + done, n, MPI_BYTE, rank, r->tag, r->comm->direct, slot)
                          : MPI_Irecv(bytes + done, n, MPI_BYTE, rank, r->tag, r->comm->direct, slot);
    if (code != MPI_SUCCESS) return tsr__comm_check(ctx, r->op, code);
  }
  return TSR_OK;
}

/* From the neighbour on, so that not all ranks send to the same one first. */
static tsr_status post_all(tsr_ctx *ctx, tsr_comm_request *r, const tsr__comm_piece *pieces) {
  const int rank = r->comm->rank, size = r->comm->size;
  tsr_status st = TSR_OK;
  for (int i = 1; i < size && st == TSR_OK; i++) {
    const int from = (rank + size - i) % size;
    st = tsr__comm_post(ctx, r, from, pieces[from].receive, pieces[from].receive_bytes, false);
  }
  for (int i = 1; i < size && st == TSR_OK; i++) {
    const int to = (rank + i) % size;
    st = tsr__comm_post(ctx, r, to, pieces[to].send, pieces[to].send_bytes, true);
  }
  return st;
}

static void copy_own(const tsr__comm_piece *own) {
  if (own->receive_bytes > 0 && own->receive != own->send) memmove(own->receive, own->send, own->receive_bytes);
}

/* ---- MPI's own calls ---- */

/* Counts and places as MPI's ints, which they fit; base: of all pieces. */
static void lay_out(const tsr__comm_piece *pieces, int size, bool send, int *counts, int *places, char **base) {
  char *first = NULL;
  for (int r = 0; r < size; r++) {
    char *const at = send ? pieces[r].send : pieces[r].receive;
    if ((send ? pieces[r].send_bytes : pieces[r].receive_bytes) > 0 && (first == NULL || at < first)) first = at;
  }
  for (int r = 0; r < size; r++) {
    const size_t bytes = send ? pieces[r].send_bytes : pieces[r].receive_bytes;
    const char *const at = send ? pieces[r].send : pieces[r].receive;
    counts[r] = places[r] = 0;
    if (bytes == 0) continue;
    counts[r] = (int)bytes;
    places[r] = (int)(at - first);
  }
  *base = first;
}

/* code -1: not by such a call, on all ranks or none: whole is the same on each. */
static int move_native(tsr_comm *comm, tsr__comm_pattern pattern, int root, const tsr__comm_piece *pieces, size_t whole,
                       int *ints) {
  const int size = comm->size, rank = comm->rank;
  int *const send_counts = ints, *const send_places = ints + size, *const counts = ints + 2 * size,
             *const places = ints + 3 * size;
  char *from = NULL, *to = NULL;
  if (whole > tsr__comm_chunk) return -1;
  lay_out(pieces, size, true, send_counts, send_places, &from);
  lay_out(pieces, size, false, counts, places, &to);
  const bool in_place = pieces[rank].send == pieces[rank].receive && pieces[rank].receive_bytes > 0;
  const void *const own = in_place ? MPI_IN_PLACE : (const void *)pieces[rank].send;
  switch (pattern) {
    case TSR__ALL_GATHER: {
      bool even = true;
      for (int r = 0; r < size; r++) even = even && counts[r] == counts[0] && places[r] == r * counts[0];
      if (even) return MPI_Allgather(own, counts[0], MPI_BYTE, to, counts[0], MPI_BYTE, comm->comm);
      return MPI_Allgatherv(own, (int)pieces[rank].send_bytes, MPI_BYTE, to, counts, places, MPI_BYTE, comm->comm);
    }
    case TSR__GATHER:
      return MPI_Gatherv(rank == root ? own : (const void *)from, send_counts[root], MPI_BYTE, to, counts, places,
                         MPI_BYTE, root, comm->comm);
    case TSR__SCATTER:
      return MPI_Scatterv(from, send_counts, send_places, MPI_BYTE, to, counts[root], MPI_BYTE, root, comm->comm);
    default: return MPI_Alltoallv(from, send_counts, send_places, MPI_BYTE, to, counts, places, MPI_BYTE, comm->comm);
  }
}

tsr_status tsr__comm_move(tsr_ctx *ctx, tsr_comm *comm, const char *op, tsr__comm_pattern pattern, int root,
                          const tsr__comm_piece *pieces, size_t whole, tsr_comm_request *request) {
  if (comm->size == 1 || request != NULL) {
    const tsr_status st = comm->size == 1 ? TSR_OK : post_all(ctx, request, pieces);
    copy_own(&pieces[comm->rank]);
    return st;
  }
  int *const ints = malloc(4 * (size_t)comm->size * sizeof *ints);
  if (ints == NULL) return refuse_memory(ctx, op);
  tsr__comm_watch_begin(comm, op);
  const int code = move_native(comm, pattern, root, pieces, whole, ints);
  tsr__comm_watch_end(comm);
  free(ints);
  if (code >= 0) return tsr__comm_check(ctx, op, code);
  tsr_comm_request own = {.comm = comm, .op = op, .tag = (int)(comm->requests++ % TSR__TAG_MESSAGE)};
  tsr_status st = post_all(ctx, &own, pieces);
  copy_own(&pieces[comm->rank]);
  tsr__comm_watch_begin(comm, op);
  if (st == TSR_OK) st = tsr__comm_check(ctx, op, MPI_Waitall(own.count, own.list, MPI_STATUSES_IGNORE));
  tsr__comm_watch_end(comm);
  free(own.list);
  return st;
}

tsr_status tsr__comm_bcast(tsr_ctx *ctx, tsr_comm *comm, const char *op, int root, char *bytes, size_t count,
                           tsr_comm_request *request) {
  int code = MPI_SUCCESS;
  tsr__comm_watch_begin(comm, op);
  for (size_t done = 0; done < count && code == MPI_SUCCESS; done += least(count - done, tsr__comm_chunk)) {
    const int n = (int)least(count - done, tsr__comm_chunk);
    MPI_Request *const slot = request != NULL ? tsr__comm_request_add(request) : NULL;
    if (request != NULL && slot == NULL) {
      tsr__comm_watch_end(comm);
      return refuse_memory(ctx, op);
    }
    code = request != NULL ? MPI_Ibcast(bytes + done, n, MPI_BYTE, root, comm->comm, slot)
                           : MPI_Bcast(bytes + done, n, MPI_BYTE, root, comm->comm);
  }
  tsr__comm_watch_end(comm);
  return tsr__comm_check(ctx, op, code);
}

static int reduce_once(tsr_comm *comm, int root, MPI_Datatype type, MPI_Op how, const char *from, char *to, int n,
                       MPI_Request *slot) {
  const void *const given = from == to ? MPI_IN_PLACE : (const void *)from;
  if (root < 0)
    return slot != NULL ? MPI_Iallreduce(given, to, n, type, how, comm->comm, slot)
                        : MPI_Allreduce(given, to, n, type, how, comm->comm);
  const void *const mine = comm->rank == root ? given : (const void *)from;
  return slot != NULL ? MPI_Ireduce(mine, to, n, type, how, root, comm->comm, slot)
                      : MPI_Reduce(mine, to, n, type, how, root, comm->comm);
}

tsr_status tsr__comm_native_reduce(tsr_ctx *ctx, tsr_comm *comm, const char *op, int root, MPI_Datatype type,
                                   MPI_Op how, const char *from, char *to, tsr_index count, size_t item,
                                   tsr_comm_request *request) {
  const size_t most = tsr__comm_chunk / item > 0 ? tsr__comm_chunk / item : 1;
  int code = MPI_SUCCESS;
  size_t left = (size_t)count;
  tsr__comm_watch_begin(comm, op);
  while (left > 0 && code == MPI_SUCCESS) {
    const size_t n = least(left, most);
    MPI_Request *const slot = request != NULL ? tsr__comm_request_add(request) : NULL;
    if (request != NULL && slot == NULL) {
      tsr__comm_watch_end(comm);
      return refuse_memory(ctx, op);
    }
    code = reduce_once(comm, root, type, how, from, to, (int)n, slot);
    from += n * item;
    if (to != NULL) to += n * item;
    left -= n;
  }
  tsr__comm_watch_end(comm);
  return tsr__comm_check(ctx, op, code);
}
