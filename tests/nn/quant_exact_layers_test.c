/* More random layers of 8 bits against references that are written from the published definitions: products, means, softmax. See
 * quant_exact_test.c. */
#include "nn/quant_exact.h"

static int8_t x_data[MOST], y_data[MOST], b_data[MOST];

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
    const int h = between(&rng, 1, 9), w = between(&rng, 1, i % 7 == 0 ? 40 : 9), c = between(&rng, 1, i % 7 == 0 ? 11 : 40);
    const tsr_quant qx = quant_of(&rng);
    tsr_quant q = quant_of(&rng);
    tsr_tensor x, y = {0};
    q.scale = i % 3 == 0 ? qx.scale : ldexpf(qx.scale, between(&rng, -3, 3)) * 1.1f;
    fill(&rng, h * w * c, x_data);
    tensor(ctx, x_data, TSR_I8, TSR_SHAPE(h, w, c), TSR_PLAIN, &x);
    const int way = i % 3;
    OK(ctx, tsr_qmean(ctx, &x, &qx, way == 0 ? 2 : way == 1 ? 1 : 0, way == 0 ? (const int[]){0, 1} : way == 1 ? (const int[]){-1} : NULL,
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
  } steps[] = {{-2, 1672461947}, {-1, 1302514674}, {0, 790015084}, {1, 290630308}, {2, 39332535}, {3, 720401}, {4, 242}};
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
      sum += by_power(exp_reference(doubling_high_mul((x[i] - most) * (1 << r.left), r.multiplier)), -12);
  while (((uint32_t)sum << headroom & 0x80000000u) == 0) headroom++;
  const int32_t shifted = one_over_one_plus((int32_t)(((uint32_t)sum << headroom) - 0x80000000u));
  for (int i = 0; i < n; i++) {
    int32_t want = -128;
    if (x[i] - most >= least) {
      const int32_t e = exp_reference(doubling_high_mul((x[i] - most) * (1 << r.left), r.multiplier));
      const int power = 12 - headroom + 31 - 8; /* past 31, where the published kernel says nothing, a result is 0 */
      want = bounded((int64_t)(power > 31 ? 0 : divide_by_power(doubling_high_mul(shifted, e), power)) - 128, -128, 127);
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

TEST_MAIN(RUN(random_products_are_exact), RUN(random_means_are_exact), RUN(random_softmax_is_exact))
