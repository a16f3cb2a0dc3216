/** @file mpi.h
 *  Tensors between processes, over MPI: communicators, collectives, requests. A library of its own, libtessera_mpi, where MPI was found
 *  when Tessera was built (link tessera::mpi beside tessera::tessera); <tessera/tessera.h> does not include this header.
 *  Distributed tensors are in <tessera/dist.h>; docs/cluster.md is the guide.
 *
 *      tsr_comm *world = NULL;
 *      st = tsr_comm_new(ctx, NULL, &world);                                          // starts MPI where nobody has
 *      st = tsr_comm_allreduce(ctx, world, TSR_COMM_SUM, &part, &total, NULL);        // on every rank
 *      tsr_comm_release(world);                                                       // ends MPI, if it was started above
 *
 *  **Every rank of the communicator makes the same calls in the same order.** Tensors may have any strides, any dtype and more than 2^31
 *  elements, and may be on a device. Before elements move, the ranks agree on what they were called with: where shapes, dtypes, roots or
 *  calls differ, or a rank has a failure of its own, *every* rank gets a status and one sentence that names the ranks, and all go on
 *  in step: "comm_allreduce: x differs: f32 [3,4] on ranks 0 and 1, f32 [3,5] on rank 2". No output has changed then.
 *
 *  **Requests.** The last parameter of what moves elements is where a request goes. NULL: the call returns when its output is there.
 *  Else it returns once the ranks agree, elements move while the program computes, and tsr_comm_wait ends it; the tensors are left
 *  alone until then. (MPI moves them when it is called: tsr_comm_test now and then helps.)
 *
 *  **A rank that is gone.** What waits for others longer than the timeout (tsr_comm_set_timeout) ends the job with a sentence on stderr:
 *  MPI has no other way out, as a process that is gone leaves the others without an answer for ever. A program may set a hook that
 *  does something else.
 *
 *  A communicator is used by one thread at a time. */
#ifndef TESSERA_MPI_H
#define TESSERA_MPI_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Processes that call each other: an MPI communicator. */
typedef struct tsr_comm tsr_comm;

/** Elements that are on their way. */
typedef struct tsr_comm_request tsr_comm_request;

/** How ranks' elements become one. Numbers never change. */
typedef enum tsr_comm_reduction {
  TSR_COMM_SUM = 0,  /**< all dtypes but bool; integers wrap */
  TSR_COMM_PROD = 1, /**< integers (which wrap) and floats */
  TSR_COMM_MIN = 2,  /**< integers and floats; NaN where there is one */
  TSR_COMM_MAX = 3,  /**< likewise */
  TSR_COMM_ALL = 4,  /**< bool: true on every rank */
  TSR_COMM_ANY = 5   /**< bool: true on some rank */
} tsr_comm_reduction;

/** Any rank, any tag: for tsr_comm_receive. */
enum { TSR_COMM_ANY_RANK = -1 };

/* ---- communicators ---- */

/** A communicator over *mpi_comm, an MPI_Comm, which is duplicated; NULL: over all processes of the job. Starts MPI
 *  (MPI_THREAD_FUNNELED) where the program has not, and then ends it when the last communicator is released; after that it cannot be
 *  started again (TSR_ESTATE). Collective. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_new(tsr_ctx *ctx, const void *mpi_comm, tsr_comm **out);

/** Communicators of the ranks that gave the same color, ordered by key and then by rank in comm. A negative color: in none, and *out is
 *  NULL. Collective. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_split(tsr_ctx *ctx, tsr_comm *comm, int color, int key, tsr_comm **out);

/** Ends it; collective. Distributed tensors over it may be released before or after. NULL is fine. */
TSR_API void tsr_comm_release(tsr_comm *comm);

TSR_API int tsr_comm_rank(const tsr_comm *comm); /**< of this process: 0 … size - 1 */
TSR_API int tsr_comm_size(const tsr_comm *comm); /**< how many ranks there are */

/** The MPI_Comm that it uses (a duplicate of the one it was made over), as a pointer to it. */
TSR_API const void *tsr_comm_native(const tsr_comm *comm);

/** Says what is to be done when ranks do not come. It is called with a sentence; where it returns, the waiting goes on. It may be called
 *  on another thread than the one that waits. */
typedef void tsr_comm_late_fn(void *user, const char *text);

/** How long a call waits for other ranks before hook is called (NULL: the sentence goes to stderr, and the process ends with status 86,
 *  which ends the job). seconds 0: for ever. By default 1800, or what TSR_MPI_TIMEOUT in the environment says. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_set_timeout(tsr_ctx *ctx, tsr_comm *comm, double seconds,
                                                     tsr_comm_late_fn *hook, void *user);

/** Whether ranks agree before elements move, as they do at first. off saves a small message per call in a program that has been tested;
 *  shapes that differ are then undefined. What needs the others' shapes asks for them all the same. The same on every rank. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_set_checks(tsr_ctx *ctx, tsr_comm *comm, bool on);

/** Whether sums and products of f32 and f64 may be MPI's own, which add in whatever order is quickest: a little faster, and other bits
 *  with another MPI, another number of nodes or from run to run. Off at first: floats are added as tsr_sum adds along an axis of ranks,
 *  the same bits each time. The same on every rank. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_set_any_order(tsr_ctx *ctx, tsr_comm *comm, bool on);

/** Part number part of an axis of length n in parts parts, as equal as they can be (the first n % parts are one longer): where it
 *  begins, and how long it is. 0 ≤ part < parts. */
TSR_API tsr_index tsr_comm_part(tsr_index n, int parts, int part, tsr_index *first);

/* ---- collectives ---- */

/** Returns when every rank has called it. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_barrier(tsr_ctx *ctx, tsr_comm *comm);

/** Rank root's x on every rank. On the others x is given, with the same dtype and shape, or empty and then allocated. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_broadcast(tsr_ctx *ctx, tsr_comm *comm, int root, tsr_tensor *x,
                                                   tsr_comm_request **request);

/** The ranks' x, of one dtype and shape, reduced element by element, on rank root. f16, bf16 and f8 are added in f32 and rounded
 *  once. On other ranks out may be NULL and is left alone. Sums of complex numbers too. TSR_EDTYPE: not for this dtype. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_reduce(tsr_ctx *ctx, tsr_comm *comm, tsr_comm_reduction reduction, int root,
                                                const tsr_tensor *x, tsr_tensor *out, tsr_comm_request **request);

/** The same on every rank. out may be x. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_allreduce(tsr_ctx *ctx, tsr_comm *comm, tsr_comm_reduction reduction,
                                                   const tsr_tensor *x, tsr_tensor *out, tsr_comm_request **request);

/** The same, and every rank gets its part (tsr_comm_part) along axis. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_reduce_scatter(tsr_ctx *ctx, tsr_comm *comm, tsr_comm_reduction reduction,
                                                        int axis, const tsr_tensor *x, tsr_tensor *out,
                                                        tsr_comm_request **request);

/** The ranks' x one after another along axis, on rank root. Shapes are the same but for that axis. On other ranks out may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_gather(tsr_ctx *ctx, tsr_comm *comm, int root, int axis, const tsr_tensor *x,
                                                tsr_tensor *out, tsr_comm_request **request);

/** The same on every rank. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_allgather(tsr_ctx *ctx, tsr_comm *comm, int axis, const tsr_tensor *x,
                                                   tsr_tensor *out, tsr_comm_request **request);

/** Every rank's part (tsr_comm_part) of rank root's x along axis. On other ranks x may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_scatter(tsr_ctx *ctx, tsr_comm *comm, int root, int axis, const tsr_tensor *x,
                                                 tsr_tensor *out, tsr_comm_request **request);

/** Every rank sends part r of its x along split to rank r, and has what it gets one after another along join: what was divided along
 *  join is divided along split. Shapes are the same but for the axis join. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_alltoall(tsr_ctx *ctx, tsr_comm *comm, int split, int join,
                                                  const tsr_tensor *x, tsr_tensor *out, tsr_comm_request **request);

/* ---- one rank to another ---- */

/** Sends x to a rank, with a tag (0 … 16383), and waits until it has taken it: two ranks that send to each other first use requests.
 *  Where the other one gave a tensor of another dtype or shape, both get TSR_ESHAPE or TSR_EDTYPE. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_send(tsr_ctx *ctx, tsr_comm *comm, int to, int tag, const tsr_tensor *x,
                                              tsr_comm_request **request);

/** What a rank (or TSR_COMM_ANY_RANK) sent with that tag, in the order it was sent. out is given, or empty and then allocated. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_receive(tsr_ctx *ctx, tsr_comm *comm, int from, int tag, tsr_tensor *out,
                                                 tsr_comm_request **request);

/* ---- requests ---- */

/** Waits until it is done, and ends it: *request is NULL after it, also when it failed. NULL is fine: nothing to wait for. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_wait(tsr_ctx *ctx, tsr_comm_request **request);

/** Whether it is done, and then ends it as tsr_comm_wait does. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_test(tsr_ctx *ctx, tsr_comm_request **request, bool *done);

#ifdef __cplusplus
}
#endif

#endif
