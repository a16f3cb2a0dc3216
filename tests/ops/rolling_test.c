/* Rolling statistics: reductions over tsr_sliding_window, which read every window where it lies. */
#include "support/test.h"

#include "ops/reduce_reference.h"

enum { LENGTH = TSR_HAVE_MALLOC ? 30000 : 300, WINDOW = 48, SERIES = 3 };

static float values[SERIES * LENGTH];

/* Temporary memory of a tenth of what a copy of the windows would take: there is no copy. */
enum { ROOM = TSR_HAVE_MALLOC ? SERIES * LENGTH / 10 * WINDOW * 4 : 4096 };
static _Alignas(64) unsigned char room[ROOM];

static void check_window(tsr_index step, const tsr_tensor *x, tsr_ctx *ctx) {
  static const op ops[] = {SUM, MEAN, MIN, MAX, STD, VAR};
  const tsr_index count = (LENGTH - WINDOW) / step + 1;
  double list[WINDOW];
  tsr_tensor windows = {0};
  OK(ctx, tsr_sliding_window(ctx, x, 1, WINDOW, step, &windows)); /* (SERIES, count, WINDOW) */
  CHECK(windows.shape[1] == count && windows.data == x->data);
  for (int k = 0; k < COUNT_OF(ops); k++) {
    tsr_tensor out = {0};
    int wrong = 0;
    OK(ctx, call(ops[k], ctx, &windows, 1, (const int[]){-1}, false, 0, &out));
    for (tsr_index s = 0; s < SERIES && out.ndim == 2; s++)
      for (tsr_index i = 0; i < count; i++) {
        double scale;
        for (int j = 0; j < WINDOW; j++) list[j] = (double)TSR_AT(float, x, s, i *step + j);
        const double want = expected(ops[k], list, WINDOW, 0, &scale);
        wrong += !is_close(TSR_F32, (double)TSR_AT(float, &out, s, i), want, 4 * scale);
      }
    CHECK(out.ndim == 2 && out.shape[1] == count && wrong == 0);
    tsr_release(&out);
  }
}

TEST(no_window_is_copied) {
  test_rng rng = {31};
  for (int i = 0; i < SERIES * LENGTH; i++) values[i] = (float)test_random(&rng) * 0x1p-30f - 2;
  for (tsr_index step = 1; step <= 17; step += 8) {
    tsr_ctx *const ctx = test_context();
    tsr_tensor x = {0};
    OK(ctx, tsr_context_set_scratch(ctx, room, sizeof room));
    OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(SERIES, LENGTH), &x));
    check_window(step, &x, ctx);
    CHECK(test_live() == 0);
  }
}

/* Windows along the first axis, of columns: [L, C] gives [L - size + 1, C, size]. */
TEST(along_the_first_axis) {
  tsr_ctx *const ctx = test_context();
  float x[5][2] = {{1, 10}, {2, 8}, {3, 9}, {4, 7}, {0, 6}};
  tsr_tensor t = {0}, windows = {0}, least = {0}, mean = {0};
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(5, 2), &t));
  OK(ctx, tsr_sliding_window(ctx, &t, 0, 3, 1, &windows));
  OK(ctx, tsr_min(ctx, &windows, 1, (const int[]){2}, false, &least));
  OK(ctx, tsr_mean(ctx, &windows, 1, (const int[]){2}, false, &mean));
  static const float want_least[6] = {1, 8, 2, 7, 0, 6};
  CHECK(memcmp(least.data, want_least, sizeof want_least) == 0);
  CHECK(((float *)mean.data)[0] == 2 && ((float *)mean.data)[1] == 9 && ((float *)mean.data)[2] == 3);
  tsr_release(&mean);
  tsr_release(&least);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(no_window_is_copied), RUN(along_the_first_axis))
