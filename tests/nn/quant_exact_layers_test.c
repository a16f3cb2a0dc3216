/* More random layers of 8 bits against references that are written from the published definitions: products, means, softmax. See
 * quant_exact_test.c. */
#include "nn/quant_exact.h"

static int8_t x_data[MOST], y_data[4 * MOST], b_data[MOST];
static int32_t bias_data[64];
static float scales[64];

/* ---- products ---- */

TEST(random_products_are_exact) {
  test_rng rng = {21};
  world at;
  int wrong = 0;
  for (int i = 0; i < LAYERS; i++) {
    tsr_ctx *const ctx = begin(&at);
    const int n = between(&rng, 1, 70);
    const tsr_quant qa = quant_of(&rng), qb = quant_of(&rng);
    tsr_quant q = quant_of(&rng);
    tsr_tensor a, b, y;
    q.scale = ldexpf(qa.scale * qb.scale, between(&rng, -1, 12));
    const ratio r = ratio_of((double)qa.scale * (double)qb.scale / (double)q.scale);
    fill(&rng, n, x_data);
    fill(&rng, n, b_data);
    tensor(ctx, x_data, TSR_I8, TSR_SHAPE(n), TSR_PLAIN, &a);
    tensor(ctx, b_data, TSR_I8, TSR_SHAPE(n), TSR_PLAIN, &b);
    tensor(ctx, y_data, TSR_I8, TSR_SHAPE(n), TSR_PLAIN, &y);
    OK(ctx, tsr_qmul(ctx, &a, &qa, &b, &qb, &q, &y));
    for (int k = 0; k < n; k++)
      wrong += y_data[k] != bounded(scaled((x_data[k] - qa.zero) * (b_data[k] - qb.zero), r) + q.zero, -128, 127);
  }
  CHECK(wrong == 0);
}

/* ---- means ---- */

static int32_t mean_reference(int32_t sum, int count, const tsr_quant *qx, const tsr_quant *q) {
  ratio r = ratio_of((double)qx->scale / (double)q->scale);
  int up = 0;
  while (count >> (up + 1) > 0) up++;
  if (up > 31 + r.left) up = 31 + r.left;
  const int64_t m = (int64_t)r.multiplier << up;
  r.multiplier = (int32_t)(TSR_QUANT_ROUNDING == 2 ? m / count : (m + count - 1) / count);
  r.left -= up;
  return bounded(scaled(sum - qx->zero * count, r) + q->zero, -128, 127);
}

/* Axes of an image, in three ways: height and width, channels, all. */
TEST(random_means_are_exact) {
  test_rng rng = {22};
  world at;
  int wrong = 0;
  for (int i = 0; i < LAYERS; i++) {
    tsr_ctx *const ctx = begin(&at);
    const int h = between(&rng, 1, 9), w = between(&rng, 1, i % 7 == 0 ? 40 : 9),
              c = between(&rng, 1, i % 7 == 0 ? 11 : 40);
    const tsr_quant qx = quant_of(&rng);
    tsr_quant q = quant_of(&rng);
    tsr_tensor x, y = {0};
    q.scale = i % 3 == 0 ? qx.scale : ldexpf(qx.scale, between(&rng, -3, 3)) * 1.1f;
    fill(&rng, h * w * c, x_data);
    tensor(ctx, x_data, TSR_I8, TSR_SHAPE(h, w, c), TSR_PLAIN, &x);
    const int way = i % 3;
    OK(ctx, tsr_qmean(ctx, &x, &qx,
                      way == 0   ? 2
                      : way == 1 ? 1
                                 : 0,
                      way == 0   ? (const int[]){0, 1}
                      : way == 1 ? (const int[]){-1}
                                 : NULL,
                      i % 2 == 0, &q, &y));
    const int8_t *const got = y.data;
    for (int k = 0; k < (way == 0 ? c : way == 1 ? h * w : 1); k++) {
      const int count = way == 0 ? h * w : way == 1 ? c : h * w * c;
      int32_t sum = 0;
      for (int j = 0; j < count; j++) sum += x_data[way == 0 ? j * c + k : k * c + j];
      wrong += got[k] != mean_reference(sum, count, &qx, &q);
    }
    tsr_release(&y);
  }
  CHECK(wrong == 0);
}

/* ---- softmax ---- */

#if TSR_QUANT_ROUNDING == 2

/* As the reference kernel of TensorFlow Lite has it, on numbers of 32 bits with so many bits before the point. */
static int32_t saturated(int64_t x) { return (int32_t)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x); }
static int32_t by_power(int32_t x, int power) {
  return power < 0 ? divide_by_power(x, -power) : saturated((int64_t)x * ((int64_t)1 << power));
}

static int32_t exp_reference(int32_t a) {
  const int32_t quarter = 1 << 24, mask = quarter - 1, within = (a & mask) - quarter;
  const int32_t x = by_power(within, 5) + (1 << 28), x2 = doubling_high_mul(x, x), x3 = doubling_high_mul(x2, x);
  const int32_t x4 = doubling_high_mul(x2, x2);
  const int32_t last = by_power(doubling_high_mul(by_power(x4, -2) + x3, 715827883) + x2, -1);
  int32_t result = 1895147668 + doubling_high_mul(1895147668, x + last);
  const int32_t remainder = within - a;
  const struct {
    int exponent;
    int32_t factor;
  } steps[] = {{-2, 1672461947}, {-1, 1302514674}, {0, 790015084}, {1, 290630308},
               {2, 39332535},    {3, 720401},      {4, 242}};
  for (int i = 0; i < COUNT_OF(steps); i++)
    if ((remainder & 1 << (26 + steps[i].exponent)) != 0) result = doubling_high_mul(result, steps[i].factor);
  return a == 0 ? INT32_MAX : result;
}

static int32_t one_over_one_plus(int32_t a) {
  const int64_t sum = (int64_t)a + INT32_MAX;
  const int32_t half = (int32_t)((sum + (sum >= 0 ? 1 : -1)) / 2);
  int32_t x = 1515870810 + doubling_high_mul(half, -1010580540);
  for (int i = 0; i < 3; i++) {
    const int32_t rest = (1 << 29) - doubling_high_mul(half, x);
    x += by_power(doubling_high_mul(x, rest), 2);
  }
  return by_power(x, 1);
}

static int wrong_in_row(const int8_t *x, const int8_t *y, int n, float scale) {
  const double real = (double)scale * (double)(1 << 26);
  const ratio r = ratio_of(real < 2147483647.0 ? real : 2147483647.0);
  const int32_t least = -(int32_t)floor(31.0 * (double)(1 << 26) / ldexp(1, r.left));
  int32_t most = -128, sum = 0;
  int wrong = 0, headroom = 0;
  for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
  for (int i = 0; i < n; i++)
    if (x[i] - most >= least)
      sum +=
          by_power(exp_reference(doubling_high_mul((int32_t)((uint32_t)(x[i] - most) << r.left), r.multiplier)), -12);
  while (((uint32_t)sum << headroom & 0x80000000u) == 0) headroom++;
  const int32_t shifted = one_over_one_plus((int32_t)(((uint32_t)sum << headroom) - 0x80000000u));
  for (int i = 0; i < n; i++) {
    int32_t want = -128;
    if (x[i] - most >= least) {
      const int32_t e = exp_reference(doubling_high_mul((int32_t)((uint32_t)(x[i] - most) << r.left), r.multiplier));
      const int power = 12 - headroom + 31 - 8; /* past 31, where the published kernel says nothing, a result is 0 */
      want =
          bounded((int64_t)(power > 31 ? 0 : divide_by_power(doubling_high_mul(shifted, e), power)) - 128, -128, 127);
    }
    wrong += y[i] != want;
  }
  return wrong;
}

#else

/* The nearest to 256 times the softmax of reals; near to halves it may be either. */
static int wrong_in_row(const int8_t *x, const int8_t *y, int n, float scale) {
  double sum = 0;
  int most = -128, wrong = 0;
  for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
  for (int i = 0; i < n; i++) sum += exp((double)scale * (x[i] - most));
  for (int i = 0; i < n; i++) {
    const double real = 256 * exp((double)scale * (x[i] - most)) / sum, want = real > 255 ? 255 : real;
    wrong += fabs(y[i] + 128 - want) > 0.502;
  }
  return wrong;
}

#endif

TEST(random_softmax_is_exact) {
  test_rng rng = {23};
  world at;
  int wrong = 0;
  for (int i = 0; i < LAYERS; i++) {
    tsr_ctx *const ctx = begin(&at);
    const int rows = between(&rng, 1, 3), n = between(&rng, 1, i % 50 == 0 ? 1200 : 40);
    tsr_quant q = quant_of(&rng);
    tsr_tensor x, y;
    if (i % 11 == 0) q.scale = ldexpf(q.scale, between(&rng, -3, 10));
    fill(&rng, rows * n, x_data);
    tensor(ctx, x_data, TSR_I8, TSR_SHAPE(rows, n), TSR_PLAIN, &x);
    tensor(ctx, y_data, TSR_I8, TSR_SHAPE(rows, n), TSR_PLAIN, &y);
    OK(ctx, tsr_qsoftmax(ctx, &x, &q, -1, &y));
    for (int r = 0; r < rows; r++) wrong += wrong_in_row(x_data + r * n, y_data + r * n, n, q.scale);
  }
  CHECK(wrong == 0);
}

/* ---- transposed convolutions ---- */

typedef struct geometry {
  int h, w, c, o, kernel[2], stride[2], dilation[2], before[2], after[2], extra[2], out[2];
} geometry;

static bool choose(test_rng *rng, geometry *g) {
  g->h = between(rng, 1, 5);
  g->w = between(rng, 1, 6);
  g->c = between(rng, 1, 4) == 1 ? 16 : between(rng, 1, 12);
  g->o = between(rng, 1, 18);
  for (int k = 0; k < 2; k++) {
    g->kernel[k] = between(rng, 1, 4);
    g->stride[k] = between(rng, 1, 3);
    g->dilation[k] = between(rng, 1, 5) == 1 ? 2 : 1;
    g->before[k] = between(rng, 0, 2);
    g->after[k] = between(rng, 0, 2);
    g->extra[k] = between(rng, 0, g->stride[k] - 1);
    g->out[k] = ((k == 0 ? g->h : g->w) - 1) * g->stride[k] + (g->kernel[k] - 1) * g->dilation[k] + 1 - g->before[k] -
                g->after[k] + g->extra[k];
  }
  return g->out[0] > 0 && g->out[1] > 0 && g->out[0] * g->out[1] * g->o <= MOST &&
         g->c * g->o * g->kernel[0] * g->kernel[1] <= MOST;
}

/* Every number of x goes to every output that a tap takes it to. */
static int32_t transposed_at(const geometry *g, int zero, int y, int x, int o) {
  int32_t sum = bias_data[o];
  for (int iy = 0; iy < g->h; iy++)
    for (int ix = 0; ix < g->w; ix++)
      for (int ky = 0; ky < g->kernel[0]; ky++)
        for (int kx = 0; kx < g->kernel[1]; kx++) {
          if (iy * g->stride[0] + ky * g->dilation[0] - g->before[0] != y) continue;
          if (ix * g->stride[1] + kx * g->dilation[1] - g->before[1] != x) continue;
          for (int c = 0; c < g->c; c++)
            sum += (x_data[(iy * g->w + ix) * g->c + c] - zero) *
                   b_data[((o * g->kernel[0] + ky) * g->kernel[1] + kx) * g->c + c];
        }
  return sum;
}

/* Scales such that most of a result is inside of its range, and some of it is not. */
static tsr_qscheme scheme_of(test_rng *rng, int outputs, int axis) {
  tsr_qscheme q = {.x = quant_of(rng), .out = quant_of(rng), .activation = (uint8_t)between(rng, 0, 1)};
  q.w = (tsr_quant){.dtype = TSR_I8, .scales = scales, .count = outputs, .axis = (int8_t)axis};
  for (int o = 0; o < outputs; o++) {
    scales[o] = scale_of(rng);
    bias_data[o] = between(rng, -9999, 9999);
  }
  q.out.scale = ldexpf(q.x.scale, between(rng, -2, 9)) * scales[0];
  return q;
}

static int32_t result_of(const tsr_qscheme *q, int32_t sum, int o) {
  const ratio r = ratio_of((double)q->x.scale * (double)scales[o] / (double)q->out.scale);
  return bounded(scaled(sum, r) + q->out.zero, q->activation == TSR_Q_NONE ? -128 : q->out.zero, 127);
}

TEST(random_transposed_convolutions_are_exact) {
  test_rng rng = {24};
  world at;
  int wrong = 0, done = 0;
  while (done < LAYERS) {
    geometry g;
    tsr_ctx *const ctx = begin(&at);
    if (!choose(&rng, &g)) continue;
    const bool last = done++ % 2 == 0; /* else filters in the other order, which is only another way to number them */
    const tsr_qscheme q = scheme_of(&rng, g.o, last ? 0 : 1);
    const tsr_conv_transpose_options options = {.stride = {g.stride[0], g.stride[1]},
                                                .dilation = {g.dilation[0], g.dilation[1]},
                                                .pad_before = {g.before[0], g.before[1]},
                                                .pad_after = {g.after[0], g.after[1]},
                                                .output_padding = {g.extra[0], g.extra[1]}};
    tsr_tensor x, w, bias, y;
    tsr_qlayer layer = {0};
    fill(&rng, g.h * g.w * g.c, x_data);
    fill(&rng, g.o * g.kernel[0] * g.kernel[1] * g.c, b_data);
    tensor(ctx, x_data, TSR_I8, TSR_SHAPE(1, g.h, g.w, g.c), TSR_NHWC, &x);
    tensor(ctx, b_data, TSR_I8, TSR_SHAPE(g.o, g.kernel[0], g.kernel[1], g.c), last ? TSR_OHWI : TSR_PLAIN, &w);
    if (!last) OK(ctx, tsr_permute(ctx, &w, (const int[]){3, 0, 1, 2}, &w));
    tensor(ctx, bias_data, TSR_I32, TSR_SHAPE(g.o), TSR_PLAIN, &bias);
    tensor(ctx, y_data, TSR_I8, TSR_SHAPE(1, g.out[0], g.out[1], g.o), TSR_NHWC, &y);
    OK(ctx, tsr_qconv_transpose_pack(ctx, &w, &bias, &options, &q, &layer));
    OK(ctx, tsr_qconv_transpose2d(ctx, &x, &layer, &y));
    for (int i = 0; i < g.out[0] * g.out[1] * g.o; i++) {
      const int o = i % g.o, column = i / g.o % g.out[1], row = i / g.o / g.out[1];
      wrong += y_data[i] != result_of(&q, transposed_at(&g, q.x.zero, row, column, o), o);
    }
    tsr_qlayer_release(&layer);
  }
  CHECK(wrong == 0);
}

/* ---- weights of 4 bits ---- */

TEST(random_layers_of_4_bits_are_exact) {
  test_rng rng = {25};
  world at;
  int wrong = 0;
  for (int i = 0; i < LAYERS; i++) {
    tsr_ctx *const ctx = begin(&at);
    const int kind = i % 4; /* a dense layer, a convolution, one in groups, a depthwise one */
    const int groups = kind == 2   ? 2
                       : kind == 3 ? between(&rng, 2, 24)
                                   : 1,
              each = kind == 3 ? 1 : between(&rng, 1, i % 5 == 0 ? 40 : 9);
    const int c = groups * each, o = kind == 3 ? c : groups * between(&rng, 1, 18),
              k = kind == 0 ? 1 : between(&rng, 1, 3);
    const int h = kind == 0 ? 1 : between(&rng, k, 4), w = kind == 0 ? between(&rng, 1, 5) : between(&rng, k, 7),
              oh = h - k + 1, ow = w - k + 1;
    if (o * k * k * each > MOST) { /* another one of its kind */
      i--;
      continue;
    }
    const tsr_qscheme q = scheme_of(&rng, o, kind == 3 ? 3 : 0);
    const tsr_conv_options options = {.groups = groups};
    tsr_tensor x, weights, bias, y;
    tsr_qlayer layer = {0};
    fill(&rng, h * w * c, x_data);
    for (int j = 0; j < o * k * k * each; j++) b_data[j] = (int8_t)between(&rng, -8, 7);
    tensor(ctx, bias_data, TSR_I32, TSR_SHAPE(o), TSR_PLAIN, &bias);
    if (kind == 0) {
      tensor(ctx, x_data, TSR_I8, TSR_SHAPE(w, c), TSR_PLAIN, &x);
      tensor(ctx, b_data, TSR_I8, TSR_SHAPE(o, c), TSR_PLAIN, &weights);
      tensor(ctx, y_data, TSR_I8, TSR_SHAPE(w, o), TSR_PLAIN, &y);
      OK(ctx, tsr_qdense_i4_pack(ctx, &weights, &bias, &q, &layer));
      OK(ctx, tsr_qdense_i4(ctx, &x, &layer, &y));
    } else {
      tensor(ctx, x_data, TSR_I8, TSR_SHAPE(1, h, w, c), TSR_NHWC, &x);
      if (kind == 3)
        tensor(ctx, b_data, TSR_I8, TSR_SHAPE(k, k, 1, o), TSR_HWIO, &weights);
      else
        tensor(ctx, b_data, TSR_I8, TSR_SHAPE(o, k, k, each), TSR_OHWI, &weights);
      tensor(ctx, y_data, TSR_I8, TSR_SHAPE(1, oh, ow, o), TSR_NHWC, &y);
      OK(ctx, tsr_qconv_i4_pack(ctx, &weights, &bias, &options, &q, &layer));
      OK(ctx, tsr_qconv2d_i4(ctx, &x, &layer, &y));
    }
    for (int j = 0; j < oh * ow * o; j++) {
      const int f = j % o, column = j / o % ow, row = j / o / ow;
      int32_t sum = bias_data[f];
      for (int t = 0; t < k * k; t++)
        for (int n = 0; n < each; n++)
          sum += (x_data[((row + t / k) * w + column + t % k) * c + f / (o / groups) * each + n] - q.x.zero) *
                 b_data[kind == 3 ? t * o + f : (f * k * k + t) * each + n];
      wrong += y_data[j] != result_of(&q, sum, f);
    }
    tsr_qlayer_release(&layer);
  }
  CHECK(wrong == 0);
}

/* ---- layers with a memory ---- */

static int16_t wide_x[256], wide_w[1024], wide_state[1024], wide_want[1024], wide_more[256];

static void fill_words(test_rng *rng, int n, int most, int16_t *data) {
  for (int i = 0; i < n; i++) data[i] = (int16_t)between(rng, -most - 1, most);
}

/* Three steps each. */
TEST(random_svdf_layers_are_exact) {
  test_rng rng = {26};
  world at;
  int wrong = 0;
  for (int i = 0; i < LAYERS; i++) {
    tsr_ctx *const ctx = begin(&at);
    const int b = between(&rng, 1, 2), rank = between(&rng, 1, 3), units = between(&rng, 1, 6),
              t = between(&rng, 1, 24), f = rank * units;
    const bool bytes = i % 2 == 0;
    const tsr_quant of_state = {.dtype = TSR_I16, .scale = scale_of(&rng)},
                    of_w = {.dtype = bytes ? TSR_I8 : TSR_I16, .scale = scale_of(&rng)};
    tsr_quant q = quant_of(&rng);
    tsr_tensor x, w, bias, state, y;
    q.scale = ldexpf(of_state.scale * of_w.scale, between(&rng, 8, bytes ? 16 : 24));
    const ratio r = ratio_of((double)of_state.scale * (double)of_w.scale / (double)q.scale);
    fill(&rng, f * t, b_data);
    fill_words(&rng, f * t, i % 7 == 0 ? 32767 : 999, wide_w);
    fill_words(&rng, b * f * t, 32767, wide_state);
    for (int k = 0; k < units; k++) bias_data[k] = between(&rng, -99999, 99999);
    memcpy(wide_want, wide_state, sizeof wide_want);
    tensor(ctx, wide_x, TSR_I16, TSR_SHAPE(b, f), TSR_PLAIN, &x);
    tensor(ctx, bytes ? (void *)b_data : (void *)wide_w, of_w.dtype, TSR_SHAPE(f, t), TSR_PLAIN, &w);
    tensor(ctx, bias_data, TSR_I32, TSR_SHAPE(units), TSR_PLAIN, &bias);
    tensor(ctx, wide_state, TSR_I16, TSR_SHAPE(b, f, t), TSR_PLAIN, &state);
    tensor(ctx, y_data, TSR_I8, TSR_SHAPE(b, units), TSR_PLAIN, &y);
    for (int step = 0; step < 3; step++) {
      fill_words(&rng, b * f, 32767, wide_x);
      OK(ctx, tsr_qsvdf(ctx, &x, &of_state, &w, &of_w, &bias, rank, &q, &state, &y));
      for (int row = 0; row < b * f; row++) {
        memmove(&wide_want[row * t], &wide_want[row * t + 1], (size_t)(t - 1) * sizeof(int16_t));
        wide_want[row * t + t - 1] = wide_x[row];
      }
      for (int k = 0; k < b * units; k++) {
        int64_t sum = bias_data[k % units];
        for (int j = 0; j < rank * t; j++) {
          const int own = k % units * rank * t + j;
          sum += (int64_t)wide_want[k / units * f * t + own] * (bytes ? b_data[own] : wide_w[own]);
        }
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        wrong += y_data[k] != bounded(scaled((int32_t)sum, r) + q.zero, -128, 127);
      }
      wrong += memcmp(wide_want, wide_state, (size_t)(b * f * t) * sizeof(int16_t)) != 0;
    }
  }
  CHECK(wrong == 0);
}

static double real_sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* Each number of the cell and of the output by itself, from reals: gates are at most 1 of the last away, and what follows is rounded. */
TEST(random_lstm_steps_are_as_near_as_documented) {
  test_rng rng = {27};
  world at;
  int wrong = 0;
  for (int i = 0; i < LAYERS; i++) {
    tsr_ctx *const ctx = begin(&at);
    const int b = between(&rng, 1, 2), h = between(&rng, 1, 20), bits = between(&rng, 0, 15);
    const bool two = i % 2 == 0;
    const tsr_quant q = {.dtype = TSR_I16, .scale = 1.0f / 32768};
    tsr_tensor x, again, cell, y;
    int16_t before[40];
    fill_words(&rng, b * 4 * h, i % 3 == 0 ? 32767 : 9000, wide_x);
    fill_words(&rng, b * 4 * h, i % 5 == 0 ? 32767 : 9000, wide_more);
    fill_words(&rng, b * h, 32767, wide_state);
    memcpy(before, wide_state, sizeof before);
    tensor(ctx, wide_x, TSR_I16, TSR_SHAPE(b, 4 * h), TSR_PLAIN, &x);
    tensor(ctx, wide_more, TSR_I16, TSR_SHAPE(b, 4 * h), TSR_PLAIN, &again);
    tensor(ctx, wide_state, TSR_I16, TSR_SHAPE(b, h), TSR_PLAIN, &cell);
    tensor(ctx, wide_want, TSR_I16, TSR_SHAPE(b, h), TSR_PLAIN, &y);
    OK(ctx, tsr_qlstm(ctx, &x, two ? &again : NULL, bits, &q, &cell, &y));
    for (int k = 0; k < b * h; k++) {
      double gate[4];
      for (int g = 0; g < 4; g++) {
        const int from = k / h * 4 * h + g * h + k % h;
        gate[g] = bounded(wide_x[from] + (two ? wide_more[from] : 0), -32768, 32767) / 4096.0;
      }
      const double unit = ldexp(1, -bits),
                   real = real_sigmoid(gate[1]) * before[k] * unit + real_sigmoid(gate[0]) * tanh(gate[2]);
      const double c = wide_state[k] * unit, bound = 32767 * unit;
      const double want = real > bound ? bound : real < -bound - unit ? -bound - unit : real;
      /* half of the last for each product, and what a gate is off */
      wrong += fabs(c - want) > 1.01 * unit + (fabs((double)before[k]) * unit + 2) / 32768;
      wrong += fabs(wide_want[k] / 32768.0 - real_sigmoid(gate[3]) * tanh(c)) > 3.01 / 32768;
    }
  }
  CHECK(wrong == 0);
}

TEST_MAIN(RUN(random_svdf_layers_are_exact), RUN(random_lstm_steps_are_as_near_as_documented),
          RUN(random_transposed_convolutions_are_exact), RUN(random_layers_of_4_bits_are_exact),
          RUN(random_products_are_exact), RUN(random_means_are_exact), RUN(random_softmax_is_exact))
