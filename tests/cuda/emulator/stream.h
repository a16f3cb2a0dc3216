/* Streams: queues, each with a thread that does their work later than the call. A piece of work is an operation; its number in
 * its stream is its ticket. */
#ifndef EMULATOR_STREAM_H
#define EMULATOR_STREAM_H

#include "state.h"

typedef struct operation operation;
struct operation {
  operation *next;
  size_t size; /* of the whole: an operation is copied byte by byte into a graph's launch */
  /* Without the lock. NULL: nothing to do but to reach it. */
  CUresult (*run)(operation *self);
  bool touches;               /* it works in the devices' memory: one at a time */
  struct stream *wait_stream; /* first waits for this one to have done wait_ticket */
  uint64_t wait_ticket;
  uint64_t ticket;
};

struct stream {
  struct stream *next;
  struct context *context;
  operation *first, *last;
  uint64_t queued, wanted, done; /* tickets */
  bool blocking;                 /* it and the null stream wait for each other */
  bool destroyed;
  int priority;
  struct graph *graph; /* it is being captured into */
  bool origin;         /* of that capture */
};

/* All with the lock held. The stream of a handle: NULL, 1 and 2 are the null stream of the current context. */
struct stream *stream_of(CUstream handle);
operation *operation_new(size_t size, CUresult (*run)(operation *), bool touches);
/* Puts it in the queue, or in the graph that the stream is captured into; gives its ticket. */
uint64_t stream_put(struct stream *s, operation *op);
/* Waits until the ticket is done. */
void stream_wait(struct stream *s, uint64_t ticket);
void streams_drain(const struct context *c);
/* Whether a call that waits would disturb a capture. */
bool disturbs_capture(const struct stream *s);
/* No stream is captured into g any more. */
void stream_end_capture(const struct graph *g);
/* The graph of a capture that goes on, or NULL. */
struct graph *stream_capture(uint64_t id);

#endif
