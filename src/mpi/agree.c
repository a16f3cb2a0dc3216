/* Agreement: what ranks were called with, before anything moves. Every rank gets what all have, 88 bytes from each, and all of them make
 * the same sentence where something differs; where ranks are many, 16 bytes tell first whether anything does. */
#include "mpi/comm.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[TSR__CALL_COUNT] = {
    "comm_barrier", "comm_broadcast",   "comm_reduce",  "comm_allreduce", "comm_reduce_scatter",
    "comm_gather",  "comm_allgather",   "comm_scatter", "comm_alltoall",  "comm_split",
    "a setting",    "a call of dist_*", "a file"};
/* What numbers of the header are, for messages. */
static const char *const number_names[TSR__CALL_COUNT][2] = {
    [TSR__CALL_BROADCAST] = {"root", NULL},      [TSR__CALL_REDUCE] = {"root", "reduction"},
    [TSR__CALL_ALLREDUCE] = {NULL, "reduction"}, [TSR__CALL_REDUCE_SCATTER] = {"axis", "reduction"},
    [TSR__CALL_GATHER] = {"root", "axis"},       [TSR__CALL_ALLGATHER] = {NULL, "axis"},
    [TSR__CALL_SCATTER] = {"root", "axis"},      [TSR__CALL_ALLTOALL] = {"split", "join"},
    [TSR__CALL_SETTING] = {"on", NULL}};

tsr_status tsr__comm_begin(tsr_ctx *ctx, tsr_comm *comm, const char *op, int number, tsr__comm_call *call) {
  if (comm == NULL) return tsr__comm_fail(ctx, TSR_EARG, op, "comm", "is NULL");
  memset(call, 0, sizeof *call); /* headers are compared as bytes */
  call->ctx = ctx;
  call->comm = comm;
  call->op = op;
  call->header.call = number;
  call->header.uneven = -1;
  return TSR_OK;
}

void tsr__comm_describe(tsr__comm_call *call, const tsr_tensor *x, int uneven) {
  call->header.dtype = x->dtype;
  call->header.ndim = x->ndim;
  call->header.uneven = (int16_t)uneven;
  for (int i = 0; i < x->ndim && i < TSR_MAX_DIMS; i++) call->header.shape[i] = x->shape[i];
}

/* ---- sentences ---- */

typedef struct sentence {
  char text[TSR_TEXT_BYTES];
  size_t length;
} sentence;

static void put(sentence *s, const char *format, ...) TSR__PRINTF(2, 3);
static void put(sentence *s, const char *format, ...) {
  va_list args;
  if (s->length + 1 >= sizeof s->text) return;
  va_start(args, format);
  const int n = vsnprintf(s->text + s->length, sizeof s->text - s->length, format, args);
  va_end(args);
  if (n > 0) s->length += (size_t)n < sizeof s->text - s->length ? (size_t)n : sizeof s->text - s->length - 1;
}

/* "rank 2", "ranks 0, 1 and 3": those whose mark is number, six of them at the most. */
static void put_ranks(sentence *s, const int *marks, int size, int number) {
  int count = 0, done = 0;
  for (int r = 0; r < size; r++) count += marks[r] == number;
  put(s, count == 1 ? "rank" : "ranks");
  for (int r = 0; r < size && done < 6; r++) {
    if (marks[r] != number) continue;
    put(s, done == 0 ? " %d" : done == count - 1 ? " and %d" : ", %d", r);
    done++;
  }
  if (count > done) put(s, " and %d more", count - done);
}

typedef enum aspect { CALL, NUMBER_0, NUMBER_1, DTYPE, SHAPE, ASPECTS } aspect;

static bool same(const tsr__comm_header *a, const tsr__comm_header *b, aspect what) {
  if (what == CALL) return a->call == b->call;
  if (what == NUMBER_0 || what == NUMBER_1) return a->numbers[what - NUMBER_0] == b->numbers[what - NUMBER_0];
  if (a->dtype == TSR_NONE || b->dtype == TSR_NONE) return true;
  if (what == DTYPE) return a->dtype == b->dtype;
  if (a->ndim != b->ndim) return false;
  for (int i = 0; i < a->ndim; i++)
    if (i != a->uneven && a->shape[i] != b->shape[i]) return false;
  return true;
}

static void put_value(sentence *s, const tsr__comm_header *h, aspect what) {
  if (what == CALL) {
    put(s, "%s", h->call >= 0 && h->call < TSR__CALL_COUNT ? names[h->call] : "another call");
  } else if (what == NUMBER_0 || what == NUMBER_1) {
    put(s, "%d", (int)h->numbers[what - NUMBER_0]);
  } else {
    put(s, "%s [", tsr_dtype_name(h->dtype));
    for (int i = 0; i < h->ndim; i++) put(s, i > 0 ? ",%lld" : "%lld", (long long)h->shape[i]);
    put(s, "]");
  }
}

/* Marks ranks by their value of an aspect, in the order in which values come; returns how many values there are. Those without a tensor
 * are marked -1. */
static int mark(const tsr__comm_header *all, int size, aspect what, int *marks, int *firsts) {
  int values = 0;
  for (int r = 0; r < size; r++) {
    marks[r] = -1;
    if (what >= DTYPE && all[r].dtype == TSR_NONE) continue;
    for (int v = 0; v < values && marks[r] < 0; v++)
      if (same(&all[firsts[v]], &all[r], what)) marks[r] = v;
    if (marks[r] >= 0) continue;
    marks[r] = values;
    firsts[values++] = r;
  }
  return values;
}

static tsr_status differs(const tsr__comm_call *call, const tsr__comm_header *all, aspect what, int values,
                          const int *marks, const int *firsts) {
  static const tsr_status statuses[ASPECTS] = {TSR_ESTATE, TSR_EARG, TSR_EARG, TSR_EDTYPE, TSR_ESHAPE};
  const char *const *numbers = number_names[call->header.call];
  sentence s = {.length = 0};
  const char *subject = what == CALL ? "the call" : what >= DTYPE ? "x" : numbers[what - NUMBER_0];
  put(&s, "%s differs: ", subject != NULL ? subject : "an argument");
  for (int v = 0; v < values && v < 3; v++) {
    if (v > 0) put(&s, ", ");
    put_value(&s, &all[firsts[v]], what);
    put(&s, " on ");
    put_ranks(&s, marks, call->comm->size, v);
  }
  if (values > 3) put(&s, ", and others");
  return tsr_error_set(call->ctx, statuses[what], call->op, NULL, s.text);
}

/* Ranks have failed by themselves: those say what it was, the others who they are. */
static tsr_status failed(const tsr__comm_call *call, const tsr__comm_header *all, int *marks) {
  sentence s = {.length = 0};
  tsr_status st = TSR_OK;
  for (int r = 0; r < call->comm->size; r++) {
    if (st == TSR_OK) st = all[r].status;
    marks[r] = all[r].status == st && st != TSR_OK ? 0 : -1;
  }
  if (st == TSR_OK || call->header.status != TSR_OK) return call->header.status;
  put_ranks(&s, marks, call->comm->size, 0);
  put(&s, " failed: %s", tsr_status_text(st));
  return tsr_error_set(call->ctx, st, call->op, NULL, s.text);
}

/* What is wrong, the same on every rank. */
static tsr_status judge(const tsr__comm_call *call, const tsr__comm_header *all) {
  const int size = call->comm->size;
  int *const marks = malloc(2 * (size_t)size * sizeof *marks);
  if (marks == NULL) return tsr__comm_fail(call->ctx, TSR_ENOMEM, call->op, NULL, "no memory to compare ranks");
  tsr_status st = TSR_OK;
  for (int what = CALL; what < ASPECTS && st == TSR_OK; what++) {
    if (what == NUMBER_0) st = failed(call, all, marks);
    if (st != TSR_OK) break;
    const int values = mark(all, size, (aspect)what, marks, marks + size);
    if (values > 1) st = differs(call, all, (aspect)what, values, marks, marks + size);
  }
  free(marks);
  return st;
}

/* ---- messages ---- */

/* Up to so many ranks everything is told at once; beyond, a hash of it first. */
enum { TELL_ALL = 64 };

static tsr_status tell_all(tsr__comm_call *call, tsr__comm_header *all) {
  const int size = call->comm->size;
  if (size == 1) {
    all[0] = call->header;
    return call->header.status;
  }
  tsr__comm_watch_begin(call->comm, call->op);
  const int bytes = sizeof call->header;
  MPI_Request waits; /* others may wait for what a request of this rank has yet to send, and come later */
  int code = MPI_Iallgather(&call->header, bytes, MPI_BYTE, all, bytes, MPI_BYTE, call->comm->comm, &waits);
  if (code == MPI_SUCCESS) code = tsr__comm_wait_for(call->comm, &waits);
  tsr__comm_watch_end(call->comm);
  if (code != MPI_SUCCESS) return tsr__comm_check(call->ctx, call->op, code);
  bool equal = call->header.status == TSR_OK;
  for (int r = 0; r < size && equal; r++) equal = memcmp(&all[r], &call->header, sizeof all[r]) == 0;
  return equal ? TSR_OK : judge(call, all);
}

static uint64_t hash(const tsr__comm_header *h) {
  const unsigned char *const bytes = (const unsigned char *)h;
  uint64_t value = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < sizeof *h; i++) value = (value ^ bytes[i]) * UINT64_C(1099511628211);
  return value;
}

/* Whether all have the same; every rank gets the same answer, and is then in the same place. */
static tsr_status tell_hash(const tsr__comm_call *call, bool *equal) {
  const uint64_t mine = hash(&call->header);
  uint64_t pair[2] = {mine, ~mine}, most[2] = {0, 0};
  tsr__comm_watch_begin(call->comm, call->op);
  MPI_Request waits;
  int code = MPI_Iallreduce(pair, most, 2, MPI_UINT64_T, MPI_MAX, call->comm->comm, &waits);
  if (code == MPI_SUCCESS) code = tsr__comm_wait_for(call->comm, &waits);
  tsr__comm_watch_end(call->comm);
  *equal = most[0] == ~most[1];
  return tsr__comm_check(call->ctx, call->op, code);
}

tsr_status tsr__comm_agree_all(tsr__comm_call *call, tsr_status st, const tsr__comm_header **all) {
  bool equal;
  call->header.status = st;
  if (call->comm->checks && call->comm->size > TELL_ALL) { /* others may be in a call that begins with it */
    const tsr_status told = tell_hash(call, &equal);
    if (told != TSR_OK) return told;
  }
  *all = call->comm->headers;
  return tell_all(call, call->comm->headers);
}

tsr_status tsr__comm_agree(tsr__comm_call *call, tsr_status st) {
  tsr_comm *const comm = call->comm;
  call->header.status = st;
  if (!comm->checks || comm->size == 1) return st;
  if (comm->size > TELL_ALL) {
    bool equal = false;
    const tsr_status told = tell_hash(call, &equal);
    if (told != TSR_OK || (equal && st == TSR_OK)) return told;
  }
  return tell_all(call, comm->headers + comm->size);
}

tsr_status tsr__comm_agree_status(tsr__comm_call *call, tsr_status st) {
  const bool checks = call->comm->checks;
  const tsr__comm_header before = call->header;
  call->comm->checks = true;
  call->header = (tsr__comm_header){.call = before.call, .uneven = -1};
  st = tsr__comm_agree(call, st);
  call->header = before;
  call->comm->checks = checks;
  return st;
}
