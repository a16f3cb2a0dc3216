/* The thread pool: every index once, begins at multiples of the grain, nested and concurrent calls, forks. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <tessera/tessera.h>

#include "memory/sanitizers.h"
#include "support/test.h"

enum { MOST = 5000, WORKERS = 8, MOST_WORKERS = 256 /* of any pool */ };

typedef struct record {
  tsr_index grain;
  int hits[MOST]; /* atomic */
  int bad;        /* atomic: ranges that break the rules */
  int workers;
  int in_use[MOST_WORKERS]; /* atomic: a worker's number is in one range at a time */
} record;

static record now;

static void note(void *arg, tsr_index begin, tsr_index end, int worker) {
  record *const r = arg;
  bool ok = begin % r->grain == 0 && begin < end && worker >= 0 && worker < r->workers;
#if TSR_HAVE_THREADS
  if (ok) ok = __atomic_fetch_add(&r->in_use[worker], 1, __ATOMIC_ACQ_REL) == 0;
  for (tsr_index i = begin; i < end; i++) __atomic_fetch_add(&r->hits[i], 1, __ATOMIC_RELAXED);
  if (ok) __atomic_fetch_sub(&r->in_use[worker], 1, __ATOMIC_ACQ_REL);
  if (!ok) __atomic_fetch_add(&r->bad, 1, __ATOMIC_RELAXED);
#else
  for (tsr_index i = begin; i < end; i++) r->hits[i]++;
  r->bad += !ok;
#endif
}

static bool each_once(const tsr_parallel *parallel, tsr_index n, tsr_index grain) {
  memset(&now, 0, sizeof now);
  now.grain = grain;
  now.workers = parallel->max_workers;
  parallel->parallel_for(parallel->self, n, grain, note, &now);
  for (tsr_index i = 0; i < MOST; i++)
    if (now.hits[i] != (i < n)) return false;
  return now.bad == 0;
}

static bool holds_for_all_sizes(const tsr_parallel *parallel) {
  for (tsr_index n = 0; n <= MOST; n = n * 2 + 1)
    for (tsr_index grain = 1; grain <= 1000; grain = grain * 3 + 1)
      if (!each_once(parallel, n, grain)) return false;
  return each_once(parallel, MOST, 7);
}

TEST(serial) {
  CHECK(tsr_parallel_serial()->max_workers == 1);
  CHECK(holds_for_all_sizes(tsr_parallel_serial()));
}

TEST(pools_of_every_size) {
#if TSR_HAVE_THREADS
  for (int count = 1; count <= WORKERS; count++) {
    tsr_threads *pool = NULL;
    REQUIRE(tsr_threads_new(count, &pool) == TSR_OK);
    CHECK(tsr_threads_parallel(pool)->max_workers == count);
    for (int repeat = 0; repeat < 20; repeat++) CHECK(holds_for_all_sizes(tsr_threads_parallel(pool)));
    tsr_threads_release(pool);
  }
#else
  tsr_threads *pool = NULL;
  CHECK(tsr_threads_new(1, &pool) == TSR_OK && holds_for_all_sizes(tsr_threads_parallel(pool)));
  CHECK(tsr_threads_new(2, &pool) == TSR_EUNSUPPORTED);
#endif
}

TEST(misuse) {
  tsr_threads *pool = NULL;
  CHECK(tsr_threads_new(0, &pool) == TSR_EARG && tsr_threads_new(1, NULL) == TSR_EARG && pool == NULL);
  tsr_threads_release(NULL);
}

#if TSR_HAVE_THREADS
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#if !defined(_WIN32)
#include <signal.h>
#include <sys/wait.h>
#endif

static int total; /* atomic */

static int beside; /* atomic: inner ranges that another worker than the caller took */

static void inner(void *arg, tsr_index begin, tsr_index end, int worker) {
  (void)arg;
  if (worker != 0) __atomic_fetch_add(&beside, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&total, (int)(end - begin), __ATOMIC_RELAXED);
}

static void outer(void *arg, tsr_index begin, tsr_index end, int worker) {
  const tsr_parallel *const parallel = arg;
  (void)worker;
  for (tsr_index i = begin; i < end; i++) parallel->parallel_for(parallel->self, 10, 1, inner, NULL);
}

TEST(nested_calls_run_alone) {
  tsr_threads *pool = NULL;
  REQUIRE(tsr_threads_new(4, &pool) == TSR_OK);
  const tsr_parallel *const parallel = tsr_threads_parallel(pool);
  total = beside = 0;
  parallel->parallel_for(parallel->self, 100, 1, outer, (void *)(uintptr_t)parallel);
  CHECK(total == 1000 && beside == 0);
  tsr_threads_release(pool);
}

static void *call_often(void *arg) {
  const tsr_parallel *const parallel = arg;
  for (int i = 0; i < 200; i++) parallel->parallel_for(parallel->self, 64, 1, outer, (void *)(uintptr_t)parallel);
  return NULL;
}

TEST(several_callers_at_once) {
  tsr_threads *pool = NULL;
  pthread_t callers[4];
  REQUIRE(tsr_threads_new(3, &pool) == TSR_OK);
  total = 0;
  for (int i = 0; i < 4; i++)
    CHECK(pthread_create(&callers[i], NULL, call_often, (void *)(uintptr_t)tsr_threads_parallel(pool)) == 0);
  for (int i = 0; i < 4; i++) (void)pthread_join(callers[i], NULL);
  CHECK(total == 4 * 200 * 64 * 10);
  tsr_threads_release(pool);
}

/* Between the jobs the workers fall asleep, and wake for the next one. */
TEST(workers_sleep_and_wake) {
  for (int count = 2; count <= WORKERS; count += 3) {
    tsr_threads *pool = NULL;
    REQUIRE(tsr_threads_new(count, &pool) == TSR_OK);
    for (int repeat = 0; repeat < 10; repeat++) {
      CHECK(each_once(tsr_threads_parallel(pool), MOST, 7));
      (void)usleep(1000);
    }
    tsr_threads_release(pool);
  }
}

#if defined(__linux__)
static void note_processors(void *arg, tsr_index begin, tsr_index end, int worker) {
  cpu_set_t *const seen = arg;
  (void)worker;
  for (tsr_index i = begin; i < end; i++)
    if (sched_getaffinity(0, sizeof *seen, &seen[i]) != 0) CPU_ZERO(&seen[i]);
  (void)usleep(200); /* so that every worker gets one */
}
#endif

/* A worker may be moved, but is free to run anywhere afterwards, on what the program may use. */
TEST(workers_may_run_anywhere) {
#if defined(__linux__)
  cpu_set_t own, seen[32];
  tsr_threads *pool = NULL;
  REQUIRE(sched_getaffinity(0, sizeof own, &own) == 0 && tsr_threads_new(3, &pool) == TSR_OK);
  const tsr_parallel *const parallel = tsr_threads_parallel(pool);
  for (int repeat = 0; repeat < 10; repeat++) {
    parallel->parallel_for(parallel->self, 32, 1, note_processors, seen);
    for (int i = 0; i < 32; i++) CHECK(CPU_EQUAL(&seen[i], &own));
    (void)usleep(1000);
  }
  tsr_threads_release(pool);
#else
  SKIP("processors are Linux's affair");
#endif
}

#if defined(_WIN32)
TEST(workers_leave_signals_to_the_program) { SKIP("Windows has no signals"); }
TEST(the_process_pool_survives_a_fork) { SKIP("Windows does not fork"); }
#else
static bool blocked_here(int signal) {
  sigset_t mask;
  return pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && sigismember(&mask, signal) == 1;
}

static int takes_signals, blocks_faults, other_workers; /* atomic */

static void note_masks(void *arg, tsr_index begin, tsr_index end, int worker) {
  static const int foreign[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGALRM,
                                SIGCHLD, SIGPIPE, SIGUSR1, SIGUSR2, SIGWINCH};
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  (void)arg, (void)begin, (void)end;
  /* The caller waits for a worker, whatever else the machine is doing; workers leave one for the next. */
  for (int i = 0; i < (worker == 0 ? 50000 : 1); i++) {
    if (worker == 0 && __atomic_load_n(&other_workers, __ATOMIC_RELAXED) > 0) return;
    (void)usleep(200);
  }
  if (worker == 0) return;
  __atomic_fetch_add(&other_workers, 1, __ATOMIC_RELAXED);
  for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
    if (!blocked_here(foreign[i])) __atomic_fetch_add(&takes_signals, 1, __ATOMIC_RELAXED);
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    if (blocked_here(own[i])) __atomic_fetch_add(&blocks_faults, 1, __ATOMIC_RELAXED);
}

/* What is sent to the program arrives at a thread of the program; and its own mask is what it was. */
TEST(workers_leave_signals_to_the_program) {
  tsr_threads *pool = NULL;
  sigset_t mask, after;
  REQUIRE(tsr_threads_new(4, &pool) == TSR_OK);
  (void)sigemptyset(&mask);
  (void)sigaddset(&mask, SIGUSR2);
  REQUIRE(pthread_sigmask(SIG_BLOCK, &mask, NULL) == 0);
  tsr_threads_parallel(pool)->parallel_for(tsr_threads_parallel(pool)->self, 64, 1, note_masks, NULL);
  CHECK(other_workers > 0 && takes_signals == 0 && blocks_faults == 0);
  CHECK(pthread_sigmask(SIG_SETMASK, NULL, &after) == 0 && sigismember(&after, SIGUSR2) == 1 &&
        sigismember(&after, SIGUSR1) == 0 && sigismember(&after, SIGINT) == 0);
  CHECK(pthread_sigmask(SIG_UNBLOCK, &mask, NULL) == 0);
  tsr_threads_release(pool);
}

/* A pool that a program made: the child may use it, with threads of its own, and release it. */
static bool use_and_release(tsr_threads *pool) {
  const bool ok = holds_for_all_sizes(tsr_threads_parallel(pool));
  tsr_threads_release(pool);
  return ok;
}

TEST(the_process_pool_survives_a_fork) {
  if (TEST_ASAN || TEST_TSAN || TEST_MSAN) SKIP("sanitizers do not follow a fork of threads");
#if defined(TSR_EMULATED)
  SKIP("the emulator does not follow a fork of threads");
#endif
  tsr_threads *own = NULL;
  REQUIRE(tsr_threads_new(3, &own) == TSR_OK);
  CHECK(holds_for_all_sizes(tsr_parallel_default()) && holds_for_all_sizes(tsr_threads_parallel(own)));
  const pid_t child = fork();
  if (child == 0) _exit(holds_for_all_sizes(tsr_parallel_default()) && use_and_release(own) ? 0 : 1);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(holds_for_all_sizes(tsr_parallel_default()) && use_and_release(own));
}
#endif
#else
TEST(nested_calls_run_alone) { SKIP("no threads in this configuration"); }
TEST(several_callers_at_once) { SKIP("no threads in this configuration"); }
TEST(workers_sleep_and_wake) { SKIP("no threads in this configuration"); }
TEST(workers_may_run_anywhere) { SKIP("no threads in this configuration"); }
TEST(workers_leave_signals_to_the_program) { SKIP("no threads in this configuration"); }
TEST(the_process_pool_survives_a_fork) { SKIP("no threads in this configuration"); }
#endif

TEST_MAIN(RUN(serial), RUN(pools_of_every_size), RUN(misuse), RUN(nested_calls_run_alone), RUN(several_callers_at_once),
          RUN(workers_sleep_and_wake), RUN(workers_may_run_anywhere), RUN(workers_leave_signals_to_the_program),
          RUN(the_process_pool_survives_a_fork))
