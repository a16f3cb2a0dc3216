/* Expressions where all memory is one array of fixed size: as on a microcontroller that is built with ops by name. */
#include "support/test.h"

#include <tessera/tessera.h>

#if TSR_HAVE_OPS

#include <tessera/expr.h>

enum { ROOM = TSR_HAVE_MALLOC ? 160 * 1024 : 48 * 1024 };
static _Alignas(64) uint8_t room[ROOM];

static float signal[48], scale[3] = {0.5f, 2, 1};

/* Three rows of sixteen, and a number a row: over memory that the arena knows nothing of. */
static void bind(tsr_ctx *ctx, tsr_tensor *x, tsr_tensor *s) {
  for (int i = 0; i < 48; i++) signal[i] = (float)(i % 7) - 3;
  OK(ctx, tsr_from_memory(ctx, signal, TSR_F32, TSR_SHAPE(3, 16), x));
  OK(ctx, tsr_from_memory(ctx, scale, TSR_F32, TSR_SHAPE(3, 1), s));
}

TEST(runs_in_a_fixed_array) {
  tsr_arena arena;
  tsr_ctx ctx;
  tsr_tensor x = {0}, s = {0}, out = {0};
  tsr_expr *expr = NULL;
  float got[3];
  REQUIRE(tsr_arena_init(room, sizeof room, &arena) == TSR_OK);
  REQUIRE(tsr_context_init(&ctx, &arena.allocator) == TSR_OK);
  bind(&ctx, &x, &s);
  OK(&ctx, tsr_from_memory(&ctx, got, TSR_F32, TSR_SHAPE(3), &out));
  OK(&ctx, tsr_expr_new(&ctx, "d = clip(x*s, -1, 1); sum(d**2, axis=-1)", &expr));
  OK(&ctx, tsr_expr_run(&ctx, expr, TSR_NAMED({"x", &x}, {"s", &s}), &out));
  for (int row = 0; row < 3; row++) {
    float want = 0;
    for (int i = 0; i < 16; i++) {
      const float d = signal[16 * row + i] * scale[row], clipped = d < -1 ? -1 : d > 1 ? 1 : d;
      want += clipped * clipped;
    }
    CHECK(got[row] == want);
  }
  const size_t used = arena.used;
  for (int i = 0; i < 100; i++) OK(&ctx, tsr_expr_run(&ctx, expr, TSR_NAMED({"x", &x}, {"s", &s}), &out));
  CHECK(arena.used == used); /* what is compiled is kept, and runs take nothing that lasts */
  printf("  an expression of five ops takes %u bytes, %u while it is compiled and run\n", (unsigned)used,
         (unsigned)arena.peak);
  tsr_expr_release(expr);
  tsr_release(&x);
  tsr_release(&s);
  tsr_release(&out);
}

TEST(too_little_room_is_a_status) {
  int failures = 0;
  for (size_t bytes = 0; bytes < sizeof room; bytes += 1024) {
    tsr_arena arena;
    tsr_ctx ctx;
    tsr_tensor x = {0}, s = {0}, out = {0};
    float got[48] = {7};
    REQUIRE(tsr_arena_init(room, bytes, &arena) == TSR_OK);
    REQUIRE(tsr_context_init(&ctx, &arena.allocator) == TSR_OK);
    bind(&ctx, &x, &s);
    OK(&ctx, tsr_from_memory(&ctx, got, TSR_F32, TSR_SHAPE(3, 16), &out));
    const int st = tsr_eval(&ctx, "sort(x*s) - s", TSR_NAMED({"x", &x}, {"s", &s}), &out);
    CHECK(st == TSR_OK || st == TSR_ENOMEM || st == TSR_ESCRATCH);
    CHECK(st == TSR_OK ? got[0] == -2 : got[0] == 7);
    failures += st != TSR_OK;
    tsr_release(&x);
    tsr_release(&s);
    tsr_release(&out);
  }
  CHECK(failures > 0 && failures < (int)(sizeof room / 1024));
}

TEST(messages_have_the_column) {
  tsr_arena arena;
  tsr_ctx ctx;
  tsr_tensor x = {0}, s = {0}, out = {0};
  REQUIRE(tsr_arena_init(room, sizeof room, &arena) == TSR_OK);
  REQUIRE(tsr_context_init(&ctx, &arena.allocator) == TSR_OK);
  bind(&ctx, &x, &s);
  FAILS(&ctx, TSR_ENAME, tsr_eval(&ctx, "x + suum(s)", TSR_NAMED({"x", &x}, {"s", &s}), &out));
  MESSAGE_HAS(&ctx, "column 5: there is no op 'suum'; did you mean 'sum'?");
  FAILS(&ctx, TSR_ESHAPE, tsr_eval(&ctx, "x + x.T", TSR_NAMED({"x", &x}), &out));
  MESSAGE_HAS(&ctx, "eval: column 3: x.T [16,3] does not broadcast with x [3,16]");
  tsr_release(&x);
  tsr_release(&s);
}

TEST_MAIN(RUN(runs_in_a_fixed_array), RUN(too_little_room_is_a_status), RUN(messages_have_the_column))

#else

TEST(absent) { SKIP("ops by name are configured out"); }
TEST_MAIN(RUN(absent))

#endif
