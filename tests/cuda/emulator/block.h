/* The block that runs: its threads, what they wait for, and the machine that runs them. One at a time in the process. */
#ifndef EMULATOR_BLOCK_H
#define EMULATOR_BLOCK_H

#include <stdbool.h>

#include "fiber.h"
#include "grid.h"

enum { BLOCK_THREADS = 1024, WARP = 32, BARRIERS = 16, COPIES = 64 };

typedef enum thread_state {
  THREAD_NEW,
  THREAD_READY,
  THREAD_BARRIER,
  THREAD_WARP,
  THREAD_ASLEEP,
  THREAD_ENDED
} thread_state;

/* A copy that a thread has begun and not waited for. */
typedef struct late_copy {
  void *dst;
  const void *src;
  unsigned long bytes;
  int group;
} late_copy;

typedef struct thread {
  thread_state state;
  fiber_stack *stack; /* NULL: not begun */
  void *resume;
  int line; /* of what it waits at */
  /* its part in an operation of its warp, or in a barrier */
  int kind, argument, width;
  unsigned mask;
  unsigned long long value, result;
  int barrier;
  unsigned warp_clock; /* of its warp, at the last operation that it has been through */
  late_copy *copies;
  int copy_count, copy_group;
} thread;

typedef struct block {
  unsigned index[3];
  int threads, ended;
  thread thread[BLOCK_THREADS];
  int ready[BLOCK_THREADS], ready_count, ready_first; /* a ring */
  int asleep[BLOCK_THREADS], asleep_count;
  struct {
    int arrived, line, kind, count, value;
  } barrier[BARRIERS];
  unsigned epoch;                            /* barriers so far */
  unsigned warp_clock[BLOCK_THREADS / WARP]; /* operations of each warp so far */
  uint64_t life;                             /* its number among all that ever ran */
  unsigned long progress;
  char *shared; /* its shared memory while another block runs */
} block;

typedef enum block_result { BLOCK_ENDED, BLOCK_STALLED, BLOCK_FAILED } block_result;

typedef struct machine {
  const grid_launch *launch;
  block *block;
  thread *thread; /* NULL: the scheduler itself runs */
  void *scheduler;
  char *shared, *dynamic; /* of the module, in the executing thread */
  unsigned long long random;
  CUresult failed;
  bool several; /* more than one block has begun and not ended */
} machine;

extern machine running;

void block_begin(block *b, const unsigned *index);
block_result block_run(block *b);
void block_abandon(block *b);

/* For the operations that wait: makes a thread go on later; leaves the running one until then; ends the launch, which returns
 * to the scheduler alone, never to a thread. */
void thread_wake(block *b, thread *t);
void thread_leave(thread_state next, int line);
__attribute__((format(printf, 2, 3))) void thread_fail(CUresult result, const char *format, ...);
int thread_number(const block *b, const thread *t);
/* After a thread has ended: those that waited for it alone. */
void warp_thread_ended(block *b, const thread *t);
unsigned machine_random(unsigned below);

#endif
