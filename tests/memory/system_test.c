/* The system's memory: alignment, both ways of getting it, sizes that cannot be. */
#include "memory/random.h"
#include "memory/sanitizers.h"
#include "memory/system.h"
#include "support/test.h"
#include <tessera/memory.h>

static bool is_aligned(const void *ptr, size_t align) { return ((uintptr_t)ptr & (align - 1)) == 0; }

#if TSR_HAVE_MALLOC

static void *get(size_t bytes, size_t align) {
  const tsr_allocator *const a = tsr_allocator_system();
  return a->alloc(a->self, bytes, align, TSR_HINT_DEFAULT);
}

static void put(void *ptr, size_t bytes) {
  const tsr_allocator *const a = tsr_allocator_system();
  a->free(a->self, ptr, bytes);
}

TEST(aligns_every_size_to_every_power_of_two) {
  static const size_t sizes[] = {1, 7, 8, 64, 100, 4096, 65535, 65536, 65537, 1000000, 5000000};
  for (size_t align = 1; align <= 4096; align *= 2) {
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      unsigned char *const block = get(sizes[i], align);
      REQUIRE(block != NULL);
      CHECK(is_aligned(block, align));
      memset(block, 0xA5, sizes[i]);
      CHECK(block[0] == 0xA5 && block[sizes[i] - 1] == 0xA5);
      put(block, sizes[i]);
    }
  }
}

TEST(aligns_beyond_a_page) {
  for (size_t align = 8192; align <= (size_t)8 << 20; align *= 2) {
    unsigned char *const block = get(70000, align);
    REQUIRE(block != NULL);
    CHECK(is_aligned(block, align));
    memset(block, 1, 70000);
    put(block, 70000);
  }
}

TEST(large_blocks_start_at_pages) {
#if defined(__linux__)
  if (TEST_ASAN || TEST_MSAN) SKIP("the sanitizer: malloc alone");
  void *const page = get(TSR__LARGE_BYTES, 1), *const huge = get((size_t)4 << 20, 64);
  REQUIRE(page != NULL && huge != NULL);
  CHECK(is_aligned(page, 4096));
  CHECK(is_aligned(huge, (size_t)2 << 20));
  put(page, TSR__LARGE_BYTES);
  put(huge, (size_t)4 << 20);
#else
  SKIP("no pages on this platform");
#endif
}

TEST(live_blocks_do_not_touch_each_other) {
  enum { COUNT = 200 };
  static unsigned char *block[COUNT];
  static size_t bytes[COUNT];
  uint32_t seed = 1;
  memset(block, 0, sizeof block);
  for (int step = 0; step < 5000; step++) {
    const size_t i = random_below(&seed, COUNT);
    if (block[i] != NULL) {
      CHECK(block[i][0] == (i & 255) && block[i][bytes[i] / 2] == (i & 255) && block[i][bytes[i] - 1] == (i & 255));
      put(block[i], bytes[i]);
    }
    bytes[i] = 1 + random_below(&seed, random_below(&seed, 20) == 0 ? 200000 : 500);
    block[i] = get(bytes[i], (size_t)1 << random_below(&seed, 8));
    REQUIRE(block[i] != NULL);
    memset(block[i], (int)(i & 255), bytes[i]);
  }
  for (size_t i = 0; i < COUNT; i++) put(block[i], bytes[i]);
}

TEST(refuses_sizes_that_cannot_be) {
  if (TEST_ASAN || TEST_MSAN || TEST_TSAN) SKIP("the sanitizer ends the program on such sizes");
  const size_t half = SIZE_MAX / 2 + 1;
  CHECK(get(SIZE_MAX, 64) == NULL);
  CHECK(get(SIZE_MAX - 63, 64) == NULL);
  CHECK(get(SIZE_MAX, 1) == NULL);
  CHECK(get(half, 64) == NULL);
  CHECK(get(half - 1, half) == NULL);
  CHECK(get(100, half) == NULL);
  CHECK(get(100000, half) == NULL);
}

TEST(takes_null_back) {
  put(NULL, 10);
  put(NULL, 100000);
  CHECK(true);
}

TEST_MAIN(RUN(aligns_every_size_to_every_power_of_two), RUN(aligns_beyond_a_page), RUN(large_blocks_start_at_pages),
          RUN(live_blocks_do_not_touch_each_other), RUN(refuses_sizes_that_cannot_be), RUN(takes_null_back))

#else

TEST(never_has_memory) {
  const tsr_allocator *const a = tsr_allocator_system();
  CHECK(a->alloc(a->self, 8, 8, TSR_HINT_DEFAULT) == NULL);
  CHECK(is_aligned(a->alloc(a->self, 100000, 8, TSR_HINT_HOT), 8));
  a->free(a->self, NULL, 8);
}

TEST_MAIN(RUN(never_has_memory))

#endif
