/* Type promotion: against NumPy where it agrees, and by its own rules where it does not. */
#include "support/helpers.h"
#include "support/test.h"

#include "ops/promote.h"

#define GOLDEN_PROMOTIONS
#include "golden/binary.inc"

static int kind_of(int dtype) { return tsr_dtype_describe(dtype)->class_; }
static bool is_integer(int dtype) { return kind_of(dtype) == TSR_CLASS_INT || kind_of(dtype) == TSR_CLASS_UINT; }
static bool is_inexact(int dtype) { return kind_of(dtype) == TSR_CLASS_FLOAT || kind_of(dtype) == TSR_CLASS_COMPLEX; }

TEST(agrees_with_numpy_but_for_integers_beside_floats) {
  int agreed = 0;
  for (int i = 0; i < COUNT_OF(golden_promotions); i++) {
    const int a = golden_promotions[i][0], b = golden_promotions[i][1];
    int want = golden_promotions[i][2];
    if (is_integer(a) && is_inexact(b))
      want = b;
    else if (is_integer(b) && is_inexact(a))
      want = a;
    else
      agreed++;
    if (!TSR_HAVE_F64 && want == TSR_F64 && a != TSR_F64 && b != TSR_F64) want = TSR_F32;
    CHECK(tsr_dtype_promote(a, b) == want);
  }
  CHECK(agreed == 116);
}

TEST(small_floats_meet_in_what_holds_both) {
  static const int rows[][3] = {
      {TSR_F16, TSR_BF16, TSR_F32},         {TSR_F8_E4M3, TSR_F8_E5M2, TSR_F32}, {TSR_F8_E4M3, TSR_F16, TSR_F16},
      {TSR_F8_E5M2, TSR_F16, TSR_F16},      {TSR_F8_E4M3, TSR_BF16, TSR_BF16},   {TSR_F8_E5M2, TSR_BF16, TSR_BF16},
      {TSR_BF16, TSR_F32, TSR_F32},         {TSR_F8_E4M3, TSR_F64, TSR_F64},     {TSR_I64, TSR_F8_E4M3, TSR_F8_E4M3},
      {TSR_BOOL, TSR_F8_E5M2, TSR_F8_E5M2}, {TSR_U64, TSR_BF16, TSR_BF16},       {TSR_BF16, TSR_C64, TSR_C64},
      {TSR_BF16, TSR_C128, TSR_C128},       {TSR_BF16, TSR_BF16, TSR_BF16},
  };
  for (int i = 0; i < COUNT_OF(rows); i++) {
    CHECK(tsr_dtype_promote(rows[i][0], rows[i][1]) == rows[i][2]);
    CHECK(tsr_dtype_promote(rows[i][1], rows[i][0]) == rows[i][2]);
  }
}

/* The result's dtype is f16, but the integer is not rounded to it first. */
TEST(integers_beside_small_floats_are_computed_in_f32) {
  static const int32_t whole[] = {70001, 2049};
  static const uint16_t half[] = {0x7c00, 0x6800}; /* infinite, 2048 */
  tsr_ctx *const ctx = test_context();
  tsr_tensor a = {0}, b = {0}, rounded = {0}, y = {0};
  if (!tsr_dtype_supported(TSR_F16)) SKIP("f16 is not in this build");
  OK(ctx, tsr_from_const_memory(ctx, whole, TSR_I32, TSR_SHAPE(2), &a));
  OK(ctx, tsr_from_const_memory(ctx, half, TSR_F16, TSR_SHAPE(2), &b));
  OK(ctx, tsr_eq(ctx, &a, &b, &y));
  CHECK(!TSR_AT(bool, &y, 0) && !TSR_AT(bool, &y, 1));
  OK(ctx, tsr_cast(ctx, &a, TSR_F16, &rounded));
  OK(ctx, tsr_eq(ctx, &rounded, &b, &y));
  CHECK(TSR_AT(bool, &y, 0) && TSR_AT(bool, &y, 1));
  tsr_release(&y);
  OK(ctx, tsr_sub(ctx, &a, &b, &y));
  CHECK(y.dtype == TSR_F16 && TSR_AT(uint16_t, &y, 1) == 0x3c00); /* 1 */
  tsr_release(&y);
  tsr_release(&rounded);
}

TEST(is_symmetric_idempotent_and_total) {
  for (int a = 1; a < TSR_DTYPE_COUNT; a++) {
    CHECK(tsr_dtype_promote(a, a) == a);
    CHECK(tsr_dtype_promote(a, TSR_BOOL) == a);
    for (int b = 1; b < TSR_DTYPE_COUNT; b++) {
      const int both = tsr_dtype_promote(a, b);
      CHECK(both == tsr_dtype_promote(b, a));
      CHECK(tsr_dtype_size(both) != 0);
      if (is_integer(a) && is_integer(b) && is_integer(both)) CHECK(tsr_dtype_size(both) >= tsr_dtype_size(a));
    }
  }
}

TEST(numbers_that_are_no_dtype_promote_to_none) {
  CHECK(tsr_dtype_promote(TSR_NONE, TSR_F32) == TSR_NONE);
  CHECK(tsr_dtype_promote(TSR_F32, TSR_DTYPE_COUNT) == TSR_NONE);
  CHECK(tsr_dtype_promote(-1, TSR_F32) == TSR_NONE);
  CHECK(tsr_dtype_promote(TSR_F32, 1000) == TSR_NONE);
}

TEST(computing_dtypes) {
  const int wide = TSR_HAVE_F64 ? TSR_F64 : TSR_F32;
  CHECK(tsr__float_of(TSR_BOOL) == TSR_F32 && tsr__float_of(TSR_I8) == TSR_F32 && tsr__float_of(TSR_U16) == TSR_F32);
  CHECK(tsr__float_of(TSR_I32) == wide && tsr__float_of(TSR_U64) == wide && tsr__float_of(TSR_F16) == TSR_F16);
  CHECK(tsr__compute_of(TSR_F16) == TSR_F32 && tsr__compute_of(TSR_F8_E4M3) == TSR_F32);
  CHECK(tsr__compute_of(TSR_F64) == TSR_F64 && tsr__compute_of(TSR_I8) == TSR_I8);
  CHECK(tsr__compute_of(TSR_BOOL) == TSR_BOOL);
}

TEST_MAIN(RUN(agrees_with_numpy_but_for_integers_beside_floats), RUN(small_floats_meet_in_what_holds_both),
          RUN(integers_beside_small_floats_are_computed_in_f32), RUN(is_symmetric_idempotent_and_total),
          RUN(numbers_that_are_no_dtype_promote_to_none), RUN(computing_dtypes))
