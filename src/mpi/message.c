/* One rank to another: what is sent says first what it is, and is answered, so that both sides know whether it fits. */
#include "mpi/comm.h"

#include <stdlib.h>

/* How a message begins. */
typedef struct beginning {
  int32_t dtype, ndim;
  int32_t number; /* of the sender's messages: the tag of what follows */
  int32_t failed; /* a status */
  int64_t shape[TSR_MAX_DIMS];
} beginning;

/* What a message needs beside a request. */
typedef struct message {
  beginning begin;
  int32_t answer; /* a status */
  int peer, tag;
  tsr_tensor *out;
  tsr_status st; /* of this side */
} message;

static int data_tag(const message *m) { return TSR__TAG_MESSAGE + (int)m->begin.number % TSR__TAG_MESSAGE; }
static int answer_tag(const message *m) { return TSR__TAG_ANSWER + (int)m->begin.number % TSR__TAG_MESSAGE; }

static tsr_status check(tsr__comm_call *call, const char *arg, int peer, int tag, bool any) {
  if (tag < 0 || tag >= TSR__TAGS)
    return tsr__comm_fail(call->ctx, TSR_EARG, call->op, "tag", "is %d, not 0 ... %d", tag, TSR__TAGS - 1);
  if ((peer >= 0 && peer < call->comm->size) || (any && peer == TSR_COMM_ANY_RANK)) return TSR_OK;
  return tsr__comm_fail(call->ctx, TSR_EARG, call->op, arg, "is %d: there are %d ranks", peer, call->comm->size);
}

static tsr_status refused(tsr_ctx *ctx, const tsr_comm_request *r, tsr_status st) {
  const message *const m = r->more;
  return tsr__comm_fail(ctx, st, r->op, NULL, "rank %d could not take it: %s", m->peer, tsr_status_text(st));
}

static tsr_status memory(tsr_ctx *ctx, const tsr_comm_request *r) {
  return tsr__comm_fail(ctx, TSR_ENOMEM, r->op, NULL, "no memory for a request");
}

/* Puts one message of MPI on the list. */
static tsr_status post(tsr_ctx *ctx, tsr_comm_request *r, bool send, void *bytes, size_t count, int tag) {
  const message *const m = r->more;
  MPI_Request *const slot = tsr__comm_request_add(r);
  if (slot == NULL) return memory(ctx, r);
  return tsr__comm_check(ctx, r->op,
                         send ? MPI_Isend(bytes, (int)count, MPI_BYTE, m->peer, tag, r->comm->direct, slot)
                              : MPI_Irecv(bytes, (int)count, MPI_BYTE, m->peer, tag, r->comm->direct, slot));
}

static tsr_status post_elements(tsr_ctx *ctx, tsr_comm_request *r, bool send, char *bytes, size_t count) {
  tsr_status st = TSR_OK;
  for (size_t done = 0; done < count && st == TSR_OK;) {
    const size_t n = count - done < tsr__comm_chunk ? count - done : tsr__comm_chunk;
    st = post(ctx, r, send, bytes + done, n, data_tag(r->more));
    done += n;
  }
  return st;
}

/* ---- sending ---- */

static tsr_status answered(tsr_ctx *ctx, tsr_comm_request *r) {
  const message *const m = r->more;
  if (m->st != TSR_OK) return m->st;
  if (m->answer != TSR_OK) return refused(ctx, r, m->answer);
  return post_elements(ctx, r, true, r->input.data, tsr_nbytes(&r->input));
}

static tsr_status begin_message(tsr__comm_call *call, int peer, int tag, tsr_comm_request **out) {
  const tsr_status st = tsr__comm_request_new(call, out);
  if (st != TSR_OK) return st;
  message *const m = calloc(1, sizeof *m);
  if (m == NULL) {
    tsr__comm_request_free(*out);
    return tsr__comm_fail(call->ctx, TSR_ENOMEM, call->op, NULL, "no memory for a request");
  }
  m->peer = peer;
  m->tag = tag;
  (*out)->more = m;
  (*out)->more_free = free;
  return TSR_OK;
}

tsr_status tsr_comm_send(tsr_ctx *ctx, tsr_comm *comm, int to, int tag, const tsr_tensor *x,
                         tsr_comm_request **request) {
  tsr__comm_call call;
  tsr_comm_request *r = NULL;
  tsr_status st = tsr__comm_begin(ctx, comm, "comm_send", TSR__CALL_BARRIER, &call);
  if (st == TSR_OK) st = check(&call, "to", to, tag, false);
  if (st == TSR_OK) st = begin_message(&call, to, tag, &r);
  if (st != TSR_OK) return st;
  message *const m = r->more;
  m->st = tsr__comm_stage_in(&call, "x", x, &r->input);
  m->begin = (beginning){
      .dtype = r->input.dtype, .ndim = r->input.ndim, .number = (int32_t)(comm->sent++ % 0x7fffffffu), .failed = m->st};
  for (int i = 0; i < r->input.ndim; i++) m->begin.shape[i] = r->input.shape[i];
  r->next = answered;
  st = post(ctx, r, true, &m->begin, sizeof m->begin, TSR__TAG_BEGIN + tag);
  if (st == TSR_OK) st = post(ctx, r, false, &m->answer, sizeof m->answer, answer_tag(m));
  if (st == TSR_OK) return tsr__comm_run(ctx, r, request);
  tsr__comm_request_free(r);
  return st;
}

/* ---- receiving ---- */

static tsr_status accepted(tsr_ctx *ctx, tsr_comm_request *r) {
  (void)ctx;
  return ((const message *)r->more)->st;
}

/* What is coming is known: whether out can take it is the answer. */
static tsr_status arrived(tsr_ctx *ctx, tsr_comm_request *r) {
  message *const m = r->more;
  tsr__comm_call call;
  tsr_status st = tsr__comm_begin(ctx, r->comm, r->op, TSR__CALL_BARRIER, &call);
  tsr_index shape[TSR_MAX_DIMS];
  for (int i = 0; i < TSR_MAX_DIMS; i++) shape[i] = (tsr_index)m->begin.shape[i];
  if (st == TSR_OK && m->begin.failed != TSR_OK)
    st = tsr__comm_fail(ctx, m->begin.failed, r->op, NULL, "rank %d failed: %s", m->peer,
                        tsr_status_text(m->begin.failed));
  if (st == TSR_OK && (m->begin.ndim < 0 || m->begin.ndim > TSR_MAX_DIMS))
    st = tsr__comm_fail(ctx, TSR_EFORMAT, r->op, NULL, "rank %d sent something else", m->peer);
  if (st == TSR_OK) st = tsr__comm_output_new(&call, m->out, m->begin.dtype, m->begin.ndim, shape, &r->output);
  m->st = st;
  m->answer = st;
  r->next = accepted;
  st = post(ctx, r, true, &m->answer, sizeof m->answer, answer_tag(m));
  if (st == TSR_OK && m->st == TSR_OK)
    st = post_elements(ctx, r, false, r->output.host.data, tsr_nbytes(&r->output.host));
  return st;
}

/* The rank is not known before the message is there: it is taken when it comes. */
static tsr_status look(tsr_ctx *ctx, tsr_comm_request *r) {
  message *const m = r->more;
  MPI_Status status;
  int there = 0;
  tsr_status st = tsr__comm_check(
      ctx, r->op, MPI_Iprobe(MPI_ANY_SOURCE, TSR__TAG_BEGIN + m->tag, r->comm->direct, &there, &status));
  r->next = there ? arrived : look;
  if (st != TSR_OK || !there) return st;
  m->peer = status.MPI_SOURCE;
  return post(ctx, r, false, &m->begin, sizeof m->begin, TSR__TAG_BEGIN + m->tag);
}

tsr_status tsr_comm_receive(tsr_ctx *ctx, tsr_comm *comm, int from, int tag, tsr_tensor *out,
                            tsr_comm_request **request) {
  tsr__comm_call call;
  tsr_comm_request *r = NULL;
  tsr_status st = tsr__comm_begin(ctx, comm, "comm_receive", TSR__CALL_BARRIER, &call);
  if (st == TSR_OK && out == NULL) st = tsr__comm_fail(ctx, TSR_EARG, call.op, "out", "is NULL");
  if (st == TSR_OK) st = check(&call, "from", from, tag, true);
  if (st == TSR_OK) st = begin_message(&call, from, tag, &r);
  if (st != TSR_OK) return st;
  message *const m = r->more;
  m->out = out;
  r->next = from == TSR_COMM_ANY_RANK ? look : arrived;
  if (from != TSR_COMM_ANY_RANK) st = post(ctx, r, false, &m->begin, sizeof m->begin, TSR__TAG_BEGIN + tag);
  if (st == TSR_OK) return tsr__comm_run(ctx, r, request);
  tsr__comm_request_free(r);
  return st;
}
