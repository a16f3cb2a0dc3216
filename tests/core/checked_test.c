/* The checked build of bare access: what the hook hears, and what it does not. */
#ifndef TSR_CHECKED
#define TSR_CHECKED 1
#endif
#include "support/helpers.h"
#include "support/test.h"

static int violations;
static const char *last_text;
static int last_line;

static void count_violation(const char *file, int line, const char *text) {
  CHECK(strstr(file, "checked_test") != NULL);
  violations++;
  last_text = text;
  last_line = line;
}

static _Alignas(16) unsigned char bytes[256];

static tsr_tensor over(int dtype, int ndim, const tsr_index *shape) {
  tsr_tensor t = {0};
  OK(NULL, tsr_from_memory(NULL, bytes, dtype, ndim, shape, &t));
  return t;
}

#define QUIET(expression)                                             \
  do {                                                                \
    violations = 0;                                                   \
    (void)(expression);                                               \
    CHECK(violations == 0);                                           \
    if (violations > 0) printf("  %s: %s\n", #expression, last_text); \
  } while (0)
#define HEARD(text, expression)                               \
  do {                                                        \
    violations = 0;                                           \
    (void)(expression);                                       \
    const int here = __LINE__;                                \
    CHECK(violations == 1 && last_line == here);              \
    CHECK(violations > 0 && strstr(last_text, text) != NULL); \
  } while (0)

TEST(right_access_is_quiet_in_every_c_type) {
  tsr_check_hook_fn *const former = tsr_check_hook(count_violation);
  const tsr_tensor b = over(TSR_BOOL, TSR_SHAPE(2, 3)), i8 = over(TSR_I8, TSR_SHAPE(2, 3)),
                   u8 = over(TSR_U8, TSR_SHAPE(2, 3)), i16 = over(TSR_I16, TSR_SHAPE(2, 3)),
                   f16 = over(TSR_F16, TSR_SHAPE(2, 3)), bf16 = over(TSR_BF16, TSR_SHAPE(2, 3)),
                   f8 = over(TSR_F8_E4M3, TSR_SHAPE(2, 3)), i32 = over(TSR_I32, TSR_SHAPE(2, 3)),
                   u32 = over(TSR_U32, TSR_SHAPE(2, 3)), f32 = over(TSR_F32, TSR_SHAPE(2, 3)),
                   i64 = over(TSR_I64, TSR_SHAPE(2, 3)), f64 = over(TSR_F64, TSR_SHAPE(2, 3)),
                   c64 = over(TSR_C64, TSR_SHAPE(2, 3));
  QUIET(TSR_AT(int8_t, &i8, 1, 2));
  QUIET(TSR_AT(uint8_t, &u8, 1, 2));
  QUIET(TSR_AT(uint8_t, &b, 1, 2));
  QUIET(TSR_AT(bool, &b, 1, 2));
  QUIET(TSR_AT(int16_t, &i16, 1, 2));
  QUIET(TSR_AT(uint16_t, &f16, 1, 2));
  QUIET(TSR_AT(uint16_t, &bf16, 1, 2));
  QUIET(TSR_AT(uint8_t, &f8, 1, 2));
  QUIET(TSR_AT(int32_t, &i32, 1, 2));
  QUIET(TSR_AT(uint32_t, &u32, 1, 2));
  QUIET(TSR_AT(float, &f32, 1, 2));
  QUIET(TSR_AT(int64_t, &i64, 1, 2));
  QUIET(TSR_AT(double, &f64, 1, 2));
  QUIET(TSR_AT(float _Complex, &c64, 1, 2));
  QUIET(TSR_ROW(float, &f32, 1));
  QUIET(TSR_ROW(bool, &b, 1));
  tsr_check_hook(former);
}

TEST(every_rank) {
  tsr_check_hook_fn *const former = tsr_check_hook(count_violation);
  static const tsr_index ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  tsr_tensor t[TSR_MAX_DIMS + 1] = {{0}};
  for (int rank = 0; rank <= TSR_MAX_DIMS; rank++) t[rank] = over(TSR_F32, rank, ones);
  QUIET(TSR_AT(float, &t[0]));
  QUIET(TSR_AT(float, &t[1], 0));
  QUIET(TSR_AT(float, &t[2], 0, 0));
  QUIET(TSR_AT(float, &t[3], 0, 0, 0));
  QUIET(TSR_AT(float, &t[4], 0, 0, 0, 0));
  QUIET(TSR_ROW(float, &t[1]));
  QUIET(TSR_ROW(float, &t[2], 0));
  HEARD("rank", TSR_AT(float, &t[1]));
  HEARD("rank", TSR_AT(float, &t[0], 0));
  HEARD("rank", TSR_ROW(float, &t[2]));
  HEARD("rank", TSR_ROW(float, &t[2], 0, 0));
#if TSR_MAX_DIMS >= 8
  QUIET(TSR_AT(float, &t[5], 0, 0, 0, 0, 0));
  QUIET(TSR_AT(float, &t[6], 0, 0, 0, 0, 0, 0));
  QUIET(TSR_AT(float, &t[7], 0, 0, 0, 0, 0, 0, 0));
  QUIET(TSR_AT(float, &t[8], 0, 0, 0, 0, 0, 0, 0, 0));
  QUIET(TSR_ROW(float, &t[8], 0, 0, 0, 0, 0, 0, 0));
#endif
  tsr_check_hook(former);
}

TEST(wrong_index) {
  tsr_check_hook_fn *const former = tsr_check_hook(count_violation);
  tsr_tensor whole = over(TSR_I32, TSR_SHAPE(4, 5)), t = {0};
  OK(NULL, tsr_slice(NULL, &whole, 0, 1, 3, 1, &t)); /* wrong indices stay inside the memory */
  OK(NULL, tsr_slice(NULL, &t, 1, 1, 4, 1, &t));
  QUIET(TSR_AT(int32_t, &t, 1, 2));
  HEARD("index", TSR_AT(int32_t, &t, 2, 0));
  HEARD("index", TSR_AT(int32_t, &t, 0, 3));
  HEARD("index", TSR_AT(int32_t, &t, -1, 0));
  HEARD("index", TSR_AT(int32_t, &t, 0, -1));
  HEARD("index", TSR_ROW(int32_t, &t, 2));
  tsr_check_hook(former);
}

TEST(wrong_type) {
  tsr_check_hook_fn *const former = tsr_check_hook(count_violation);
  const tsr_tensor i32 = over(TSR_I32, TSR_SHAPE(2, 3)), f32 = over(TSR_F32, TSR_SHAPE(2, 3)),
                   i64 = over(TSR_I64, TSR_SHAPE(2, 3)), f64 = over(TSR_F64, TSR_SHAPE(2, 3)),
                   f16 = over(TSR_F16, TSR_SHAPE(2, 3));
  HEARD("size", TSR_AT(double, &f32, 0, 0));
  HEARD("size", TSR_AT(int8_t, &i32, 0, 0));
  HEARD("size", TSR_AT(float, &f16, 0, 0));
  HEARD("kind", TSR_AT(float, &i32, 0, 0));
  HEARD("kind", TSR_AT(int32_t, &f32, 0, 0));
  HEARD("kind", TSR_AT(double, &i64, 0, 0));
  HEARD("kind", TSR_AT(int64_t, &f64, 0, 0));
  HEARD("kind", TSR_ROW(float, &i32, 0));
  tsr_check_hook(former);
}

TEST(row_needs_stride_one) {
  tsr_check_hook_fn *const former = tsr_check_hook(count_violation);
  tsr_tensor t = over(TSR_F32, TSR_SHAPE(2, 3)), turned = {0}, single = {0};
  OK(NULL, tsr_transpose(NULL, &t, 0, 1, &turned));
  HEARD("stride", TSR_ROW(float, &turned, 0));
  OK(NULL, tsr_slice(NULL, &turned, 1, 0, 1, 1, &single)); /* a row of one element has any stride */
  QUIET(TSR_ROW(float, &single, 0));
  tsr_check_hook(former);
}

TEST(tensor_without_data) {
  tsr_check_hook_fn *const former = tsr_check_hook(count_violation);
  tsr_tensor empty = {0}, described = {0};
  const tsr_index at[2] = {0, 0};
  OK(NULL, tsr_desc_init(NULL, TSR_F32, TSR_SHAPE(2, 3), &described));
  violations = 0;
  (void)tsr__checked_at("checked_test", 1, 4, true, false, 0, &empty, at);
  CHECK(violations == 1);
  (void)tsr__checked_at("checked_test", 1, 4, true, false, 2, &described, at);
  CHECK(violations == 2 && strstr(last_text, "data") != NULL);
  tsr_check_hook(former);
}

TEST(hook_is_set_and_given_back) {
  tsr_check_hook_fn *const standard = tsr_check_hook(count_violation);
  CHECK(standard != NULL && standard != count_violation);
  CHECK(tsr_check_hook(NULL) == count_violation);
  CHECK(tsr_check_hook(standard) == standard);
}

static tsr_index evaluations;
static tsr_index once(void) { return evaluations++; }

/* An index is an argument like any other: the checked build must not run it twice. */
TEST(indices_are_evaluated_once) {
  tsr_check_hook_fn *const former = tsr_check_hook(count_violation);
  tsr_tensor t = over(TSR_I32, TSR_SHAPE(5));
  for (int i = 0; i < 5; i++) ((int32_t *)t.data)[i] = i;
  evaluations = 0;
  violations = 0;
  CHECK(TSR_AT(int32_t, &t, once()) == 0);
  CHECK(evaluations == 1 && violations == 0);
  tsr_check_hook(former);
}

TEST_MAIN(RUN(right_access_is_quiet_in_every_c_type), RUN(every_rank), RUN(wrong_index), RUN(wrong_type),
          RUN(row_needs_stride_one), RUN(tensor_without_data), RUN(hook_is_set_and_given_back),
          RUN(indices_are_evaluated_once))
