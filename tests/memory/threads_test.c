/* Several threads on one allocator, and forks in between. Meant for ThreadSanitizer as well. */
#define _POSIX_C_SOURCE 200809L /* fork, alarm */
#include "memory/random.h"
#include "memory/sanitizers.h"
#include "support/test.h"
#include <tessera/memory.h>

#if TSR_HAVE_THREADS && TSR_HAVE_MALLOC

#include <pthread.h>
#if defined(__linux__)
#include <sys/wait.h>
#include <unistd.h>
#endif

enum { THREADS = 4, SLOTS = 8 };

typedef struct worker {
  pthread_t thread;
  const tsr_allocator *allocator;
  uint32_t seed;
  uint32_t most_bytes;
  int steps; /* 0: until told to stop */
  int errors;
} worker;

static int stopping; /* read and written by __atomic builtins */

static void fill(unsigned char *block, size_t bytes, uint32_t mark) {
  block[0] = block[bytes / 2] = block[bytes - 1] = (unsigned char)mark;
}

static bool is_filled(const unsigned char *block, size_t bytes, uint32_t mark) {
  const unsigned char m = (unsigned char)mark;
  return block[0] == m && block[bytes / 2] == m && block[bytes - 1] == m;
}

static bool goes_on(const worker *w, int step) {
  return w->steps > 0 ? step < w->steps : __atomic_load_n(&stopping, __ATOMIC_RELAXED) == 0;
}

/* Frees a block and looks whether another thread wrote to it. */
static void drop(worker *w, unsigned char *block, size_t bytes, uint32_t mark) {
  if (block == NULL) return;
  w->errors += !is_filled(block, bytes, mark);
  w->allocator->free(w->allocator->self, block, bytes);
}

/* Allocates and frees at random. */
static void *work(void *arg) {
  worker *const w = arg;
  const tsr_allocator *const a = w->allocator;
  unsigned char *block[SLOTS] = {0};
  size_t bytes[SLOTS] = {0};
  const uint32_t mark = w->seed;
  for (int step = 0; goes_on(w, step); step++) {
    const uint32_t i = random_below(&w->seed, SLOTS);
    drop(w, block[i], bytes[i], mark);
    bytes[i] = 1 + random_below(&w->seed, w->most_bytes);
    block[i] = a->alloc(a->self, bytes[i], 64, TSR_HINT_DEFAULT);
    w->errors += block[i] == NULL;
    if (block[i] != NULL) fill(block[i], bytes[i], mark);
  }
  for (int i = 0; i < SLOTS; i++) drop(w, block[i], bytes[i], mark);
  return NULL;
}

static void start(worker *workers, const tsr_allocator *allocator, uint32_t most_bytes, int steps) {
  for (uint32_t i = 0; i < THREADS; i++) {
    workers[i] = (worker){.allocator = allocator, .seed = 77 + i, .most_bytes = most_bytes, .steps = steps};
    CHECK(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
  }
}

static void finish(worker *workers) {
  for (int i = 0; i < THREADS; i++) {
    CHECK(pthread_join(workers[i].thread, NULL) == 0);
    CHECK(workers[i].errors == 0);
  }
}

TEST(default_allocator_serves_threads) {
  worker workers[THREADS];
  start(workers, tsr_allocator_default(), 300000, 2000);
  for (int i = 0; i < 50; i++) {
    (void)tsr_trim();
    CHECK(tsr_default_memory_stats().cached <= (size_t)256 << 20);
  }
  finish(workers);
  CHECK(tsr_default_memory_stats().in_use == 0);
  (void)tsr_trim();
  CHECK(tsr_default_memory_stats().cached == 0);
}

TEST(pool_serves_threads) {
  worker workers[THREADS];
  tsr_memory_pool *pool = NULL;
  REQUIRE(tsr_memory_pool_new(NULL, 20000, &pool) == TSR_OK);
  start(workers, tsr_memory_pool_allocator(pool), 3000, 20000);
  for (int i = 0; i < 50; i++) {
    (void)tsr_memory_pool_trim(pool, 5000);
    CHECK(tsr_memory_pool_stats(pool).cached <= 20000);
  }
  finish(workers);
  const tsr_memory_stats stats = tsr_memory_pool_stats(pool);
  CHECK(stats.in_use == 0 && stats.calls == THREADS * 20000 && stats.hits > 0 && stats.failures == 0);
  CHECK(tsr_memory_pool_release(pool) == TSR_OK);
}

/* Hands blocks from one thread to the next: what a tensor does that is released elsewhere. */
typedef struct handover {
  const tsr_allocator *allocator;
  void *block[500];
} handover;

static void *free_all(void *arg) {
  handover *const h = arg;
  for (int i = 0; i < 500; i++) h->allocator->free(h->allocator->self, h->block[i], 70000);
  return NULL;
}

TEST(a_block_may_be_freed_by_another_thread) {
  static handover h;
  pthread_t thread;
  h.allocator = tsr_allocator_default();
  for (int i = 0; i < 500; i++) {
    h.block[i] = h.allocator->alloc(h.allocator->self, 70000, 64, TSR_HINT_DEFAULT);
    REQUIRE(h.block[i] != NULL);
    memset(h.block[i], 1, 100);
  }
  REQUIRE(pthread_create(&thread, NULL, free_all, &h) == 0);
  REQUIRE(pthread_join(thread, NULL) == 0);
  CHECK(tsr_default_memory_stats().in_use == 0);
  (void)tsr_trim();
}

#if defined(__linux__)
/* In the child: both allocators still work, whatever the other threads held when it was made. */
static void use_in_child(const tsr_allocator *pool) {
  const tsr_allocator *const a = tsr_allocator_default();
  (void)alarm(20); /* a lock held for ever must not hang the test */
  bool ok = true;
  for (int i = 0; i < 20; i++) {
    void *const large = a->alloc(a->self, 70000, 64, TSR_HINT_DEFAULT);
    void *const small = pool->alloc(pool->self, 500, 64, TSR_HINT_DEFAULT);
    ok = ok && large != NULL && small != NULL;
    a->free(a->self, large, 70000);
    pool->free(pool->self, small, 500);
  }
  _exit(ok ? 0 : 1);
}
#endif

TEST(a_fork_leaves_the_locks_free) {
#if !defined(__linux__)
  SKIP("no fork on this platform");
#else
  if (TEST_ASAN || TEST_MSAN || TEST_TSAN) SKIP("the sanitizer's own locks do not survive a fork of several threads");
  worker large_workers[THREADS], pool_workers[THREADS];
  tsr_memory_pool *pool = NULL;
  REQUIRE(tsr_memory_pool_new(NULL, 100000, &pool) == TSR_OK);
  start(large_workers, tsr_allocator_default(), 300000, 0);
  start(pool_workers, tsr_memory_pool_allocator(pool), 3000, 0);
  bool alive = true;
  for (int i = 0; alive && i < 100; i++) {
    const pid_t child = fork();
    if (child == 0) use_in_child(tsr_memory_pool_allocator(pool));
    int status = -1;
    alive = child > 0 && waitpid(child, &status, 0) == child && status == 0;
  }
  CHECK(alive);
  __atomic_store_n(&stopping, 1, __ATOMIC_RELAXED);
  finish(large_workers);
  finish(pool_workers);
  CHECK(tsr_memory_pool_release(pool) == TSR_OK);
#endif
}

TEST_MAIN(RUN(default_allocator_serves_threads), RUN(pool_serves_threads), RUN(a_block_may_be_freed_by_another_thread),
          RUN(a_fork_leaves_the_locks_free))

#else

TEST(one_thread_only) { SKIP("threads or malloc are configured out"); }

TEST_MAIN(RUN(one_thread_only))

#endif
