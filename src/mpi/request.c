/* Requests: what MPI has not finished, and what is to be done then. */
#include "mpi/comm.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

tsr_status tsr__comm_request_new(tsr__comm_call *call, tsr_comm_request **out) {
  tsr_comm_request *const r = calloc(1, sizeof *r);
  tsr__comm_piece *const pieces = calloc((size_t)call->comm->size, sizeof *pieces);
  if (r == NULL || pieces == NULL) {
    free(r);
    free(pieces);
    return tsr__comm_fail(call->ctx, TSR_ENOMEM, call->op, NULL, "no memory for a request");
  }
  *r = (tsr_comm_request){.comm = call->comm, .op = call->op, .pieces = pieces};
  tsr__comm_inner(call->ctx, &r->ctx);
  *out = r;
  return TSR_OK;
}

void tsr__comm_request_free(tsr_comm_request *r) {
  if (r == NULL) return;
  tsr_release(&r->input);
  tsr_release(&r->scratch);
  tsr_release(&r->parts);
  tsr__comm_output_undo(&r->output);
  if (r->more_free != NULL) r->more_free(r->more);
  free(r->list);
  free(r->pieces);
  free(r);
}

MPI_Request *tsr__comm_request_add(tsr_comm_request *r) {
  if (r->count == r->capacity) {
    const int capacity = r->capacity > 0 ? 2 * r->capacity : 16;
    MPI_Request *const list = realloc(r->list, (size_t)capacity * sizeof *list);
    if (list == NULL) return NULL;
    r->list = list;
    r->capacity = capacity;
  }
  r->list[r->count] = MPI_REQUEST_NULL;
  return &r->list[r->count++];
}

/* As far as it goes without waiting. */
static tsr_status go_on(tsr_comm_request *r) {
  for (;;) {
    int all = 1;
    const int code = r->count > 0 ? MPI_Testall(r->count, r->list, &all, MPI_STATUSES_IGNORE) : MPI_SUCCESS;
    if (code != MPI_SUCCESS) return tsr__comm_check(&r->ctx, r->op, code);
    if (!all) return TSR_OK;
    r->count = 0;
    if (r->next == NULL) break;
    tsr_status (*const next)(tsr_ctx *, tsr_comm_request *) = r->next;
    r->next = NULL;
    const tsr_status st = next(&r->ctx, r);
    if (st != TSR_OK) return st;
    if (r->count == 0 && r->next == next) return TSR_OK; /* it looked, and there was nothing */
  }
  r->done = true;
  return tsr__comm_output_finish(&r->ctx, r->op, &r->output);
}

static void advance(tsr_comm_request *r) {
  if (r->done) return;
  r->st = go_on(r);
  r->done = r->done || r->st != TSR_OK;
}

static void advance_all(const tsr_comm *comm) {
  for (tsr_comm_request *r = comm->active; r != NULL; r = r->following) advance(r);
}

/* Takes a request that is done off the list, and ends it. */
static tsr_status end(tsr_ctx *ctx, tsr_comm_request *r) {
  tsr_comm_request **at = &r->comm->active;
  while (*at != NULL && *at != r) at = &(*at)->following;
  if (*at != NULL) *at = r->following;
  const tsr_status st = r->st == TSR_OK ? TSR_OK : tsr__comm_fail_as(ctx, r->st, r->op, NULL, &r->ctx);
  tsr__comm_request_free(r);
  return st;
}

/* Spins a little, then lets others run: ranks may be more than processors. */
static void pause_for(int round) {
  static const struct timespec moment = {0, 50000};
  if (round < 200) return;
  if (round < 2000)
    (void)sched_yield();
  else
    (void)nanosleep(&moment, NULL);
}

int tsr__comm_wait_for(tsr_comm *comm, MPI_Request *request) {
  for (int round = 0, done = 0;; round += round < 100000) {
    const int code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS || done) return code;
    advance_all(comm);
    pause_for(round);
  }
}

static tsr_status finish(tsr_ctx *ctx, tsr_comm_request *r) {
  tsr__comm_watch_begin(r->comm, r->op);
  for (int round = 0; !r->done; round += round < 100000) {
    advance(r);
    if (r->done) break;
    advance_all(r->comm);
    pause_for(round);
  }
  tsr__comm_watch_end(r->comm);
  return end(ctx, r);
}

tsr_status tsr__comm_run(tsr_ctx *ctx, tsr_comm_request *r, tsr_comm_request **request) {
  if (request == NULL) return finish(ctx, r);
  r->following = r->comm->active;
  r->comm->active = r;
  *request = r;
  return TSR_OK;
}

tsr_status tsr_comm_wait(tsr_ctx *ctx, tsr_comm_request **request) {
  if (request == NULL || *request == NULL) return TSR_OK;
  tsr_comm_request *const r = *request;
  *request = NULL;
  return finish(ctx, r);
}

tsr_status tsr_comm_test(tsr_ctx *ctx, tsr_comm_request **request, bool *done) {
  if (done == NULL) return tsr__comm_fail(ctx, TSR_EARG, "comm_test", "done", "is NULL");
  *done = true;
  if (request == NULL || *request == NULL) return TSR_OK;
  tsr_comm_request *const r = *request;
  advance_all(r->comm);
  *done = r->done;
  if (!r->done) return TSR_OK;
  *request = NULL;
  return end(ctx, r);
}
