/* Communicators: given, made, split, ended; and MPI itself, started and ended where the program has not. */
#include "mpi/comm.h"

#include <stdlib.h>

/* Communicators that keep MPI, which this library started; -1: another one did. */
static int keepers = -1;

static tsr_status start_mpi(tsr_ctx *ctx, const char *op) {
  int was_started = 0, was_ended = 0, got = 0;
  int code = MPI_Initialized(&was_started);
  if (code == MPI_SUCCESS) code = MPI_Finalized(&was_ended);
  if (code == MPI_SUCCESS && was_ended)
    return tsr__comm_fail(ctx, TSR_ESTATE, op, NULL, "MPI has ended in this process, and cannot be started again");
  if (code != MPI_SUCCESS || was_started) return tsr__comm_check(ctx, op, code);
  code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &got);
  if (code == MPI_SUCCESS) keepers = 0;
  return tsr__comm_check(ctx, op, code);
}

static void free_comm(tsr_comm *comm) {
  if (comm->watch != NULL) tsr__comm_watch_release(comm);
  if (comm->direct != MPI_COMM_NULL) (void)MPI_Comm_free(&comm->direct);
  if (comm->comm != MPI_COMM_NULL) (void)MPI_Comm_free(&comm->comm);
  free(comm->headers);
  free(comm);
}

/* Takes over made, a communicator of this library alone. */
static tsr_status adopt(tsr_ctx *ctx, const char *op, MPI_Comm made, const tsr_comm *like, tsr_comm **out) {
  tsr_comm *const comm = calloc(1, sizeof *comm);
  if (comm == NULL) {
    (void)MPI_Comm_free(&made);
    return tsr__comm_fail(ctx, TSR_ENOMEM, op, NULL, "no memory for a communicator");
  }
  *comm = (tsr_comm){.comm = made, .direct = MPI_COMM_NULL, .checks = true};
  if (like != NULL) comm->checks = like->checks, comm->any_order = like->any_order;
  int code = MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  if (code == MPI_SUCCESS) code = MPI_Comm_rank(made, &comm->rank);
  if (code == MPI_SUCCESS) code = MPI_Comm_size(made, &comm->size);
  if (code == MPI_SUCCESS) code = MPI_Comm_dup(made, &comm->direct);
  if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(comm->direct, MPI_ERRORS_RETURN);
  tsr_status st = tsr__comm_check(ctx, op, code);
  comm->headers = calloc(2 * (size_t)comm->size, sizeof *comm->headers);
  if (st == TSR_OK && comm->headers == NULL)
    st = tsr__comm_fail(ctx, TSR_ENOMEM, op, NULL, "no memory for a communicator");
  if (st == TSR_OK) st = tsr__comm_watch_new(ctx, comm, like);
  if (st != TSR_OK) {
    free_comm(comm);
    return st;
  }
  comm->started = keepers >= 0;
  if (comm->started) keepers++;
  *out = comm;
  return TSR_OK;
}

tsr_status tsr_comm_new(tsr_ctx *ctx, const void *mpi_comm, tsr_comm **out) {
  static const char op[] = "comm_new";
  MPI_Comm from = MPI_COMM_WORLD, made = MPI_COMM_NULL;
  if (out == NULL) return tsr__comm_fail(ctx, TSR_EARG, op, "out", "is NULL");
  tsr_status st = start_mpi(ctx, op);
  if (st != TSR_OK) return st;
  if (mpi_comm != NULL) from = *(const MPI_Comm *)mpi_comm;
  if (from == MPI_COMM_NULL) return tsr__comm_fail(ctx, TSR_EARG, op, "mpi_comm", "is MPI_COMM_NULL");
  st = tsr__comm_check(ctx, op, MPI_Comm_dup(from, &made));
  return st == TSR_OK ? adopt(ctx, op, made, NULL, out) : st;
}

tsr_status tsr_comm_split(tsr_ctx *ctx, tsr_comm *comm, int color, int key, tsr_comm **out) {
  static const char op[] = "comm_split";
  tsr__comm_call call;
  MPI_Comm made = MPI_COMM_NULL;
  tsr_status st = tsr__comm_begin(ctx, comm, op, TSR__CALL_SPLIT, &call);
  if (st != TSR_OK) return st;
  if (out == NULL) st = tsr__comm_fail(ctx, TSR_EARG, op, "out", "is NULL");
  st = tsr__comm_agree(&call, st);
  if (st != TSR_OK) return st;
  *out = NULL;
  st = tsr__comm_check(ctx, op, MPI_Comm_split(comm->comm, color < 0 ? MPI_UNDEFINED : color, key, &made));
  if (st != TSR_OK || made == MPI_COMM_NULL) return st;
  return adopt(ctx, op, made, comm, out);
}

void tsr_comm_release(tsr_comm *comm) {
  int was_ended = 0;
  if (comm == NULL) return;
  const bool started = comm->started;
  if (MPI_Finalized(&was_ended) == MPI_SUCCESS && was_ended) comm->comm = comm->direct = MPI_COMM_NULL;
  free_comm(comm);
  if (started && --keepers == 0 && !was_ended) (void)MPI_Finalize();
}

int tsr_comm_rank(const tsr_comm *comm) { return comm != NULL ? comm->rank : 0; }
int tsr_comm_size(const tsr_comm *comm) { return comm != NULL ? comm->size : 1; }
const void *tsr_comm_native(const tsr_comm *comm) { return comm != NULL ? &comm->comm : NULL; }

/* A setting that has to be the same on all ranks. */
static tsr_status set(tsr_ctx *ctx, tsr_comm *comm, const char *op, bool *setting, bool on) {
  tsr__comm_call call;
  tsr_status st = tsr__comm_begin(ctx, comm, op, TSR__CALL_SETTING, &call);
  if (st != TSR_OK) return st;
  call.header.numbers[0] = on;
  const bool checks = comm->checks;
  comm->checks = true;
  st = tsr__comm_agree(&call, TSR_OK);
  comm->checks = checks;
  if (st == TSR_OK) *setting = on;
  return st;
}

tsr_status tsr_comm_set_checks(tsr_ctx *ctx, tsr_comm *comm, bool on) {
  return set(ctx, comm, "comm_set_checks", comm != NULL ? &comm->checks : NULL, on);
}

tsr_status tsr_comm_set_any_order(tsr_ctx *ctx, tsr_comm *comm, bool on) {
  return set(ctx, comm, "comm_set_any_order", comm != NULL ? &comm->any_order : NULL, on);
}

tsr_index tsr_comm_part(tsr_index n, int parts, int part, tsr_index *first) {
  const tsr_index each = n / parts, longer = n % parts;
  if (first != NULL) *first = part * each + (part < longer ? part : longer);
  return each + (part < longer);
}
