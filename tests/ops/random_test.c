/* Random numbers: the generator's known answers; distributions with fixed seeds; the same numbers whatever the
 * strides, threads, instruction set and the way that a tensor is cut; failures. */
#include "support/test.h"

#include "ops/random/elementary.h"
#include "ops/random/philox.h"
#include "support/helpers.h"

#include <math.h>

/* ---- the generator ---- */

TEST(philox_known_answers) {
  static const struct {
    uint32_t counter[4], key[2], want[4];
  } rows[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}},
      {{0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu},
       {0xffffffffu, 0xffffffffu},
       {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}},
      {{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u},
       {0xa4093822u, 0x299f31d0u},
       {0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}},
  };
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr__philox counter;
    memcpy(counter.word, rows[i].counter, sizeof counter.word);
    const tsr__philox got = tsr__philox_block(counter, rows[i].key[0], rows[i].key[1]);
    CHECK(memcmp(got.word, rows[i].want, sizeof got.word) == 0);
  }
}

/* ---- exp, log, sin, cos ---- */

static double ulps(float got, double want) {
  const float near = (float)want;
  const double step = fabs((double)nextafterf(near, INFINITY) - (double)near);
  return got == near ? 0 : fabs((double)got - want) / step;
}

TEST(elementary_functions_of_f32) {
  double worst_log = 0, worst_exp = 0, worst_turn = 0;
  for (uint32_t bits = 1; bits < 0x7f800000u; bits += 30011) {
    float x;
    memcpy(&x, &bits, sizeof x);
    worst_log = fmax(worst_log, ulps(tsr__log_f32(x), log((double)x)));
  }
  for (float x = -87; x < 88; x += 0.00173f) worst_exp = fmax(worst_exp, ulps(tsr__exp_f32(x), exp((double)x)));
  for (float part = -0.5f; part <= 0.5f; part += 1e-4f) {
    float c, s;
    tsr__sincos_quarter_f32(part, &c, &s);
    worst_turn = fmax(worst_turn, ulps(c, cos(part * 1.57079632679489661923)));
    worst_turn = fmax(worst_turn, fabs(s - sin(part * 1.57079632679489661923)) / 0x1p-24);
  }
  CHECK(worst_log <= 2 && worst_exp <= 2 && worst_turn <= 2);
  CHECK(tsr__log_f32(0) == -INFINITY && tsr__log_f32(INFINITY) == INFINITY && isnan(tsr__log_f32(NAN)));
  CHECK(tsr__exp_f32(-INFINITY) == 0 && tsr__exp_f32(INFINITY) == INFINITY && isnan(tsr__exp_f32(NAN)));
  CHECK(tsr__log_f32(1) == 0 && tsr__exp_f32(0) == 1);
}

TEST(elementary_functions_of_f64) {
#if TSR_HAVE_F64
  double worst_log = 0, worst_exp = 0, worst_turn = 0;
  for (double x = 1e-300; x < 1e300; x *= 1.0173) worst_log = fmax(worst_log, fabs(tsr__log_f64(x) / log(x) - 1));
  for (double x = 0.5; x < 2; x += 1e-4) worst_log = fmax(worst_log, fabs(tsr__log_f64(x) - log(x)));
  for (double x = -700; x < 700; x += 0.0173) worst_exp = fmax(worst_exp, fabs(tsr__exp_f64(x) / exp(x) - 1));
  for (double part = -0.5; part <= 0.5; part += 1e-4) {
    double c, s;
    tsr__sincos_quarter_f64(part, &c, &s);
    worst_turn = fmax(worst_turn, fabs(c - cos(part * 1.57079632679489661923)));
    worst_turn = fmax(worst_turn, fabs(s - sin(part * 1.57079632679489661923)));
  }
  CHECK(worst_log <= 6e-16 && worst_exp <= 6e-16 && worst_turn <= 3e-16);
  CHECK(tsr__log_f64(0) == -INFINITY && isnan(tsr__log_f64(NAN)) && tsr__log_f64(INFINITY) == INFINITY);
#else
  SKIP("no f64");
#endif
}

/* ---- distributions ---- */

#if TSR_HAVE_MALLOC
enum { MANY = 100000 };
#else
enum { MANY = 4000 };
#endif

static const int floats[] = {TSR_F32, TSR_F64, TSR_F16, TSR_BF16, TSR_F8_E4M3, TSR_F8_E5M2};

static double value_at(tsr_ctx *ctx, const tsr_tensor *t, tsr_index i) {
  tsr_real value = 0;
  if (tsr_get(ctx, t, 1, &i, &value) != TSR_OK) __builtin_trap();
  return (double)value;
}

TEST(uniform_numbers_are_even) {
  for (int d = 0; d < COUNT_OF(floats); d++) {
    if (!tsr_dtype_supported(floats[d])) continue;
    tsr_ctx *const ctx = test_context();
    tsr_rng rng = tsr_rng_seed(11);
    tsr_tensor x = {0};
    int buckets[16] = {0};
    double chi = 0;
    OK(ctx, tsr_rand_uniform(ctx, &rng, floats[d], TSR_SHAPE(MANY), -1, 3, &x));
    for (tsr_index i = 0; i < MANY; i++) {
      const double value = value_at(ctx, &x, i);
      CHECK(value >= -1 && value < 3);
      const int bucket = (int)((value + 1) * 4);
      buckets[bucket < 0 ? 0 : bucket > 15 ? 15 : bucket]++;
    }
    for (int i = 0; i < 16; i++) chi += (buckets[i] - MANY / 16.0) * (buckets[i] - MANY / 16.0) / (MANY / 16.0);
    if (floats[d] == TSR_F32 || floats[d] == TSR_F64) CHECK(chi < 37.7); /* 15 degrees of freedom: 1 in 1000 */
    CHECK(rng.counter == MANY);
    tsr_release(&x);
  }
}

TEST(uniform_never_reaches_high) {
  tsr_ctx *const ctx = test_context();
  for (int d = 0; d < COUNT_OF(floats); d++) {
    if (!tsr_dtype_supported(floats[d])) continue;
    tsr_rng rng = tsr_rng_seed(3);
    tsr_tensor x = {0};
    OK(ctx, tsr_rand_uniform(ctx, &rng, floats[d], TSR_SHAPE(1000), 1, 1.25, &x)); /* few numbers in between */
    for (tsr_index i = 0; i < 1000; i++) CHECK(value_at(ctx, &x, i) >= 1 && value_at(ctx, &x, i) < 1.25);
    OK(ctx, tsr_rand_uniform(ctx, &rng, floats[d], TSR_SHAPE(1000), -2, 0, &x));
    for (tsr_index i = 0; i < 1000; i++) CHECK(value_at(ctx, &x, i) >= -2 && value_at(ctx, &x, i) < 0);
    tsr_release(&x);
  }
}

TEST(normal_numbers_have_their_moments) {
  for (int d = 0; d < 2; d++) {
    if (!tsr_dtype_supported(floats[d])) continue;
    tsr_ctx *const ctx = test_context();
    tsr_rng rng = tsr_rng_seed(5);
    tsr_tensor x = {0};
    double sum[5] = {0}, n = MANY;
    int inside = 0, pairs = 0;
    OK(ctx, tsr_rand_normal(ctx, &rng, floats[d], TSR_SHAPE(MANY), &x));
    for (tsr_index i = 0; i < MANY; i++) {
      const double z = value_at(ctx, &x, i);
      for (int power = 1; power < 5; power++) sum[power] += pow(z, power);
      inside += fabs(z) < 1;
      if (i % 2 == 1) pairs += (z > 0) == (value_at(ctx, &x, i - 1) > 0);
      CHECK(fabs(z) < 6.7);
    }
    CHECK(fabs(sum[1] / n) < 4 / sqrt(n) && fabs(sum[2] / n - 1) < 6 / sqrt(n));
    CHECK(fabs(sum[3] / n) < 16 / sqrt(n) && fabs(sum[4] / n - 3) < 40 / sqrt(n));
    CHECK(fabs(inside / n - 0.6827) < 2 / sqrt(n) && fabs(2 * pairs / n - 0.5) < 3 / sqrt(n));
    tsr_release(&x);
    rng.counter = 0;
    tsr_tensor scaled = {0}, plain = {0};
    OK(ctx, tsr_rand_normal_scaled(ctx, &rng, floats[d], TSR_SHAPE(100), 5, 2, &scaled));
    rng.counter = 0;
    OK(ctx, tsr_rand_normal(ctx, &rng, floats[d], TSR_SHAPE(100), &plain));
    for (tsr_index i = 0; i < 100; i++)
      CHECK(fabs(value_at(ctx, &scaled, i) - (5 + 2 * value_at(ctx, &plain, i))) < 1e-5);
    tsr_release(&plain);
    tsr_release(&scaled);
  }
}

TEST(integers_are_even_and_inside) {
  static const struct {
    int dtype;
    int64_t low, high;
  } rows[] = {{TSR_I8, -128, 128},
              {TSR_U8, 0, 256},
              {TSR_I16, -5, 6},
              {TSR_U16, 65530, 65536},
              {TSR_I32, INT32_MIN, INT32_MAX},
              {TSR_U32, 0, 4294967296},
              {TSR_I64, -7, 8},
              {TSR_I64, INT64_MIN, INT64_MAX},
              {TSR_U64, 0, INT64_MAX},
              {TSR_I64, 0, 3000000000},
              {TSR_I64, 5, 6},
              {TSR_I64, -1, ((int64_t)3 << 40)}};
  for (int r = 0; r < COUNT_OF(rows); r++) {
    tsr_ctx *const ctx = test_context();
    tsr_rng rng = tsr_rng_seed(17);
    tsr_tensor x = {0}, wide = {0};
    enum { DRAWS = TSR_HAVE_MALLOC ? 3000 : 800 };
    double sum = 0;
    const double low = (double)rows[r].low, range = (double)rows[r].high - low;
    OK(ctx, tsr_rand_integers(ctx, &rng, rows[r].dtype, TSR_SHAPE(DRAWS), rows[r].low, rows[r].high, &x));
    OK(ctx, tsr_cast(ctx, &x, TSR_I64, &wide));
    for (int i = 0; i < DRAWS; i++) {
      const int64_t value = ((int64_t *)wide.data)[i];
      CHECK(value >= rows[r].low && value < rows[r].high);
      sum += ((double)value - low) / range;
    }
    const double middle = (range - 1) / (2 * range);
    CHECK(fabs(sum / DRAWS - middle) < (TSR_HAVE_MALLOC ? 0.025 : 0.05));
    tsr_release(&wide);
    tsr_release(&x);
  }
}

TEST(small_ranges_have_no_bias) {
  tsr_ctx *const ctx = test_context();
  tsr_rng rng = tsr_rng_seed(23);
  tsr_tensor x = {0};
  int counts[6] = {0};
  double chi = 0;
  enum { DRAWS = TSR_HAVE_MALLOC ? 60000 : 6000 };
  OK(ctx, tsr_rand_integers(ctx, &rng, TSR_I8, TSR_SHAPE(DRAWS), 0, 6, &x));
  for (int i = 0; i < DRAWS; i++) counts[((int8_t *)x.data)[i]]++;
  for (int i = 0; i < 6; i++) chi += (counts[i] - DRAWS / 6.0) * (counts[i] - DRAWS / 6.0) / (DRAWS / 6.0);
  CHECK(chi < 20.5); /* 5 degrees of freedom: 1 in 1000 */
  tsr_release(&x);
}

TEST(bernoulli) {
  tsr_ctx *const ctx = test_context();
  static const double chances[] = {0, 0.1, 0.5, 0.9, 1};
  for (int i = 0; i < COUNT_OF(chances); i++) {
    tsr_rng rng = tsr_rng_seed(29);
    tsr_tensor x = {0};
    int yes = 0;
    enum { DRAWS = 10000 };
    OK(ctx, tsr_rand_bernoulli(ctx, &rng, (tsr_real)chances[i], TSR_SHAPE(DRAWS), &x));
    CHECK(x.dtype == TSR_BOOL);
    for (int k = 0; k < DRAWS; k++) yes += ((uint8_t *)x.data)[k];
    CHECK(fabs(yes / (double)DRAWS - chances[i]) < 0.016);
    if (chances[i] == 0 || chances[i] == 1) CHECK(yes == (chances[i] == 1 ? DRAWS : 0));
    tsr_release(&x);
  }
}

TEST(permutations) {
  tsr_ctx *const ctx = test_context();
  tsr_rng rng = tsr_rng_seed(31);
  int first[5] = {0};
  for (tsr_index n = 0; n < 40; n++) {
    tsr_tensor x = {0};
    uint64_t seen = 0;
    OK(ctx, tsr_rand_permutation(ctx, &rng, n, &x));
    CHECK(x.ndim == 1 && x.shape[0] == n && x.dtype == (TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32));
    for (tsr_index i = 0; i < n; i++) seen |= (uint64_t)1 << ((tsr_index *)x.data)[i];
    CHECK(seen == ((uint64_t)1 << n) - 1);
    tsr_release(&x);
  }
  for (int round = 0; round < 2000; round++) {
    tsr_tensor x = {0};
    OK(ctx, tsr_rand_permutation(ctx, &rng, 5, &x));
    first[((tsr_index *)x.data)[0]]++;
    tsr_release(&x);
  }
  for (int i = 0; i < 5; i++) CHECK(first[i] > 320 && first[i] < 480);
}

/* ---- the same numbers whatever the way ---- */

typedef tsr_status draw_fn(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out);

static tsr_status draw_uniform(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape,
                               tsr_tensor *out) {
  return tsr_rand_uniform(ctx, rng, dtype, ndim, shape, -1, 2, out);
}
static tsr_status draw_small(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  return tsr_rand_integers(ctx, rng, dtype, ndim, shape, -3, 100, out);
}
static tsr_status draw_wide(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  return tsr_rand_integers(ctx, rng, dtype, ndim, shape, -3, (int64_t)5 << 40, out);
}
static tsr_status draw_bools(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  (void)dtype;
  return tsr_rand_bernoulli(ctx, rng, (tsr_real)0.3, ndim, shape, out);
}

static const struct {
  draw_fn *draw;
  int dtype;
} draws[] = {{draw_uniform, TSR_F32},    {draw_uniform, TSR_F64},    {draw_uniform, TSR_F16},
             {tsr_rand_normal, TSR_F32}, {tsr_rand_normal, TSR_F64}, {tsr_rand_normal, TSR_BF16},
             {draw_small, TSR_I16},      {draw_wide, TSR_I64},       {draw_bools, TSR_BOOL}};

TEST(same_numbers_whatever_the_strides) {
  tsr_ctx *const ctx = test_context();
  for (int d = 0; d < COUNT_OF(draws); d++)
    for (int l = 0; l < test_layout_count(); l++) {
      static test_buffer buffer;
      const test_layout *const layout = test_layout_at(l);
      tsr_tensor out = test_over(&buffer, draws[d].dtype, layout), plain = {0};
      tsr_rng a = tsr_rng_stream(1, 4), b = a;
      if (layout->overlaps || !tsr_dtype_supported(draws[d].dtype)) continue;
      a.counter = b.counter = 7;
      OK(ctx, draws[d].draw(ctx, &a, draws[d].dtype, layout->ndim, layout->shape, &out));
      OK(ctx, draws[d].draw(ctx, &b, draws[d].dtype, layout->ndim, layout->shape, &plain));
      CHECK(test_same_elements(&out, &plain) && a.counter == b.counter);
      tsr_release(&plain);
    }
  CHECK(test_live() == 0);
}

TEST(same_numbers_however_they_are_cut) {
  tsr_ctx *const ctx = test_context();
  enum { ALL_OF_THEM = 300 };
  for (int d = 0; d < COUNT_OF(draws); d++) {
    if (!tsr_dtype_supported(draws[d].dtype)) continue;
    tsr_rng a = tsr_rng_seed(9), b = a;
    tsr_tensor whole = {0}, parts = {0};
    OK(ctx, draws[d].draw(ctx, &a, draws[d].dtype, TSR_SHAPE(ALL_OF_THEM), &whole));
    OK(ctx, tsr_empty(ctx, draws[d].dtype, TSR_SHAPE(ALL_OF_THEM), &parts));
    for (tsr_index at = 0, n = 1; at < ALL_OF_THEM; at += n, n = n * 2 + 1) {
      tsr_tensor part = {0};
      if (n > ALL_OF_THEM - at) n = ALL_OF_THEM - at;
      OK(ctx, tsr_slice(ctx, &parts, 0, at, at + n, 1, &part));
      OK(ctx, draws[d].draw(ctx, &b, draws[d].dtype, TSR_SHAPE(n), &part));
    }
    CHECK(test_same_elements(&whole, &parts) && a.counter == b.counter);
    tsr_release(&parts);
    tsr_release(&whole);
  }
}

TEST(same_numbers_on_every_isa_and_thread_count) {
  if (!TSR_HAVE_THREADS) SKIP("no threads");
  tsr_ctx *const ctx = test_context();
  OK(ctx, tsr_context_set_isa(ctx, "base"));
  ctx->parallel = tsr_parallel_serial();
  for (int count = 1; count <= 8; count++) {
    tsr_threads *pool;
    tsr_ctx other = *ctx;
    const char *const isa = tsr_isa_name(count % 3);
    REQUIRE(tsr_threads_new(count, &pool) == TSR_OK);
    if (isa != NULL) OK(&other, tsr_context_set_isa(&other, isa));
    other.parallel = tsr_threads_parallel(pool);
    for (int d = 0; d < COUNT_OF(draws); d++) {
      tsr_rng a = tsr_rng_stream(77, 1), b = a;
      tsr_tensor x = {0}, y = {0};
      OK(ctx, draws[d].draw(ctx, &a, draws[d].dtype, TSR_SHAPE(123, 217), &x));
      OK(&other, draws[d].draw(&other, &b, draws[d].dtype, TSR_SHAPE(123, 217), &y));
      CHECK(test_same_elements(&x, &y));
      tsr_release(&x);
      tsr_release(&y);
    }
    tsr_threads_release(pool);
  }
  CHECK(test_live() == 0);
}

TEST(seeds_streams_and_widths_differ) {
  tsr_ctx *const ctx = test_context();
  tsr_rng rngs[4] = {tsr_rng_seed(1), tsr_rng_seed(2), tsr_rng_stream(1, 1), tsr_rng_seed((uint64_t)1 << 40)};
  tsr_tensor x[4] = {{0}};
  for (int i = 0; i < 4; i++) OK(ctx, tsr_rand_uniform(ctx, &rngs[i], TSR_F32, TSR_SHAPE(64), 0, 1, &x[i]));
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++) {
      int equal = 0;
      for (int k = 0; k < 64; k++) equal += ((float *)x[i].data)[k] == ((float *)x[j].data)[k];
      CHECK(equal == 0);
    }
  for (int i = 0; i < 4; i++) tsr_release(&x[i]);
}

/* The numbers are part of the contract: they never change between versions. */
TEST(the_numbers_themselves) {
  tsr_ctx *const ctx = test_context();
  tsr_rng rng = tsr_rng_seed(0);
  tsr_tensor x = {0};
  OK(ctx, tsr_rand_uniform(ctx, &rng, TSR_F32, TSR_SHAPE(4), 0, 1, &x));
  const float want[4] = {(float)(0x6627e8d5u >> 8) * 0x1p-24f, (float)(0xe169c58du >> 8) * 0x1p-24f,
                         (float)(0xbc57ac4cu >> 8) * 0x1p-24f, (float)(0x9b00dbd8u >> 8) * 0x1p-24f};
  CHECK(memcmp(x.data, want, sizeof want) == 0);
  tsr_release(&x);
}

/* ---- failures ---- */

TEST(bad_calls_say_what_is_wrong) {
  tsr_ctx *const ctx = test_context();
  tsr_rng rng = tsr_rng_seed(1);
  tsr_tensor out = {0}, wrong = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3), &wrong));
  FAILS(ctx, TSR_EARG, tsr_rand_uniform(ctx, NULL, TSR_F32, TSR_SHAPE(4), 0, 1, &out));
  MESSAGE_HAS(ctx, "rand_uniform: rng is NULL");
  FAILS(ctx, TSR_EDTYPE, tsr_rand_uniform(ctx, &rng, TSR_I32, TSR_SHAPE(4), 0, 1, &out));
  MESSAGE_HAS(ctx, "dtype is i32; these numbers are floats");
  FAILS(ctx, TSR_EDTYPE, tsr_rand_normal(ctx, &rng, 99, TSR_SHAPE(4), &out));
  FAILS(ctx, TSR_EARG, tsr_rand_uniform(ctx, &rng, TSR_F32, TSR_SHAPE(4), 1, 1, &out));
  MESSAGE_HAS(ctx, "is not less than high");
  FAILS(ctx, TSR_EARG, tsr_rand_uniform(ctx, &rng, TSR_F32, TSR_SHAPE(4), 0, (tsr_real)INFINITY, &out));
  MESSAGE_HAS(ctx, "high is inf");
  FAILS(ctx, TSR_EARG, tsr_rand_uniform(ctx, &rng, TSR_F32, TSR_SHAPE(4), (tsr_real)-3e38f, (tsr_real)3e38f, &out));
  MESSAGE_HAS(ctx, "overflows");
  FAILS(ctx, TSR_EARG, tsr_rand_normal_scaled(ctx, &rng, TSR_F32, TSR_SHAPE(4), 0, -1, &out));
  MESSAGE_HAS(ctx, "std is -1");
  FAILS(ctx, TSR_EARG, tsr_rand_normal_scaled(ctx, &rng, TSR_F32, TSR_SHAPE(4), (tsr_real)NAN, 1, &out));
  MESSAGE_HAS(ctx, "mean is nan");
  FAILS(ctx, TSR_EDTYPE, tsr_rand_integers(ctx, &rng, TSR_F32, TSR_SHAPE(4), 0, 9, &out));
  MESSAGE_HAS(ctx, "dtype is f32; these numbers are integers");
  FAILS(ctx, TSR_EARG, tsr_rand_integers(ctx, &rng, TSR_I8, TSR_SHAPE(4), 5, 5, &out));
  MESSAGE_HAS(ctx, "low 5 is not less than high 5");
  FAILS(ctx, TSR_ERANGE, tsr_rand_integers(ctx, &rng, TSR_I8, TSR_SHAPE(4), 0, 129, &out));
  FAILS(ctx, TSR_ERANGE, tsr_rand_integers(ctx, &rng, TSR_U8, TSR_SHAPE(4), -1, 10, &out));
  FAILS(ctx, TSR_EARG, tsr_rand_bernoulli(ctx, &rng, (tsr_real)1.5, TSR_SHAPE(4), &out));
  MESSAGE_HAS(ctx, "p is 1.5");
  FAILS(ctx, TSR_EARG, tsr_rand_permutation(ctx, &rng, -1, &out));
  MESSAGE_HAS(ctx, "n is -1");
  FAILS(ctx, TSR_ESHAPE, tsr_rand_normal(ctx, &rng, TSR_F32, TSR_SHAPE(4), &wrong));
  FAILS(ctx, TSR_EARG, tsr_rand_normal(ctx, &rng, TSR_F32, TSR_SHAPE(4), NULL));
  CHECK(rng.counter == 0 && tsr_is_none(&out)); /* nothing was drawn */
  tsr_release(&wrong);
}

TEST_MAIN(RUN(philox_known_answers), RUN(elementary_functions_of_f32), RUN(elementary_functions_of_f64),
          RUN(uniform_numbers_are_even), RUN(uniform_never_reaches_high), RUN(normal_numbers_have_their_moments),
          RUN(integers_are_even_and_inside), RUN(small_ranges_have_no_bias), RUN(bernoulli), RUN(permutations),
          RUN(same_numbers_whatever_the_strides), RUN(same_numbers_however_they_are_cut),
          RUN(same_numbers_on_every_isa_and_thread_count), RUN(seeds_streams_and_widths_differ),
          RUN(the_numbers_themselves), RUN(bad_calls_say_what_is_wrong))
