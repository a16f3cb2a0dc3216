/* Counting: the arena that another target needs, to the byte. */
#include "memory/random.h"
#include "support/test.h"
#include <stdalign.h>
#include <tessera/memory.h>

enum { ARENA_BYTES = 24576, UPSTREAM_BYTES = 49152 };
static alignas(4096) unsigned char memory[ARENA_BYTES];
static alignas(4096) unsigned char upstream_memory[UPSTREAM_BYTES];

static void *get(const tsr_allocator *a, size_t bytes, size_t align, int hint) {
  return a->alloc(a->self, bytes, align, hint);
}

static void put(const tsr_allocator *a, void *ptr, size_t bytes) { a->free(a->self, ptr, bytes); }

TEST(checks_its_arguments) {
  tsr_counting counting;
  CHECK(tsr_counting_init(NULL, 0, 0, NULL) == TSR_EARG);
  CHECK(tsr_counting_init(NULL, 12, 0, &counting) == TSR_EARG);
  CHECK(tsr_counting_init(NULL, 0, 0, &counting) == TSR_OK);
  CHECK(counting.upstream == tsr_allocator_default());
  CHECK(counting.align == TSR_DATA_ALIGN && counting.header == tsr_storage_header_size());
}

TEST(counts_plain_sums) {
  tsr_arena arena;
  tsr_counting counting;
  REQUIRE(tsr_arena_init(upstream_memory, UPSTREAM_BYTES, &arena) == TSR_OK);
  REQUIRE(tsr_counting_init(&arena.allocator, 0, 0, &counting) == TSR_OK);
  const tsr_allocator *const a = &counting.allocator;
  void *const first = get(a, 100, 8, TSR_HINT_DEFAULT), *const second = get(a, 50, 8, TSR_HINT_HOT);
  REQUIRE(first != NULL && second != NULL);
  memset(first, 1, 100);
  memset(second, 2, 50);
  CHECK(counting.stats.in_use == 150 && counting.stats.peak == 150 && counting.stats.calls == 2);
  CHECK(counting.largest == 100 && counting.used == 154 && counting.peak == 154);
  put(a, second, 50);
  put(a, first, 100);
  put(a, NULL, 3);
  CHECK(counting.stats.in_use == 0 && counting.used == 0 && counting.peak == 154 && arena.used == 0);
  CHECK(get(a, UPSTREAM_BYTES, 8, 0) == NULL);
  CHECK(get(a, SIZE_MAX, 8, 0) == NULL);
  CHECK(counting.stats.failures == 2 && counting.stats.in_use == 0 && counting.peak == 154);
}

TEST(counts_the_target_s_header_and_alignment) {
  const size_t own = tsr_storage_header_size();
  tsr_arena arena;
  tsr_counting counting;
  REQUIRE(tsr_arena_init(upstream_memory, UPSTREAM_BYTES, &arena) == TSR_OK);
  REQUIRE(tsr_counting_init(&arena.allocator, 16, 24, &counting) == TSR_OK);
  const tsr_allocator *const a = &counting.allocator;
  void *const storage = get(a, own + 100, TSR_DATA_ALIGN, TSR_HINT_COLD | TSR_HINT_STORAGE);
  void *const plain = get(a, 10, TSR_DATA_ALIGN, TSR_HINT_DEFAULT), *const wide = get(a, 10, 4096, TSR_HINT_DEFAULT);
  REQUIRE(storage != NULL && plain != NULL && wide != NULL);
  CHECK(((uintptr_t)storage & (TSR_DATA_ALIGN - 1)) == 0 && ((uintptr_t)wide & 4095) == 0);
  CHECK(counting.stats.in_use == 124 + 10 + 10 && counting.largest == 124);
  CHECK(counting.used == 4096 + 10); /* 124, then 10 at 128, then 10 at 4096: that alignment was asked for there too */
  put(a, wide, 10);
  CHECK(counting.used == 144);
  put(a, plain, 10);
  put(a, storage, own + 100);
  CHECK(counting.used == 0 && counting.stats.in_use == 0);
  void *const alone = get(a, own, TSR_DATA_ALIGN, TSR_HINT_STORAGE);
  CHECK(counting.stats.in_use == 24);
  put(a, alone, own);
}

/* One block of the two programs that run side by side. */
typedef struct twin {
  void *here;
  void *there;
  size_t bytes;       /* here */
  size_t there_bytes; /* on the target, whose header is another */
} twin;

enum { MOST_BLOCKS = 24 };

typedef struct twins {
  tsr_counting counting;
  tsr_arena upstream;
  tsr_arena target;
  twin block[MOST_BLOCKS];
  uint32_t count;
  uint32_t seed;
  size_t target_align;
  size_t target_header;
} twins;

static void alloc_twin(twins *t) {
  const bool storage = random_below(&t->seed, 2) == 0;
  const size_t own = tsr_storage_header_size(), data = 1 + random_below(&t->seed, 300);
  const size_t align = random_below(&t->seed, 2) == 0 ? TSR_DATA_ALIGN : (size_t)1 << random_below(&t->seed, 10);
  const size_t there_align = align == TSR_DATA_ALIGN ? t->target_align : align;
  twin *const b = &t->block[t->count];
  b->bytes = storage ? own + data : data;
  b->there_bytes = storage ? t->target_header + data : data;
  b->there = get(&t->target.allocator, b->there_bytes, there_align, TSR_HINT_DEFAULT);
  if (b->there == NULL) return;
  b->here = get(&t->counting.allocator, b->bytes, align, storage ? TSR_HINT_STORAGE : TSR_HINT_DEFAULT);
  REQUIRE(b->here != NULL);
  memset(b->here, 0xEE, b->bytes);
  memset(b->there, 0xEE, b->there_bytes);
  t->count++;
}

static void free_twin(twins *t, uint32_t i) {
  put(&t->counting.allocator, t->block[i].here, t->block[i].bytes);
  put(&t->target.allocator, t->block[i].there, t->block[i].there_bytes);
  t->count--;
  for (; i < t->count; i++) t->block[i] = t->block[i + 1];
}

static void step_twins(twins *t) {
  const bool full = t->count == MOST_BLOCKS;
  if (!full && (t->count == 0 || random_below(&t->seed, 5) < 3)) {
    alloc_twin(t);
  } else {
    free_twin(t, random_below(&t->seed, 4) > 0 ? t->count - 1 : random_below(&t->seed, t->count));
  }
  CHECK(t->counting.used == t->target.used);
}

/* Returns whether the two agree to the end. */
static bool run_twins(uint32_t seed, size_t target_align, size_t target_header) {
  static twins t;
  t = (twins){.seed = seed, .target_align = target_align, .target_header = target_header};
  CHECK(tsr_arena_init(upstream_memory, UPSTREAM_BYTES, &t.upstream) == TSR_OK);
  CHECK(tsr_arena_init(memory, ARENA_BYTES, &t.target) == TSR_OK);
  CHECK(tsr_counting_init(&t.upstream.allocator, target_align, target_header, &t.counting) == TSR_OK);
  for (int step = 0; step < 40; step++) step_twins(&t);
  while (t.count > 0) free_twin(&t, t.count - 1);
  return t.counting.peak == t.target.peak && t.counting.used == t.target.used && t.counting.stats.in_use == 0;
}

TEST(agrees_with_an_arena_on_random_programs) {
  int agreed = 0;
  for (uint32_t i = 0; i < 10000; i++) {
    const size_t align = (size_t)4 << i % 5; /* 4 … 64 */
    agreed += run_twins(2 * i + 1, align, 16 + 4 * (i % 13));
  }
  CHECK(agreed == 10000);
}

TEST_MAIN(RUN(checks_its_arguments), RUN(counts_plain_sums), RUN(counts_the_target_s_header_and_alignment),
          RUN(agrees_with_an_arena_on_random_programs))
