/* arange, linspace, eye against naive loops. */
#include "support/helpers.h"
#include "support/test.h"

static bool is_complex(int dtype) { return dtype == TSR_C64 || dtype == TSR_C128; }
static bool is_float(int dtype) { return tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT; }

TEST(small_ranges_of_every_dtype) {
  tsr_ctx *const ctx = test_context();
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int start = 0; start <= 7; start++)
      for (int stop = 0; stop <= 7; stop++)
        for (int step = -3; step <= 3; step++)
          for (int whole = 0; whole < 2; whole++) {
            tsr_tensor t = {0};
            const bool supported = dtype != TSR_BOOL && tsr_dtype_supported(dtype);
            tsr_index n = 0;
            for (int x = start; step != 0 && (step > 0 ? x < stop : x > stop); x += step) n++;
            const tsr_status want = dtype == TSR_BOOL     ? TSR_EDTYPE
                                    : step == 0           ? TSR_EARG
                                    : supported || n == 0 ? TSR_OK
                                                          : TSR_EDTYPE;
            if (!supported && want == TSR_OK) continue;
            FAILS(ctx, want,
                  whole != 0 ? tsr_arange_i64(ctx, dtype, start, stop, step, &t)
                             : tsr_arange(ctx, dtype, (tsr_real)start, (tsr_real)stop, (tsr_real)step, &t));
            if (want != TSR_OK) {
              CHECK(tsr_is_none(&t));
              continue;
            }
            bool right = t.dtype == dtype && t.ndim == 1 && t.shape[0] == n;
            for (tsr_index i = 0; i < n && right; i++) {
              unsigned char element[16];
              test_encode(dtype, start + step * (int)i, element);
              right = memcmp((char *)t.data + (size_t)i * tsr_dtype_size(dtype), element, tsr_dtype_size(dtype)) == 0;
            }
            CHECK(right);
            tsr_release(&t);
          }
  CHECK(test_live() == 0);
}

TEST(stops_that_are_not_whole) {
  tsr_ctx *const ctx = test_context();
  for (int start = -4; start <= 4; start++)
    for (int quarters = -18; quarters <= 18; quarters++)
      for (int step = -3; step <= 3; step++) {
        tsr_tensor t = {0};
        const double stop = quarters / 4.0;
        if (step == 0) continue;
        tsr_index n = 0;
        for (int x = start; step > 0 ? x < stop : x > stop; x += step) n++;
        OK(ctx, tsr_arange(ctx, TSR_I32, (tsr_real)start, (tsr_real)stop, (tsr_real)step, &t));
        CHECK(t.shape[0] == n);
        for (tsr_index i = 0; i < n && i < t.shape[0]; i++) CHECK(TSR_AT(int32_t, &t, i) == start + step * (int)i);
        tsr_release(&t);
      }
}

TEST(reals_are_start_plus_i_steps) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0};
  OK(ctx, tsr_arange(ctx, TSR_F32, (tsr_real)-1.25, (tsr_real)80, (tsr_real)0.125, &t));
  CHECK(t.shape[0] == 650);
  for (tsr_index i = 0; i < t.shape[0]; i++) CHECK(TSR_AT(float, &t, i) == -1.25f + (float)i * 0.125f);
  tsr_release(&t);
  OK(ctx, tsr_arange(ctx, TSR_F32, 1, 0, (tsr_real)-0.3, &t));
  CHECK(t.shape[0] == 4 && TSR_AT(float, &t, 3) == (float)((tsr_real)1 + 3 * (tsr_real)-0.3));
  tsr_release(&t);
#if TSR_HAVE_F64
  OK(ctx, tsr_arange(ctx, TSR_F64, 0, 1, (tsr_real)0.1, &t));
  CHECK(t.shape[0] == 10);
  for (tsr_index i = 0; i < t.shape[0]; i++) CHECK(TSR_AT(double, &t, i) == (double)((tsr_real)i * (tsr_real)0.1));
  tsr_release(&t);
#endif
  CHECK(test_live() == 0);
}

TEST(integers_at_the_ends) {
  tsr_ctx *const ctx = test_context();
  static const struct {
    int dtype;
    int64_t start, stop, step;
    tsr_index n;
    tsr_status want;
  } rows[] = {
      {TSR_I64, INT64_MAX - 2, INT64_MAX, 1, 2, TSR_OK},
      {TSR_I64, INT64_MIN, INT64_MAX, INT64_MAX, 3, TSR_OK},
      {TSR_I64, INT64_MAX, INT64_MIN, INT64_MIN, 2, TSR_OK},
      {TSR_I64, INT64_MIN + 2, INT64_MIN, -1, 2, TSR_OK},
      {TSR_I64, INT64_MIN, INT64_MAX, 1, 0, TSR_EOVERFLOW},
      {TSR_I8, -128, 128, 1, 256, TSR_OK},
      {TSR_I8, -128, 129, 1, 0, TSR_ERANGE},
      {TSR_I8, -129, 0, 1, 0, TSR_ERANGE},
      {TSR_U8, 250, 256, 1, 6, TSR_OK},
      {TSR_U8, 5, -1, -1, 6, TSR_OK},
      {TSR_U8, 5, -2, -1, 0, TSR_ERANGE},
      {TSR_U8, 300, 300, 1, 0, TSR_OK}, /* no element, nothing that does not fit */
      {TSR_U64, 0, 3, 2, 2, TSR_OK},
      {TSR_F32, -3, 4, 3, 3, TSR_OK},
      {TSR_BOOL, 0, 2, 1, 0, TSR_EDTYPE},
      {TSR_NONE, 0, 2, 1, 0, TSR_EDTYPE},
      {TSR_I32, 0, 2, 0, 0, TSR_EARG},
  };
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr_tensor t = {0};
    FAILS(ctx, rows[i].want, tsr_arange_i64(ctx, rows[i].dtype, rows[i].start, rows[i].stop, rows[i].step, &t));
    if (rows[i].want != TSR_OK) CHECK(tsr_is_none(&t));
    if (rows[i].want == TSR_OK) CHECK(t.shape[0] == rows[i].n);
    for (tsr_index k = 0; k < rows[i].n && rows[i].dtype == TSR_I64; k++)
      CHECK(TSR_AT(int64_t, &t, k) == (int64_t)((uint64_t)rows[i].start + (uint64_t)k * (uint64_t)rows[i].step));
    tsr_release(&t);
  }
}

TEST(reals_that_make_no_range) {
  tsr_ctx *const ctx = test_context();
  const tsr_real inf = (tsr_real)__builtin_inf(), nan = inf - inf, huge = (tsr_real)1e30;
  const struct {
    int dtype;
    tsr_real start, stop, step;
    tsr_status want;
  } rows[] = {{TSR_F32, 0, 1, 0, TSR_EARG},
              {TSR_F32, nan, 1, 1, TSR_EARG},
              {TSR_F32, 0, inf, 1, TSR_EARG},
              {TSR_F32, 0, 1, nan, TSR_EARG},
              {TSR_F32, 0, huge, 1, TSR_EOVERFLOW},
              {TSR_I32, (tsr_real)0.5, 3, 1, TSR_ERANGE},
              {TSR_I32, 0, 3, (tsr_real)0.5, TSR_ERANGE},
              {TSR_I32, 0, huge, 1, TSR_ERANGE},
              {TSR_I64, -huge, 0, 1, TSR_ERANGE},
              {TSR_F16, 0, 100000, 50000, TSR_OK},
              {TSR_F16, 0, 140000, 70000, TSR_ERANGE},
              {TSR_BOOL, 0, 1, 1, TSR_EDTYPE}};
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr_tensor t = {0};
    if (rows[i].dtype == TSR_F16 && !TSR_HAVE_SMALL_FLOATS) continue;
    FAILS(ctx, rows[i].want, tsr_arange(ctx, rows[i].dtype, rows[i].start, rows[i].stop, rows[i].step, &t));
    CHECK(rows[i].want == TSR_OK || tsr_is_none(&t));
    tsr_release(&t);
  }
  tsr_tensor t = {0};
  FAILS(ctx, TSR_ERANGE, tsr_arange(ctx, TSR_U8, 0, 300, 1, &t));
  MESSAGE_HAS(ctx, "arange: stop 300: the last number, 299, does not fit u8");
}

TEST(linspace_has_both_ends) {
  tsr_ctx *const ctx = test_context();
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    tsr_tensor t = {0};
    if (!is_float(dtype) || !tsr_dtype_supported(dtype)) {
      FAILS(ctx, TSR_EDTYPE, tsr_linspace(ctx, dtype, 0, 7, 8, &t));
      continue;
    }
    OK(ctx, tsr_linspace(ctx, dtype, 7, 0, 8, &t));
    for (tsr_index i = 0; i < 8; i++)
      CHECK(test_decode(dtype, (char *)t.data + (size_t)i * tsr_dtype_size(dtype)) == 7 - (double)i);
    tsr_release(&t);
  }
  static const struct {
    tsr_real start, stop;
    tsr_index n;
  } rows[] = {{0, 1, 2}, {0, 1, 11}, {-3, 5, 300}, {2, 2, 5}, {5, 9, 1}, {5, 9, 0}, {(tsr_real)0.1, (tsr_real)0.7, 7}};
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr_tensor t = {0};
    const tsr_real start = rows[i].start, stop = rows[i].stop;
    OK(ctx, tsr_linspace(ctx, TSR_F32, start, stop, rows[i].n, &t));
    CHECK(t.ndim == 1 && t.shape[0] == rows[i].n);
    for (tsr_index k = 0; k < rows[i].n; k++) {
      const double want = rows[i].n > 1
                              ? (double)start + (double)k * ((double)stop - (double)start) / (double)(rows[i].n - 1)
                              : (double)start;
      const double error = (double)TSR_AT(float, &t, k) - want;
      CHECK(error < 1e-5 && error > -1e-5);
    }
    if (rows[i].n > 0) CHECK(TSR_AT(float, &t, 0) == (float)start);
    if (rows[i].n > 1) CHECK(TSR_AT(float, &t, rows[i].n - 1) == (float)stop);
    tsr_release(&t);
  }
  tsr_tensor t = {0};
  FAILS(ctx, TSR_EARG, tsr_linspace(ctx, TSR_F32, 0, 1, -1, &t));
  FAILS(ctx, TSR_EDTYPE, tsr_linspace(ctx, 99, 0, 1, 3, &t));
  FAILS(ctx, TSR_ERANGE, tsr_linspace(ctx, TSR_F8_E4M3, 0, 1000, 3, &t));
  CHECK(tsr_is_none(&t) && test_live() == 0);
}

/* The distance of the ends may be more than a number can be. */
TEST(linspace_over_everything) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0};
  const tsr_real most = TSR_REAL_BITS == 64 ? (tsr_real)__DBL_MAX__ : (tsr_real)__FLT_MAX__;
  OK(ctx, tsr_linspace(ctx, TSR_REAL_BITS == 64 ? TSR_F64 : TSR_F32, -most, most, 3, &t));
  CHECK(TSR_AT(tsr_real, &t, 0) == -most && TSR_AT(tsr_real, &t, 1) == 0 && TSR_AT(tsr_real, &t, 2) == most);
  tsr_release(&t);
}

TEST(given_and_described_outputs) {
  tsr_ctx *const ctx = test_context();
  float x[9] = {9, 9, 9, 9, 9, 9, 9, 9, 9};
  tsr_tensor t = {0}, v = {0}, described = {0};
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(9), &t));
  OK(ctx, tsr_slice(ctx, &t, 0, TSR_OMIT, TSR_OMIT, -3, &v)); /* 8, 5, 2 */
  OK(ctx, tsr_arange(ctx, TSR_F32, 0, 3, 1, &v));
  CHECK(x[8] == 0 && x[5] == 1 && x[2] == 2 && x[0] == 9 && x[7] == 9);
  OK(ctx, tsr_linspace(ctx, TSR_F32, 4, 6, 3, &v));
  CHECK(x[8] == 4 && x[5] == 5 && x[2] == 6 && x[0] == 9);
  FAILS(ctx, TSR_ESHAPE, tsr_arange(ctx, TSR_F32, 0, 4, 1, &v));
  FAILS(ctx, TSR_EDTYPE, tsr_arange(ctx, TSR_I32, 0, 3, 1, &v));
  FAILS(ctx, TSR_EARG, tsr_arange(ctx, TSR_I32, 0, 3, 1, NULL));
  CHECK(x[8] == 4);
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(3), &described));
  OK(ctx, tsr_arange_i64(ctx, TSR_F32, 0, 3, 1, &described));
  CHECK(TSR_AT(float, &described, 2) == 2);
  tsr_release(&described);
  CHECK(test_live() == 0);
}

TEST(long_ranges_cross_blocks) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0};
  OK(ctx, tsr_arange_i64(ctx, TSR_I16, -500, 500, 1, &t));
  CHECK(t.shape[0] == 1000);
  for (tsr_index i = 0; i < 1000; i++) CHECK(TSR_AT(int16_t, &t, i) == i - 500);
  tsr_release(&t);
}

TEST(eyes) {
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (tsr_index rows = 0; rows <= 4; rows++)
      for (tsr_index cols = 0; cols <= 3; cols++)
        for (tsr_index offset = -5; offset <= 5; offset++) {
          tsr_ctx *const ctx = test_context();
          tsr_tensor t = {0};
          if (!tsr_dtype_supported(dtype)) continue;
          if (offset % 2 == 0) OK(ctx, tsr_desc_init_ordered(ctx, dtype, TSR_SHAPE(rows, cols), TSR_FORTRAN, &t));
          OK(ctx, tsr_eye(ctx, dtype, rows, cols, offset, &t));
          CHECK(t.ndim == 2 && t.shape[0] == rows && t.shape[1] == cols);
          for (tsr_index i = 0; i < rows; i++)
            for (tsr_index j = 0; j < cols; j++)
              CHECK(test_decode(dtype, test_at(&t, (const tsr_index[]){i, j})) == (j - i == offset ? 1 : 0));
          tsr_release(&t);
          CHECK(test_live() == 0);
        }
}

TEST(eyes_that_cannot_be) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0};
  FAILS(ctx, TSR_ESHAPE, tsr_eye(ctx, TSR_F32, -1, 3, 0, &t));
  FAILS(ctx, TSR_EOVERFLOW, tsr_eye(ctx, TSR_F32, TSR_INDEX_MAX, 3, 0, &t));
  FAILS(ctx, TSR_EDTYPE, tsr_eye(ctx, 0, 3, 3, 0, &t));
  FAILS(ctx, TSR_EARG, tsr_eye(ctx, TSR_F32, 3, 3, 0, NULL));
  OK(ctx, tsr_eye(ctx, TSR_F32, 2, 2, TSR_INDEX_MIN, &t));
  CHECK(TSR_AT(float, &t, 0, 0) == 0);
  OK(ctx, tsr_eye(ctx, TSR_F32, 2, 2, TSR_INDEX_MAX, &t));
  OK(ctx, tsr_eye(ctx, TSR_F32, 2, 2, 0, &t));
  CHECK(TSR_AT(float, &t, 0, 0) == 1 && TSR_AT(float, &t, 0, 1) == 0 && TSR_AT(float, &t, 1, 1) == 1);
  t.flags |= TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, tsr_eye(ctx, TSR_F32, 2, 2, 1, &t));
  CHECK(TSR_AT(float, &t, 0, 0) == 1);
  tsr_release(&t);
  CHECK(test_live() == 0);
}

TEST(complex_ranges_have_no_imaginary_part) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0};
  if (!tsr_dtype_supported(TSR_C64)) SKIP("no complex dtypes");
  OK(ctx, tsr_arange(ctx, TSR_C64, 0, 3, (tsr_real)0.5, &t));
  CHECK(t.shape[0] == 6 && is_complex(t.dtype));
  for (tsr_index i = 0; i < 6; i++)
    CHECK(((float *)t.data)[2 * i] == (float)i / 2 && ((float *)t.data)[2 * i + 1] == 0);
  tsr_release(&t);
}

TEST_MAIN(RUN(small_ranges_of_every_dtype), RUN(stops_that_are_not_whole), RUN(reals_are_start_plus_i_steps),
          RUN(integers_at_the_ends), RUN(reals_that_make_no_range), RUN(linspace_has_both_ends),
          RUN(linspace_over_everything), RUN(given_and_described_outputs), RUN(long_ranges_cross_blocks), RUN(eyes),
          RUN(eyes_that_cannot_be), RUN(complex_ranges_have_no_imaginary_part))
