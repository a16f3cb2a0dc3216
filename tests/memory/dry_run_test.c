/* The dry run: what the counting allocator says on a server of a program's memory on a Cortex-M is, byte for byte, the
 * high-water mark of an arena there. The same program and the same number on every machine: where it is a 32-bit
 * microcontroller, the arena is the real one. */
#include <stdalign.h>
#include <tessera/tessera.h>
#include "support/test.h"
#include "../../examples/mcu/data/iris.h"

/* Of a 32-bit microcontroller: its alignment, its storage header, and what this program comes to there. */
enum { ALIGN = 8, HEADER = 40, PEAK = 612 };

enum { ARENA_BYTES = 2048, SCRATCH_BYTES = TSR_HAVE_MALLOC ? 65536 : 512 };
static alignas(64) unsigned char memory[ARENA_BYTES], scratch[SCRATCH_BYTES];

static tsr_status program(tsr_ctx *ctx) {
  const tsr_activation relu = {.kind = TSR_RELU};
  tsr_tensor x = {0}, a = {0}, b = {0}, c = {0}, turned = {0}, copy = {0};
  tsr_status st;
  TSR_TRY(st, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3, 4), &x), done);
  TSR_TRY(st, tsr_dense(ctx, &x, &iris_first_weight, &iris_first_bias, &relu, &a), done);   /* (3, 16) */
  TSR_TRY(st, tsr_dense(ctx, &a, &iris_second_weight, &iris_second_bias, &relu, &b), done); /* (3, 8) */
  tsr_release(&a); /* not the newest: an arena keeps it */
  TSR_TRY(st, tsr_dense(ctx, &b, &iris_third_weight, &iris_third_bias, NULL, &c), done); /* (3, 3) */
  TSR_TRY(st, tsr_softmax(ctx, &c, -1, &c), done);
  TSR_TRY(st, tsr_transpose(ctx, &c, 0, 1, &turned), done);
  TSR_TRY(st, tsr_clone(ctx, &turned, &copy), done);
  tsr_release(&copy); /* the newest: it comes back */
  TSR_TRY(st, tsr_cast(ctx, &c, TSR_I8, &copy), done);
done:
  tsr_release(&copy);
  tsr_release(&c);
  tsr_release(&b);
  tsr_release(&a);
  tsr_release(&x);
  return st;
}

static tsr_status run(const tsr_allocator *allocator) {
  tsr_ctx ctx;
  tsr_status st;
  TSR_TRY(st, tsr_context_init(&ctx, allocator), done);
  TSR_TRY(st, tsr_context_set_scratch(&ctx, scratch, sizeof scratch), done);
  TSR_TRY(st, program(&ctx), done);
done:
  return st;
}

TEST(counting_tells_the_arena_of_a_microcontroller) {
  tsr_arena upstream;
  tsr_counting counting;
  REQUIRE(tsr_arena_init(memory, sizeof memory, &upstream) == TSR_OK);
  REQUIRE(tsr_counting_init(TSR_HAVE_MALLOC ? NULL : &upstream.allocator, ALIGN, HEADER, &counting) == TSR_OK);
  CHECK(run(&counting.allocator) == TSR_OK);
  CHECK(counting.peak == PEAK && counting.stats.in_use == 0);
  if (counting.peak != PEAK) printf("  the peak is %u bytes\n", (unsigned)counting.peak);
}

TEST(the_arena_comes_to_that) {
  tsr_arena arena;
  if (TSR_DATA_ALIGN != ALIGN || tsr_storage_header_size() != HEADER) {
    CHECK(TSR_HAVE_MALLOC || sizeof(void *) != 4); /* else the two numbers above are not those of this target */
    SKIP("not a 32-bit microcontroller");
  }
  REQUIRE(tsr_arena_init(memory, sizeof memory, &arena) == TSR_OK);
  CHECK(run(&arena.allocator) == TSR_OK);
  CHECK(arena.peak == PEAK);
  if (arena.peak != PEAK) printf("  the peak is %u bytes\n", (unsigned)arena.peak);
}

TEST_MAIN(RUN(counting_tells_the_arena_of_a_microcontroller), RUN(the_arena_comes_to_that))
