/* The checked build's watch for NaN: what it hears, what it does not, and that other builds have none. */
#include "support/helpers.h"
#include "support/test.h"

#include <math.h>

static int calls;
static char last[160];

static void note(const char *file, int line, const char *text) {
  CHECK(strstr(file, "nan_watch") != NULL && line > 0);
  calls++;
  snprintf(last, sizeof last, "%s", text);
}

static bool has_watch(void) {
  (void)tsr_check_nan(true);
  return tsr_check_nan(false);
}

/* The number of calls that one made. */
#define HEARD(n, call)   \
  do {                   \
    calls = 0;           \
    OK(ctx, call);       \
    CHECK(calls == (n)); \
  } while (0)

TEST(other_builds_have_no_watch) {
  tsr_ctx *const ctx = test_context();
  tsr_check_hook_fn *const former = tsr_check_hook(note);
  float x[2] = {-1, 1};
  tsr_tensor a = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(2), &a));
  CHECK(!tsr_check_nan(false));
  HEARD(0, tsr_log(ctx, &a, &out)); /* and it is off at first */
  tsr_release(&out);
  tsr_check_hook(former);
}

TEST(an_op_that_makes_nan_is_named_with_the_index) {
  if (!has_watch()) SKIP("the checked build has the watch");
  tsr_ctx *const ctx = test_context();
  tsr_check_hook_fn *const former = tsr_check_hook(note);
  float x[6] = {1, 2, 3, 4, -5, 6}, zeros[6] = {0};
  tsr_tensor a = {0}, b = {0}, turned = {0}, out = {0}, all = {0};
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(2, 3), &a));
  OK(ctx, tsr_from_memory(ctx, zeros, TSR_F32, TSR_SHAPE(2, 3), &b));
  OK(ctx, tsr_transpose(ctx, &a, 0, 1, &turned));
  CHECK(!tsr_check_nan(true));
  HEARD(1, tsr_log(ctx, &a, &out));
  CHECK(strstr(last, "log: the result is NaN at [1,1]") != NULL);
  HEARD(1, tsr_sqrt(ctx, &turned, &all));
  CHECK(strstr(last, "sqrt: the result is NaN at [1,1]") != NULL);
  HEARD(0, tsr_exp(ctx, &a, &out));
  HEARD(0, tsr_add(ctx, &a, &b, &out));
  HEARD(1, tsr_div(ctx, &b, &b, &out)); /* the short way of small calls */
  CHECK(strstr(last, "div: the result is NaN at [0,0]") != NULL);
  HEARD(1, tsr_remainder_scalar(ctx, &a, 0, &out));
  CHECK(strstr(last, "remainder_scalar: the result is NaN at [0,0]") != NULL);
  HEARD(0, tsr_lerp(ctx, &a, &b, &b, &out));
  HEARD(1, tsr_log(ctx, &a, &a)); /* in place: the inputs were looked at before */
  HEARD(0, tsr_exp(ctx, &a, &a)); /* now an input holds NaN */
  HEARD(0, tsr_add(ctx, &a, &b, &out));
  CHECK(tsr_check_nan(false));
  HEARD(0, tsr_div(ctx, &b, &b, &out));
  tsr_release(&out);
  tsr_release(&all);
  tsr_check_hook(former);
  CHECK(test_live() == 0);
}

TEST(small_floats_scalars_and_empty_tensors_are_watched) {
  if (!has_watch()) SKIP("the checked build has the watch");
  tsr_ctx *const ctx = test_context();
  tsr_check_hook_fn *const former = tsr_check_hook(note);
  tsr_tensor one = {0}, none = {0}, half = {0}, out = {0};
  OK(ctx, tsr_full(ctx, TSR_F32, 0, NULL, -1, &one));
  OK(ctx, tsr_empty(ctx, TSR_F32, TSR_SHAPE(3, 0), &none));
  (void)tsr_check_nan(true);
  HEARD(1, tsr_sqrt(ctx, &one, &out));
  CHECK(strstr(last, "sqrt: the result is NaN at []") != NULL);
  tsr_release(&out);
  HEARD(0, tsr_sqrt(ctx, &none, &out));
  tsr_release(&out);
  for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_COUNT; dtype++) {
    if (!tsr_dtype_supported(dtype) || tsr_dtype_describe(dtype)->class_ != TSR_CLASS_FLOAT) continue;
    OK(ctx, tsr_full(ctx, dtype, TSR_SHAPE(5), -2, &half));
    HEARD(1, tsr_log(ctx, &half, &out));
    CHECK(strstr(last, "log: the result is NaN at [0]") != NULL);
    HEARD(0, tsr_neg(ctx, &half, &half));
    tsr_release(&half);
    tsr_release(&out);
  }
  (void)tsr_check_nan(false);
  tsr_release(&one);
  tsr_release(&none);
  tsr_check_hook(former);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(other_builds_have_no_watch), RUN(an_op_that_makes_nan_is_named_with_the_index),
          RUN(small_floats_scalars_and_empty_tensors_are_watched))
