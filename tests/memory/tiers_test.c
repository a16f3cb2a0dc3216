/* Tiers: which region a hint leads to, what happens when one is full, whose a block is. */
#include "memory/random.h"
#include "support/test.h"
#include <stdalign.h>
#include <tessera/memory.h>

enum { FAST = 256, MIDDLE = 1024, SLOW = 4096 };
static alignas(64) unsigned char fast_memory[FAST], middle_memory[MIDDLE], slow_memory[SLOW];
static tsr_arena fast, middle, slow;

static tsr_tiers three_tiers(size_t limit, tsr_tiers *tiers) {
  tsr_arena *const arenas[] = {&fast, &middle, &slow};
  CHECK(tsr_arena_init(fast_memory, FAST, &fast) == TSR_OK);
  CHECK(tsr_arena_init(middle_memory, MIDDLE, &middle) == TSR_OK);
  CHECK(tsr_arena_init(slow_memory, SLOW, &slow) == TSR_OK);
  CHECK(tsr_tiers_init(arenas, 3, limit, tiers) == TSR_OK);
  return *tiers;
}

static void *get(const tsr_tiers *t, size_t bytes, int hint) {
  return t->allocator.alloc(t->allocator.self, bytes, 8, hint);
}

static void put(const tsr_tiers *t, void *ptr, size_t bytes) { t->allocator.free(t->allocator.self, ptr, bytes); }

static int region_of(const void *ptr) {
  const uintptr_t p = (uintptr_t)ptr;
  if (p - (uintptr_t)fast_memory < FAST) return 0;
  if (p - (uintptr_t)middle_memory < MIDDLE) return 1;
  return p - (uintptr_t)slow_memory < SLOW ? 2 : -1;
}

TEST(checks_its_arguments) {
  tsr_tiers tiers;
  tsr_arena inside;
  tsr_arena *const good[] = {&fast, &slow}, *const hole[] = {&fast, NULL}, *const twice[] = {&slow, &slow};
  tsr_arena *const nested[] = {&slow, &inside}, *const around[] = {&inside, &slow};
  (void)three_tiers(0, &tiers);
  CHECK(tsr_arena_init(slow_memory + 64, 64, &inside) == TSR_OK);
  CHECK(tsr_tiers_init(good, 2, 0, NULL) == TSR_EARG);
  CHECK(tsr_tiers_init(NULL, 2, 0, &tiers) == TSR_EARG);
  CHECK(tsr_tiers_init(good, 0, 0, &tiers) == TSR_EARG);
  CHECK(tsr_tiers_init(good, TSR_MAX_TIERS + 1, 0, &tiers) == TSR_EARG);
  CHECK(tsr_tiers_init(hole, 2, 0, &tiers) == TSR_EARG);
  CHECK(tsr_tiers_init(twice, 2, 0, &tiers) == TSR_EARG);
  CHECK(tsr_tiers_init(nested, 2, 0, &tiers) == TSR_EARG);
  CHECK(tsr_tiers_init(around, 2, 0, &tiers) == TSR_EARG);
  CHECK(tiers.count == 3);
  CHECK(tsr_tiers_init(good, 2, 0, &tiers) == TSR_OK);
}

TEST(hints_choose_the_region) {
  tsr_tiers t;
  (void)three_tiers(100, &t);
  CHECK(region_of(get(&t, 40, TSR_HINT_HOT)) == 0);
  CHECK(region_of(get(&t, 120, TSR_HINT_HOT)) == 0); /* whatever its size */
  CHECK(region_of(get(&t, 40, TSR_HINT_COLD)) == 2);
  CHECK(region_of(get(&t, 40, TSR_HINT_DEFAULT)) == 0);
  CHECK(region_of(get(&t, 101, TSR_HINT_DEFAULT)) == 1);
  CHECK(region_of(get(&t, 40, TSR_HINT_TIER0)) == 0);
  CHECK(region_of(get(&t, 40, TSR_HINT_TIER0 + 1)) == 1);
  CHECK(region_of(get(&t, 40, TSR_HINT_TIER0 + 2)) == 2);
  CHECK(get(&t, 40, TSR_HINT_TIER0 + 3) == NULL);
  CHECK(get(&t, 40, 255) == NULL);
  CHECK(region_of(get(&t, 40, TSR_HINT_COLD | TSR_HINT_STORAGE)) == 2);
  CHECK(region_of(get(&t, 40, (TSR_HINT_TIER0 + 1) | TSR_HINT_STORAGE)) == 1);
}

TEST(without_a_limit_the_first_takes_any_size) {
  tsr_tiers t;
  (void)three_tiers(0, &t);
  CHECK(region_of(get(&t, 200, TSR_HINT_DEFAULT)) == 0);
  CHECK(region_of(get(&t, 200, TSR_HINT_DEFAULT)) == 1);
}

TEST(full_regions_lead_to_the_next) {
  tsr_tiers t;
  (void)three_tiers(100, &t);
  CHECK(region_of(get(&t, FAST, TSR_HINT_HOT)) == 0);
  CHECK(region_of(get(&t, 8, TSR_HINT_HOT)) == 1);
  CHECK(region_of(get(&t, 8, TSR_HINT_DEFAULT)) == 1);
  CHECK(get(&t, 8, TSR_HINT_TIER0) == NULL);
  CHECK(region_of(get(&t, SLOW, TSR_HINT_COLD)) == 2);
  CHECK(region_of(get(&t, 500, TSR_HINT_COLD)) == 1);
  CHECK(get(&t, MIDDLE, TSR_HINT_DEFAULT) == NULL);
  CHECK(get(&t, MIDDLE, TSR_HINT_COLD) == NULL);
}

TEST(a_large_block_takes_the_first_region_last) {
  tsr_tiers t;
  (void)three_tiers(100, &t);
  CHECK(region_of(get(&t, MIDDLE, TSR_HINT_TIER0 + 1)) == 1);
  CHECK(region_of(get(&t, 200, TSR_HINT_DEFAULT)) == 2);
  CHECK(region_of(get(&t, SLOW - 200, TSR_HINT_TIER0 + 2)) == 2);
  CHECK(region_of(get(&t, 200, TSR_HINT_DEFAULT)) == 0);
}

TEST(one_region_is_enough) {
  tsr_tiers t;
  tsr_arena *const arenas[] = {&fast};
  CHECK(tsr_arena_init(fast_memory, FAST, &fast) == TSR_OK);
  REQUIRE(tsr_tiers_init(arenas, 1, 10, &t) == TSR_OK);
  CHECK(region_of(get(&t, 100, TSR_HINT_DEFAULT)) == 0);
  CHECK(region_of(get(&t, 20, TSR_HINT_COLD)) == 0);
}

TEST(frees_find_their_region) {
  tsr_tiers t;
  uint32_t seed = 11;
  for (int round = 0; round < 500; round++) {
    enum { DEPTH = 30 };
    void *block[DEPTH];
    size_t bytes[DEPTH];
    (void)three_tiers(60, &t);
    for (int i = 0; i < DEPTH; i++) {
      bytes[i] = 1 + random_below(&seed, 120);
      block[i] = get(&t, bytes[i], (int)random_below(&seed, 3));
      REQUIRE(block[i] != NULL);
    }
    for (int i = DEPTH - 1; i >= 0; i--) put(&t, block[i], bytes[i]);
    CHECK(fast.used == 0 && middle.used == 0 && slow.used == 0);
  }
  put(&t, NULL, 8);
  put(&t, &t, 8); /* of no region: ignored */
}

TEST_MAIN(RUN(checks_its_arguments), RUN(hints_choose_the_region), RUN(without_a_limit_the_first_takes_any_size),
          RUN(full_regions_lead_to_the_next), RUN(a_large_block_takes_the_first_region_last), RUN(one_region_is_enough),
          RUN(frees_find_their_region))
