/* The list of dtypes. */
#include "support/helpers.h"
#include "support/test.h"

TEST(list_gives_every_dtype) {
  int listed = 0;
#define X(id, number, size, kind, text, npy_name, st_name)                               \
  {                                                                                      \
    const tsr_dtype_info *const info = tsr_dtype_describe(TSR_##id);                     \
    REQUIRE(info != NULL);                                                               \
    CHECK(info->dtype == (number) && info->bytes == (size));                             \
    CHECK(info->class_ == TSR_CLASS_##kind);                                             \
    CHECK(info->align == (TSR_CLASS_##kind == TSR_CLASS_COMPLEX ? (size) / 2 : (size))); \
    CHECK(strcmp(info->name, text) == 0);                                                \
    CHECK(strcmp(info->npy, npy_name) == 0);                                             \
    CHECK(strcmp(info->safetensors, st_name) == 0);                                      \
    CHECK(tsr_dtype_size(TSR_##id) == (size));                                           \
    CHECK(strcmp(tsr_dtype_name(TSR_##id), text) == 0);                                  \
    CHECK(tsr_dtype_find(text) == TSR_##id);                                             \
    listed++;                                                                            \
  }
  TSR_DTYPE_LIST(X)
#undef X
  CHECK(listed == TSR_DTYPE_COUNT - 1);
}

TEST(other_numbers_are_none) {
  static const int wrong[] = {TSR_NONE, -1, TSR_DTYPE_COUNT, 255, 256 + TSR_F32, -32768, 32767};
  for (int i = 0; i < COUNT_OF(wrong); i++) {
    CHECK(tsr_dtype_describe(wrong[i]) == NULL);
    CHECK(tsr_dtype_size(wrong[i]) == 0);
    CHECK(strcmp(tsr_dtype_name(wrong[i]), "none") == 0);
    CHECK(!tsr_dtype_supported(wrong[i]));
  }
}

TEST(other_names_are_none) {
  static const char *const wrong[] = {"", "f3", "f321", "F32", "none", "float", "f32 "};
  CHECK(tsr_dtype_find(NULL) == TSR_NONE);
  for (int i = 0; i < COUNT_OF(wrong); i++) CHECK(tsr_dtype_find(wrong[i]) == TSR_NONE);
}

TEST(supported_follows_the_configuration) {
  static const int always[] = {TSR_BOOL, TSR_I8, TSR_I16, TSR_I32, TSR_I64, TSR_U8, TSR_U16, TSR_U32, TSR_U64, TSR_F32};
  static const int small[] = {TSR_F16, TSR_BF16, TSR_F8_E4M3, TSR_F8_E5M2};
  for (int i = 0; i < COUNT_OF(always); i++) CHECK(tsr_dtype_supported(always[i]));
  for (int i = 0; i < COUNT_OF(small); i++) CHECK(tsr_dtype_supported(small[i]) == (TSR_HAVE_SMALL_FLOATS != 0));
  CHECK(tsr_dtype_supported(TSR_F64) == (TSR_HAVE_F64 != 0));
  CHECK(tsr_dtype_supported(TSR_C64) == (TSR_HAVE_COMPLEX != 0));
  CHECK(tsr_dtype_supported(TSR_C128) == (TSR_HAVE_COMPLEX != 0 && TSR_HAVE_F64 != 0));
}

TEST(unsupported_dtypes_are_moved_but_not_computed_with) {
  tsr_ctx *const ctx = test_context();
  int unsupported = 0;
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    tsr_tensor a = {0}, b = {0}, c = {0};
    if (tsr_dtype_supported(dtype)) continue;
    unsupported++;
    OK(ctx, tsr_zeros(ctx, dtype, TSR_SHAPE(2, 3), &a));
    OK(ctx, tsr_transpose(ctx, &a, 0, 1, &b));
    OK(ctx, tsr_copy(ctx, &b, &c));
    FAILS(ctx, TSR_EDTYPE, tsr_fill(ctx, 1, &c));
    tsr_release(&c);
    FAILS(ctx, TSR_EDTYPE, tsr_cast(ctx, &a, TSR_F32, &c));
    FAILS(ctx, TSR_EDTYPE, tsr_ones(ctx, dtype, TSR_SHAPE(2), &c));
    CHECK(tsr_is_none(&c));
    tsr_release(&a);
  }
  if (unsupported == 0) SKIP("every dtype is configured in");
}

TEST_MAIN(RUN(list_gives_every_dtype), RUN(other_numbers_are_none), RUN(other_names_are_none),
          RUN(supported_follows_the_configuration), RUN(unsupported_dtypes_are_moved_but_not_computed_with))
