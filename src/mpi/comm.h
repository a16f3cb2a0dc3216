/* A communicator, what a call on it goes through, and the words of its failures. */
#ifndef TSR_MPI_COMM_H
#define TSR_MPI_COMM_H

#include <mpi.h>
#include <tessera/mpi.h>
#include <tessera/ops.h>
#include <tessera/queue.h>
#include <tessera/view.h>

#define TSR__PRINTF(text, first) __attribute__((format(printf, text, first)))

struct tsr_comm {
  MPI_Comm comm;   /* collectives */
  MPI_Comm direct; /* one rank to another, and requests: tags tell them apart, whatever the order */
  int rank, size;
  bool checks;
  bool any_order;
  bool started;                     /* counts among those that keep MPI, which this library started */
  unsigned requests;                /* that were started on all ranks: gives each its tag */
  unsigned sent;                    /* messages to other ranks */
  tsr_comm_request *active;         /* that were started and not waited for */
  struct tsr__comm_watch *watch;    /* who looks at the clock; watch.c */
  struct tsr__comm_header *headers; /* what ranks came with: two of each, for a call and for a question in it */
};

/* ---- failures ---- */

/* Records "op: arg text" and returns status. */
tsr_status tsr__comm_fail(tsr_ctx *ctx, tsr_status status, const char *op, const char *arg, const char *format, ...)
    TSR__PRINTF(5, 6);

/* A failure of a call that op made with inner, whose text follows "op: arg". */
tsr_status tsr__comm_fail_as(tsr_ctx *ctx, tsr_status status, const char *op, const char *arg, const tsr_ctx *inner);

/* What MPI said; TSR_OK for MPI_SUCCESS. */
tsr_status tsr__comm_check(tsr_ctx *ctx, const char *op, int code);

/* A context for what a call does on the way: ctx's allocator, threads and queue, no scope, trace or device. */
void tsr__comm_inner(const tsr_ctx *ctx, tsr_ctx *inner);

/* ---- the clock (watch.c) ---- */

/* From begin to end the calling thread waits for other ranks in op, which is kept. */
tsr_status tsr__comm_watch_new(tsr_ctx *ctx, tsr_comm *comm, const tsr_comm *like);
void tsr__comm_watch_release(tsr_comm *comm);
void tsr__comm_watch_begin(tsr_comm *comm, const char *op);
void tsr__comm_watch_end(tsr_comm *comm);

/* ---- agreement (agree.c) ---- */

/* What a rank was called with: the same on all, but where said. */
typedef struct tsr__comm_header {
  int32_t call;       /* a TSR__CALL_… */
  int32_t status;     /* what this rank's own checks found; TSR_OK */
  int32_t numbers[2]; /* root, axis, reduction: as the call has them */
  int32_t dtype;      /* of x; TSR_NONE: this rank has none to compare */
  int16_t ndim;
  int16_t uneven; /* an axis whose lengths may differ; -1 */
  int64_t shape[TSR_MAX_DIMS];
} tsr__comm_header;

enum {
  TSR__CALL_BARRIER,
  TSR__CALL_BROADCAST,
  TSR__CALL_REDUCE,
  TSR__CALL_ALLREDUCE,
  TSR__CALL_REDUCE_SCATTER,
  TSR__CALL_GATHER,
  TSR__CALL_ALLGATHER,
  TSR__CALL_SCATTER,
  TSR__CALL_ALLTOALL,
  TSR__CALL_SPLIT,
  TSR__CALL_SETTING,
  TSR__CALL_DIST,
  TSR__CALL_FILE,
  TSR__CALL_COUNT
};

/* A call, from its checks to its end. */
typedef struct tsr__comm_call {
  tsr_ctx *ctx;
  tsr_comm *comm;
  const char *op;
  tsr__comm_header header;
} tsr__comm_call;

/* Begins a call on a communicator that is there: TSR_EARG. */
tsr_status tsr__comm_begin(tsr_ctx *ctx, tsr_comm *comm, const char *op, int number, tsr__comm_call *call);

/* Notes what a rank found so far, and what x is. */
void tsr__comm_describe(tsr__comm_call *call, const tsr_tensor *x, int uneven);

/* Whether all ranks came with the same; st is this rank's own status. Every rank returns TSR_OK, or none does. */
tsr_status tsr__comm_agree(tsr__comm_call *call, tsr_status st);

/* The same, and what each came with, until the next call. Shapes may differ along the axis uneven. */
tsr_status tsr__comm_agree_all(tsr__comm_call *call, tsr_status st, const tsr__comm_header **all);

/* Whether all ranks are fine so far, later in a call. */
tsr_status tsr__comm_agree_status(tsr__comm_call *call, tsr_status st);

/* ---- tensors as bytes (stage.c) ---- */

/* x in memory of the host, as it lies: a view, or a copy that is released. */
tsr_status tsr__comm_on_host(tsr__comm_call *call, const char *arg, const tsr_tensor *x, tsr_tensor *host);

/* The same, contiguous and row-major. */
tsr_status tsr__comm_stage_in(tsr__comm_call *call, const char *arg, const tsr_tensor *x, tsr_tensor *host);

/* Length indices from first on of a tensor of the host along axis: from and to contiguous memory. Nothing of it can fail but for want of
 * memory. */
tsr_status tsr__comm_pack(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int axis, tsr_index first,
                          tsr_index length, char *to);
tsr_status tsr__comm_unpack(tsr_ctx *ctx, const char *op, const char *from, int axis, tsr_index first, tsr_index length,
                            tsr_tensor *x);

/* Whether parts of x along axis lie one after another in contiguous memory. */
bool tsr__comm_parts_in_place(const tsr_tensor *x, int axis);

/* An output while a call runs. */
typedef struct tsr__comm_output {
  tsr_tensor *out;
  tsr_tensor before; /* what it was */
  tsr_tensor host;   /* where elements arrive: a view of out, or memory beside it */
  bool direct, made; /* host is out; out was given memory */
} tsr__comm_output;

/* Whether out can take such a result, with memory where it has none. */
tsr_status tsr__comm_output_new(tsr__comm_call *call, tsr_tensor *out, int dtype, int ndim, const tsr_index *shape,
                                tsr__comm_output *output);
tsr_status tsr__comm_output_finish(tsr_ctx *ctx, const char *op, tsr__comm_output *output);
void tsr__comm_output_undo(tsr__comm_output *output); /* out is what it was */

/* ---- bytes between ranks (bytes.c) ---- */

/* What goes to a rank and comes from it. */
typedef struct tsr__comm_piece {
  char *send, *receive;
  size_t send_bytes, receive_bytes;
} tsr__comm_piece;

/* The patterns for which MPI has a call of its own; pieces lie one after another in one block. */
typedef enum tsr__comm_pattern {
  TSR__ALL_TO_ALL, /* any pieces */
  TSR__ALL_GATHER, /* to each the same bytes */
  TSR__GATHER,     /* to root */
  TSR__SCATTER     /* from root */
} tsr__comm_pattern;

/* Moves pieces[rank] of every rank, where a rank with nothing to send or receive has 0 bytes. whole is the same on all ranks, and no rank
 * sends or receives more. request NULL: done when it returns. */
tsr_status tsr__comm_move(tsr_ctx *ctx, tsr_comm *comm, const char *op, tsr__comm_pattern pattern, int root,
                          const tsr__comm_piece *pieces, size_t whole, tsr_comm_request *request);

tsr_status tsr__comm_bcast(tsr_ctx *ctx, tsr_comm *comm, const char *op, int root, char *bytes, size_t count,
                           tsr_comm_request *request);

/* MPI's own reduction of count elements; to NULL on ranks that are not root, which is -1 for all. */
tsr_status tsr__comm_native_reduce(tsr_ctx *ctx, tsr_comm *comm, const char *op, int root, MPI_Datatype type,
                                   MPI_Op how, const char *from, char *to, tsr_index count, size_t item,
                                   tsr_comm_request *request);

/* Tags of messages between two ranks: requests from 0 on, then a message's elements, its answer, its beginning. */
enum { TSR__TAG_MESSAGE = 4096, TSR__TAG_ANSWER = 8192, TSR__TAG_BEGIN = 16384, TSR__TAGS = 16384 };

/* Sends bytes to a rank with a request's tag, or receives them, in order with what was posted for that rank before. */
tsr_status tsr__comm_post(tsr_ctx *ctx, tsr_comm_request *r, int rank, char *bytes, size_t count, bool send);

/* The most bytes, or elements, of one call of MPI; less in tests. */
extern size_t tsr__comm_chunk;

/* ---- requests (request.c) ---- */

struct tsr_comm_request {
  tsr_comm_request *
      following; /* of the communicator's: whoever waits for one goes on with all, which may be what another rank waits for */
  tsr_comm *comm;
  tsr_ctx ctx; /* for what is done on the way, on behalf of whichever call */
  bool done;
  tsr_status st; /* why it failed: the message is in ctx */
  const char *op;
  int tag;
  MPI_Request *list; /* what MPI has not finished */
  int count, capacity;
  tsr_status (*next)(tsr_ctx *ctx,
                     tsr_comm_request *r); /* called when the list is done: puts more on it, or sets next to NULL */
  tsr_tensor input;                        /* staged */
  tsr_tensor scratch;                      /* of what is computed when elements are there: nothing may fail then */
  tsr_tensor parts;                        /* elements of the ranks, before they are put together */
  tsr__comm_output output;
  tsr__comm_piece *pieces;
  size_t whole;
  bool blocking; /* MPI's own calls, which wait */
  int reduction, root, axis;
  void *more; /* of a message, or of a call on distributed tensors */
  void (*more_free)(void *more);
};

tsr_status tsr__comm_request_new(tsr__comm_call *call, tsr_comm_request **out);
void tsr__comm_request_free(tsr_comm_request *r);

/* After the ranks have agreed: what a request needs to start. */
static inline tsr_comm_request *tsr__comm_started(tsr_comm_request *r, tsr_comm_request *const *request) {
  r->blocking = request == NULL;
  if (!r->blocking) r->tag = (int)(r->comm->requests++ % TSR__TAG_MESSAGE);
  return r->blocking ? NULL : r;
}

/* Waits for a request of MPI, and goes on with those of the communicator meanwhile. */
int tsr__comm_wait_for(tsr_comm *comm, MPI_Request *request);

/* Room for one more. NULL: no memory. */
MPI_Request *tsr__comm_request_add(tsr_comm_request *r);

/* Ends a call that was started: waits for it where request is NULL, else hands it over. Takes r. */
tsr_status tsr__comm_run(tsr_ctx *ctx, tsr_comm_request *r, tsr_comm_request **request);

/* An input that the output's memory overlaps becomes a copy. */
tsr_status tsr__comm_unalias(tsr__comm_call *call, tsr_comm_request *r);

#endif
