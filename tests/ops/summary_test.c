/* tsr_summarize and tsr_compare: every dtype and layout against naive references, the same bits whatever the
 * instruction set, the threads and the strides; NaN, infinities, offsets; failures. */
#include "support/test.h"

#include "support/helpers.h"

#include <math.h>

/* Enough for several stretches and a tail on a host. */
enum { MANY = TSR_HAVE_MALLOC ? (3 << 18) + 4096 + 77 : 777 };

static float many_a[MANY], many_b[MANY];

static const int dtypes[] = {TSR_BOOL, TSR_I8,  TSR_I16, TSR_I32, TSR_I64,  TSR_U8,      TSR_U16,    TSR_U32,
                             TSR_U64,  TSR_F16, TSR_F32, TSR_F64, TSR_BF16, TSR_F8_E4M3, TSR_F8_E5M2};

static tsr_real number_at(tsr_ctx *ctx, const tsr_tensor *t, tsr_index i) {
  tsr_real value = 0;
  OK(ctx, tsr_get_flat(ctx, t, i, TSR_ROW_MAJOR, &value));
  return value;
}

static bool near(tsr_real got, tsr_real want, tsr_real scale) {
  const tsr_real u = TSR_REAL_BITS == 64 ? (tsr_real)1e-12 : (tsr_real)1e-5;
  return (isnan(got) && isnan(want)) || fabs((double)(got - want)) <= (double)(u * (1 + scale));
}

/* ---- summaries ---- */

/* By the definition: two passes over numbers one at a time. */
static tsr_summary summary_of(tsr_ctx *ctx, const tsr_tensor *t) {
  tsr_summary s = {.count = tsr_size(t), .min = INFINITY, .max = -INFINITY};
  double sum = 0, square = 0, finite = 0;
  for (tsr_index i = 0; i < tsr_size(t); i++) {
    const tsr_real x = number_at(ctx, t, i);
    s.zeros += x == 0;
    s.nans += isnan(x) != 0;
    s.infs += isinf(x) != 0;
    if (!isfinite(x)) continue;
    s.min = x < s.min ? x : s.min;
    s.max = x > s.max ? x : s.max;
    sum += (double)x;
    finite++;
  }
  s.mean = (tsr_real)(sum / finite);
  for (tsr_index i = 0; i < tsr_size(t); i++) {
    const double d = (double)number_at(ctx, t, i) - sum / finite;
    if (isfinite(d)) square += d * d;
  }
  s.std = (tsr_real)sqrt(square / finite);
  if (finite == 0) s.min = s.max = s.mean = s.std = NAN;
  return s;
}

static void check_summary(tsr_ctx *ctx, const tsr_tensor *t) {
  const tsr_summary want = summary_of(ctx, t);
  tsr_summary got = {0};
  OK(ctx, tsr_summarize(ctx, t, &got));
  CHECK(got.count == want.count && got.zeros == want.zeros && got.nans == want.nans && got.infs == want.infs);
  CHECK(near(got.min, want.min, 0) && near(got.max, want.max, 0));
  const tsr_real scale = (tsr_real)(fabs((double)want.mean) + (double)want.std);
  CHECK(near(got.mean, want.mean, scale) && near(got.std, want.std, scale));
}

TEST(every_dtype_and_layout_has_the_summary_of_its_elements) {
  tsr_ctx *ctx = test_context();
  test_rng rng = {1};
  for (int d = 0; d < COUNT_OF(dtypes); d++)
    for (int i = 0; i < test_layout_count(); i++) {
      static test_buffer buffer;
      tsr_tensor t = {0};
      if (!tsr_dtype_supported(dtypes[d])) continue;
      for (int k = 0; k < TEST_ELEMENTS; k++)
        test_encode(dtypes[d], (int)test_between(&rng, 0, dtypes[d] == TSR_BOOL ? 1 : 7),
                    buffer.bytes + (size_t)k * tsr_dtype_size(dtypes[d]));
      t = test_over(&buffer, dtypes[d], test_layout_at(i));
      for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
        OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
        check_summary(ctx, &t);
      }
    }
}

/* Numbers of many sizes, with NaN, infinities and zeros between them. */
static void fill_many(float *x, uint64_t seed) {
  test_rng rng = {seed};
  for (int i = 0; i < MANY; i++) {
    const uint32_t r = test_random(&rng);
    x[i] = ((float)(int32_t)r) * 0x1p-28f;
    if (r % 97 == 0) x[i] = 0;
    if (r % 1009 == 1) x[i] = NAN;
    if (r % 1013 == 2) x[i] = r & 4096 ? INFINITY : -INFINITY;
  }
}

static tsr_tensor row_of(tsr_ctx *ctx, float *x, tsr_index n) {
  tsr_tensor t = {0};
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, 1, &n, &t));
  return t;
}

TEST(any_length_has_the_summary_of_its_elements) {
  static const tsr_index lengths[] = {
      0, 1, 2, 15, 16, 17, 31, 100, 777, 4095, 4096, 4097, 65536, 1 << 18, (1 << 18) + 1, MANY};
  tsr_ctx *ctx = test_context();
  fill_many(many_a, 2);
  for (int i = 0; i < COUNT_OF(lengths); i++) {
    if (lengths[i] > MANY) continue;
    const tsr_tensor t = row_of(ctx, many_a, lengths[i]);
    for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      check_summary(ctx, &t);
    }
  }
}

TEST(all_that_is_not_finite_has_no_mean) {
  tsr_ctx *ctx = test_context();
  for (int i = 0; i < 777; i++) many_a[i] = i % 3 == 0 ? NAN : INFINITY;
  const tsr_tensor t = row_of(ctx, many_a, 777);
  check_summary(ctx, &t);
  many_a[700] = -3; /* one number behind many that are none */
  check_summary(ctx, &t);
}

/* A mean a million times the deviation: sums of squares alone would lose all of it. */
TEST(a_large_mean_does_not_spoil_the_deviation) {
#if TSR_REAL_BITS == 64
  tsr_ctx *ctx = test_context();
  tsr_summary s = {0};
  for (int i = 0; i < MANY; i++) many_a[i] = 1048576.0f + (float)(i % 2);
  const tsr_tensor t = row_of(ctx, many_a, MANY - 1);
  OK(ctx, tsr_summarize(ctx, &t, &s));
  CHECK(fabs(s.std - 0.5) < 1e-11 && fabs(s.mean - 1048576.5) < 1e-9);
#else
  SKIP("float has no room for it");
#endif
}

static bool same_summary(const tsr_summary *a, const tsr_summary *b) { return memcmp(a, b, sizeof *a) == 0; }

TEST(bits_depend_on_no_instruction_set_thread_or_stride) {
  tsr_ctx *ctx = test_context();
  tsr_tensor t = {0}, wide = {0}, turned = {0};
  tsr_summary first = {0}, got = {0};
  fill_many(many_a, 3);
  for (int i = 0; i < MANY; i++) many_b[i] = 0;
  const tsr_index n = MANY / 2, two = 2;
  for (tsr_index i = 0; i < n; i++) many_b[2 * i] = many_a[i]; /* the same numbers, every other element */
  t = row_of(ctx, many_a, n);
  OK(ctx, tsr_summarize(ctx, &t, &first));
  wide = row_of(ctx, many_b, 2 * n);
  OK(ctx, tsr_as_strided(ctx, &wide, 1, &n, &two, 0, &turned));
  tsr_threads *pool = NULL;
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int threads = 1; threads <= (TSR_HAVE_THREADS ? 3 : 1); threads++) {
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      OK(ctx, tsr_threads_new(threads, &pool));
      ctx->parallel = tsr_threads_parallel(pool);
      OK(ctx, tsr_summarize(ctx, &t, &got));
      CHECK(same_summary(&got, &first));
      OK(ctx, tsr_summarize(ctx, &turned, &got));
      CHECK(same_summary(&got, &first));
      ctx->parallel = NULL;
      tsr_threads_release(pool);
    }
}

/* ---- comparisons ---- */

static bool is_close(tsr_real a, tsr_real b, tsr_real rtol, tsr_real atol) {
  if (a == b || (isnan(a) && isnan(b))) return true;
  const tsr_real d = a > b ? a - b : b - a, part = rtol * (b < 0 ? -b : b);
  return isfinite(d) && d <= atol + part;
}

static tsr_difference difference_of(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_real rtol,
                                    tsr_real atol) {
  tsr_difference d = {.count = tsr_size(a), .first = -1};
  for (tsr_index i = 0; i < tsr_size(a); i++) {
    const tsr_real x = number_at(ctx, a, i), y = number_at(ctx, b, i);
    const bool close = is_close(x, y, rtol, atol);
    d.unequal += !close;
    if (!close && d.first < 0) d.first = i;
    d.nans += isnan(x) != isnan(y);
    if (isnan(x) || isnan(y) || x == y) continue;
    const tsr_real away = x > y ? x - y : y - x, share = away / (y < 0 ? -y : y);
    d.max_abs = away > d.max_abs ? away : d.max_abs;
    d.max_rel = share > d.max_rel ? share : d.max_rel;
  }
  return d;
}

static bool alike(tsr_real got, tsr_real want) {
  return got == want || fabs((double)(got - want)) <= 1e-6 * fabs((double)want);
}

static void check_difference(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_real rtol, tsr_real atol) {
  const tsr_difference want = difference_of(ctx, a, b, rtol, atol);
  tsr_difference got = {0};
  OK(ctx, tsr_compare(ctx, a, b, rtol, atol, &got));
  CHECK(got.count == want.count && got.unequal == want.unequal && got.first == want.first && got.nans == want.nans);
  CHECK(alike(got.max_abs, want.max_abs) && alike(got.max_rel, want.max_rel));
}

TEST(every_pair_of_dtypes_and_layouts_differs_as_its_elements) {
  tsr_ctx *ctx = test_context();
  test_rng rng = {5};
  for (int d = 0; d < COUNT_OF(dtypes) * COUNT_OF(dtypes); d++) {
    const int of_a = dtypes[d / COUNT_OF(dtypes)], of_b = dtypes[d % COUNT_OF(dtypes)];
    if (!tsr_dtype_supported(of_a) || !tsr_dtype_supported(of_b)) continue;
    for (int i = 0; i < test_layout_count(); i++) {
      static test_buffer at_a, at_b;
      for (int k = 0; k < TEST_ELEMENTS; k++) {
        const int value = (int)test_between(&rng, 0, of_a == TSR_BOOL || of_b == TSR_BOOL ? 1 : 7);
        const int other = test_between(&rng, 0, 9) == 0 ? 1 : value;
        test_encode(of_a, value, at_a.bytes + (size_t)k * tsr_dtype_size(of_a));
        test_encode(of_b, other, at_b.bytes + (size_t)k * tsr_dtype_size(of_b));
      }
      const tsr_tensor a = test_over(&at_a, of_a, test_layout_at(i)), b = test_over(&at_b, of_b, test_layout_at(i));
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(i % 3 < 2 && tsr_isa_name(1) != NULL ? i % 2 : 0)));
      check_difference(ctx, &a, &b, 0, 0);
      check_difference(ctx, &a, &b, (tsr_real)0.25, 1);
      check_difference(ctx, &a, &a, 0, 0);
    }
  }
}

TEST(the_first_difference_is_found_wherever_it_is) {
  tsr_ctx *ctx = test_context();
  fill_many(many_a, 4);
  for (int i = 0; i < MANY; i++) many_b[i] = many_a[i];
  const tsr_tensor a = row_of(ctx, many_a, MANY), b = row_of(ctx, many_b, MANY);
  check_difference(ctx, &a, &b, 0, 0);
  static const int places[] = {MANY - 1, MANY - 2, 500, 17, 0};
  for (int i = 0; i < COUNT_OF(places); i++) {
    many_b[places[i]] = 12345; /* each before all that came so far */
    for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      check_difference(ctx, &a, &b, 0, 0);
      check_difference(ctx, &a, &b, (tsr_real)0.5, (tsr_real)0.001);
    }
  }
}

TEST(ulps_count_the_numbers_between) {
  static const float x[] = {1, -0.0f, 0x1p-149f, 1, INFINITY, NAN, -1};
  static const float y[] = {1.0000001f, 0, -0x1p-149f, 1, INFINITY, NAN, -1.0000002f};
  static const uint64_t want[] = {1, 0, 2, 0, 0, 0, 2};
  tsr_ctx *ctx = test_context();
  for (int i = 0; i < COUNT_OF(x); i++) {
    tsr_difference d = {0};
    float at_a = x[i], at_b = y[i];
    const tsr_tensor a = row_of(ctx, &at_a, 1), b = row_of(ctx, &at_b, 1);
    OK(ctx, tsr_compare(ctx, &a, &b, 0, 0, &d));
    CHECK(d.max_ulp == want[i]);
  }
}

/* Of one and two bytes: neighbours by their bits are one apart, subnormal or not; NaN is not counted. */
TEST(ulps_of_small_floats_are_their_own) {
  static const struct {
    int dtype;
    uint16_t a, b;
    uint64_t want;
  } cases[] = {{TSR_F16, 0x0001, 0x0002, 1}, {TSR_F16, 0x3c00, 0x3c05, 5},  {TSR_F16, 0x8001, 0x0001, 2},
               {TSR_F16, 0x7e00, 0x3c00, 0}, {TSR_BF16, 0x3f80, 0x3f83, 3}, {TSR_BF16, 0x0001, 0x0003, 2},
               {TSR_F8_E5M2, 0x3c, 0x3d, 1}, {TSR_F8_E4M3, 0x7e, 0x70, 14}, {TSR_F8_E4M3, 0x7f, 0x70, 0},
               {TSR_F8_E5M2, 0x7d, 0x3d, 0}};
  tsr_ctx *ctx = test_context();
  for (int i = 0; i < COUNT_OF(cases); i++) {
    const tsr_index one = 1;
    const uint8_t a8 = (uint8_t)cases[i].a, b8 = (uint8_t)cases[i].b;
    const bool wide = tsr_dtype_size(cases[i].dtype) == 2;
    tsr_tensor a = {0}, b = {0};
    tsr_difference d = {0};
    if (!tsr_dtype_supported(cases[i].dtype)) continue;
    OK(ctx, tsr_from_const_memory(ctx, wide ? (const void *)&cases[i].a : &a8, cases[i].dtype, 1, &one, &a));
    OK(ctx, tsr_from_const_memory(ctx, wide ? (const void *)&cases[i].b : &b8, cases[i].dtype, 1, &one, &b));
    OK(ctx, tsr_compare(ctx, &a, &b, 0, 0, &d));
    CHECK(d.max_ulp == cases[i].want);
  }
}

/* Of two dtypes: numbers of f32, or of f64. 1/3 as f16 is 0x3555 = 0.33325195; as f32 it is 0x3eaaa000, 1/3 0x3eaaaaab.
 */
TEST(ulps_of_two_float_dtypes_are_those_of_the_wider) {
  static const float x[] = {1.0f / 3, 1};
  static const uint16_t half[] = {0x3555, 0x3c00};
  tsr_ctx *ctx = test_context();
  tsr_tensor a = {0}, b = {0};
  tsr_difference d = {0};
  if (!tsr_dtype_supported(TSR_F16)) SKIP("f16 is not in this build");
  OK(ctx, tsr_from_const_memory(ctx, x, TSR_F32, TSR_SHAPE(2), &a));
  OK(ctx, tsr_from_const_memory(ctx, half, TSR_F16, TSR_SHAPE(2), &b));
  OK(ctx, tsr_compare(ctx, &a, &b, 0, 0, &d));
  CHECK(d.unequal == 1 && d.max_ulp == 0x3eaaaaabu - 0x3eaaa000u);
  OK(ctx, tsr_compare(ctx, &b, &a, 0, 0, &d));
  CHECK(d.unequal == 1 && d.max_ulp == 0x3eaaaaabu - 0x3eaaa000u);
#if TSR_HAVE_F64
  const double wide[] = {1.0 / 3, 1};
  OK(ctx, tsr_from_const_memory(ctx, wide, TSR_F64, TSR_SHAPE(2), &b));
  OK(ctx, tsr_compare(ctx, &a, &b, 0, 0, &d));
  CHECK(d.unequal == 1 && d.max_ulp == 0x3fd5555560000000u - 0x3fd5555555555555u);
#endif
  const int32_t whole[] = {1, 2};
  OK(ctx, tsr_from_const_memory(ctx, whole, TSR_I32, TSR_SHAPE(2), &b));
  OK(ctx, tsr_compare(ctx, &a, &b, 0, 0, &d));
  CHECK(d.unequal == 2 && d.max_ulp == 0);
}

/* 2^53 and 2^53 + 1 are one double, and two integers. */
TEST(integers_of_64_bits_are_compared_exactly) {
  tsr_ctx *ctx = test_context();
  const int64_t at_a[] = {INT64_MIN, 9007199254740993, -1}, at_b[] = {INT64_MAX, 9007199254740992, -1};
  tsr_tensor a = {0}, b = {0};
  tsr_difference d = {0};
  OK(ctx, tsr_from_const_memory(ctx, at_a, TSR_I64, TSR_SHAPE(3), &a));
  OK(ctx, tsr_from_const_memory(ctx, at_b, TSR_I64, TSR_SHAPE(3), &b));
  OK(ctx, tsr_compare(ctx, &a, &b, 0, 0, &d));
  CHECK(d.unequal == 2 && d.first == 0 && d.max_abs == (tsr_real)18446744073709551615.0);
  OK(ctx, tsr_narrow(ctx, &a, 0, 1, 1, &a));
  OK(ctx, tsr_narrow(ctx, &b, 0, 1, 1, &b));
  OK(ctx, tsr_compare(ctx, &a, &b, 0, 0, &d));
  CHECK(d.unequal == 1 && d.max_abs == 1);
  OK(ctx, tsr_compare(ctx, &a, &b, 0, 1, &d));
  CHECK(d.unequal == 0 && d.first == -1);
}

TEST(bad_tolerances_and_shapes_are_refused) {
  tsr_ctx *ctx = test_context();
  tsr_difference d = {.count = 7};
  const tsr_tensor a = row_of(ctx, many_a, 3), b = row_of(ctx, many_b, 4);
  FAILS(ctx, TSR_ESHAPE, tsr_compare(ctx, &a, &b, 0, 0, &d));
  MESSAGE_HAS(ctx, "compare: b f32 [4] has not the shape of a, f32 [3]");
  FAILS(ctx, TSR_EARG, tsr_compare(ctx, &a, &a, -1, 0, &d));
  FAILS(ctx, TSR_EARG, tsr_compare(ctx, &a, &a, 0, NAN, &d));
  MESSAGE_HAS(ctx, "atol");
  CHECK(d.count == 7);
}

TEST_MAIN(RUN(every_dtype_and_layout_has_the_summary_of_its_elements), RUN(any_length_has_the_summary_of_its_elements),
          RUN(all_that_is_not_finite_has_no_mean), RUN(a_large_mean_does_not_spoil_the_deviation),
          RUN(bits_depend_on_no_instruction_set_thread_or_stride),
          RUN(every_pair_of_dtypes_and_layouts_differs_as_its_elements),
          RUN(the_first_difference_is_found_wherever_it_is), RUN(ulps_count_the_numbers_between),
          RUN(ulps_of_small_floats_are_their_own), RUN(ulps_of_two_float_dtypes_are_those_of_the_wider),
          RUN(integers_of_64_bits_are_compared_exactly), RUN(bad_tolerances_and_shapes_are_refused))
