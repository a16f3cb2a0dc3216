/* More elements than 31 bits count, on a real GPU: TSR_TEST_HUGE=1, 60 GB of its memory, seconds. On the emulated one the same program with
 * few elements. Element i is i mod 251 throughout; whole tensors are compared on the device, and single elements here. */
#include "gpu_support.h"

enum { PERIOD = 251, MORE = 4097 };

/* 2^31 + 4097, or few; 0: skipped. */
static tsr_index elements(void) {
  const char *const asked = getenv("TSR_TEST_HUGE");
  if (!gpu_is_real()) return ((tsr_index)1 << 16) + MORE;
  return asked != NULL && asked[0] == '1' ? ((tsr_index)1 << 31) + MORE : 0;
}

typedef struct huge {
  tsr_ctx ctx;
  const tsr_device *gpu;
  tsr_index n;
  tsr_tensor x; /* u8 */
} huge;

#define HUGE_OR_SKIP(h)                                \
  const char *const why = gpu_missing();               \
  if (why != NULL) SKIP(why);                          \
  if (elements() == 0) SKIP("TSR_TEST_HUGE is not 1"); \
  huge h;                                              \
  REQUIRE(begin(&(h)))

static bool begin(huge *h) {
  tsr_tensor numbers = {0}, rest = {0};
  *h = (huge){.gpu = gpu_tested(), .n = elements()};
  if (h->gpu == NULL) return false;
  OK(NULL, tsr_context_init(&h->ctx, NULL));
  OK(&h->ctx, tsr_context_set_device(&h->ctx, h->gpu));
  OK(&h->ctx, tsr_arange_i64(&h->ctx, TSR_I64, 0, h->n, 1, &numbers));
  OK(&h->ctx, tsr_remainder_scalar(&h->ctx, &numbers, PERIOD, &rest));
  OK(&h->ctx, tsr_cast(&h->ctx, &rest, TSR_U8, &h->x));
  tsr_release(&numbers);
  tsr_release(&rest);
  return h->x.data != NULL;
}

static void end(huge *h) {
  tsr_release(&h->x);
  OK(&h->ctx, tsr_device_sync(&h->ctx, h->gpu));
  (void)tsr_device_trim(h->gpu);
}

/* ---- looking ---- */

/* Element i of a vector, or the one number of a result. */
static double element(huge *h, const tsr_tensor *t, tsr_index i) {
  tsr_tensor one = {0}, host = {0};
  tsr_real value = -1;
  if (t->ndim == 0)
    OK(&h->ctx, tsr_view(&h->ctx, t, &one));
  else
    OK(&h->ctx, tsr_select(&h->ctx, t, 0, i, &one));
  OK(&h->ctx, tsr_to_device(&h->ctx, &one, NULL, &host));
  OK(&h->ctx, tsr_get(&h->ctx, &host, 0, NULL, &value));
  tsr_release(&host);
  return (double)value;
}

/* A result that is released. */
static double number(huge *h, tsr_tensor *t) {
  const double value = element(h, t, 0);
  tsr_release(t);
  return value;
}

/* Whether two tensors agree in every element. */
static bool agree(huge *h, const tsr_tensor *a, const tsr_tensor *b) {
  tsr_tensor same = {0}, all = {0};
  OK(&h->ctx, tsr_eq(&h->ctx, a, b, &same));
  OK(&h->ctx, tsr_all(&h->ctx, &same, 0, NULL, false, &all));
  tsr_release(&same);
  return number(h, &all) == 1;
}

/* Around what 31 bits count, and the last. */
static bool is_x(huge *h, const tsr_tensor *t, tsr_index begin_at, double factor) {
  const tsr_index middle = h->n - MORE, places[] = {0, 1, middle - 1, middle, middle + 1, h->n - 2, h->n - 1};
  bool good = true;
  for (int i = 0; i < COUNT_OF(places); i++) {
    const tsr_index at = places[i];
    if (at >= t->shape[0]) continue;
    const double want = (double)((begin_at + at) % PERIOD) * factor, got = element(h, t, at);
    if (got != want) printf("  element %lld is %g, not %g\n", (long long)at, got, want);
    good = good && got == want;
  }
  return good;
}

static double sum_of_x(tsr_index n) {
  const tsr_index whole = n / PERIOD, rest = n % PERIOD;
  return (double)(whole * (PERIOD * (PERIOD - 1) / 2) + rest * (rest - 1) / 2);
}

/* ---- the tests ---- */

TEST(elements_one_by_one) {
  HUGE_OR_SKIP(h);
  tsr_tensor y = {0}, z = {0}, count = {0};
  CHECK(is_x(&h, &h.x, 0, 1));
  OK(&h.ctx, tsr_full(&h.ctx, TSR_U8, TSR_SHAPE(h.n), 7, &y));
  OK(&h.ctx, tsr_eq_scalar(&h.ctx, &y, 7, &z));
  OK(&h.ctx, tsr_count_nonzero(&h.ctx, &z, 0, NULL, false, &count));
  CHECK(number(&h, &count) == (double)h.n);
  tsr_release(&z);
  OK(&h.ctx, tsr_copy(&h.ctx, &h.x, &y));
  CHECK(agree(&h, &h.x, &y));
  OK(&h.ctx, tsr_add(&h.ctx, &h.x, &y, &y)); /* modulo 256, in place */
  OK(&h.ctx, tsr_sub(&h.ctx, &y, &h.x, &z));
  CHECK(agree(&h, &h.x, &z) && element(&h, &y, h.n - 1) == (double)(2 * ((h.n - 1) % PERIOD) % 256));
  tsr_release(&y);
  tsr_release(&z);
  end(&h);
}

TEST(other_dtypes) {
  HUGE_OR_SKIP(h);
  tsr_tensor half = {0}, twice = {0}, small = {0}, back = {0}, most = {0};
  OK(&h.ctx, tsr_cast(&h.ctx, &h.x, TSR_F16, &half));
  CHECK(is_x(&h, &half, 0, 1));
  OK(&h.ctx, tsr_add(&h.ctx, &half, &half, &twice));
  CHECK(is_x(&h, &twice, 0, 2));
  OK(&h.ctx, tsr_max(&h.ctx, &twice, 0, NULL, false, &most));
  CHECK(number(&h, &most) == 2 * (PERIOD - 1));
  tsr_release(&twice);
  OK(&h.ctx, tsr_cast(&h.ctx, &half, TSR_U8, &back));
  CHECK(agree(&h, &h.x, &back));
  tsr_release(&half);
  OK(&h.ctx, tsr_floor_divide_scalar(&h.ctx, &back, 2, &back));
  OK(&h.ctx, tsr_cast(&h.ctx, &back, TSR_I8, &small));
  OK(&h.ctx, tsr_neg(&h.ctx, &small, &small));
  CHECK(element(&h, &small, h.n - 1) == -(double)((h.n - 1) % PERIOD / 2));
  tsr_release(&small);
  tsr_release(&back);
  end(&h);
}

TEST(where_elements_lie) {
  HUGE_OR_SKIP(h);
  const tsr_index rows = (h.n - 1) / 64; /* 2^31 + 4096 in all */
  tsr_tensor view = {0}, turned = {0}, back = {0}, last = {0};
  OK(&h.ctx, tsr_narrow(&h.ctx, &h.x, 0, 0, 64 * rows, &view));
  OK(&h.ctx, tsr_reshape_view(&h.ctx, &view, TSR_SHAPE(64, rows), &view));
  OK(&h.ctx, tsr_transpose(&h.ctx, &view, 0, 1, &last));
  OK(&h.ctx, tsr_contiguous(&h.ctx, &last, &turned));
  OK(&h.ctx, tsr_select(&h.ctx, &turned, 0, rows - 1, &last));
  CHECK(element(&h, &last, 63) == (double)((64 * rows - 1) % PERIOD));
  OK(&h.ctx, tsr_transpose(&h.ctx, &turned, 0, 1, &last));
  CHECK(agree(&h, &last, &view)); /* across, and straight */
  tsr_release(&turned);
  OK(&h.ctx, tsr_slice(&h.ctx, &h.x, 0, TSR_OMIT, TSR_OMIT, -1, &view));
  OK(&h.ctx, tsr_clone(&h.ctx, &view, &back));
  CHECK(element(&h, &back, 0) == (double)((h.n - 1) % PERIOD) && element(&h, &back, h.n - 1) == 0);
  OK(&h.ctx, tsr_slice(&h.ctx, &back, 0, TSR_OMIT, TSR_OMIT, -1, &view));
  CHECK(agree(&h, &view, &h.x));
  tsr_release(&back);
  end(&h);
}

TEST(reductions) {
  HUGE_OR_SKIP(h);
  tsr_tensor y = {0}, last = {0};
  OK(&h.ctx, tsr_sum(&h.ctx, &h.x, 0, NULL, false, &y));
  CHECK(number(&h, &y) == sum_of_x(h.n));
  OK(&h.ctx, tsr_max(&h.ctx, &h.x, 0, NULL, false, &y));
  CHECK(number(&h, &y) == PERIOD - 1);
  OK(&h.ctx, tsr_zeros_like(&h.ctx, &h.x, &y));
  OK(&h.ctx, tsr_narrow(&h.ctx, &y, 0, h.n - 1, 1, &last));
  OK(&h.ctx, tsr_fill(&h.ctx, 1, &last));
  tsr_tensor at = {0};
  OK(&h.ctx, tsr_argmax(&h.ctx, &y, TSR_ALL_AXES, false, &at));
  CHECK(number(&h, &at) == (double)(h.n - 1));
  OK(&h.ctx, tsr_argmax(&h.ctx, &y, 0, false, &at));
  CHECK(number(&h, &at) == (double)(h.n - 1));
  tsr_release(&y);
  end(&h);
}

/* Rows of 16: each adds up to 1. */
TEST(many_rows) {
  HUGE_OR_SKIP(h);
  const tsr_index rows = (h.n - 1) / 16;
  tsr_tensor half = {0}, view = {0}, y = {0}, sums = {0}, one = {0};
  OK(&h.ctx, tsr_cast(&h.ctx, &h.x, TSR_F16, &half));
  OK(&h.ctx, tsr_narrow(&h.ctx, &half, 0, 0, 16 * rows, &view));
  OK(&h.ctx, tsr_reshape_view(&h.ctx, &view, TSR_SHAPE(rows, 16), &view));
  OK(&h.ctx, tsr_softmax(&h.ctx, &view, 1, &y));
  tsr_release(&half);
  OK(&h.ctx, tsr_sum(&h.ctx, &y, TSR_AXES(1), false, &sums));
  OK(&h.ctx, tsr_min(&h.ctx, &sums, 0, NULL, false, &one));
  CHECK(number(&h, &one) > 0.99);
  OK(&h.ctx, tsr_max(&h.ctx, &sums, 0, NULL, false, &one));
  CHECK(number(&h, &one) < 1.01);
  /* The last row counts up by 1 but where it begins again: its greatest element is e to the power of 1 above the next. */
  OK(&h.ctx, tsr_select(&h.ctx, &y, 0, rows - 1, &view));
  const int greatest = (16 * rows - 1) % PERIOD >= 15 ? 15 : (int)(15 - (16 * rows - 1) % PERIOD) - 1;
  const double top = element(&h, &view, greatest), next = element(&h, &view, greatest - 1);
  CHECK(top > 0.5 && top / next > 2.6 && top / next < 2.8);
  tsr_release(&y);
  tsr_release(&sums);
  end(&h);
}

TEST(rows_by_their_numbers) {
  HUGE_OR_SKIP(h);
  const tsr_index rows = (h.n - 1) / 64;
  int64_t numbers[] = {rows - 1, 0, rows - 64, rows - 65, rows / 2};
  const tsr_index count = COUNT_OF(numbers);
  tsr_tensor index = {0}, there = {0}, view = {0}, y = {0}, row = {0};
  OK(&h.ctx, tsr_from_memory(NULL, numbers, TSR_I64, TSR_SHAPE(count), &index));
  OK(&h.ctx, tsr_to_device(&h.ctx, &index, h.gpu, &there));
  OK(&h.ctx, tsr_narrow(&h.ctx, &h.x, 0, 0, 64 * rows, &view));
  OK(&h.ctx, tsr_reshape_view(&h.ctx, &view, TSR_SHAPE(rows, 64), &view));
  OK(&h.ctx, tsr_take(&h.ctx, &view, &there, 0, &y));
  for (int i = 0; i < COUNT_OF(numbers); i++) {
    OK(&h.ctx, tsr_select(&h.ctx, &y, 0, i, &row));
    CHECK(element(&h, &row, 63) == (double)((64 * numbers[i] + 63) % PERIOD));
  }
  tsr_release(&index);
  tsr_release(&there);
  tsr_release(&y);
  end(&h);
}

TEST(joined_and_chosen) {
  HUGE_OR_SKIP(h);
  const tsr_index half = h.n / 2 + 1;
  tsr_tensor part[2] = {{0}}, y = {0}, mask = {0}, zero = {0}, chosen = {0};
  const tsr_tensor *const parts[] = {&part[0], &part[1]};
  OK(&h.ctx, tsr_narrow(&h.ctx, &h.x, 0, 0, half, &part[0]));
  OK(&h.ctx, tsr_narrow(&h.ctx, &h.x, 0, half, h.n - half, &part[1]));
  OK(&h.ctx, tsr_concat(&h.ctx, 2, parts, 0, &y));
  CHECK(agree(&h, &y, &h.x));
  OK(&h.ctx, tsr_narrow(&h.ctx, &h.x, 0, 0, MORE, &part[1]));
  const tsr_tensor *const longer[] = {&h.x, &part[1]};
  tsr_release(&y);
  OK(&h.ctx, tsr_concat(&h.ctx, 2, longer, 0, &y));
  CHECK(y.shape[0] == h.n + MORE && element(&h, &y, h.n) == 0 &&
        element(&h, &y, h.n + MORE - 1) == (MORE - 1) % PERIOD);
  tsr_release(&y);
  OK(&h.ctx, tsr_gt_scalar(&h.ctx, &h.x, 100, &mask));
  OK(&h.ctx, tsr_zeros_like(&h.ctx, &h.x, &zero));
  OK(&h.ctx, tsr_where(&h.ctx, &mask, &h.x, &zero, &y));
  OK(&h.ctx, tsr_mul(&h.ctx, &h.x, &mask, &chosen));
  CHECK(agree(&h, &y, &chosen));
  const double last = (double)((h.n - 1) % PERIOD);
  CHECK(element(&h, &y, h.n - 1) == (last > 100 ? last : 0));
  tsr_release(&mask);
  tsr_release(&zero);
  tsr_release(&y);
  tsr_release(&chosen);
  end(&h);
}

/* What stands at place i of the sorted elements: a number, and which of those that have it. */
static double sorted_element(const huge *h, tsr_index i, tsr_index *which) {
  tsr_index value = 0;
  for (;; value++) {
    const tsr_index count = (h->n - value + PERIOD - 1) / PERIOD;
    if (i < count) break;
    i -= count;
  }
  *which = i;
  return (double)value;
}

TEST(sorted) {
  HUGE_OR_SKIP(h);
  tsr_tensor y = {0}, index = {0};
  OK(&h.ctx, tsr_sort(&h.ctx, &h.x, 0, false, &y));
  OK(&h.ctx, tsr_argsort(&h.ctx, &h.x, 0, false, &index));
  for (int k = 0; k < 8; k++) {
    const tsr_index i = k < 7 ? h.n / 7 * k + k : h.n - 1;
    tsr_index which = 0;
    const double value = sorted_element(&h, i, &which);
    CHECK(element(&h, &y, i) == value);
    CHECK(element(&h, &index, i) == value + (double)which * PERIOD);
  }
  tsr_release(&y);
  tsr_release(&index);
  end(&h);
}

TEST_MAIN(RUN(sorted), RUN(elements_one_by_one), RUN(other_dtypes), RUN(where_elements_lie), RUN(reductions),
          RUN(many_rows), RUN(rows_by_their_numbers), RUN(joined_and_chosen))
