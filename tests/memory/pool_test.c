/* Pools: reuse, statistics, caps, and exact books with upstream. All over static memory, so that it runs anywhere. */
#include "memory/random.h"
#include "support/test.h"
#include <stdalign.h>
#include <tessera/memory.h>

enum { BYTES = 49152 };
static alignas(4096) unsigned char memory[BYTES];

/* An upstream that keeps books: bytes that come back must be the bytes that went out. */
typedef struct ledger {
  tsr_allocator allocator;
  tsr_arena arena;
  size_t out; /* bytes */
  size_t blocks;
  size_t calls;
  size_t budget; /* the most bytes out */
  size_t last_align;
  int last_hint;
} ledger;

static void *ledger_alloc(void *self, size_t bytes, size_t align, int hint) {
  ledger *const l = self;
  l->calls++;
  l->last_align = align;
  l->last_hint = hint;
  if (bytes > l->budget - l->out) return NULL;
  void *const block = l->arena.allocator.alloc(&l->arena, bytes, align, hint);
  if (block == NULL) return NULL;
  l->out += bytes;
  l->blocks++;
  return block;
}

static void ledger_free(void *self, void *ptr, size_t bytes) {
  ledger *const l = self;
  l->out -= bytes;
  l->blocks--;
  l->arena.allocator.free(&l->arena, ptr, bytes);
}

static ledger books;

/* A pool over fresh books. */
static tsr_memory_pool *fresh_pool(size_t keep_bytes) {
  tsr_memory_pool *pool = NULL;
  books = (ledger){.allocator = {sizeof(tsr_allocator), ledger_alloc, ledger_free, &books}, .budget = BYTES};
  CHECK(tsr_arena_init(memory, BYTES, &books.arena) == TSR_OK);
  CHECK(tsr_memory_pool_new(&books.allocator, keep_bytes, &pool) == TSR_OK);
  return pool;
}

static void end_pool(tsr_memory_pool *pool) {
  CHECK(tsr_memory_pool_release(pool) == TSR_OK);
  CHECK(books.out == 0 && books.blocks == 0);
}

static void *get(tsr_memory_pool *pool, size_t bytes, size_t align) {
  const tsr_allocator *const a = tsr_memory_pool_allocator(pool);
  return a->alloc(a->self, bytes, align, TSR_HINT_DEFAULT);
}

static void put(tsr_memory_pool *pool, void *ptr, size_t bytes) {
  const tsr_allocator *const a = tsr_memory_pool_allocator(pool);
  a->free(a->self, ptr, bytes);
}

TEST(checks_its_arguments) {
  CHECK(tsr_memory_pool_new(NULL, 0, NULL) == TSR_EARG);
  CHECK(tsr_memory_pool_release(NULL) == TSR_OK);
  CHECK(tsr_memory_pool_allocator(NULL) == NULL);
  CHECK(tsr_memory_pool_trim(NULL, 0) == 0);
  CHECK(tsr_memory_pool_stats(NULL).calls == 0);
}

TEST(no_memory_for_the_pool_itself) {
  tsr_memory_pool *pool = NULL;
  books = (ledger){.allocator = {sizeof(tsr_allocator), ledger_alloc, ledger_free, &books}};
  CHECK(tsr_arena_init(memory, BYTES, &books.arena) == TSR_OK);
  CHECK(tsr_memory_pool_new(&books.allocator, 1000, &pool) == TSR_ENOMEM);
  CHECK(pool == NULL);
#if !TSR_HAVE_MALLOC
  CHECK(tsr_memory_pool_new(NULL, 1000, &pool) == TSR_ENOMEM);
#endif
}

TEST(reuses_and_counts) {
  tsr_memory_pool *const pool = fresh_pool(BYTES);
  void *const a = get(pool, 100, 8), *const b = get(pool, 1000, 8);
  REQUIRE(a != NULL && b != NULL && a != b);
  tsr_memory_stats s = tsr_memory_pool_stats(pool);
  CHECK(s.in_use == 1100 && s.peak == 1100 && s.calls == 2 && s.hits == 0 && s.cached == 0);
  put(pool, a, 100);
  s = tsr_memory_pool_stats(pool);
  CHECK(s.in_use == 1000 && s.cached >= 100 && s.cached <= 128);
  const size_t calls = books.calls;
  CHECK(get(pool, 100, 8) == a);
  CHECK(books.calls == calls);
  s = tsr_memory_pool_stats(pool);
  CHECK(s.in_use == 1100 && s.peak == 1100 && s.calls == 3 && s.hits == 1 && s.cached == 0 && s.failures == 0);
  CHECK(tsr_memory_pool_release(pool) == TSR_ESTATE);
  put(pool, a, 100);
  put(pool, b, 1000);
  put(pool, NULL, 5);
  CHECK(tsr_memory_pool_stats(pool).in_use == 0);
  end_pool(pool);
}

TEST(the_newest_kept_block_goes_out_first) {
  tsr_memory_pool *const pool = fresh_pool(BYTES);
  void *const a = get(pool, 200, 8), *const b = get(pool, 200, 8);
  put(pool, a, 200);
  put(pool, b, 200);
  CHECK(get(pool, 200, 8) == b);
  CHECK(get(pool, 200, 8) == a);
  put(pool, a, 200);
  put(pool, b, 200);
  end_pool(pool);
}

TEST(every_class_holds_what_was_asked) {
  for (size_t bytes = 1; bytes < 9000; bytes += 1 + bytes / 90) {
    tsr_memory_pool *const pool = fresh_pool(BYTES);
    const size_t own = books.out;
    void *const block = get(pool, bytes, 8);
    REQUIRE(block != NULL);
    const size_t rounded = books.out - own, granule = sizeof(void *) * 8;
    CHECK(rounded >= bytes);
    CHECK(rounded - bytes <= bytes / 8 || rounded - bytes < granule);
    memset(block, 1, bytes);
    put(pool, block, bytes);
    CHECK(tsr_memory_pool_stats(pool).cached == rounded);
    CHECK(get(pool, rounded, 8) == block); /* the whole class fits */
    put(pool, block, rounded);
    end_pool(pool);
  }
}

TEST(keeps_no_more_than_it_may) {
  tsr_memory_pool *const pool = fresh_pool(2000);
  const size_t own = books.out;
  void *block[8];
  for (int i = 0; i < 8; i++) block[i] = get(pool, 500, 8);
  for (int i = 0; i < 8; i++) {
    put(pool, block[i], 500);
    CHECK(tsr_memory_pool_stats(pool).cached <= 2000);
  }
  CHECK(tsr_memory_pool_stats(pool).cached == books.out - own && books.blocks > 1);
  CHECK(get(pool, 500, 8) == block[7]); /* the oldest went */
  put(pool, block[7], 500);
  void *const large = get(pool, 5000, 8);
  put(pool, large, 5000);
  CHECK(tsr_memory_pool_stats(pool).cached <= 2000);
  end_pool(pool);
}

TEST(keeping_nothing_asks_for_exact_bytes) {
  tsr_memory_pool *const pool = fresh_pool(0);
  const size_t own = books.out;
  void *const block = get(pool, 777, 8);
  CHECK(books.out == own + 777);
  put(pool, block, 777);
  CHECK(books.out == own && tsr_memory_pool_stats(pool).cached == 0);
  end_pool(pool);
}

TEST(trims_the_oldest_down_to_a_size) {
  tsr_memory_pool *const pool = fresh_pool(BYTES);
  void *block[4];
  for (size_t i = 0; i < 4; i++) block[i] = get(pool, 1000 * (i + 1), 8);
  for (size_t i = 0; i < 4; i++) put(pool, block[i], 1000 * (i + 1));
  const size_t kept = tsr_memory_pool_stats(pool).cached;
  CHECK(tsr_memory_pool_trim(pool, kept) == 0);
  const size_t gone = tsr_memory_pool_trim(pool, kept - 1);
  CHECK(gone >= 1000 && gone <= 1125 && tsr_memory_pool_stats(pool).cached == kept - gone);
  const size_t hits = tsr_memory_pool_stats(pool).hits;
  CHECK(get(pool, 4000, 8) == block[3]);
  CHECK(tsr_memory_pool_stats(pool).hits == hits + 1);
  put(pool, block[3], 4000);
  CHECK(tsr_memory_pool_trim(pool, 0) == kept - gone);
  CHECK(tsr_memory_pool_stats(pool).cached == 0);
  end_pool(pool);
}

TEST(kept_blocks_are_not_missing_elsewhere) {
  tsr_memory_pool *const pool = fresh_pool(BYTES);
  books.budget = books.out + 3200; /* sizes are rounded up, by an eighth at most */
  void *const a = get(pool, 2000, 8);
  REQUIRE(a != NULL);
  put(pool, a, 2000);
  void *const b = get(pool, 2800, 8); /* only after what is kept went back */
  CHECK(b != NULL && tsr_memory_pool_stats(pool).cached == 0 && tsr_memory_pool_stats(pool).failures == 0);
  CHECK(get(pool, 2000, 8) == NULL);
  CHECK(tsr_memory_pool_stats(pool).failures == 1 && tsr_memory_pool_stats(pool).in_use == 2800);
  put(pool, b, 2800);
  end_pool(pool);
}

TEST(aligns_kept_blocks_too) {
  for (size_t align = 1; align <= 4096; align *= 2) {
    tsr_memory_pool *const pool = fresh_pool(BYTES);
    void *const loose = get(pool, 300, 1);
    put(pool, loose, 300);
    void *const strict = get(pool, 300, align);
    REQUIRE(strict != NULL);
    CHECK(((uintptr_t)strict & (align - 1)) == 0);
    put(pool, strict, 300);
    end_pool(pool);
  }
}

TEST(hints_end_here) {
  tsr_memory_pool *const pool = fresh_pool(BYTES);
  const tsr_allocator *const a = tsr_memory_pool_allocator(pool);
  void *const block = a->alloc(a->self, 100, 8, TSR_HINT_TIER0 + 1);
  CHECK(block != NULL && books.last_hint == TSR_HINT_DEFAULT && books.last_align >= TSR_DATA_ALIGN);
  put(pool, block, 100);
  end_pool(pool);
}

TEST(refuses_sizes_that_cannot_be) {
  tsr_memory_pool *const pool = fresh_pool(SIZE_MAX);
  CHECK(get(pool, 0, 8) == NULL);
  CHECK(get(pool, SIZE_MAX, 8) == NULL);
  CHECK(get(pool, SIZE_MAX / 2, 8) == NULL);
  CHECK(get(pool, SIZE_MAX / 2 + 1, 8) == NULL);
  CHECK(tsr_memory_pool_stats(pool).failures == 3);
  end_pool(pool);
}

/* Random use against a model: no block is given twice, the sums are right, all comes back. */
TEST(random_use_keeps_the_books_straight) {
  enum { COUNT = 40 };
  unsigned char *block[COUNT] = {0};
  size_t bytes[COUNT] = {0}, in_use = 0;
  uint32_t seed = 3;
  tsr_memory_pool *const pool = fresh_pool(6000);
  for (int step = 0; step < 30000; step++) {
    const uint32_t i = random_below(&seed, COUNT);
    if (block[i] != NULL) {
      CHECK(block[i][0] == i && block[i][bytes[i] - 1] == i);
      put(pool, block[i], bytes[i]);
      in_use -= bytes[i];
    }
    bytes[i] = 1 + random_below(&seed, 400);
    block[i] = get(pool, bytes[i], 8);
    if (block[i] != NULL) {
      memset(block[i], (int)i, bytes[i]);
      in_use += bytes[i];
    }
    const tsr_memory_stats s = tsr_memory_pool_stats(pool);
    CHECK(s.in_use == in_use && s.cached <= 6000 && s.peak >= in_use);
  }
  for (uint32_t i = 0; i < COUNT; i++) put(pool, block[i], bytes[i]);
  end_pool(pool);
}

TEST_MAIN(RUN(checks_its_arguments), RUN(no_memory_for_the_pool_itself), RUN(reuses_and_counts),
          RUN(the_newest_kept_block_goes_out_first), RUN(every_class_holds_what_was_asked),
          RUN(keeps_no_more_than_it_may), RUN(keeping_nothing_asks_for_exact_bytes),
          RUN(trims_the_oldest_down_to_a_size), RUN(kept_blocks_are_not_missing_elsewhere), RUN(aligns_kept_blocks_too),
          RUN(hints_end_here), RUN(refuses_sizes_that_cannot_be), RUN(random_use_keeps_the_books_straight))
