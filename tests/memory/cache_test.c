/* The default allocator: what it keeps, what it lets go, what it counts. */
#define _POSIX_C_SOURCE 200809L /* setenv, fork */
#include "memory/sanitizers.h"
#include "memory/system.h"
#include "support/test.h"
#include <tessera/memory.h>

#if TSR_HAVE_MALLOC

#if defined(__linux__)
#include <sys/wait.h>
#include <unistd.h>
#endif

static const size_t mb = (size_t)1 << 20;

static void *get(size_t bytes, size_t align) {
  const tsr_allocator *const a = tsr_allocator_default();
  return a->alloc(a->self, bytes, align, TSR_HINT_DEFAULT);
}

static void put(void *ptr, size_t bytes) {
  const tsr_allocator *const a = tsr_allocator_default();
  a->free(a->self, ptr, bytes);
}

/* Allocates and frees, and so leaves a block kept. */
static void pass(size_t bytes) { put(get(bytes, 64), bytes); }

/* Keeping may be off by the environment or by the sanitizer. */
static bool keeps(void) {
  pass(mb);
  return tsr_trim() > 0;
}

static size_t cached(void) { return tsr_default_memory_stats().cached; }

/* The first test: the environment is read once. */
TEST(environment_turns_keeping_off) {
#if defined(__linux__)
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    (void)setenv("TSR_CACHE", "0", 1);
    pass(mb);
    const tsr_memory_stats stats = tsr_default_memory_stats();
    _exit(stats.cached == 0 && stats.calls == 1 && stats.peak == mb && tsr_trim() == 0 ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
#else
  SKIP("no fork on this platform");
#endif
}

TEST(gives_a_kept_block_again) {
  if (!keeps()) SKIP("keeping is off");
  const tsr_memory_stats before = tsr_default_memory_stats();
  void *const first = get(3 * mb, 64);
  REQUIRE(first != NULL);
  memset(first, 7, 3 * mb);
  CHECK(tsr_default_memory_stats().in_use == before.in_use + 3 * mb);
  put(first, 3 * mb);
  CHECK(cached() >= 3 * mb);
  void *const again = get(3 * mb - 1000, 64); /* the same class */
  CHECK(again == first);
  const tsr_memory_stats after = tsr_default_memory_stats();
  CHECK(after.calls == before.calls + 2 && after.hits == before.hits + 1 && after.failures == before.failures);
  CHECK(after.cached == 0 && after.in_use == before.in_use + 3 * mb - 1000);
  put(again, 3 * mb - 1000);
  CHECK(tsr_default_memory_stats().in_use == before.in_use);
  (void)tsr_trim();
}

TEST(small_blocks_go_straight_through) {
  const tsr_memory_stats before = tsr_default_memory_stats();
  for (size_t align = 1; align <= 4096; align *= 2) {
    unsigned char *const block = get(TSR__LARGE_BYTES - 1, align);
    REQUIRE(block != NULL);
    CHECK(((uintptr_t)block & (align - 1)) == 0);
    memset(block, 3, TSR__LARGE_BYTES - 1);
    put(block, TSR__LARGE_BYTES - 1);
  }
  const tsr_memory_stats after = tsr_default_memory_stats();
  CHECK(memcmp(&before, &after, sizeof before) == 0);
}

TEST(wastes_an_eighth_at_most) {
  if (!keeps()) SKIP("keeping is off");
  for (size_t bytes = TSR__LARGE_BYTES; bytes < 100 * mb; bytes += bytes / 37 + 13) {
    pass(bytes);
    const size_t kept = tsr_trim();
    CHECK(kept >= bytes && kept - bytes <= bytes / 8);
  }
}

TEST(round_sizes_after_a_header_waste_nothing) {
  if (!keeps()) SKIP("keeping is off");
  const size_t header = sizeof(void *) * 8;
  for (size_t bytes = TSR__LARGE_BYTES; bytes <= 128 * mb; bytes *= 2) {
    pass(bytes + header);
    CHECK(tsr_trim() == bytes + header);
  }
}

TEST(keeps_at_most_256_megabytes) {
  if (!keeps()) SKIP("keeping is off");
  void *block[12];
  for (size_t i = 0; i < 12; i++) block[i] = get((20 + i) * mb, 64);
  for (size_t i = 0; i < 12; i++) {
    REQUIRE(block[i] != NULL);
    put(block[i], (20 + i) * mb);
    CHECK(cached() <= 256 * mb);
  }
  CHECK(cached() > 200 * mb);
  CHECK(tsr_trim() > 200 * mb);
  CHECK(cached() == 0);
  pass(300 * mb);
  CHECK(cached() == 0);
}

TEST(the_oldest_goes_first) {
  if (!keeps()) SKIP("keeping is off");
  pass(100 * mb);
  pass(60 * mb);
  pass(70 * mb);
  pass(60 * mb); /* used again: the youngest */
  pass(80 * mb); /* sends 100 away */
  const size_t hits = tsr_default_memory_stats().hits;
  pass(60 * mb);
  pass(70 * mb);
  pass(80 * mb);
  CHECK(tsr_default_memory_stats().hits == hits + 3);
  pass(100 * mb);
  CHECK(tsr_default_memory_stats().hits == hits + 3);
  (void)tsr_trim();
}

TEST(kept_blocks_have_the_alignment_asked_for) {
  for (size_t align = 1; align <= 8 * mb; align *= 2) {
    void *const block = get(mb, align);
    REQUIRE(block != NULL);
    CHECK(((uintptr_t)block & (align - 1)) == 0);
    put(block, mb);
  }
  (void)tsr_trim();
}

TEST(peak_is_the_most_at_one_time) {
  const size_t base = tsr_default_memory_stats().in_use, peak = tsr_default_memory_stats().peak;
  CHECK(base == 0);
  void *const a = get(400 * mb, 64), *const b = get(mb, 64);
  REQUIRE(a != NULL && b != NULL);
  const size_t most = 401 * mb;
  CHECK(tsr_default_memory_stats().peak == (most > peak ? most : peak));
  put(a, 400 * mb);
  put(b, mb);
  CHECK(tsr_default_memory_stats().peak == (most > peak ? most : peak));
  (void)tsr_trim();
}

TEST(counts_failures) {
  if (TEST_ASAN || TEST_MSAN || TEST_TSAN) SKIP("the sanitizer ends the program on such sizes");
  const size_t failures = tsr_default_memory_stats().failures;
  CHECK(get(SIZE_MAX, 64) == NULL);
  CHECK(get(SIZE_MAX / 2 + 2, 64) == NULL);
  CHECK(tsr_default_memory_stats().failures == failures + 2);
  put(NULL, mb);
}

TEST_MAIN(RUN(environment_turns_keeping_off), RUN(gives_a_kept_block_again), RUN(small_blocks_go_straight_through),
          RUN(wastes_an_eighth_at_most), RUN(round_sizes_after_a_header_waste_nothing),
          RUN(keeps_at_most_256_megabytes), RUN(the_oldest_goes_first), RUN(kept_blocks_have_the_alignment_asked_for),
          RUN(peak_is_the_most_at_one_time), RUN(counts_failures))

#else

TEST(without_malloc_it_is_the_system) {
  CHECK(tsr_allocator_default() == tsr_allocator_system());
  CHECK(tsr_trim() == 0);
  CHECK(tsr_default_memory_stats().calls == 0);
}

TEST_MAIN(RUN(without_malloc_it_is_the_system))

#endif
