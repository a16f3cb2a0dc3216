/* What tiny's layers do with its tensor, row by row of T11, T15 and T16: the shapes they take, and work in place. */
#include <math.h>
#include <string.h>

#include "seeds/seed.h"

static int near_to(tsr_real x, double y) { return fabs((double)x - y) <= 1e-5 * (1 + fabs(y)); }

/* Any matrix view goes straight into a product; rows may lie apart. */
TEST(T11_products_take_matrix_views) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor x = {0}, a = {0}, b = {0}, turned = {0}, out = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 3, 4), &x));
  OK(ctx, tsr_mat(ctx, &x, TSR_INDEX(1), &a)); /* 12 … 23 as [3,4] */
  OK(ctx, tsr_slice(ctx, &a, 1, 1, 3, 1, &b)); /* its columns 1 and 2: [3,2], rows 4 apart */
  OK(ctx, tsr_transpose(ctx, &b, 0, 1, &turned));
  const size_t calls = seed_count.calls;
  OK(ctx, tsr_matmul(ctx, &turned, &a, &out)); /* [2,4] */
  CHECK(seed_count.calls - calls <= 2); /* the output, and blocks where a kernel asks for them: no copy of a view */
  SHAPE_IS(&out, 2, 4);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++) {
      double want = 0;
      for (int k = 0; k < 3; k++) want += (12.0 + 4 * k + 1 + i) * (12.0 + 4 * k + j);
      CHECK(AT(ctx, &out, i, j) == (tsr_real)want);
    }
  tsr_release(&out);
  tsr_release(&x);
  seed_end();
}

/* Dense [B,F] to [B,O]. */
TEST(T15_dense) {
  tsr_ctx *ctx = seed_begin();
  float xs[6] = {1, 2, 3, -1, 0, 2}, ws[6] = {1, 0, -1, 2, 1, 1}, bs[2] = {0.5f, -8};
  tsr_tensor x = {0}, w = {0}, b = {0}, y = {0};
  const tsr_activation relu = {TSR_RELU, 0, 0};
  OK(ctx, tsr_from_memory(ctx, xs, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_from_memory(ctx, ws, TSR_F32, TSR_SHAPE(2, 3), &w));
  OK(ctx, tsr_from_memory(ctx, bs, TSR_F32, TSR_SHAPE(2), &b));
  OK(ctx, tsr_dense(ctx, &x, &w, &b, NULL, &y));
  SHAPE_IS(&y, 2, 2);
  CHECK(AT(ctx, &y, 0, 0) == (tsr_real)-1.5 && AT(ctx, &y, 0, 1) == -1 && AT(ctx, &y, 1, 0) == (tsr_real)-2.5 &&
        AT(ctx, &y, 1, 1) == -8);
  OK(ctx, tsr_dense(ctx, &x, &w, &b, &relu, &y));
  CHECK(AT(ctx, &y, 0, 0) == 0 && AT(ctx, &y, 1, 1) == 0);
  tsr_release(&y);
  seed_end();
}

/* Conv1D [B,C,L] and Conv2D [B,C,H,W]. */
TEST(T15_convolutions) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor x = {0}, w = {0}, y = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 2, 5), &x));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3, 2, 3), &w));
  OK(ctx, tsr_conv1d(ctx, &x, &w, NULL, NULL, &y));
  SHAPE_IS(&y, 2, 3, 3);
  CHECK(AT(ctx, &y, 0, 2, 0) == 0 + 1 + 2 + 5 + 6 + 7 && AT(ctx, &y, 1, 0, 2) == 12 + 13 + 14 + 17 + 18 + 19);
  tsr_release(&x), tsr_release(&w), tsr_release(&y);

  OK(ctx, seed_counted(ctx, TSR_SHAPE(1, 2, 4, 4), &x));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(1, 2, 2, 2), &w));
  OK(ctx, tsr_conv2d(ctx, &x, &w, NULL, &(tsr_conv_options){.stride = {2, 2}}, &y));
  SHAPE_IS(&y, 1, 1, 2, 2);
  CHECK(AT(ctx, &y, 0, 0, 0, 0) == 0 + 1 + 4 + 5 + 16 + 17 + 20 + 21);
  tsr_release(&x), tsr_release(&w), tsr_release(&y);
  seed_end();
}

/* Attention [B,T,E]: with one key every query gets its value; with equal keys the mean of the values. */
TEST(T15_attention) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor x = {0}, eye = {0}, zero = {0}, y = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 3, 4), &x));
  OK(ctx, tsr_eye(ctx, TSR_F32, 4, 4, 0, &eye));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(4, 4), &zero));
  const tsr_attention_weights same = {.wq = &eye, .wk = &zero, .wv = &eye, .wo = &eye};
  OK(ctx, tsr_multi_head_attention(ctx, &x, &same, 2, NULL, NULL, &y));
  SHAPE_IS(&y, 2, 3, 4);
  for (int t = 0; t < 3; t++)
    for (int e = 0; e < 4; e++) CHECK(near_to(AT(ctx, &y, 1, t, e), 12 + 4 + e)); /* the middle one is the mean */
  const tsr_attention_options causal = {.causal = 1};
  OK(ctx, tsr_multi_head_attention(ctx, &x, &same, 2, NULL, &causal, &y));
  CHECK(near_to(AT(ctx, &y, 1, 0, 3), 15) && near_to(AT(ctx, &y, 1, 1, 3), 17) && near_to(AT(ctx, &y, 1, 2, 3), 19));
  OK(ctx, tsr_attention(ctx, &x, &x, &x, NULL, &causal, &y)); /* [B,T,E] without projections */
  CHECK(near_to(AT(ctx, &y, 0, 0, 2), 2) && near_to(AT(ctx, &y, 1, 0, 0), 12));
  tsr_release(&x), tsr_release(&eye), tsr_release(&zero), tsr_release(&y);
  seed_end();
}

/* GlobalAvgPool [B,T,F] to [B,F]. */
TEST(T15_global_average_pool) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor x = {0}, tagged = {0}, y = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 3, 4), &x));
  OK(ctx, tsr_set_layout(ctx, &x, TSR_NLC, &tagged));
  OK(ctx, tsr_global_avg_pool(ctx, &tagged, false, &y));
  SHAPE_IS(&y, 2, 4);
  CHECK(AT(ctx, &y, 0, 0) == 4 && AT(ctx, &y, 1, 3) == 19);
  tsr_release(&y);
  OK(ctx, tsr_mean(ctx, &x, 1, (const int[]){1}, false, &y)); /* without a tag: the axis by its number */
  SHAPE_IS(&y, 2, 4);
  CHECK(AT(ctx, &y, 0, 0) == 4 && AT(ctx, &y, 1, 3) == 19);
  tsr_release(&y);
  OK(ctx, tsr_global_avg_pool(ctx, &x, false, &y)); /* a plain tensor is [N,C,L] */
  SHAPE_IS(&y, 2, 3);
  tsr_release(&x), tsr_release(&y);
  seed_end();
}

/* Softmax in place along the last axis: every row sums to 1, no memory is asked for. */
TEST(T16_softmax_in_place) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor x = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 2, 5), &x));
  const size_t calls = seed_count.calls;
  OK(ctx, tsr_softmax(ctx, &x, -1, &x));
  CHECK(seed_count.calls == calls);
  for (int r = 0; r < 4; r++) {
    double sum = 0;
    for (int i = 0; i < 5; i++) {
      const double e = (double)AT(ctx, &x, r / 2, r % 2, i);
      sum += e;
      CHECK(near_to((tsr_real)e, exp(i) / (1 + exp(1) + exp(2) + exp(3) + exp(4))));
    }
    CHECK(near_to((tsr_real)sum, 1));
  }
  tsr_release(&x);
  seed_end();
}

/* Activations in place; Linear is none at all. */
TEST(T16_activations_in_place) {
  tsr_ctx *ctx = seed_begin();
  static const float from[5] = {-2, -0.5f, 0, 0.5f, 2};
  float values[5];
  tsr_tensor x = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(5), &x));
  const size_t calls = seed_count.calls;
  for (int which = 0; which < 5; which++) {
    memcpy(values, from, sizeof values);
    tsr_status st = TSR_OK;
    if (which == 0) st = tsr_relu(ctx, &x, &x);
    if (which == 1) st = tsr_leaky_relu(ctx, &x, (tsr_real)0.01, &x);
    if (which == 2) st = tsr_sigmoid(ctx, &x, &x);
    if (which == 3) st = tsr_tanh(ctx, &x, &x);
    if (which == 4) st = tsr_gelu(ctx, &x, &x);
    CHECK(st == TSR_OK);
    for (int i = 0; i < 5; i++) {
      const double v = (double)from[i];
      const double want[5] = {v > 0 ? v : 0, v > 0 ? v : 0.01 * v, 1 / (1 + exp(-v)), tanh(v),
                              v * 0.5 * erfc(-v * 0.70710678118654752)};
      CHECK(near_to((tsr_real)values[i], want[which]));
    }
  }
  CHECK(seed_count.calls == calls);
  seed_end();
}

/* MSE, MAE, cross-entropy from logits, BCE; one of them in place. */
TEST(T16_losses) {
  tsr_ctx *ctx = seed_begin();
  float xs[4] = {0.5f, 0.25f, 0.75f, 0.5f}, ts[4] = {1, 0, 1, 0}, logits[6] = {1, 2, 3, 0, 0, 0};
  const uint8_t numbers[2] = {2, 0};
  tsr_tensor x = {0}, t = {0}, scores = {0}, classes = {0}, y = {0};
  OK(ctx, tsr_from_memory(ctx, xs, TSR_F32, TSR_SHAPE(2, 2), &x));
  OK(ctx, tsr_from_memory(ctx, ts, TSR_F32, TSR_SHAPE(2, 2), &t));
  OK(ctx, tsr_from_memory(ctx, logits, TSR_F32, TSR_SHAPE(2, 3), &scores));
  OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_U8, TSR_SHAPE(2), &classes));
  OK(ctx, tsr_mse_loss(ctx, &x, &t, TSR_REDUCE_MEAN, &y));
  CHECK(y.ndim == 0 && near_to(seed_at(ctx, &y, 0, NULL), (0.25 + 0.0625 + 0.0625 + 0.25) / 4));
  OK(ctx, tsr_mae_loss(ctx, &x, &t, TSR_REDUCE_SUM, &y));
  CHECK(near_to(seed_at(ctx, &y, 0, NULL), 1.5));
  OK(ctx, tsr_cross_entropy(ctx, &scores, &classes, TSR_IGNORE_INDEX, 0, TSR_REDUCE_MEAN, &y));
  CHECK(near_to(seed_at(ctx, &y, 0, NULL), (log(1 + exp(-1) + exp(-2)) + log(3)) / 2));
  const size_t calls = seed_count.calls;
  OK(ctx, tsr_bce_loss(ctx, &x, &t, TSR_REDUCE_NONE, &x));
  CHECK(seed_count.calls == calls);
  for (int i = 0; i < 4; i++) CHECK(near_to((tsr_real)xs[i], -log(i % 3 == 0 ? 0.5 : 0.75)));
  tsr_release(&y);
  seed_end();
}

TEST_MAIN(RUN(T11_products_take_matrix_views), RUN(T15_dense), RUN(T15_convolutions), RUN(T15_attention),
          RUN(T15_global_average_pool), RUN(T16_softmax_in_place), RUN(T16_activations_in_place), RUN(T16_losses))
