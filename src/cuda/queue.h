/* Queues: a stream each, and tickets, which number what is enqueued.
 *
 * Who uses memory is remembered as a queue and a ticket; no event is recorded for it. Where another queue has to wait, one is recorded
 * then, which is late but never too early: a queue that works alone pays nothing. */
#ifndef TSR_CUDA_QUEUE_H
#define TSR_CUDA_QUEUE_H

#include "cuda/api.h"
#include "cuda/cuda.h"
#include "cuda/fault.h"

#include <pthread.h>
#include <tessera/queue.h>

enum { TSR__CUDA_SEEN = 8 };

struct tsr__cuda_queue {
  tsr_queue base;
  tsr__cuda *gpu;
  tsr__cuda_queue *next; /* of the GPU */
  CUstream stream;       /* NULL: released */
  uint32_t id;           /* another one for each queue of the process */
  int count;             /* the program's, and one for each use of a block; under the lock of marks, as next */
  pthread_mutex_t lock;  /* what is enqueued together stays together */
  uint64_t issued;       /* the ticket of what was enqueued last; atomic */
  /* under the lock of marks */
  CUevent mark;         /* the newest event that somebody wanted */
  uint64_t mark_ticket; /* it comes after this one */
  uint64_t reached;     /* known to be done */
  struct {
    uint32_t id;
    uint64_t ticket;
  } seen[TSR__CUDA_SEEN]; /* what this queue waits for already, of some others; under its lock */
  tsr__cuda_faults faults;
  struct tsr__cuda_graph *graphs; /* launched here, whose fault records a wait looks at; under its lock */
  void *workspace;
};

/* A queue as a context or a work names it; NULL: the default one. */
tsr__cuda_queue *tsr__cuda_queue_of(tsr__cuda *gpu, tsr_queue *queue);

/* Functions of the table. The first two expect the GPU's context to be current; the others see to it. */
tsr_status tsr__cuda_queue_make(tsr__cuda *gpu, tsr_ctx *ctx, tsr_queue **queue);
tsr_status tsr__cuda_queue_new(void *self, tsr_ctx *ctx, tsr_queue **queue);
void tsr__cuda_queue_release(void *self, tsr_queue *queue);
tsr_status tsr__cuda_queue_sync(void *self, tsr_ctx *ctx, tsr_queue *queue, bool all);

/* Waits for a queue and reports its faults. op: for messages. */
tsr_status tsr__cuda_queue_finish(tsr__cuda_queue *queue, tsr_ctx *ctx, const char *op);

/* What is enqueued between them has one ticket, which begin returns. */
uint64_t tsr__cuda_queue_begin(tsr__cuda_queue *queue);
void tsr__cuda_queue_end(tsr__cuda_queue *queue);

/* queue goes on after ticket of other. Nothing waits on the host. */
CUresult tsr__cuda_queue_await(tsr__cuda_queue *queue, tsr__cuda_queue *other, uint64_t ticket);

/* The same for a stream of another library. */
CUresult tsr__cuda_queue_order(tsr__cuda_queue *queue, uint64_t ticket, void *stream);

/* Whether a ticket is done, without waiting; and the same after waiting. */
bool tsr__cuda_queue_reached(tsr__cuda_queue *queue, uint64_t ticket);
CUresult tsr__cuda_queue_reach(tsr__cuda_queue *queue, uint64_t ticket);

/* Counts of a queue. */
void tsr__cuda_queue_keep(tsr__cuda_queue *queue);
void tsr__cuda_queue_drop(tsr__cuda_queue *queue);

#endif
