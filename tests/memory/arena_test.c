/* Arenas: every byte comes back from frees in reverse order, rewinds, misuse. */
#include "memory/random.h"
#include "support/test.h"
#include <stdalign.h>
#include <tessera/memory.h>

enum { BYTES = 32768 };
static alignas(4096) unsigned char memory[BYTES];

static void *get(tsr_arena *arena, size_t bytes, size_t align) {
  return arena->allocator.alloc(arena->allocator.self, bytes, align, TSR_HINT_DEFAULT);
}

static void put(tsr_arena *arena, void *ptr, size_t bytes) { arena->allocator.free(arena->allocator.self, ptr, bytes); }

TEST(init_checks_its_arguments) {
  tsr_arena arena;
  CHECK(tsr_arena_init(memory, BYTES, NULL) == TSR_EARG);
  CHECK(tsr_arena_init(NULL, 1, &arena) == TSR_EARG);
  CHECK(tsr_arena_init(memory, SIZE_MAX, &arena) == TSR_EARG);
  CHECK(tsr_arena_init(NULL, 0, &arena) == TSR_OK);
  CHECK(get(&arena, 1, 1) == NULL);
  put(&arena, NULL, 1);
  CHECK(tsr_arena_init(memory, 0, &arena) == TSR_OK);
  CHECK(get(&arena, 1, 1) == NULL);
  CHECK(tsr_arena_mark(NULL) == 0);
}

TEST(aligns_addresses_from_any_base) {
  for (size_t shift = 0; shift < 20; shift++) {
    for (size_t align = 1; align <= 4096; align *= 2) {
      tsr_arena arena;
      REQUIRE(tsr_arena_init(memory + shift, BYTES - shift, &arena) == TSR_OK);
      void *const first = get(&arena, 5, 1), *const second = get(&arena, 9, align);
      REQUIRE(first != NULL && second != NULL);
      CHECK(((uintptr_t)second & (align - 1)) == 0 && ((uintptr_t)first & 7) == 0);
      put(&arena, second, 9);
      put(&arena, first, 5);
      CHECK(arena.used == 0);
    }
  }
}

TEST(gives_out_the_last_byte) {
  tsr_arena arena;
  REQUIRE(tsr_arena_init(memory, 1003, &arena) == TSR_OK);
  void *block = get(&arena, 1003, 8);
  CHECK(block == memory);
  CHECK(arena.used == 1003 && arena.peak == 1003);
  CHECK(get(&arena, 1, 1) == NULL);
  put(&arena, block, 1003);
  CHECK(arena.used == 0);
  CHECK(get(&arena, 1004, 8) == NULL);
  block = get(&arena, 8, 8);
  CHECK(get(&arena, 995, 8) == memory + 8);
  CHECK(arena.used == 1003);
}

TEST(refuses_sizes_that_wrap) {
  tsr_arena arena;
  REQUIRE(tsr_arena_init(memory, BYTES, &arena) == TSR_OK);
  REQUIRE(get(&arena, 1, 1) != NULL);
  CHECK(get(&arena, SIZE_MAX, 1) == NULL);
  CHECK(get(&arena, SIZE_MAX - 7, 8) == NULL);
  CHECK(get(&arena, SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1) == NULL);
  CHECK(arena.used == 1 && arena.peak == 1);
}

/* Each block comes back with what its alignment skipped: a stack of random blocks ends at 0, through the same marks. */
TEST(frees_in_reverse_give_every_byte_back) {
  enum { DEPTH = 60 };
  void *block[DEPTH];
  size_t bytes[DEPTH], mark[DEPTH];
  uint32_t seed = 5;
  for (int round = 0; round < 2000; round++) {
    const size_t shift = random_below(&seed, 16);
    tsr_arena arena;
    REQUIRE(tsr_arena_init(memory + shift, BYTES - shift, &arena) == TSR_OK);
    int depth = 0;
    for (; depth < DEPTH; depth++) {
      mark[depth] = tsr_arena_mark(&arena);
      bytes[depth] = 1 + random_below(&seed, 300);
      block[depth] = get(&arena, bytes[depth], (size_t)1 << random_below(&seed, 11));
      if (block[depth] == NULL) break;
      memset(block[depth], 0xFF, bytes[depth]);
    }
    CHECK(depth > 5);
    while (depth-- > 0) {
      put(&arena, block[depth], bytes[depth]);
      CHECK(((arena.used + shift + 7) & ~(size_t)7) == ((mark[depth] + shift + 7) & ~(size_t)7) || arena.used == 0);
    }
    CHECK(arena.used == 0 && arena.private_gap == 0);
  }
}

TEST(an_older_block_comes_back_by_a_rewind) {
  tsr_arena arena;
  REQUIRE(tsr_arena_init(memory, BYTES, &arena) == TSR_OK);
  void *const a = get(&arena, 100, 8);
  const size_t mark = tsr_arena_mark(&arena);
  void *const b = get(&arena, 100, 1024), *const c = get(&arena, 50, 8);
  const size_t full = arena.used;
  put(&arena, b, 100);
  CHECK(arena.used == full);
  put(&arena, c, 50);
  CHECK(arena.used == (size_t)((unsigned char *)b - memory) + 104);
  CHECK(tsr_arena_rewind(&arena, arena.used + 1) == TSR_EARG);
  CHECK(tsr_arena_rewind(NULL, 0) == TSR_EARG);
  CHECK(tsr_arena_rewind(&arena, mark) == TSR_OK);
  CHECK(arena.used == mark && arena.private_gap == 0 && arena.peak == full);
  put(&arena, a, 100);
  CHECK(arena.used == 0);
}

TEST(rewinds_leave_lower_padding_known) {
  tsr_arena arena;
  REQUIRE(tsr_arena_init(memory, BYTES, &arena) == TSR_OK);
  void *const a = get(&arena, 1, 1), *const b = get(&arena, 1, 256);
  const size_t mark = tsr_arena_mark(&arena);
  for (int i = 0; i < 5; i++) REQUIRE(get(&arena, 10, 512) != NULL);
  CHECK(tsr_arena_rewind(&arena, mark) == TSR_OK);
  put(&arena, b, 1);
  put(&arena, a, 1);
  CHECK(arena.used == 0 && arena.private_gap == 0);
}

TEST(any_mark_is_safe) {
  uint32_t seed = 9;
  tsr_arena arena;
  REQUIRE(tsr_arena_init(memory, BYTES, &arena) == TSR_OK);
  for (int step = 0; step < 20000; step++) {
    const size_t bytes = 1 + random_below(&seed, 200), align = (size_t)1 << random_below(&seed, 10);
    unsigned char *const block = get(&arena, bytes, align);
    if (block != NULL) {
      CHECK(block >= memory && block + bytes <= memory + BYTES && ((uintptr_t)block & (align - 1)) == 0);
      memset(block, step & 255, bytes);
    }
    if (block == NULL || random_below(&seed, 5) == 0) {
      CHECK(tsr_arena_rewind(&arena, random_below(&seed, (uint32_t)arena.used + 1)) == TSR_OK);
      CHECK(arena.private_gap <= arena.used);
    }
  }
}

TEST_MAIN(RUN(init_checks_its_arguments), RUN(aligns_addresses_from_any_base), RUN(gives_out_the_last_byte),
          RUN(refuses_sizes_that_wrap), RUN(frees_in_reverse_give_every_byte_back),
          RUN(an_older_block_comes_back_by_a_rewind), RUN(rewinds_leave_lower_padding_known), RUN(any_mark_is_safe))
