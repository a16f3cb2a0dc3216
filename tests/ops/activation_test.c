/* Activations: what their definitions promise, whatever computes them. tests/ops/unary_test.c has their dtypes and
 * layouts, tests/ops/math_test.c how exact they are. */
#include "support/helpers.h"
#include "support/test.h"

#include <math.h>

typedef tsr_status op_fn(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

/* The value at one number, on the best instruction set. */
static float at(op_fn *op, float x) {
  float y = 0;
  tsr_tensor in = {0}, out = {0};
  OK(NULL, tsr_from_memory(NULL, &x, TSR_F32, TEST_SCALAR, &in));
  OK(NULL, tsr_from_memory(NULL, &y, TSR_F32, TEST_SCALAR, &out));
  OK(NULL, op(NULL, &in, &out));
  return y;
}

static bool is_zero(float x, bool negative) { return x == 0 && !signbit(x) == !negative; }

TEST(limits) {
  static op_fn *const vanishing[] = {tsr_gelu, tsr_gelu_tanh, tsr_silu, tsr_mish, tsr_hard_swish};
  for (int i = 0; i < COUNT_OF(vanishing); i++) {
    CHECK(is_zero(at(vanishing[i], -INFINITY), true));
    CHECK(is_zero(at(vanishing[i], -1e30f), true));
    CHECK(is_zero(at(vanishing[i], 0), false) && is_zero(at(vanishing[i], -0.0f), true));
    CHECK(at(vanishing[i], INFINITY) == INFINITY && at(vanishing[i], 3e38f) == 3e38f);
    CHECK(isnan(at(vanishing[i], NAN)));
  }
  CHECK(is_zero(at(tsr_relu, -INFINITY), false) && at(tsr_relu, INFINITY) == INFINITY && isnan(at(tsr_relu, NAN)));
  CHECK(at(tsr_sigmoid, -INFINITY) == 0 && at(tsr_sigmoid, INFINITY) == 1 && at(tsr_sigmoid, 0) == 0.5f);
  CHECK(at(tsr_softplus, -INFINITY) == 0 && at(tsr_softplus, INFINITY) == INFINITY && isnan(at(tsr_softplus, NAN)));
  CHECK(at(tsr_hard_sigmoid, -INFINITY) == 0 && at(tsr_hard_sigmoid, INFINITY) == 1);
  CHECK(isnan(at(tsr_hard_sigmoid, NAN)));
  CHECK(isnan(at(tsr_sigmoid, NAN)));
}

/* Results that are subnormal, or would be with a factor that is 0 already. */
TEST(left_tails_do_not_break_off) {
  CHECK(at(tsr_sigmoid, -100) > 0 && at(tsr_sigmoid, -100) < 1e-42f);
  CHECK(at(tsr_silu, -106) < 0 && at(tsr_silu, -106) > -1e-43f);
  CHECK(at(tsr_mish, -106) < 0 && at(tsr_mish, -106) > -1e-43f);
  CHECK(at(tsr_softplus, -100) > 0);
  CHECK(at(tsr_gelu, -14) < 0 && at(tsr_gelu, -14) > -1e-42f);
  CHECK(at(tsr_gelu_tanh, -10) < 0 && at(tsr_gelu_tanh, -10) > -1e-36f);
}

/* relu, hard_sigmoid and hard_swish are straight lines. */
TEST(straight_ones) {
  CHECK(at(tsr_relu, 2.5f) == 2.5f && at(tsr_relu, -2.5f) == 0);
  CHECK(at(tsr_hard_sigmoid, 0) == 0.5f && at(tsr_hard_sigmoid, 3) == 1 && at(tsr_hard_sigmoid, -3) == 0);
  CHECK(at(tsr_hard_swish, 3) == 3 && at(tsr_hard_swish, 1.5f) == 1.125f && at(tsr_hard_swish, -1.5f) == -0.375f);
}

typedef tsr_status attribute_fn(tsr_ctx *ctx, const tsr_tensor *x, tsr_real attribute, tsr_tensor *out);

static float with(attribute_fn *op, float x, tsr_real attribute) {
  float y = 0;
  tsr_tensor in = {0}, out = {0};
  OK(NULL, tsr_from_memory(NULL, &x, TSR_F32, TEST_SCALAR, &in));
  OK(NULL, tsr_from_memory(NULL, &y, TSR_F32, TEST_SCALAR, &out));
  OK(NULL, op(NULL, &in, attribute, &out));
  return y;
}

TEST(attributes) {
  CHECK(with(tsr_leaky_relu, -8, (tsr_real)0.25) == -2 && with(tsr_leaky_relu, 8, (tsr_real)0.25) == 8);
  CHECK(is_zero(with(tsr_leaky_relu, -8, 0), true) && with(tsr_leaky_relu, -8, -1) == 8);
  CHECK(with(tsr_elu, -INFINITY, 2) == -2 && with(tsr_elu, 3, 2) == 3);
  CHECK(is_zero(with(tsr_elu, -5, 0), true) && isnan(with(tsr_elu, NAN, 1)));
  CHECK(fabsf(with(tsr_elu, -1, 1) + 0.63212056f) < 1e-7f);
}

TEST(celu_selu_softsign_erfc) {
  CHECK(with(tsr_celu, -INFINITY, 2) == -2 && with(tsr_celu, 3, 2) == 3 && isnan(with(tsr_celu, NAN, 1)));
  CHECK(is_zero(with(tsr_celu, -0.0f, 2), true) && fabsf(with(tsr_celu, -2, 2) + 1.26424112f) < 2e-7f);
  CHECK(fabsf(at(tsr_selu, -INFINITY) + 1.75809934f) < 2e-7f && at(tsr_selu, INFINITY) == INFINITY);
  CHECK(is_zero(at(tsr_selu, -0.0f), true) && isnan(at(tsr_selu, NAN)));
  CHECK(at(tsr_softsign, INFINITY) == 1 && at(tsr_softsign, -INFINITY) == -1 && at(tsr_softsign, -1) == -0.5f);
  CHECK(is_zero(at(tsr_softsign, -0.0f), true) && isnan(at(tsr_softsign, NAN)));
  CHECK(at(tsr_erfc, -INFINITY) == 2 && is_zero(at(tsr_erfc, INFINITY), false) && at(tsr_erfc, -0.0f) == 1);
  CHECK(isnan(at(tsr_erfc, NAN)) && at(tsr_erfc, 10) > 0);
}

TEST(celu_refuses_an_alpha_of_0) {
  float x = 1, y = 5;
  tsr_ctx *const ctx = test_context();
  tsr_tensor in = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, &x, TSR_F32, TEST_SCALAR, &in));
  OK(ctx, tsr_from_memory(ctx, &y, TSR_F32, TEST_SCALAR, &out));
  FAILS(ctx, TSR_EARG, tsr_celu(ctx, &in, 0, &out));
  MESSAGE_HAS(ctx, "celu: alpha is 0");
  CHECK(y == 5);
}

/* Both forms of gelu are near one another, and between 0 and x. */
TEST(gelu_lies_between_zero_and_x) {
  for (int i = -400; i <= 400; i++) {
    const float x = (float)i / 50, y = at(tsr_gelu, x), t = at(tsr_gelu_tanh, x);
    CHECK(y >= (x < 0 ? -0.1700f : x / 2) && y <= (x < 0 ? 0 : x));
    CHECK(fabsf(y - t) < 5e-4f);
    CHECK(fabsf(at(tsr_silu, x) - x * at(tsr_sigmoid, x)) <= 1e-6f * (1 + fabsf(x)));
  }
}

/* A block of far numbers among near ones: neighbours do not matter. */
TEST(neighbours_do_not_matter) {
  static op_fn *const range_checked[] = {tsr_exp,  tsr_tanh,      tsr_sin, tsr_cos,  tsr_tan,   tsr_sigmoid, tsr_silu,
                                         tsr_gelu, tsr_gelu_tanh, tsr_log, tsr_log2, tsr_log10, tsr_log1p};
  enum { N = 200 };
  float x[N], alone[N], mixed[N];
  for (int i = 0; i < N; i++) x[i] = (float)(i - 100) / 30;
  for (int k = 0; k < COUNT_OF(range_checked); k++) {
    tsr_ctx *const ctx = test_context();
    tsr_tensor in = {0}, out = {0};
    OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(N), &in));
    OK(ctx, tsr_from_memory(ctx, alone, TSR_F32, TSR_SHAPE(N), &out));
    OK(ctx, range_checked[k](ctx, &in, &out));
    for (int i = 0; i < N; i++) mixed[i] = i % 50 == 7 ? (i % 100 == 7 ? 1e20f : -NAN) : x[i];
    OK(ctx, tsr_from_memory(ctx, mixed, TSR_F32, TSR_SHAPE(N), &out));
    OK(ctx, range_checked[k](ctx, &out, &out));
    for (int i = 0; i < N; i++)
      if (i % 50 != 7) CHECK(memcmp(&alone[i], &mixed[i], sizeof(float)) == 0);
  }
}

TEST_MAIN(RUN(limits), RUN(left_tails_do_not_break_off), RUN(straight_ones), RUN(attributes),
          RUN(celu_selu_softsign_erfc), RUN(celu_refuses_an_alpha_of_0), RUN(gelu_lies_between_zero_and_x),
          RUN(neighbours_do_not_matter))
