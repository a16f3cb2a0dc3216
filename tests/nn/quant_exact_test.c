/* Random layers of 8 bits against references that are written from the published definitions: of this library (quant.h), or, in
 * a build with TSR_QUANT_ROUNDING 2, of TensorFlow Lite's reference kernels. Not one byte differs. */
#include "nn/quant_exact.h"

static int8_t x_data[MOST], w_data[MOST], y_data[MOST], b_data[MOST];
static int32_t bias_data[64];
static float scales[64];

/* What there is of a convolution; a dense layer is one of one pixel. */
typedef struct shape {
  int h, w, c, o, kh, kw, stride, dilation, top, left, bottom, right, oh, ow;
  bool depthwise;
} shape;

static int32_t sum_at(const shape *s, int x_zero, int y, int x, int o) {
  int32_t sum = bias_data[o];
  for (int ky = 0; ky < s->kh; ky++)
    for (int kx = 0; kx < s->kw; kx++) {
      const int iy = y * s->stride - s->top + ky * s->dilation, ix = x * s->stride - s->left + kx * s->dilation;
      if (iy < 0 || iy >= s->h || ix < 0 || ix >= s->w) continue;
      for (int i = 0; i < (s->depthwise ? 1 : s->c); i++) {
        const int xi = x_data[(iy * s->w + ix) * s->c + (s->depthwise ? o : i)];
        const int wi = w_data[s->depthwise ? (ky * s->kw + kx) * s->o + o : ((o * s->kh + ky) * s->kw + kx) * s->c + i];
        sum += (xi - x_zero) * wi;
      }
    }
  return sum;
}

static int wrong_results(const shape *s, const tsr_qscheme *q) {
  const int32_t low = q->activation == TSR_Q_NONE ? -128 : q->out.zero;
  int wrong = 0;
  for (int o = 0; o < s->o; o++) {
    const ratio r = ratio_of((double)q->x.scale * (double)scales[o] / (double)q->out.scale);
    for (int y = 0; y < s->oh; y++)
      for (int x = 0; x < s->ow; x++) {
        const int32_t want = bounded(scaled(sum_at(s, q->x.zero, y, x, o), r) + q->out.zero, low, 127);
        wrong += y_data[(y * s->ow + x) * s->o + o] != want;
      }
  }
  return wrong;
}

/* Scales of the result such that most of it is inside of its range, and some of it is not. */
static tsr_qscheme scheme_of(test_rng *rng, const shape *s) {
  tsr_qscheme q = {.x = quant_of(rng), .out = quant_of(rng), .activation = (uint8_t)between(rng, 0, 1)};
  q.w = (tsr_quant){.dtype = TSR_I8, .scales = scales, .count = s->o, .axis = (int8_t)(s->depthwise ? 3 : 0)};
  const float unit = ldexpf(q.x.scale, between(rng, -2, 9));
  for (int o = 0; o < s->o; o++) {
    scales[o] = scale_of(rng);
    bias_data[o] = between(rng, -9999, 9999);
  }
  q.out.scale = unit * scales[0];
  return q;
}

static bool choose(test_rng *rng, bool depthwise, shape *s) {
  s->depthwise = depthwise;
  s->c = between(rng, 1, 6) == 1 ? 16 * between(rng, 1, 2) : between(rng, 1, 40);
  s->o = depthwise ? s->c : between(rng, 1, 20);
  s->kh = between(rng, 1, 3);
  s->kw = between(rng, 1, 3);
  s->h = between(rng, 1, 5);
  s->w = between(rng, 1, 7);
  s->stride = between(rng, 1, 2);
  s->dilation = between(rng, 1, 4) == 1 ? between(rng, 2, 3) : 1;
  const int tall = (s->kh - 1) * s->dilation + 1, wide = (s->kw - 1) * s->dilation + 1;
  s->top = between(rng, 0, tall - 1);
  s->bottom = between(rng, 0, tall - 1);
  s->left = between(rng, 0, wide - 1);
  s->right = between(rng, 0, wide - 1);
  if (s->h + s->top + s->bottom < tall || s->w + s->left + s->right < wide) return false;
  s->oh = (s->h + s->top + s->bottom - tall) / s->stride + 1;
  s->ow = (s->w + s->left + s->right - wide) / s->stride + 1;
  return s->o * s->kh * s->kw * (depthwise ? 1 : s->c) <= MOST && !(depthwise && s->c == 1);
}

/* How many bytes of a random convolution differ. */
static int run_conv(tsr_ctx *ctx, test_rng *rng, const shape *s) {
  const tsr_qscheme q = scheme_of(rng, s);
  const tsr_conv_options options = {.stride = {s->stride, s->stride},
                                    .dilation = {s->dilation, s->dilation},
                                    .pad_before = {s->top, s->left},
                                    .pad_after = {s->bottom, s->right},
                                    .groups = s->depthwise ? s->c : 1};
  tsr_tensor x, w, bias, y;
  tsr_qlayer layer = {0};
  fill(rng, s->h * s->w * s->c, x_data);
  fill(rng, s->o * s->kh * s->kw * (s->depthwise ? 1 : s->c), w_data);
  tensor(ctx, x_data, TSR_I8, TSR_SHAPE(1, s->h, s->w, s->c), TSR_NHWC, &x);
  if (s->depthwise)
    tensor(ctx, w_data, TSR_I8, TSR_SHAPE(s->kh, s->kw, 1, s->o), TSR_HWIO, &w);
  else
    tensor(ctx, w_data, TSR_I8, TSR_SHAPE(s->o, s->kh, s->kw, s->c), TSR_OHWI, &w);
  tensor(ctx, bias_data, TSR_I32, TSR_SHAPE(s->o), TSR_PLAIN, &bias);
  tensor(ctx, y_data, TSR_I8, TSR_SHAPE(1, s->oh, s->ow, s->o), TSR_NHWC, &y);
  OK(ctx, tsr_qconv_pack(ctx, &w, &bias, &options, &q, &layer));
  OK(ctx, tsr_qconv2d(ctx, &x, &layer, &y));
  tsr_qlayer_release(&layer);
  return wrong_results(s, &q);
}

static void convolutions(bool depthwise) {
  test_rng rng = {depthwise ? 12u : 11u};
  world at;
  int wrong = 0, done = 0;
  while (done < LAYERS) {
    shape s;
    tsr_ctx *const ctx = begin(&at);
    if (!choose(&rng, depthwise, &s)) continue;
    wrong += run_conv(ctx, &rng, &s);
    done++;
  }
  CHECK(wrong == 0);
}

TEST(random_convolutions_are_exact) { convolutions(false); }
TEST(random_depthwise_convolutions_are_exact) { convolutions(true); }

TEST(random_dense_layers_are_exact) {
  test_rng rng = {13};
  world at;
  int wrong = 0;
  for (int i = 0; i < LAYERS; i++) {
    tsr_ctx *const ctx = begin(&at);
    shape s = {
        .c = between(&rng, 1, 100), .o = between(&rng, 1, 20), .h = 1, .w = between(&rng, 1, 6), .kh = 1, .kw = 1};
    s.stride = s.dilation = s.oh = 1;
    s.ow = s.w;
    const tsr_qscheme q = scheme_of(&rng, &s);
    tsr_tensor x, w, bias, y;
    tsr_qlayer layer = {0};
    fill(&rng, s.w * s.c, x_data);
    fill(&rng, s.o * s.c, w_data);
    tensor(ctx, x_data, TSR_I8, TSR_SHAPE(s.w, s.c), TSR_PLAIN, &x);
    tensor(ctx, w_data, TSR_I8, TSR_SHAPE(s.o, s.c), TSR_PLAIN, &w);
    tensor(ctx, bias_data, TSR_I32, TSR_SHAPE(s.o), TSR_PLAIN, &bias);
    tensor(ctx, y_data, TSR_I8, TSR_SHAPE(s.w, s.o), TSR_PLAIN, &y);
    OK(ctx, tsr_qdense_pack(ctx, &w, &bias, &q, &layer));
    OK(ctx, tsr_qdense(ctx, &x, &layer, &y));
    tsr_qlayer_release(&layer);
    wrong += wrong_results(&s, &q);
  }
  CHECK(wrong == 0);
}

static int32_t pooled(const shape *s, bool max, int y, int x, int c) {
  int32_t best = -128, sum = 0, count = 0;
  for (int ky = 0; ky < s->kh; ky++)
    for (int kx = 0; kx < s->kw; kx++) {
      const int iy = y * s->stride - s->top + ky * s->dilation, ix = x * s->stride - s->left + kx * s->dilation;
      if (iy < 0 || iy >= s->h || ix < 0 || ix >= s->w) continue;
      const int32_t value = x_data[(iy * s->w + ix) * s->c + c];
      best = value > best ? value : best;
      sum += value;
      count++;
    }
  return max ? best : count > 0 ? mean_of(sum, count) : 0;
}

TEST(random_pools_are_exact) {
  test_rng rng = {14};
  world at;
  int wrong = 0, done = 0;
  while (done < LAYERS) {
    shape s;
    tsr_tensor x, y;
    tsr_ctx *const ctx = begin(&at);
    const bool max = done % 2 == 0;
    if (!choose(&rng, false, &s) || s.top >= s.h + s.kh || s.left >= s.w + s.kw) continue;
    const tsr_pool_options options = {.stride = {s.stride, s.stride},
                                      .dilation = {s.dilation, s.dilation},
                                      .pad_before = {s.top, s.left},
                                      .pad_after = {s.bottom, s.right}};
    fill(&rng, s.h * s.w * s.c, x_data);
    tensor(ctx, x_data, TSR_I8, TSR_SHAPE(1, s.h, s.w, s.c), TSR_NHWC, &x);
    tensor(ctx, y_data, TSR_I8, TSR_SHAPE(1, s.oh, s.ow, s.c), TSR_NHWC, &y);
    OK(ctx, max ? tsr_qmax_pool(ctx, &x, TSR_SHAPE(s.kh, s.kw), &options, &y)
                : tsr_qavg_pool(ctx, &x, 0, TSR_SHAPE(s.kh, s.kw), &options, &y));
    for (int i = 0; i < s.oh * s.ow * s.c; i++)
      wrong += y_data[i] != pooled(&s, max, i / s.c / s.ow, i / s.c % s.ow, i % s.c);
    done++;
  }
  CHECK(wrong == 0);
}

/* The sum of two numbers, by the definition. */
static int32_t added(int a, const tsr_quant *qa, int b, const tsr_quant *qb, const tsr_quant *q) {
#if TSR_QUANT_ROUNDING == 2
  const double twice = 2 * (double)(qa->scale > qb->scale ? qa->scale : qb->scale);
  const int64_t x = scaled((a - qa->zero) * (1 << 20), ratio_of((double)qa->scale / twice));
  const int64_t y = scaled((b - qb->zero) * (1 << 20), ratio_of((double)qb->scale / twice));
  return bounded(scaled((int32_t)(x + y), ratio_of(twice / ((double)(1 << 20) * (double)q->scale))) + q->zero, -128,
                 127);
#else
  const ratio ra = ratio_of((double)qa->scale / (double)q->scale), rb = ratio_of((double)qb->scale / (double)q->scale);
  const int shift = 31 - (ra.left > rb.left ? ra.left : rb.left), da = 31 - ra.left - shift, db = 31 - rb.left - shift;
  const int64_t ma = floor_of((int64_t)ra.multiplier + (((int64_t)1 << da) >> 1), (int64_t)1 << da);
  const int64_t mb = floor_of((int64_t)rb.multiplier + (((int64_t)1 << db) >> 1), (int64_t)1 << db);
  const int64_t sum = (a - qa->zero) * ma + (b - qb->zero) * mb;
  return bounded(floor_of(sum + (((int64_t)1 << shift) >> 1), (int64_t)1 << shift) + q->zero, -128, 127);
#endif
}

TEST(random_sums_are_exact) {
  test_rng rng = {15};
  world at;
  int wrong = 0;
  for (int i = 0; i < LAYERS; i++) {
    tsr_ctx *const ctx = begin(&at);
    const int n = between(&rng, 1, 70);
    const tsr_quant qa = quant_of(&rng), qb = quant_of(&rng);
    tsr_quant q = quant_of(&rng);
    tsr_tensor a, b, y;
    q.scale = ldexpf(q.scale, between(&rng, -1, 2));
    fill(&rng, n, x_data);
    fill(&rng, n, b_data);
    tensor(ctx, x_data, TSR_I8, TSR_SHAPE(n), TSR_PLAIN, &a);
    tensor(ctx, b_data, TSR_I8, TSR_SHAPE(n), TSR_PLAIN, &b);
    tensor(ctx, y_data, TSR_I8, TSR_SHAPE(n), TSR_PLAIN, &y);
    OK(ctx, tsr_qadd(ctx, &a, &qa, &b, &qb, &q, &y));
    for (int k = 0; k < n; k++) wrong += y_data[k] != added(x_data[k], &qa, b_data[k], &qb, &q);
  }
  CHECK(wrong == 0);
}

TEST_MAIN(RUN(random_convolutions_are_exact), RUN(random_depthwise_convolutions_are_exact),
          RUN(random_dense_layers_are_exact), RUN(random_pools_are_exact), RUN(random_sums_are_exact))
