/* tsr_equal and tsr_allclose. */
#include "support/test.h"

#include <math.h>
#include <tessera/tessera.h>

static tsr_tensor row_of(const void *data, int dtype, tsr_index n) {
  tsr_tensor t = {0};
  OK(NULL, tsr_from_const_memory(NULL, data, dtype, TSR_SHAPE(n), &t));
  return t;
}

/* Equality of two rows, asked both ways round. */
static int equals(const tsr_tensor *a, const tsr_tensor *b) {
  bool one = false, other = false;
  OK(NULL, tsr_equal(NULL, a, b, &one));
  OK(NULL, tsr_equal(NULL, b, a, &other));
  CHECK(one == other);
  return one;
}

static int is_close(const tsr_tensor *a, const tsr_tensor *b, tsr_real rtol, tsr_real atol, bool nan_equal) {
  bool close = false;
  OK(NULL, tsr_allclose(NULL, a, b, rtol, atol, nan_equal, &close));
  return close;
}

/* One element against one element. */
static int same(int a_dtype, const void *a, int b_dtype, const void *b) {
  const tsr_tensor x = row_of(a, a_dtype, 1), y = row_of(b, b_dtype, 1);
  return equals(&x, &y);
}

/* ---- equality ---- */

TEST(equal_of_integers_and_floats_is_exact) {
  const int32_t i = 16777217, small = 3;
  const float rounded = 16777216.0f, three = 3.0f, half = 3.5f, big = 9223372036854775808.0f;
  const int64_t i_max = INT64_MAX, i_min = INT64_MIN, minus = -1;
  const uint64_t u_max = UINT64_MAX, u_big = (uint64_t)1 << 63;
  const float u_end = 18446744073709551616.0f, minus_big = -big;
  CHECK(!same(TSR_I32, &i, TSR_F32, &rounded));
  CHECK(same(TSR_I32, &small, TSR_F32, &three));
  CHECK(!same(TSR_I32, &small, TSR_F32, &half));
  CHECK(!same(TSR_I64, &i_max, TSR_F32, &big));
  CHECK(same(TSR_I64, &i_min, TSR_F32, &minus_big));
  CHECK(same(TSR_U64, &u_big, TSR_F32, &big));
  CHECK(!same(TSR_U64, &u_max, TSR_F32, &u_end));
  CHECK(!same(TSR_I64, &minus, TSR_U64, &u_max));
  CHECK(!same(TSR_I64, &i_min, TSR_U64, &u_big));
#if TSR_HAVE_F64
  const int64_t odd = ((int64_t)1 << 53) + 1;
  const double even = 9007199254740992.0, tenth = 0.1;
  const float tenth_f32 = 0.1f;
  CHECK(!same(TSR_I64, &odd, TSR_F64, &even));
  CHECK(!same(TSR_F32, &tenth_f32, TSR_F64, &tenth));
#endif
}

TEST(equal_knows_nan_and_signed_zero) {
  const float nan_value = NAN, zero = 0.0f, minus_zero = -0.0f, infinity = INFINITY, minus_infinity = -INFINITY;
  const int8_t nothing = 0;
  const uint8_t yes = 1, one = 1;
  CHECK(!same(TSR_F32, &nan_value, TSR_F32, &nan_value));
  CHECK(same(TSR_F32, &zero, TSR_F32, &minus_zero));
  CHECK(same(TSR_I8, &nothing, TSR_F32, &minus_zero));
  CHECK(same(TSR_F32, &infinity, TSR_F32, &infinity));
  CHECK(!same(TSR_F32, &infinity, TSR_F32, &minus_infinity));
  CHECK(!same(TSR_I8, &nothing, TSR_F32, &nan_value));
  CHECK(same(TSR_BOOL, &yes, TSR_U8, &one));
#if TSR_HAVE_SMALL_FLOATS
  const uint16_t f16_infinity = 0x7c00, f16_third = 0x3555;
  const float third = 1.0f / 3;
  CHECK(same(TSR_F16, &f16_infinity, TSR_F32, &infinity));
  CHECK(!same(TSR_F16, &f16_third, TSR_F32, &third));
#endif
}

TEST(equal_of_complex) {
#if TSR_HAVE_COMPLEX
  const float a[2] = {3, 0}, b[2] = {3, 1}, with_nan[2] = {3, NAN}, large[2] = {16777216, 0};
  const int32_t three = 3, odd = 16777217;
  const uint64_t u_three = 3;
  const float f_three = 3;
  CHECK(same(TSR_C64, a, TSR_I32, &three));
  CHECK(same(TSR_C64, a, TSR_U64, &u_three));
  CHECK(same(TSR_C64, a, TSR_F32, &f_three));
  CHECK(!same(TSR_C64, b, TSR_I32, &three));
  CHECK(!same(TSR_C64, b, TSR_U64, &u_three));
  CHECK(!same(TSR_C64, b, TSR_F32, &f_three));
  CHECK(!same(TSR_C64, large, TSR_I32, &odd));
  CHECK(same(TSR_C64, b, TSR_C64, b));
  CHECK(!same(TSR_C64, a, TSR_C64, b));
  CHECK(!same(TSR_C64, with_nan, TSR_C64, with_nan));
#if TSR_HAVE_F64
  const double c[2] = {3, 1};
  CHECK(same(TSR_C64, b, TSR_C128, c));
#endif
#else
  SKIP("no complex dtypes in this configuration");
#endif
}

TEST(equal_walks_any_strides) {
  enum { ROWS = 5, COLS = 141 }; /* a row is more than two blocks */
  static float a[ROWS][COLS];
  static int16_t b[COLS][ROWS * 2];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++) {
      a[i][j] = (float)(i * 1000 + j);
      b[COLS - 1 - j][2 * i] = (int16_t)(i * 1000 + j);
      b[COLS - 1 - j][2 * i + 1] = -1;
    }
  tsr_tensor x = {0}, y = {0};
  OK(NULL, tsr_from_memory(NULL, a, TSR_F32, TSR_SHAPE(ROWS, COLS), &x));
  y = (tsr_tensor){.dtype = TSR_I16, .ndim = 2, .shape = {ROWS, COLS}, .stride = {2, -ROWS * 2}, .data = b[COLS - 1]};
  CHECK(equals(&x, &y));
  CHECK(is_close(&x, &y, 0, 0, false));
  static const int spots[][2] = {{0, 0}, {0, 63}, {0, 64}, {4, 140}, {2, 128}};
  for (int i = 0; i < 5; i++) {
    float *const spot = &a[spots[i][0]][spots[i][1]];
    *spot += 1;
    CHECK(!equals(&x, &y));
    CHECK(!is_close(&x, &y, 0, (tsr_real)0.5, false));
    CHECK(is_close(&x, &y, 0, 1, false));
    *spot -= 1;
  }
}

TEST(equal_walks_every_rank) {
  static int32_t values[2 * 3 * 4 * 5];
  static int64_t reversed[4][3 * 5 * 2];
  for (int i = 0; i < 120; i++) values[i] = i;
  tsr_tensor x = {0}, y = {.dtype = TSR_I64, .ndim = 4, .shape = {2, 3, 4, 5}, .data = reversed};
  const tsr_index strides[4] = {1, 2, 30, 6};
  OK(NULL, tsr_from_memory(NULL, values, TSR_I32, TSR_SHAPE(2, 3, 4, 5), &x));
  for (int i = 0; i < 4; i++) y.stride[i] = strides[i];
  for (int i = 0; i < 120; i++) {
    const tsr_index at = i / 60 + i / 20 % 3 * 2 + i / 5 % 4 * 30 + i % 5 * 6;
    (&reversed[0][0])[at] = i;
  }
  CHECK(equals(&x, &y));
  for (int i = 0; i < 120; i++) {
    values[i]++;
    CHECK(!equals(&x, &y));
    values[i]--;
  }
  tsr_tensor scalar = {0}, repeated = {.dtype = TSR_I32, .ndim = 3, .shape = {2, 3, 4}, .data = values};
  OK(NULL, tsr_from_memory(NULL, values, TSR_I32, 0, NULL, &scalar));
  CHECK(equals(&scalar, &scalar));
  CHECK(!equals(&scalar, &repeated)); /* another rank */
  CHECK(equals(&repeated, &repeated));
}

TEST(shapes_that_differ_are_not_equal_and_no_error) {
  const float v[6] = {0};
  tsr_tensor a = row_of(v, TSR_F32, 6), b = row_of(v, TSR_F32, 5), c = {0}, none = {0}, other_none = {0};
  OK(NULL, tsr_from_const_memory(NULL, v, TSR_F32, TSR_SHAPE(2, 3), &c));
  OK(NULL, tsr_from_const_memory(NULL, v, TSR_F32, TSR_SHAPE(2, 0), &none));
  OK(NULL, tsr_from_const_memory(NULL, v, TSR_I8, TSR_SHAPE(2, 0), &other_none));
  CHECK(!equals(&a, &b));
  CHECK(!equals(&a, &c));
  CHECK(!is_close(&a, &c, 1, 1, true));
  CHECK(equals(&none, &other_none));
  CHECK(is_close(&none, &other_none, 0, 0, false));
  CHECK(!equals(&none, &c));
}

/* ---- closeness ---- */

static int near(int a_dtype, const void *a, int b_dtype, const void *b, tsr_real rtol, tsr_real atol) {
  const tsr_tensor x = row_of(a, a_dtype, 1), y = row_of(b, b_dtype, 1);
  return is_close(&x, &y, rtol, atol, false);
}

TEST(allclose_of_floats) {
  const float a[3] = {1.0f, 100.0f, -4.0f}, b[3] = {1.5f, 101.0f, -4.0f};
  tsr_tensor x = row_of(a, TSR_F32, 3), y = row_of(b, TSR_F32, 3);
  CHECK(is_close(&x, &y, 0, 1, false));
  CHECK(!is_close(&x, &y, 0, (tsr_real)0.75, false));
  CHECK(!is_close(&x, &y, (tsr_real)0.25, 0, false));
  CHECK(is_close(&x, &y, (tsr_real)0.5, 0, false));
  const float one = 1, two = 2; /* relative to the second */
  CHECK(near(TSR_F32, &one, TSR_F32, &two, (tsr_real)0.5, 0));
  CHECK(!near(TSR_F32, &two, TSR_F32, &one, (tsr_real)0.5, 0));
}

TEST(allclose_of_infinities_and_nan) {
  const float one = 1, huge = INFINITY, minus_huge = -INFINITY, none[2] = {NAN, 1};
  CHECK(near(TSR_F32, &huge, TSR_F32, &huge, 0, 0));
  CHECK(!near(TSR_F32, &huge, TSR_F32, &minus_huge, 1, 1));
  CHECK(!near(TSR_F32, &one, TSR_F32, &huge, 1, 1));
  CHECK(!near(TSR_F32, &huge, TSR_F32, &one, 1, 1));
  CHECK(!near(TSR_F32, &none[0], TSR_F32, &none[0], 1, 1));
  CHECK(!near(TSR_F32, &none[0], TSR_F32, &one, INFINITY, INFINITY));
  const tsr_tensor x = row_of(none, TSR_F32, 2);
  const tsr_tensor y = row_of((const float[]){1, 1}, TSR_F32, 2);
  CHECK(is_close(&x, &x, 0, 0, true));
  CHECK(!is_close(&x, &x, 0, 0, false));
  CHECK(!is_close(&x, &y, 1, 1, true));
}

TEST(allclose_of_integers_is_exact) {
  const int64_t a = INT64_MAX, b = INT64_MAX - 1, low = INT64_MIN, minus = -1;
  const uint64_t u = UINT64_MAX, v = UINT64_MAX - 1, small = 1;
  const int8_t three = 3;
  const float three_and = 3.25f;
  CHECK(!near(TSR_I64, &a, TSR_I64, &b, 0, (tsr_real)0.5));
  CHECK(near(TSR_I64, &a, TSR_I64, &b, 0, 1));
  CHECK(!near(TSR_U64, &u, TSR_U64, &v, 0, (tsr_real)0.5));
  CHECK(near(TSR_U64, &u, TSR_U64, &v, 0, 1));
  CHECK(!near(TSR_U64, &u, TSR_I64, &minus, 0, 1));
  CHECK(near(TSR_I64, &minus, TSR_U64, &small, 0, 2));
  CHECK(!near(TSR_I64, &minus, TSR_U64, &small, 0, 1));
  CHECK(near(TSR_U64, &u, TSR_I64, &low, 3, 0));
  CHECK(!near(TSR_U64, &u, TSR_I64, &low, 2, 0));
  CHECK(near(TSR_I64, &low, TSR_I64, &low, 0, 0));
  CHECK(near(TSR_I8, &three, TSR_F32, &three_and, 0, (tsr_real)0.25));
  CHECK(!near(TSR_I8, &three, TSR_F32, &three_and, 0, (tsr_real)0.125));
}

TEST(allclose_of_complex_uses_the_modulus) {
#if TSR_HAVE_COMPLEX
  const float a[2] = {3, 4}, zero[2] = {0, 0}, five = 5, nan_re[2] = {NAN, 0}, nan_im[2] = {0, NAN};
  CHECK(near(TSR_C64, a, TSR_C64, zero, 0, 5));
  CHECK(!near(TSR_C64, a, TSR_C64, zero, 0, (tsr_real)4.99));
  CHECK(near(TSR_C64, zero, TSR_C64, a, 1, 0));
  CHECK(near(TSR_F32, &five, TSR_C64, a, 0, (tsr_real)4.4722)); /* |2 - 4i| = √20 */
  CHECK(!near(TSR_F32, &five, TSR_C64, a, 0, (tsr_real)4.4721));
  const tsr_tensor x = row_of(nan_re, TSR_C64, 1), y = row_of(nan_im, TSR_C64, 1);
  CHECK(is_close(&x, &y, 0, 0, true));
  CHECK(!is_close(&x, &y, 0, 0, false));
#if TSR_HAVE_F64 && TSR_REAL_BITS == 64
  const double huge[2] = {3e300, 4e300}, other[2] = {0, 0};
  CHECK(!near(TSR_C128, huge, TSR_C128, other, 0, 4.9e300));
  CHECK(near(TSR_C128, huge, TSR_C128, other, 0, 5.1e300));
#endif
#else
  SKIP("no complex dtypes in this configuration");
#endif
}

/* ---- failures ---- */

TEST(failures_leave_the_output) {
  const float v[2] = {1, 2};
  tsr_tensor a = row_of(v, TSR_F32, 2), empty = {0};
  bool out = true;
  FAILS(NULL, TSR_EARG, tsr_equal(NULL, NULL, &a, &out));
  FAILS(NULL, TSR_EARG, tsr_equal(NULL, &a, NULL, &out));
  FAILS(NULL, TSR_EARG, tsr_equal(NULL, &a, &a, NULL));
  FAILS(NULL, TSR_ESTATE, tsr_equal(NULL, &a, &empty, &out));
  FAILS(NULL, TSR_EARG, tsr_allclose(NULL, NULL, &a, 0, 0, false, &out));
  FAILS(NULL, TSR_EARG, tsr_allclose(NULL, &a, &a, 0, 0, false, NULL));
  FAILS(NULL, TSR_EARG, tsr_allclose(NULL, &a, &a, -1, 0, false, &out));
  MESSAGE_HAS(NULL, "allclose: rtol is -1");
  FAILS(NULL, TSR_EARG, tsr_allclose(NULL, &a, &a, 0, NAN, false, &out));
  CHECK(out);
#if !TSR_HAVE_F64
  const int64_t bits = 0;
  tsr_tensor wide = row_of(&bits, TSR_F64, 1);
  FAILS(NULL, TSR_EDTYPE, tsr_equal(NULL, &wide, &wide, &out));
  CHECK(out);
#endif
}

/* A context that names an instruction set is compared with that one's kernels. */
TEST(every_instruction_set) {
  static const float a[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  static const int16_t b[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    tsr_ctx ctx;
    tsr_tensor x = {0}, y = {0};
    bool equal = false, close = false;
    REQUIRE(tsr_context_init(&ctx, NULL) == TSR_OK);
    OK(&ctx, tsr_context_set_isa(&ctx, tsr_isa_name(isa)));
    OK(&ctx, tsr_from_const_memory(&ctx, a, TSR_F32, TSR_SHAPE(9), &x));
    OK(&ctx, tsr_from_const_memory(&ctx, b, TSR_I16, TSR_SHAPE(9), &y));
    OK(&ctx, tsr_equal(&ctx, &x, &y, &equal));
    OK(&ctx, tsr_allclose(&ctx, &x, &y, 0, 0, false, &close));
    CHECK(equal && close);
  }
}

TEST_MAIN(RUN(every_instruction_set), RUN(equal_of_integers_and_floats_is_exact), RUN(equal_knows_nan_and_signed_zero),
          RUN(equal_of_complex), RUN(equal_walks_any_strides), RUN(equal_walks_every_rank),
          RUN(shapes_that_differ_are_not_equal_and_no_error), RUN(allclose_of_floats),
          RUN(allclose_of_infinities_and_nan), RUN(allclose_of_integers_is_exact),
          RUN(allclose_of_complex_uses_the_modulus), RUN(failures_leave_the_output))
