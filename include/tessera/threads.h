/** @file threads.h
 *  Threads: one way to ask for parallel work, and a pool that does it. */
#ifndef TESSERA_THREADS_H
#define TESSERA_THREADS_H

#include <stddef.h>
#include <stdint.h>
#include <tessera/index.h>
#include <tessera/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A part of the work: indices begin ≤ i < end, on worker number worker. It cannot fail. */
typedef void tsr_range_fn(void *arg, tsr_index begin, tsr_index end, int worker);

/** Runs work in parallel. A program may give a context one of its own, over OpenMP or a pool that it has already. */
typedef struct tsr_parallel {
  size_t size; /**< sizeof(tsr_parallel) */
  /** Calls fn until every index of 0 ≤ i < n was in one range, begin always a multiple of grain, worker < max_workers and
   *  never the same number twice at one time. Returns when all is done. Running everything at once on the calling thread is
   *  always right; calls from inside work that is spread over threads do so. */
  void (*parallel_for)(void *self, tsr_index n, tsr_index grain, tsr_range_fn *fn, void *arg);
  int max_workers;
  void *self;
} tsr_parallel;

/** Everything on the calling thread. */
TSR_API const tsr_parallel *tsr_parallel_serial(void);

/** The pool of the process: started by the first call that needs it, with as many workers as the process may use processors,
 *  or as TSR_THREADS in the environment says. Where threads are configured out, the serial one.
 *
 *  Pools survive a fork: the child starts threads of its own when it uses one, also when other threads of the parent were
 *  using it. A child that was forked inside a range function may use pools too, but must not return from the function: the
 *  parts of the others are done in the parent only. A worker that does so ends, a calling thread returns with parts undone.
 *
 *  Workers block every signal but those that a thread raises by what it does (SIGSEGV and its like) and SIGPROF: a handler of
 *  the program runs on a thread of the program. The shared library, or a plugin that the static one was linked into, stays
 *  in memory once a pool has started, also after dlclose. */
TSR_API const tsr_parallel *tsr_parallel_default(void);

/** A pool of its own. */
typedef struct tsr_threads tsr_threads;

/** Makes a pool of count workers, the calling thread included: 1 is serial. TSR_EUNSUPPORTED for more than 1 where threads
 *  are configured out. */
TSR_API TSR_MUST_USE tsr_status tsr_threads_new(int count, tsr_threads **out);

/** The pool, to give to a context. */
TSR_API const tsr_parallel *tsr_threads_parallel(const tsr_threads *threads);

/** Ends the pool's threads. No call may be using it. NULL is fine. */
TSR_API void tsr_threads_release(tsr_threads *threads);

#ifdef __cplusplus
}
#endif

#endif
