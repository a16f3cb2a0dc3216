/* Failing: each call in turn refused, and nothing lost. */
#include "support/test.h"
#include <stdalign.h>
#include <tessera/memory.h>

enum { BYTES = 4096, CALLS = 12 };
static alignas(64) unsigned char memory[BYTES];

static void *get(tsr_failing *f) { return f->allocator.alloc(f->allocator.self, 16, 8, TSR_HINT_DEFAULT); }
static void put(tsr_failing *f, void *ptr) { f->allocator.free(f->allocator.self, ptr, 16); }

/* Calls get CALLS times and frees what came; returns how many were refused. */
static size_t refusals(tsr_failing *f) {
  void *block[CALLS];
  size_t refused = 0;
  for (int i = 0; i < CALLS; i++) {
    block[i] = get(f);
    refused += block[i] == NULL;
  }
  CHECK(f->live == CALLS - refused && f->calls == CALLS);
  for (int i = CALLS - 1; i >= 0; i--) put(f, block[i]);
  CHECK(f->live == 0);
  return refused;
}

TEST(checks_its_arguments) {
  tsr_failing failing;
  CHECK(tsr_failing_init(NULL, 0, false, NULL) == TSR_EARG);
  CHECK(tsr_failing_init(NULL, 0, false, &failing) == TSR_OK);
  CHECK(failing.upstream == tsr_allocator_system());
}

TEST(refuses_one_call) {
  for (size_t at = 0; at <= CALLS; at++) {
    tsr_arena arena;
    tsr_failing failing;
    REQUIRE(tsr_arena_init(memory, BYTES, &arena) == TSR_OK);
    REQUIRE(tsr_failing_init(&arena.allocator, at, false, &failing) == TSR_OK);
    CHECK(refusals(&failing) == (at < CALLS ? 1u : 0u));
    CHECK(arena.used == 0);
  }
}

TEST(refuses_every_call_from_one_on) {
  for (size_t at = 0; at <= CALLS; at++) {
    tsr_arena arena;
    tsr_failing failing;
    REQUIRE(tsr_arena_init(memory, BYTES, &arena) == TSR_OK);
    REQUIRE(tsr_failing_init(&arena.allocator, at, true, &failing) == TSR_OK);
    CHECK(refusals(&failing) == CALLS - at);
    CHECK(arena.used == 0);
  }
}

TEST(refuses_exactly_the_call_it_says) {
  tsr_arena arena;
  tsr_failing failing;
  REQUIRE(tsr_arena_init(memory, BYTES, &arena) == TSR_OK);
  REQUIRE(tsr_failing_init(&arena.allocator, 2, false, &failing) == TSR_OK);
  CHECK(get(&failing) != NULL);
  CHECK(get(&failing) != NULL);
  CHECK(get(&failing) == NULL);
  CHECK(get(&failing) != NULL);
  REQUIRE(tsr_failing_init(&arena.allocator, SIZE_MAX, true, &failing) == TSR_OK);
  CHECK(get(&failing) != NULL && failing.calls == 1 && failing.live == 1);
}

TEST(an_upstream_without_memory_is_no_live_block) {
  tsr_arena arena;
  tsr_failing failing;
  REQUIRE(tsr_arena_init(NULL, 0, &arena) == TSR_OK);
  REQUIRE(tsr_failing_init(&arena.allocator, SIZE_MAX, false, &failing) == TSR_OK);
  CHECK(get(&failing) == NULL);
  put(&failing, NULL);
  CHECK(failing.calls == 1 && failing.live == 0);
}

TEST_MAIN(RUN(checks_its_arguments), RUN(refuses_one_call), RUN(refuses_every_call_from_one_on),
          RUN(refuses_exactly_the_call_it_says), RUN(an_upstream_without_memory_is_no_live_block))
