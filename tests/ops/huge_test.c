/* More than 2^31 elements: what a 32-bit count or a product of int would get wrong. Takes two tensors of 2 GB and some
 * seconds, so that it runs only where TSR_TEST_HUGE is set (scripts/ci-full). Where two would not do, a tensor repeats
 * a row. */
#include "support/helpers.h"
#include "support/test.h"

#include <stdlib.h>

#if TSR_HAVE_MALLOC && TSR_INDEX_BITS == 64 && UINTPTR_MAX > UINT32_MAX

enum { MARKS = 5 };

#define HALF ((tsr_index)1 << 31)
static const tsr_index count = HALF + 1003;
/* Where x is 10, 11, 12, 13, 14; it is 1 elsewhere. */
static const tsr_index place[MARKS] = {5, HALF - 1, HALF, HALF + 7, HALF + 1002};

static tsr_ctx *ctx;
static tsr_tensor x, y; /* u8; y is an output of the same size */

#define HUGE_TEST                                                          \
  do {                                                                     \
    if (getenv("TSR_TEST_HUGE") == NULL) SKIP("TSR_TEST_HUGE is not set"); \
    REQUIRE(ready());                                                      \
  } while (0)

static bool ready(void) {
  if (x.data != NULL) return true;
  ctx = test_context();
  OK(ctx, tsr_ones(ctx, TSR_U8, TSR_SHAPE(count), &x));
  OK(ctx, tsr_zeros(ctx, TSR_U8, TSR_SHAPE(count), &y));
  if (x.data == NULL || y.data == NULL) return false;
  for (int i = 0; i < MARKS; i++) ((uint8_t *)x.data)[place[i]] = (uint8_t)(10 + i);
  return true;
}

static const uint8_t *in(void) { return x.data; }
static const uint8_t *out(void) { return y.data; }
static void clear(void) { memset(y.data, 0, (size_t)count); }

/* A few elements around every mark and around the ends: y at i is what want says. */
static void check_places(int (*want)(tsr_index i)) {
  for (int k = 0; k < MARKS; k++)
    for (tsr_index i = place[k] - 3; i <= place[k] + 3; i++)
      if (i >= 0 && i < count) CHECK(out()[i] == (uint8_t)want(i));
}

static int same(tsr_index i) { return in()[i]; }
static int twice(tsr_index i) { return 2 * in()[i]; }
static int from_the_end(tsr_index i) { return in()[count - 1 - i]; }
static int before_it(tsr_index i) { return in()[(i + count - 9) % count]; }

/* The sum of all elements of t, exactly. */
static int64_t sum_of(const tsr_tensor *t) {
  tsr_tensor total = {0};
  int64_t value = -1;
  OK(ctx, tsr_sum(ctx, t, 0, NULL, false, &total));
  OK(ctx, tsr_get_i64(ctx, &total, 0, NULL, &value));
  tsr_release(&total);
  return value;
}
static const int64_t sum_of_x = HALF + 1003 - MARKS + 10 + 11 + 12 + 13 + 14;

TEST(copies_and_casts) {
  HUGE_TEST;
  tsr_tensor as_i8 = {0};
  clear();
  OK(ctx, tsr_copy(ctx, &x, &y));
  CHECK(memcmp(x.data, y.data, (size_t)count) == 0);
  clear();
  OK(ctx, tsr_bitcast(ctx, &y, TSR_I8, &as_i8));
  OK(ctx, tsr_cast(ctx, &x, TSR_I8, &as_i8));
  check_places(same);
  CHECK(sum_of(&as_i8) == sum_of_x);
}

TEST(additions) {
  HUGE_TEST;
  clear();
  OK(ctx, tsr_add(ctx, &x, &x, &y));
  check_places(twice);
  CHECK(sum_of(&y) == 2 * sum_of_x);
}

TEST(reductions) {
  HUGE_TEST;
  tsr_tensor one = {0};
  int64_t value = -1;
  CHECK(sum_of(&x) == sum_of_x);
  OK(ctx, tsr_argmax(ctx, &x, 0, false, &one));
  OK(ctx, tsr_get_i64(ctx, &one, 0, NULL, &value));
  CHECK(value == HALF + 1002);
  tsr_release(&one);
  OK(ctx, tsr_count_nonzero(ctx, &x, 0, NULL, false, &one));
  OK(ctx, tsr_get_i64(ctx, &one, 0, NULL, &value));
  CHECK(value == count);
  tsr_release(&one);
}

TEST(reductions_of_repeated_rows) { /* [65536,65537] and one row of memory: 2^32 + 65536 elements */
  HUGE_TEST;
  tsr_tensor row = {0}, wide = {0}, sums = {0};
  OK(ctx, tsr_ones(ctx, TSR_I8, TSR_SHAPE(65537), &row));
  ((int8_t *)row.data)[65536] = -3;
  OK(ctx, tsr_broadcast_to(ctx, &row, TSR_SHAPE(65536, 65537), &wide));
  CHECK(sum_of(&wide) == (int64_t)65536 * 65536 - 3 * 65536);
  OK(ctx, tsr_sum(ctx, &wide, 1, (const int[]){1}, false, &sums));
  CHECK(tsr_size(&sums) == 65536 && TSR_AT(int64_t, &sums, 65535) == 65533);
  tsr_release(&sums);
  OK(ctx, tsr_sum(ctx, &wide, 1, (const int[]){0}, false, &sums));
  CHECK(tsr_size(&sums) == 65537 && TSR_AT(int64_t, &sums, 65535) == 65536);
  CHECK(TSR_AT(int64_t, &sums, 65536) == -3 * 65536);
  tsr_release(&sums);
  tsr_release(&row);
}

TEST(slices) {
  HUGE_TEST;
  tsr_tensor part = {0}, few = {0}, half = {0};
  OK(ctx, tsr_slice(ctx, &x, 0, HALF - 2, TSR_OMIT, 3, &part)); /* HALF - 2, HALF + 1, HALF + 4, HALF + 7 */
  OK(ctx, tsr_copy(ctx, &part, &few));
  CHECK(tsr_size(&few) == 335 && TSR_AT(uint8_t, &few, 3) == 13 && TSR_AT(uint8_t, &few, 2) == 1);
  tsr_release(&few);
  clear();
  OK(ctx, tsr_slice(ctx, &x, 0, 0, TSR_OMIT, 2, &part));
  OK(ctx, tsr_narrow(ctx, &y, 0, 0, part.shape[0], &half));
  OK(ctx, tsr_copy(ctx, &part, &half));
  CHECK(out()[HALF / 2] == 12 && out()[HALF / 2 + 501] == 14 && out()[HALF / 2 + 502] == 0);
  clear();
  OK(ctx, tsr_flip(ctx, &x, 0, &part));
  OK(ctx, tsr_copy(ctx, &part, &y));
  check_places(from_the_end);
  CHECK(sum_of(&y) == sum_of_x);
}

TEST(movement) {
  HUGE_TEST;
  tsr_tensor front = {0}, back = {0}, index = {0}, picked = {0};
  int64_t numbers[3] = {HALF + 7, -1, HALF};
  clear();
  OK(ctx, tsr_narrow(ctx, &x, 0, 0, HALF - 3, &front));
  OK(ctx, tsr_narrow(ctx, &x, 0, HALF - 3, 1006, &back));
  OK(ctx, tsr_concat(ctx, 2, (const tsr_tensor *[]){&front, &back}, 0, &y));
  CHECK(memcmp(x.data, y.data, (size_t)count) == 0);
  OK(ctx, tsr_roll(ctx, &x, 9, 0, &y));
  check_places(before_it);
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I64, TSR_SHAPE(3), &index));
  OK(ctx, tsr_take(ctx, &x, &index, 0, &picked));
  CHECK(TSR_AT(uint8_t, &picked, 0) == 13 && TSR_AT(uint8_t, &picked, 1) == 14 && TSR_AT(uint8_t, &picked, 2) == 12);
  tsr_release(&picked);
  OK(ctx, tsr_narrow(ctx, &x, 0, 0, count - 2, &front));
  OK(ctx, tsr_pad(ctx, &front, (const tsr_index[]){1}, (const tsr_index[]){1}, TSR_PAD_CONSTANT, 99, &y));
  CHECK(out()[0] == 99 && out()[count - 1] == 99 && out()[HALF + 8] == 13 && out()[HALF + 1] == 12 && out()[6] == 10);
}

TEST(transposes) { /* [65536,32768] */
  HUGE_TEST;
  tsr_tensor from = {0}, to = {0};
  const tsr_index rows = 65536, columns = 32768;
  clear();
  OK(ctx, tsr_narrow(ctx, &x, 0, 1003, rows * columns, &from)); /* ends with x */
  OK(ctx, tsr_narrow(ctx, &y, 0, 1003, rows * columns, &to));
  OK(ctx, tsr_reshape_view(ctx, &from, TSR_SHAPE(rows, columns), &from));
  OK(ctx, tsr_reshape_view(ctx, &to, TSR_SHAPE(columns, rows), &to));
  OK(ctx, tsr_transpose(ctx, &from, 0, 1, &from));
  OK(ctx, tsr_copy(ctx, &from, &to));
  for (int k = 1; k < MARKS; k++) {
    const tsr_index i = place[k] - 1003;
    CHECK(out()[1003 + i % columns * rows + i / columns] == 10 + k);
  }
  CHECK(sum_of(&to) == sum_of_x - 1003 - 9); /* without the first 1003, one of which is 10 */
}

TEST(the_end) {
  HUGE_TEST;
  tsr_release(&x);
  tsr_release(&y);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(copies_and_casts), RUN(additions), RUN(reductions), RUN(reductions_of_repeated_rows), RUN(slices),
          RUN(movement), RUN(transposes), RUN(the_end))

#else

TEST(huge) { SKIP("no room for 2^31 elements"); }
TEST_MAIN(RUN(huge))

#endif
