/* Pools and forks: children of processes with busy pools, children whose threads come together, children of children, forks
 * inside a job. Each child has an alarm, so that one that hangs is a failure. */
#define _GNU_SOURCE
#include <tessera/tessera.h>

#include "support/brief.h"
#include "support/test.h"

#if TSR_HAVE_THREADS && !defined(TSR_EMULATED) /* the emulator does not follow a fork of threads */

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sanitizers follow a fork of a process with one thread, and no other: their own locks do not survive it. */
#if TEST_ASAN || TEST_TSAN || TEST_MSAN
#define FOLLOWED SKIP("sanitizers do not follow a fork of threads")
#else
#define FOLLOWED (void)0
#endif

enum { N = 1 << 16, THREADS = 4, WORKERS = 3, GRAIN = 64 };

static int children(void) { return test_brief() ? 3 : 20; }

static bool slow; /* atomic */

#if !TEST_TSAN && !TEST_ASAN && !TEST_MSAN
/* This file's, for the whole program: threads that come to make a pool at once meet inside. Sanitizers have their own. */
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  (void)attributes;
  if (__atomic_load_n(&slow, __ATOMIC_RELAXED)) (void)usleep(5000);
  *mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  return 0;
}
#endif

static void add_one(void *arg, tsr_index begin, tsr_index end, int worker) {
  int *const counts = arg;
  (void)worker;
  for (tsr_index i = begin; i < end; i++) counts[i]++;
}

/* Every index once, in each of several jobs. */
static bool works(const tsr_parallel *parallel) {
  int *const counts = calloc(N, sizeof *counts);
  bool ok = counts != NULL;
  for (int repeat = 1; ok && repeat <= 5; repeat++) {
    parallel->parallel_for(parallel->self, N, GRAIN, add_one, counts);
    for (int i = 0; i < N; i++) ok = ok && counts[i] == repeat;
    if (__atomic_load_n(&slow, __ATOMIC_RELAXED)) (void)usleep(2000); /* workers fall asleep */
  }
  free(counts);
  return ok;
}

static pthread_barrier_t together;

static void *work_together(void *arg) {
  (void)pthread_barrier_wait(&together);
  return works(arg) ? arg : NULL;
}

static bool works_on_threads(const tsr_parallel *parallel) {
  pthread_t threads[THREADS];
  bool ok = pthread_barrier_init(&together, NULL, THREADS) == 0;
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work_together, (void *)(uintptr_t)parallel) != 0) return false;
  for (int i = 0; i < THREADS; i++) {
    void *result = NULL;
    ok = pthread_join(threads[i], &result) == 0 && result != NULL && ok;
  }
  return ok;
}

static bool ended_well(pid_t child) {
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static pid_t fork_with_alarm(void) {
  (void)fflush(stdout); /* a child that ends in its own way writes what is left in it */
  const pid_t child = fork();
  if (child == 0) {
    sigset_t ringing; /* a worker's child begins with the worker's mask */
    (void)sigemptyset(&ringing);
    (void)sigaddset(&ringing, SIGALRM);
    (void)pthread_sigmask(SIG_UNBLOCK, &ringing, NULL);
    (void)alarm(20);
  }
  return child;
}

/* True in the parent when the child found it true. */
static bool in_a_child(bool (*holds)(const tsr_parallel *), const tsr_parallel *parallel) {
  const pid_t child = fork_with_alarm();
  if (child == 0) _exit(holds(parallel) ? 0 : 1);
  return ended_well(child);
}

/* ---- the tests ---- */

static tsr_threads *shared_pool;

/* Workers that nobody can wake any more would keep the pool from ending. */
static bool works_on_threads_and_ends(const tsr_parallel *parallel) {
  const bool ok = works_on_threads(parallel);
  tsr_threads_release(shared_pool);
  return ok;
}

static tsr_threads *pool_that_ran(void) {
  tsr_threads *pool = NULL;
  if (tsr_threads_new(WORKERS, &pool) != TSR_OK) return NULL;
  CHECK(works(tsr_threads_parallel(pool)));
  return pool;
}

static bool children_work(void) {
  bool ok = true;
  __atomic_store_n(&slow, true, __ATOMIC_RELAXED);
  for (int i = 0; ok && i < children(); i++)
    ok = in_a_child(works_on_threads_and_ends, tsr_threads_parallel(shared_pool));
  __atomic_store_n(&slow, false, __ATOMIC_RELAXED);
  return ok;
}

/* The first test: this process has no thread but its own. */
TEST(a_pool_that_never_ran) {
  REQUIRE(tsr_threads_new(WORKERS, &shared_pool) == TSR_OK);
  CHECK(children_work());
  tsr_threads_release(shared_pool);
}

TEST(threads_of_a_child_may_come_together) {
  FOLLOWED;
  tsr_threads *const pool = shared_pool = pool_that_ran();
  REQUIRE(pool != NULL);
  CHECK(children_work());
  CHECK(works(tsr_threads_parallel(pool)));
  tsr_threads_release(pool);
}

TEST(the_process_pool_too) {
  FOLLOWED;
  CHECK(works(tsr_parallel_default()));
  __atomic_store_n(&slow, true, __ATOMIC_RELAXED);
  for (int i = 0; i < children(); i++) CHECK(in_a_child(works_on_threads, tsr_parallel_default()));
  __atomic_store_n(&slow, false, __ATOMIC_RELAXED);
}

static bool works_in_a_grandchild(const tsr_parallel *parallel) {
  return works(parallel) && in_a_child(works_on_threads, parallel) && works_on_threads(parallel);
}

static bool works_in_a_grandchild_first(const tsr_parallel *parallel) {
  return in_a_child(works_on_threads, parallel) && works_on_threads(parallel);
}

TEST(children_of_children) {
  FOLLOWED;
  tsr_threads *const pool = pool_that_ran();
  REQUIRE(pool != NULL);
  CHECK(in_a_child(works_in_a_grandchild, tsr_threads_parallel(pool)));
  CHECK(in_a_child(works_in_a_grandchild_first, tsr_threads_parallel(pool)));
  tsr_threads_release(pool);
}

static bool stop; /* atomic */

static void *keep_working(void *arg) {
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
    if (!works(arg)) return NULL;
  return arg;
}

/* The pool is in every state at some fork: being set up, run, left; its lock held, its workers asleep. */
TEST(forks_while_another_thread_is_in_the_pool) {
  FOLLOWED;
  tsr_threads *const pool = pool_that_ran();
  pthread_t busy;
  void *result = NULL;
  REQUIRE(pool != NULL);
  stop = false;
  REQUIRE(pthread_create(&busy, NULL, keep_working, (void *)(uintptr_t)tsr_threads_parallel(pool)) == 0);
  for (int i = 0; i < children(); i++) CHECK(in_a_child(works_on_threads, tsr_threads_parallel(pool)));
  __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
  CHECK(pthread_join(busy, &result) == 0 && result != NULL);
  tsr_threads_release(pool);
}

/* A child that makes its pool anew forks meanwhile: what its thread was in the middle of is not the grandchild's. */
static bool forks_while_a_thread_makes_it_anew(const tsr_parallel *parallel) {
  pthread_t thread;
  void *result = NULL;
  __atomic_store_n(&slow, true, __ATOMIC_RELAXED);
  if (pthread_barrier_init(&together, NULL, 2) != 0) return false;
  if (pthread_create(&thread, NULL, work_together, (void *)(uintptr_t)parallel) != 0) return false;
  (void)pthread_barrier_wait(&together);
  (void)usleep(100);
  const bool ok = in_a_child(works_on_threads, parallel);
  return pthread_join(thread, &result) == 0 && result != NULL && ok;
}

TEST(forks_while_a_pool_is_made_anew) {
  FOLLOWED;
  tsr_threads *const pool = pool_that_ran();
  REQUIRE(pool != NULL);
  for (int i = 0; i < (children() + 3) / 4; i++)
    CHECK(in_a_child(forks_while_a_thread_makes_it_anew, tsr_threads_parallel(pool)));
  tsr_threads_release(pool);
}

typedef struct inner {
  const tsr_parallel *parallel;
  int by_worker; /* atomic: children of workers, and of the caller, that ended well */
  int by_caller; /* atomic */
  bool returns;
} inner;

/* False in a child that is to return. */
static bool fork_once(inner *all, int worker) {
  const pid_t child = fork_with_alarm();
  if (child == 0) {
    if (all->returns && worker > 0) return false;
    _exit(works_on_threads(all->parallel) ? 0 : 1);
  }
  const bool ok = ended_well(child);
  __atomic_fetch_add(worker == 0 ? &all->by_caller : &all->by_worker, ok ? 1 : -1000, __ATOMIC_RELAXED);
  return true;
}

static void fork_inside(void *arg, tsr_index begin, tsr_index end, int worker) {
  (void)usleep(1000); /* so that every worker gets some */
  for (tsr_index i = begin; i < end; i++)
    if (i % 8 == 0 && !fork_once(arg, worker)) return;
}

/* A worker that forks and returns in the child ends there, and the child with it, which has no other thread. */
TEST(forks_inside_a_job) {
  FOLLOWED;
  tsr_threads *const pool = pool_that_ran();
  REQUIRE(pool != NULL);
  for (int returns = 0; returns <= 1; returns++) {
    inner all = {.parallel = tsr_threads_parallel(pool), .returns = returns != 0};
    all.parallel->parallel_for(all.parallel->self, 64, 1, fork_inside, &all);
    CHECK(all.by_worker > 0 && all.by_caller >= 0 && all.by_worker + all.by_caller == 8);
  }
  CHECK(works(tsr_threads_parallel(pool)));
  tsr_threads_release(pool);
}

static void fork_and_return(void *arg, tsr_index begin, tsr_index end, int worker) {
  inner *const all = arg;
  (void)begin;
  (void)end;
  if (worker != 0 || all->by_caller != 0) return;
  const pid_t child = fork_with_alarm();
  all->by_caller = child == 0 ? 2 : 1;
  if (child != 0) CHECK(ended_well(child));
}

/* Not allowed, but no hang: the caller comes back, and the pool works. */
TEST(a_caller_that_returns_in_the_child_comes_back) {
  FOLLOWED;
  tsr_threads *const pool = pool_that_ran();
  inner all = {0};
  REQUIRE(pool != NULL);
  all.parallel = tsr_threads_parallel(pool);
  all.parallel->parallel_for(all.parallel->self, 64, 1, fork_and_return, &all);
  if (all.by_caller == 2) _exit(works_on_threads(all.parallel) ? 0 : 1);
  CHECK(all.by_caller == 1);
  tsr_threads_release(pool);
}

#else
#define NONE(name) \
  TEST(name) { SKIP("no forks of threads here"); }
NONE(a_pool_that_never_ran)
NONE(threads_of_a_child_may_come_together)
NONE(the_process_pool_too)
NONE(children_of_children)
NONE(forks_while_another_thread_is_in_the_pool)
NONE(forks_while_a_pool_is_made_anew)
NONE(forks_inside_a_job)
NONE(a_caller_that_returns_in_the_child_comes_back)
#endif

TEST_MAIN(RUN(a_pool_that_never_ran), RUN(threads_of_a_child_may_come_together), RUN(the_process_pool_too),
          RUN(children_of_children), RUN(forks_while_another_thread_is_in_the_pool),
          RUN(forks_while_a_pool_is_made_anew), RUN(forks_inside_a_job),
          RUN(a_caller_that_returns_in_the_child_comes_back))
