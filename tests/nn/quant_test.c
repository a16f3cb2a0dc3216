/* Quantised numbers element by element, and pooling, against their definitions. */
#include "nn/quant_reference.h"
#include "support/test.h"

#include <string.h>

static const int small[] = {TSR_I8, TSR_U8, TSR_I16};

/* ---- calibration ---- */

TEST(ranges_give_scales_and_zero_points) {
  tsr_ctx *const ctx = test_context();
  tsr_quant q;
  OK(ctx, tsr_quant_init(ctx, TSR_U8, TSR_QUANT_AFFINE, -1, 4.1f, &q));
  CHECK(q.scale == 5.1f / 255 && q.zero == 50 && q.dtype == TSR_U8 && q.scales == NULL);
  OK(ctx, tsr_quant_init(ctx, TSR_I8, TSR_QUANT_AFFINE, 2, 5.1f, &q)); /* 0 is always in the range */
  CHECK(q.scale == 5.1f / 255 && q.zero == -128);
  OK(ctx, tsr_quant_init(ctx, TSR_I8, TSR_QUANT_SYMMETRIC, -3, 2, &q));
  CHECK(q.scale == 3.0f / 127 && q.zero == 0);
  OK(ctx, tsr_quant_init(ctx, TSR_U8, TSR_QUANT_SYMMETRIC, -3, 2, &q));
  CHECK(q.scale == 3.0f / 127 && q.zero == 128);
  OK(ctx, tsr_quant_init(ctx, TSR_I16, TSR_QUANT_SYMMETRIC, 0, 8, &q));
  CHECK(q.scale == 8.0f / 32767 && q.zero == 0);
  OK(ctx, tsr_quant_init(ctx, TSR_I8, TSR_QUANT_AFFINE, 0, 0, &q));
  CHECK(q.scale == 1 && q.zero == -128);
  OK(ctx, tsr_quant_init(ctx, TSR_I8, TSR_QUANT_AFFINE, -3e38f, 3e38f, &q)); /* the span is no float */
  CHECK(q.scale > 2.3e36f && q.scale < 2.4e36f && (q.zero == 0 || q.zero == -1));
  OK(ctx, tsr_quant_init(ctx, TSR_I8, TSR_QUANT_AFFINE, 0, 0x1p-149f, &q));
  CHECK(q.scale == 0x1p-126f);
}

TEST(tensors_have_ranges_whole_and_by_axis) {
  tsr_ctx *const ctx = test_context();
  const float numbers[2][3] = {{-1, 0.5f, 2}, {-8, -4, -6}};
  float scales[3];
  int32_t zeros[3];
  tsr_tensor x = {0};
  tsr_quant q;
  OK(ctx, tsr_from_memory(ctx, (void *)(uintptr_t)numbers, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_quant_params(ctx, &x, TSR_I8, TSR_QUANT_SYMMETRIC, &q));
  CHECK(q.scale == 8.0f / 127 && q.zero == 0);
  OK(ctx, tsr_quant_params_axis(ctx, &x, -2, TSR_I8, TSR_QUANT_SYMMETRIC, scales, zeros, &q));
  CHECK(q.count == 2 && q.axis == 0 && q.scales == scales && scales[0] == 2.0f / 127 && scales[1] == 8.0f / 127);
  OK(ctx, tsr_quant_params_axis(ctx, &x, 1, TSR_U8, TSR_QUANT_AFFINE, scales, zeros, &q));
  CHECK(q.count == 3 && scales[1] == 4.5f / 255 && zeros[0] == 255 && zeros[2] == 191);
}

TEST(percentiles_leave_the_outermost_numbers_out) {
  static float numbers[1000];
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, backwards = {0};
  tsr_quant q, whole;
  for (int i = 0; i < 1000; i++) numbers[i] = (float)(i * 7 % 1000) / 8 - 20; /* -20 … 104.875, each once */
  numbers[143] = 1e6f;                                                        /* was -19.875 */
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(10, 100), &x));
  OK(ctx, tsr_quant_percentile(ctx, &x, 99.9f, TSR_I8, TSR_QUANT_SYMMETRIC, &q)); /* one at each end */
  CHECK(q.scale == 104.875f / 127 && q.zero == 0 && q.dtype == TSR_I8 && q.scales == NULL);
  OK(ctx, tsr_quant_percentile(ctx, &x, 99, TSR_U8, TSR_QUANT_AFFINE, &q)); /* ten */
  CHECK(q.scale == ((103.75f - -18.625f) / 255) && q.zero == 39);
  OK(ctx, tsr_quant_percentile(ctx, &x, 100, TSR_I16, TSR_QUANT_AFFINE, &q));
  OK(ctx, tsr_quant_params(ctx, &x, TSR_I16, TSR_QUANT_AFFINE, &whole));
  CHECK(q.scale == whole.scale && q.zero == whole.zero);
  OK(ctx, tsr_flip(ctx, &x, 1, &backwards));
  OK(ctx, tsr_quant_percentile(ctx, &backwards, 0.5f, TSR_I8, TSR_QUANT_SYMMETRIC, &q)); /* the two in the middle */
  CHECK(q.scale == 42.625f / 127);
  numbers[5] = __builtin_inff(); /* left out */
  OK(ctx, tsr_quant_percentile(ctx, &x, 99, TSR_U8, TSR_QUANT_AFFINE, &q));
  FAILS(ctx, TSR_EARG, tsr_quant_percentile(ctx, &x, 100, TSR_U8, TSR_QUANT_AFFINE, &q));
  numbers[5] = __builtin_nanf("");
  const tsr_quant before = q;
  FAILS(ctx, TSR_EARG, tsr_quant_percentile(ctx, &x, 50, TSR_U8, TSR_QUANT_AFFINE, &q));
  CHECK(strstr(tsr_error(ctx), "NaN") != NULL || !TSR_HAVE_TEXT);
  CHECK(memcmp(&q, &before, sizeof q) == 0);
  FAILS(ctx, TSR_EARG, tsr_quant_percentile(ctx, &x, 0, TSR_U8, TSR_QUANT_AFFINE, &q));
  FAILS(ctx, TSR_EARG, tsr_quant_percentile(ctx, &x, 100.5f, TSR_U8, TSR_QUANT_AFFINE, &q));
  FAILS(ctx, TSR_EARG, tsr_quant_percentile(ctx, &x, __builtin_nanf(""), TSR_U8, TSR_QUANT_AFFINE, &q));
  FAILS(ctx, TSR_EARG, tsr_quant_percentile(ctx, &x, 99, TSR_U8, TSR_QUANT_AFFINE, NULL));
  FAILS(ctx, TSR_EDTYPE, tsr_quant_percentile(ctx, &x, 99, TSR_I32, TSR_QUANT_AFFINE, &q));
}

/* ---- multipliers ---- */

TEST(multipliers_are_the_ratio_to_31_bits) {
  test_rng rng = {5};
  tsr_ctx *const ctx = test_context();
  int8_t weights[1] = {1};
  tsr_tensor w = {0};
  OK(ctx, tsr_from_memory(ctx, weights, TSR_I8, TSR_SHAPE(1, 1), &w));
  for (int i = 0; i < 500; i++) {
    float s[3];
    for (int k = 0; k < 3; k++)
      s[k] = (float)test_between(&rng, 1 << 20, 1 << 24) / (float)(1 << test_between(&rng, 10, 28));
    const tsr_qscheme scheme = {.x = {.dtype = TSR_I8, .scale = s[0]},
                                .w = {.dtype = TSR_I8, .scale = s[1]},
                                .out = {.dtype = TSR_I8, .scale = s[2]}};
    tsr_qlayer layer = {0};
    const double ratio = (double)s[0] * (double)s[1] / (double)s[2];
    const tsr_status st = tsr_qdense_pack(ctx, &w, NULL, &scheme, &layer);
    CHECK(st == (ratio < 0x1p31 ? TSR_OK : TSR_ERANGE));
    if (st != TSR_OK) continue;
    const int32_t *const t = layer.table.data;
    const double made = ldexp((double)t[1], -(int)t[2]);
    if (t[1] != 0)
      CHECK(t[1] >= 1 << 30 && t[2] >= 0 && t[2] <= 62 && fabs(made - ratio) <= ratio * 0x1p-31 * 1.000001);
    if (t[1] == 0) CHECK(ratio < 0x1p-31);
    tsr_qlayer_release(&layer);
  }
  tsr_qscheme plain = {.x = {.dtype = TSR_I8, .scale = 1}, .w = {.dtype = TSR_I8, .scale = 1}};
  plain.out = plain.x;
  tsr_qlayer layer = {0};
  OK(ctx, tsr_qdense_pack(ctx, &w, NULL, &plain, &layer));
  CHECK(((const int32_t *)layer.table.data)[1] == 1 << 30 && ((const int32_t *)layer.table.data)[2] == 30);
  tsr_qlayer_release(&layer);
  plain.out.scale = 0x1p-126f; /* subnormal scales are numbers too */
  plain.x.scale = 0x1p-140f;
  OK(ctx, tsr_qdense_pack(ctx, &w, NULL, &plain, &layer));
  CHECK(((const int32_t *)layer.table.data)[1] == 1 << 30 && ((const int32_t *)layer.table.data)[2] == 44);
  tsr_qlayer_release(&layer);
  CHECK(test_live() == 0);
}

/* ---- element by element ---- */

static float scales[8];
static int32_t zeros[8];

/* A quantisation for x of [..., 5]: whole, or by its last axis or its first. */
static tsr_quant choose(test_rng *rng, int dtype, int axis, tsr_index count) {
  const int32_t low = dtype == TSR_I32 ? 0 : (int32_t)q_least(dtype),
                high = dtype == TSR_I32 ? 0 : (int32_t)q_most(dtype);
  tsr_quant q = {.dtype = (uint8_t)dtype, .scale = 0.37f, .zero = (int32_t)test_between(rng, low, high)};
  if (axis == -9) return q;
  for (tsr_index i = 0; i < count; i++) {
    scales[i] = 0.01f * (float)test_between(rng, 1, 200);
    zeros[i] = (int32_t)test_between(rng, low, high);
  }
  q.scales = scales;
  q.zeros = zeros;
  q.count = count;
  q.axis = (int8_t)axis;
  return q;
}

static tsr_index channel_of(const tsr_quant *q, const tsr_index *index) {
  return q->scales == NULL ? 0 : index[q->axis < 0 ? 2 + q->axis : q->axis];
}

static int64_t quantized(const tsr_quant *q, float x, const tsr_index *index) {
  const tsr_index c = channel_of(q, index);
  const float v = x / (q->scales ? q->scales[c] : q->scale);
  const int64_t zero = q->zeros ? q->zeros[c] : q->zero;
  if (v != v) return zero;
  const double y = (double)zero + rint((double)v);
  return y < (double)q_least(q->dtype)  ? q_least(q->dtype)
         : y > (double)q_most(q->dtype) ? q_most(q->dtype)
                                        : (int64_t)y;
}

TEST(quantize_and_back) {
  test_rng rng = {6};
  const int axes[] = {-9, 0, -1};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < 9 * NN_WAYS; i++) {
      tsr_ctx *const ctx = test_context();
      tsr_tensor owner = {0}, x = {0}, q = {0}, back = {0};
      const tsr_index shape[2] = {i % 2 == 0 ? 7 : 300, 5};
      const int axis = i / 3 % 3;
      (void)q_isa(ctx, isa);
      OK(ctx, nn_make(ctx, TSR_F32, 2, shape, i / 9, &owner, &x));
      nn_fill(ctx, &x, &rng, 0, 300);
      *(float *)x.data = NAN;
      ((float *)x.data)[x.stride[1]] = INFINITY;
      const tsr_quant quant =
          choose(&rng, small[i % 3], axis == 1 && shape[0] > 8 ? -9 : axes[axis], axis == 1 ? 7 : 5);
      OK(ctx, tsr_quantize(ctx, &x, &quant, &q));
      OK(ctx, tsr_dequantize(ctx, &q, &quant, &back));
      tsr_index index[2] = {0};
      int wrong = 0;
      do {
        const tsr_index c = channel_of(&quant, index);
        const int64_t want = quantized(&quant, *(const float *)test_at(&x, index), index);
        const float real = (float)(want - (quant.zeros ? quant.zeros[c] : quant.zero)) *
                           (quant.scales ? quant.scales[c] : quant.scale);
        wrong += q_get(&q, index) != want || *(const float *)test_at(&back, index) != real;
      } while (test_next_index(2, shape, index));
      CHECK(wrong == 0);
      tsr_release(&owner);
      tsr_release(&q);
      tsr_release(&back);
      CHECK(test_live() == 0);
    }
}

/* The table of one output: how tsr_requantize scales. */
static void ratio_of(tsr_ctx *ctx, float from, float to, int32_t *multiplier, int *shift) {
  int8_t one[1] = {1};
  tsr_tensor w = {0};
  tsr_qlayer layer = {0};
  const tsr_qscheme scheme = {
      .x = {.dtype = TSR_I8, .scale = from}, .w = {.dtype = TSR_I8, .scale = 1}, .out = {.dtype = TSR_I8, .scale = to}};
  OK(ctx, tsr_from_memory(ctx, one, TSR_I8, TSR_SHAPE(1, 1), &w));
  OK(ctx, tsr_qdense_pack(ctx, &w, NULL, &scheme, &layer));
  *multiplier = ((const int32_t *)layer.table.data)[1];
  *shift = (int)((const int32_t *)layer.table.data)[2];
  tsr_qlayer_release(&layer);
}

TEST(requantize_scales_by_integers) {
  static const int from_dtypes[] = {TSR_I8, TSR_U8, TSR_I16, TSR_I32};
  test_rng rng = {7};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < 24; i++) {
      tsr_ctx *const ctx = test_context();
      tsr_tensor owner = {0}, x = {0}, y = {0};
      const tsr_index shape[2] = {61, 5};
      (void)q_isa(ctx, isa);
      const tsr_quant from = choose(&rng, from_dtypes[i % 4], i % 2 == 0 ? -9 : 1, 5);
      const tsr_quant to = {.dtype = (uint8_t)small[i % 3], .scale = i % 5 == 0 ? 0.003f : 1.7f, .zero = 3};
      OK(ctx, nn_make(ctx, from.dtype, 2, shape, i % NN_WAYS, &owner, &x));
      q_fill(&x, &rng, from.dtype == TSR_I32 ? -100000 : q_least(from.dtype),
             from.dtype == TSR_I32 ? 100000 : q_most(from.dtype));
      OK(ctx, tsr_requantize(ctx, &x, &from, &to, &y));
      tsr_index index[2] = {0};
      int wrong = 0, shift = 0;
      int32_t multiplier = 0;
      do {
        const tsr_index c = channel_of(&from, index);
        if (index[0] == 0 || from.scales != NULL)
          ratio_of(ctx, from.scales ? from.scales[c] : from.scale, to.scale, &multiplier, &shift);
        const int64_t sum = q_get(&x, index) - (from.zeros ? from.zeros[c] : from.zero);
        wrong += q_get(&y, index) != q_result(sum, multiplier, shift, to.zero, q_least(to.dtype), q_most(to.dtype));
      } while (test_next_index(2, shape, index));
      CHECK(wrong == 0);
      tsr_release(&owner);
      tsr_release(&y);
      CHECK(test_live() == 0);
    }
}

TEST(sums_round_once) {
  test_rng rng = {8};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < 27; i++) {
      tsr_ctx *const ctx = test_context();
      tsr_tensor a = {0}, b = {0}, y = {0};
      (void)q_isa(ctx, isa);
      const tsr_quant of_a = choose(&rng, small[i % 3], -9, 0), of_b = choose(&rng, small[i / 3 % 3], -9, 0);
      tsr_quant to = choose(&rng, small[i / 9], -9, 0);
      to.scale = 0.5f * (float)(1 + i % 4);
      OK(ctx, tsr_zeros(ctx, of_a.dtype, TSR_SHAPE(40, 9), &a));
      OK(ctx, tsr_zeros(ctx, of_b.dtype, TSR_SHAPE(9), &b));
      q_fill(&a, &rng, q_least(a.dtype), q_most(a.dtype));
      q_fill(&b, &rng, q_least(b.dtype), q_most(b.dtype));
      OK(ctx, tsr_qadd(ctx, &a, &of_a, &b, &of_b, &to, &y));
      tsr_index index[2] = {0};
      int wrong = 0;
      do { /* as near as reals say: the ratios are exact to 31 bits, and the numbers have 17 */
        const double real = ((double)(q_get(&a, index) - of_a.zero) * (double)of_a.scale +
                             (double)(q_get(&b, &index[1]) - of_b.zero) * (double)of_b.scale) /
                                (double)to.scale +
                            to.zero;
        const double low = (double)q_least(to.dtype), high = (double)q_most(to.dtype), got = (double)q_get(&y, index);
        wrong += fabs(got - (real < low ? low : real > high ? high : real)) > 0.5001;
      } while (test_next_index(2, a.shape, index));
      CHECK(wrong == 0);
      tsr_release(&a);
      tsr_release(&b);
      tsr_release(&y);
      CHECK(test_live() == 0);
    }
}

/* 1 + 0.5 with scales of powers of two: halves go up, of negative numbers too. */
TEST(halves_go_up) {
  tsr_ctx *const ctx = test_context();
  int8_t numbers[5] = {1, 3, -1, -3, 5}, none[1] = {0};
  const int8_t want[5] = {1, 2, 0, -1, 3};
  tsr_tensor x = {0}, zero = {0}, y = {0}, sum = {0};
  const tsr_quant from = {.dtype = TSR_I8, .scale = 0.5f}, to = {.dtype = TSR_I8, .scale = 1};
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I8, TSR_SHAPE(5), &x));
  OK(ctx, tsr_from_memory(ctx, none, TSR_I8, TSR_SHAPE(1), &zero));
  OK(ctx, tsr_requantize(ctx, &x, &from, &to, &y));
  OK(ctx, tsr_qadd(ctx, &x, &from, &zero, &to, &to, &sum));
  CHECK(memcmp(y.data, want, 5) == 0 && memcmp(sum.data, want, 5) == 0);
  tsr_release(&y);
  tsr_release(&sum);
}

TEST(biases_are_in_units_of_the_sums) {
  tsr_ctx *const ctx = test_context();
  const float numbers[6] = {1, -0.3f, 1e9f, -1e9f, NAN, 0.0625f}, of_w[6] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.25f};
  const int32_t want[6] = {4, -1, INT32_MAX, INT32_MIN, 0, 0};
  tsr_tensor bias = {0}, q = {0};
  const tsr_qscheme scheme = {.x = {.dtype = TSR_I8, .scale = 0.5f},
                              .w = {.dtype = TSR_I8, .scales = of_w, .count = 6},
                              .out = {.dtype = TSR_I8, .scale = 1}};
  OK(ctx, tsr_from_memory(ctx, (void *)(uintptr_t)numbers, TSR_F32, TSR_SHAPE(6), &bias));
  OK(ctx, tsr_qbias(ctx, &bias, &scheme, &q));
  CHECK(q.dtype == TSR_I32 && memcmp(q.data, want, sizeof want) == 0);
  tsr_release(&q);
}

/* ---- pooling ---- */

/* One window. */
static int64_t window(const tsr_tensor *x, bool last, tsr_index n, tsr_index c, tsr_index y, tsr_index z,
                      const tsr_pool_options *o, bool greatest, int64_t zero) {
  const tsr_index h = x->shape[last ? 1 : 2], w = x->shape[last ? 2 : 3];
  int64_t best = q_least(x->dtype), sum = 0, count = 0;
  for (tsr_index ky = 0; ky < 3; ky++)
    for (tsr_index kx = 0; kx < 2; kx++) {
      const tsr_index iy = y * 2 - o->pad_before[0] + ky, ix = z - o->pad_before[1] + kx;
      const bool inside = iy >= 0 && iy < h && ix >= 0 && ix < w;
      if (!inside && !o->count_include_pad) continue;
      const tsr_index first[4] = {n, c, iy, ix}, lasts[4] = {n, iy, ix, c};
      const int64_t v = inside ? q_get(x, last ? lasts : first) : zero;
      if (inside && v > best) best = v;
      sum += v;
      count++;
    }
  return greatest ? best : q_floor(2 * sum + count, 2 * count);
}

TEST(pooling_is_exact) {
  test_rng rng = {9};
  for (int i = 0; i < 48; i++) {
    tsr_ctx *const ctx = test_context();
    const bool last = i % 2 == 0, greatest = i / 2 % 2 == 0;
    const tsr_index shape[4] = {2, last ? 7 : 19, last ? 6 : 7, last ? 19 : 6};
    const tsr_pool_options o = {
        .stride = {2, 1}, .pad_before = {1, 1}, .pad_after = {1, 0}, .count_include_pad = i / 4 % 2 == 0};
    tsr_tensor owner = {0}, x = {0}, y = {0};
    OK(ctx, nn_make(ctx, small[i % 3], 4, shape, i % NN_WAYS, &owner, &x));
    x.layout = last ? TSR_NHWC : TSR_NCHW;
    q_fill(&x, &rng, q_least(x.dtype), q_most(x.dtype));
    OK(ctx,
       greatest ? tsr_qmax_pool(ctx, &x, TSR_SHAPE(3, 2), &o, &y) : tsr_qavg_pool(ctx, &x, 5, TSR_SHAPE(3, 2), &o, &y));
    CHECK(y.layout == x.layout && y.dtype == x.dtype);
    tsr_index at[4] = {0};
    int wrong = 0;
    do
      wrong += q_get(&y, at) !=
               window(&x, last, at[0], at[last ? 3 : 1], at[last ? 1 : 2], at[last ? 2 : 3], &o, greatest, 5);
    while (test_next_index(4, y.shape, at));
    CHECK(wrong == 0);
    tsr_release(&owner);
    tsr_release(&y);
    CHECK(test_live() == 0);
  }
}

/* Axes of length 1 may have any stride (the ops that have a name are called so in odd_operands_test). */
TEST(strides_that_mean_nothing) {
  const tsr_index odd[] = {TSR_INDEX_MAX, -TSR_INDEX_MAX - 1, TSR_INDEX_MAX / 3};
  const tsr_quant q = {.scale = 0.5f, .zero = 1, .dtype = TSR_I8};
  tsr_ctx *const ctx = test_context();
  float numbers[6] = {0, 1, 2, 3, -4, 5};
  int8_t codes[6] = {1, 2, 3, -4, 5, 6};
  for (int i = 0; i < COUNT_OF(odd); i++)
    for (int out_odd = 0; out_odd < 2; out_odd++) {
      tsr_tensor f = {0}, x = {0}, y[6] = {{0}}, z[6] = {{0}};
      OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(1, 1, 6, 1), &f));
      OK(ctx, tsr_from_memory(ctx, codes, TSR_I8, TSR_SHAPE(1, 1, 6, 1), &x));
      for (int round = 0; round < 2; round++) {
        tsr_tensor *const out = round == 0 ? y : z;
        OK(ctx, tsr_quantize(ctx, &f, &q, &out[0]));
        OK(ctx, tsr_dequantize(ctx, &x, &q, &out[1]));
        OK(ctx, tsr_requantize(ctx, &x, &q, &q, &out[2]));
        OK(ctx, tsr_qadd(ctx, &x, &q, &x, &q, &q, &out[3]));
        OK(ctx, tsr_qmax_pool(ctx, &x, TSR_SHAPE(2, 1), NULL, &out[4]));
        OK(ctx, tsr_qavg_pool(ctx, &x, 1, TSR_SHAPE(2, 1), NULL, &out[5]));
        f.stride[0] = f.stride[1] = f.stride[3] = x.stride[0] = x.stride[1] = x.stride[3] = odd[i];
        if (round == 0 && out_odd != 0)
          for (int k = 0; k < 6; k++) {
            OK(ctx, tsr_zeros_like(ctx, &y[k], &z[k]));
            z[k].stride[0] = z[k].stride[1] = z[k].stride[3] = odd[i];
          }
      }
      for (int k = 0; k < 6; k++) {
        CHECK(test_same_elements(&y[k], &z[k]));
        tsr_release(&y[k]), tsr_release(&z[k]);
      }
    }
}

/* Layers without panels read the weights that they borrow: an output over them is as if they had been copied. */
TEST(an_output_over_the_weights) {
  tsr_ctx *const ctx = test_context();
  int8_t numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8}, memory[16] = {3, 5};
  tsr_tensor x, w, over, apart = {0};
  const tsr_quant unit = {.scale = 1, .dtype = TSR_I8};
  const tsr_qscheme scheme = {unit, unit, unit, 0};
  const tsr_conv_options options = {.groups = 2};
  tsr_qlayer layer = {0};
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I8, TSR_SHAPE(1, 2, 2, 2), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_I8, TSR_SHAPE(2, 1, 1, 1), &w));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_I8, TSR_SHAPE(1, 2, 2, 2), &over));
  OK(ctx, tsr_qconv_pack(ctx, &w, NULL, &options, &scheme, &layer));
  OK(ctx, tsr_qconv2d(ctx, &x, &layer, &apart));
  OK(ctx, tsr_qconv2d(ctx, &x, &layer, &over));
  for (int i = 0; i < 8; i++)
    CHECK(memory[i] == ((int8_t *)apart.data)[i] && memory[i] == numbers[i] * (i < 4 ? 3 : 5));
  tsr_release(&apart);
  tsr_qlayer_release(&layer);
}

TEST_MAIN(RUN(an_output_over_the_weights), RUN(ranges_give_scales_and_zero_points),
          RUN(tensors_have_ranges_whole_and_by_axis), RUN(percentiles_leave_the_outermost_numbers_out),
          RUN(multipliers_are_the_ratio_to_31_bits), RUN(quantize_and_back), RUN(requantize_scales_by_integers),
          RUN(sums_round_once), RUN(halves_go_up), RUN(biases_are_in_units_of_the_sums), RUN(pooling_is_exact),
          RUN(strides_that_mean_nothing))
