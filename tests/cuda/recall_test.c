/* Calls like an earlier one are not planned again; calls that differ in anything that a plan depends on are. */
#include "gpu_support.h"

static tsr_tensor ones(tsr_ctx *ctx, tsr_index n) {
  tsr_tensor t = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(n), &t));
  return t;
}

static void begin(tsr_ctx *ctx, const tsr_device *gpu) {
  OK(NULL, tsr_context_init(ctx, NULL));
  OK(ctx, tsr_context_set_device(ctx, gpu));
}

TEST(numbers_and_attributes_are_part_of_a_call) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  begin(&ctx, gpu);
  tsr_tensor x = gpu_numbers(&ctx, gpu, 12), y = ones(&ctx, 12), number = {0}, sum = {0};
  for (int i = 0; i < 3; i++) { /* an attribute */
    OK(&ctx, tsr_add_scalar(&ctx, &x, i, &y));
    CHECK(gpu_element(&ctx, &y, 5) == (float)(5 + i));
  }
  for (int i = 0; i < 3; i++) { /* a number of the host */
    float value = (float)i;
    OK(NULL, tsr_from_memory(NULL, &value, TSR_F32, 0, NULL, &number));
    OK(&ctx, tsr_mul(&ctx, &x, &number, &y));
    CHECK(gpu_element(&ctx, &y, 5) == (float)(5 * i));
    tsr_release(&number);
  }
  OK(&ctx, tsr_narrow(&ctx, &x, 0, 0, 9, &x));
  OK(&ctx,
     tsr_reshape_view(&ctx, &x, TSR_SHAPE(3, 3), &x)); /* a list behind a pointer, and a shape that does not tell */
  for (int i = 0; i < 4; i++) {
    OK(&ctx, tsr_sum(&ctx, &x, TSR_AXES(i % 2), false, &sum));
    CHECK(gpu_element(&ctx, &sum, 0) == (i % 2 == 0 ? 0.0f + 3 + 6 : 0.0f + 1 + 2));
    tsr_release(&sum);
  }
  tsr_release(&x);
  tsr_release(&y);
}

TEST(what_lies_over_what_is_part_of_a_call) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  begin(&ctx, gpu);
  for (tsr_index at = -1; at < 256; at = at < 5 ? at + 1 : 2 * at) { /* elsewhere; over itself, whole and in part */
    tsr_tensor x = gpu_numbers(&ctx, gpu, 512), y = ones(&ctx, 512), from = {0}, to = {0};
    OK(&ctx, tsr_narrow(&ctx, &x, 0, 0, 256, &from));
    OK(&ctx, tsr_narrow(&ctx, at < 0 ? &y : &x, 0, at < 0 ? 0 : at == 160 ? 128 : at, 256, &to));
    OK(&ctx, tsr_add(&ctx, &from, &from, &to));
    CHECK(gpu_element(&ctx, &to, 255) == 510 && gpu_element(&ctx, &to, 7) == 14);
    tsr_release(&x);
    tsr_release(&y);
  }
}

/* Strides, dtypes and alignment. */
TEST(how_operands_lie_is_part_of_a_call) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  begin(&ctx, gpu);
  tsr_tensor x = gpu_numbers(&ctx, gpu, 64), y = {0}, view = {0}, whole = {0};
  for (tsr_index step = 1; step < 4; step++)
    for (tsr_index first = 0; first < 4; first++) {
      OK(&ctx, tsr_slice(&ctx, &x, 0, first, first + 16 * step, step, &view));
      OK(&ctx, tsr_neg(&ctx, &view, &y));
      CHECK(gpu_element(&ctx, &y, 9) == -(float)(first + 9 * step));
      tsr_release(&y);
    }
  OK(&ctx, tsr_cast(&ctx, &x, TSR_I32, &whole));
  OK(&ctx, tsr_neg(&ctx, &whole, &y));
  CHECK(y.dtype == TSR_I32);
  tsr_release(&y);
  tsr_release(&whole);
  tsr_release(&x);
}

TEST(random_numbers_are_drawn_each_time) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  begin(&ctx, gpu);
  tsr_rng rng = tsr_rng_seed(3);
  tsr_tensor a = {0}, b = {0};
  OK(&ctx, tsr_rand_normal(&ctx, &rng, TSR_F32, TSR_SHAPE(8), &a));
  OK(&ctx, tsr_rand_normal(&ctx, &rng, TSR_F32, TSR_SHAPE(8), &b));
  CHECK(gpu_element(&ctx, &a, 0) != gpu_element(&ctx, &b, 0));
  tsr_release(&a);
  tsr_release(&b);
}

/* Many shapes: more than are remembered. */
TEST(more_calls_than_are_remembered) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  begin(&ctx, gpu);
  for (int round = 0; round < 2; round++)
    for (tsr_index n = 1; n < 1200; n += 1) {
      tsr_tensor x = ones(&ctx, n), y = {0};
      OK(&ctx, tsr_neg(&ctx, &x, &y));
      CHECK(y.shape[0] == n);
      if (n % 97 == 0) CHECK(gpu_element(&ctx, &y, n - 1) == -1);
      tsr_release(&x);
      tsr_release(&y);
    }
}

TEST_MAIN(RUN(numbers_and_attributes_are_part_of_a_call), RUN(what_lies_over_what_is_part_of_a_call),
          RUN(how_operands_lie_is_part_of_a_call), RUN(random_numbers_are_drawn_each_time),
          RUN(more_calls_than_are_remembered))
