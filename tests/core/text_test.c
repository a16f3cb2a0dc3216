/* Text without stdio. */
#include "core/text.h"
#include "support/helpers.h"
#include "support/test.h"

static char space[64];
static tsr__text text;
static const char *fresh(size_t capacity) {
  memset(space, '#', sizeof space);
  tsr__text_init(&text, space, capacity);
  return space;
}

TEST(strings_are_cut_to_capacity_and_counted) {
  for (size_t capacity = 0; capacity < 9; capacity++) {
    fresh(capacity);
    tsr__text_string(&text, "hello");
    CHECK(text.length == 5);
    if (capacity > 0) CHECK(memcmp(space, "hello", capacity > 5 ? 5 : capacity - 1) == 0);
    if (capacity > 0) CHECK(space[capacity > 5 ? 5 : capacity - 1] == '\0');
    CHECK(space[capacity] == '#');
  }
  tsr__text_init(&text, NULL, 0);
  tsr__text_string(&text, "nowhere");
  CHECK(text.length == 7);
}

TEST(integers) {
  static const struct {
    int64_t value;
    const char *want;
  } rows[] = {{0, "0"},
              {7, "7"},
              {10, "10"},
              {-1, "-1"},
              {-120, "-120"},
              {INT64_MAX, "9223372036854775807"},
              {INT64_MIN, "-9223372036854775808"}};
  for (int i = 0; i < COUNT_OF(rows); i++) {
    fresh(sizeof space);
    tsr__text_i64(&text, rows[i].value);
    CHECK(strcmp(space, rows[i].want) == 0);
  }
  fresh(sizeof space);
  tsr__text_u64(&text, UINT64_MAX);
  CHECK(strcmp(space, "18446744073709551615") == 0);
}

TEST(reals_with_six_digits) {
  static const struct {
    tsr_real value;
    const char *want;
  } rows[] = {
      {0, "0"},           {-0.0f, "0"},  {1, "1"},         {-3, "-3"},         {1.5f, "1.5"},       {-2.25f, "-2.25"},
      {123456, "123456"}, {0.5f, "0.5"}, {1e-3f, "0.001"}, {999999.5f, "1e6"}, {1234.5f, "1234.5"}, {3e20f, "3e20"},
      {1e9f, "1e9"}};
  for (int i = 0; i < COUNT_OF(rows); i++) {
    fresh(sizeof space);
    tsr__text_real(&text, rows[i].value);
    if (strcmp(space, rows[i].want) != 0) printf("  %s, wanted %s\n", space, rows[i].want);
    CHECK(strcmp(space, rows[i].want) == 0);
  }
}

TEST(reals_that_are_none) {
  const tsr_real infinity = (tsr_real)__builtin_inf();
  fresh(sizeof space);
  tsr__text_format(&text, "%r %r %r", &infinity, &(tsr_real){-infinity}, &(tsr_real){infinity - infinity});
  CHECK(strcmp(space, "inf -inf nan") == 0);
}

TEST(largest_and_smallest_reals_end) {
  const tsr_real largest = TSR_REAL_BITS == 64 ? (tsr_real)__DBL_MAX__ : (tsr_real)__FLT_MAX__;
  const tsr_real smallest = TSR_REAL_BITS == 64 ? (tsr_real)__DBL_DENORM_MIN__ : (tsr_real)__FLT_DENORM_MIN__;
  fresh(sizeof space);
  tsr__text_format(&text, "%r %r", &largest, &smallest);
  CHECK(strncmp(space, TSR_REAL_BITS == 64 ? "1.79769e308 " : "3.40282e38 ", TSR_REAL_BITS == 64 ? 12 : 11) == 0);
  CHECK(strstr(space, TSR_REAL_BITS == 64 ? "e-324" : "e-45") != NULL);
}

TEST(directives) {
  const tsr_tensor t = {.dtype = TSR_F32, .ndim = 2, .shape = {2, 3}};
  const tsr_tensor malformed = {.dtype = 77, .ndim = 200};
  fresh(sizeof space);
  tsr__text_format(&text, "%s|%d|%l|%z|%c|%y|%t|%S|%%|%q|", "s", -5, (int64_t)-6, (size_t)7, 'c', TSR_I8, &t, 3,
                   (const tsr_index[]){1, 0, -2});
  CHECK(strcmp(space, "s|-5|-6|7|c|i8|f32 [2,3]|[1,0,-2]|%|q|") == 0);
  fresh(sizeof space);
  tsr__text_format(&text, "%s %t %", (const char *)NULL, &malformed);
  CHECK(strcmp(space, "(null) none [] ") == 0);
}

TEST_MAIN(RUN(strings_are_cut_to_capacity_and_counted), RUN(integers), RUN(reals_with_six_digits),
          RUN(reals_that_are_none), RUN(largest_and_smallest_reals_end), RUN(directives))
