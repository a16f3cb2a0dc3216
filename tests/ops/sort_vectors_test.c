/* Sorting in vectors: every dtype, length and pattern, on every instruction set and number of threads, against a merge sort
 * written from the definition of the order; rows that fit registers; rows that are made to split badly. */
#include "support/test.h"

#include "ops/sort_reference.h"

#include <time.h>

#if TSR_HAVE_MALLOC

enum { LONGEST = 140000 };
static _Alignas(64) unsigned char row[LONGEST * 8];
static tsr_index order[LONGEST], room[LONGEST];

/* The indices in order: runs are merged, of equal elements the left one first. */
static void merge_indices(int dtype, bool descending, tsr_index n, const char *at) {
  const size_t item = tsr_dtype_size(dtype);
  for (tsr_index i = 0; i < n; i++) order[i] = i;
  for (tsr_index run = 1; run < n; run *= 2) {
    for (tsr_index i = 0; i < n; i += 2 * run) {
      const tsr_index middle = i + run < n ? i + run : n, end = i + 2 * run < n ? i + 2 * run : n;
      tsr_index left = i, right = middle;
      for (tsr_index to = i; to < end; to++) {
        const bool later =
            left == middle || (right < end && comes_before(dtype, descending, at + (size_t)order[right] * item,
                                                           at + (size_t)order[left] * item));
        room[to] = order[later ? right++ : left++];
      }
    }
    memcpy(order, room, (size_t)n * sizeof *order);
  }
}

typedef enum pattern { RANDOM, HARD, RISING, FALLING, FEW, ORGAN_PIPE, MANY_NAN, NEARLY, PATTERNS } pattern;

static double number_at(pattern p, tsr_index i, tsr_index n, test_rng *rng) {
  switch (p) {
    case RISING: return (double)(i - n / 2);
    case FALLING: return (double)(n / 2 - i);
    case FEW: return (double)test_between(rng, -3, 3);
    case ORGAN_PIPE: return (double)(i < n / 2 ? i : n - i);
    case MANY_NAN: return test_between(rng, 0, 1) == 0 ? (double)NAN : (double)test_between(rng, -1000, 1000);
    case NEARLY: return (double)(i % 97 == 5 ? n - i : i);
    default: return 0;
  }
}

/* Small floats and bytes are random in every pattern. */
static void fill_pattern(int dtype, pattern p, tsr_index n, test_rng *rng) {
  fill_hard(dtype, n, row, rng);
  for (tsr_index i = 0; i < n && p != HARD; i++) {
    const double d = number_at(p, i, n, rng);
    const uint64_t raw = (uint64_t)test_random(rng) << 32 | test_random(rng);
    const int64_t whole = p == RANDOM || d != d ? (int64_t)raw : (int64_t)d;
    switch (dtype) {
      case TSR_F32: ((float *)(void *)row)[i] = p == RANDOM ? (float)(int32_t)raw : (float)d; break;
      case TSR_F64: ((double *)(void *)row)[i] = p == RANDOM ? (double)(int64_t)raw : d; break;
      case TSR_I32:
      case TSR_U32: ((uint32_t *)(void *)row)[i] = (uint32_t)whole; break;
      case TSR_I64:
      case TSR_U64: ((uint64_t *)(void *)row)[i] = (uint64_t)whole; break;
      case TSR_I16:
      case TSR_U16: ((uint16_t *)(void *)row)[i] = (uint16_t)whole; break;
      default: break;
    }
  }
}

static void check_row(tsr_ctx *ctx, int dtype, tsr_index n, bool descending) {
  const size_t item = tsr_dtype_size(dtype);
  tsr_tensor x = {0}, out = {0}, index = {0};
  tsr_index wrong = 0;
  OK(ctx, tsr_from_memory(ctx, row, dtype, TSR_SHAPE(n), &x));
  OK(ctx, tsr_sort(ctx, &x, 0, descending, &out));
  OK(ctx, tsr_argsort(ctx, &x, 0, descending, &index));
  for (tsr_index i = 0; i < n; i++) {
    wrong += memcmp((char *)out.data + (size_t)i * item, row + (size_t)order[i] * item, item) != 0;
    wrong += ((tsr_index *)index.data)[i] != order[i];
  }
  CHECK(wrong == 0);
  if (wrong != 0) printf("  %d of %s, %d\n", (int)wrong, tsr_dtype_name(dtype), (int)n);
  tsr_release(&index);
  tsr_release(&out);
}

/* With every instruction set of this machine. */
static void check_everywhere(tsr_ctx *ctx, int dtype, pattern p, tsr_index n, test_rng *rng) {
  const bool descending = (n + (tsr_index)p) % 3 == 0;
  fill_pattern(dtype, p, n, rng);
  merge_indices(dtype, descending, n, (const char *)row);
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    tsr_ctx with = *ctx;
    OK(&with, tsr_context_set_isa(&with, tsr_isa_name(isa)));
    check_row(&with, dtype, n, descending);
  }
}

TEST(every_length_and_pattern) {
  test_rng rng = {21};
  tsr_ctx *const ctx = test_context();
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    if (!is_real(dtype)) continue;
    const bool closely = dtype == TSR_F32 || dtype == TSR_F64 || dtype == TSR_U64;
    for (tsr_index n = 0; n <= 600; n += closely || n < 70 ? 1 : 7)
      check_everywhere(ctx, dtype, (pattern)(n % PATTERNS), n, &rng);
  }
  CHECK(test_live() == 0);
}

TEST(around_powers_of_two) {
  test_rng rng = {22};
  tsr_ctx *const ctx = test_context();
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    if (!is_real(dtype)) continue;
    for (tsr_index power = 1024; power <= 4096; power *= 2)
      for (int p = 0; p < PATTERNS; p++) check_everywhere(ctx, dtype, (pattern)p, power + p % 3 - 1, &rng);
    check_everywhere(ctx, dtype, dtype % 2 == 0 ? RANDOM : HARD, 32769, &rng);
  }
  CHECK(test_live() == 0);
}

TEST(several_threads_share_a_row) {
  static const int dtypes[] = {TSR_F32, TSR_I64, TSR_F64, TSR_U16, TSR_I8, TSR_U32};
  static const int counts[] = {1, 2, 3, 8};
  if (!TSR_HAVE_THREADS) SKIP("no threads");
  test_rng rng = {23};
  for (int d = 0; d < COUNT_OF(dtypes); d++)
    for (int p = d % 2; p < PATTERNS; p += 2) {
      const tsr_index n = p == RANDOM ? LONGEST : 65536 + p;
      fill_pattern(dtypes[d], (pattern)p, n, &rng);
      merge_indices(dtypes[d], d == 0, n, (const char *)row);
      for (int c = 0; c < COUNT_OF(counts); c++) {
        tsr_ctx with = *test_context();
        tsr_threads *const pool = test_with_threads(&with, counts[c]);
        check_row(&with, dtypes[d], n, d == 0);
        tsr_threads_release(pool);
      }
    }
  CHECK(test_live() == 0);
}

/* A few long rows at once, and different values of one. */
TEST(threads_share_each_of_a_few_rows) {
  if (!TSR_HAVE_THREADS) SKIP("no threads");
  enum { ROWS = 2, N = 66000 };
  test_rng rng = {24};
  fill_pattern(TSR_F32, MANY_NAN, ROWS * N, &rng);
  tsr_ctx *const ctx = test_context();
  tsr_ctx with = *ctx;
  tsr_threads *const pool = test_with_threads(&with, 3);
  tsr_tensor x = {0}, one = {0}, many = {0};
  OK(ctx, tsr_from_memory(ctx, row, TSR_F32, TSR_SHAPE(ROWS, N), &x));
  OK(ctx, tsr_sort(ctx, &x, 1, true, &one));
  OK(&with, tsr_sort(&with, &x, 1, true, &many));
  CHECK(test_same_elements(&one, &many));
  tsr_release(&one);
  tsr_release(&many);
  OK(ctx, tsr_unique(ctx, &x, &one, NULL, NULL, NULL));
  OK(&with, tsr_unique(&with, &x, &many, NULL, NULL, NULL));
  CHECK(test_same_elements(&one, &many));
  tsr_release(&one);
  tsr_release(&many);
  tsr_threads_release(pool);
  CHECK(test_live() == 0);
}

/* ---- short rows ---- */

static void check_rows(tsr_ctx *ctx, int dtype, tsr_index rows, tsr_index n, bool specials, test_rng *rng) {
  const size_t item = tsr_dtype_size(dtype);
  tsr_tensor x = {0}, out = {0}, turned = {0}, across = {0};
  tsr_index wrong = 0;
  fill_pattern(dtype, specials ? HARD : RANDOM, rows * n, rng);
  OK(ctx, tsr_from_memory(ctx, row, dtype, TSR_SHAPE(rows, n), &x));
  OK(ctx, tsr_sort(ctx, &x, 1, n % 2 == 0, &out));
  OK(ctx, tsr_permute(ctx, &x, (const int[]){1, 0}, &turned));
  OK(ctx, tsr_sort(ctx, &turned, 0, n % 2 == 0, &across));
  for (tsr_index r = 0; r < rows; r++) {
    const char *const at = (const char *)row + (size_t)(r * n) * item;
    merge_indices(dtype, n % 2 == 0, n, at);
    for (tsr_index i = 0; i < n; i++) {
      wrong += memcmp(test_at(&out, (const tsr_index[]){r, i}), at + (size_t)order[i] * item, item) != 0;
      wrong += memcmp(test_at(&across, (const tsr_index[]){i, r}), at + (size_t)order[i] * item, item) != 0;
    }
  }
  CHECK(wrong == 0);
  if (wrong != 0) printf("  %d of %s, [%d,%d]\n", (int)wrong, tsr_dtype_name(dtype), (int)rows, (int)n);
  tsr_release(&across);
  tsr_release(&out);
}

TEST(short_rows) {
  static const int dtypes[] = {TSR_F32, TSR_I32, TSR_F64, TSR_U64, TSR_F16, TSR_U8};
  test_rng rng = {25};
  for (int d = 0; d < COUNT_OF(dtypes); d++)
    for (tsr_index n = 1; n <= 140; n += n < 70 ? 1 : 9)
      for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
        tsr_ctx with = *test_context();
        OK(&with, tsr_context_set_isa(&with, tsr_isa_name(isa)));
        check_rows(&with, dtypes[d], 1 + (n * 7 + d) % 23, n, (n + d) % 3 == 0, &rng);
      }
  CHECK(test_live() == 0);
}

/* ---- rows that split badly ---- */

enum { BAD = 100000, SAMPLE = 64 };
static uint32_t values[BAD];

/* What split.c looks at is the least of what is left, split for split; the others keep their order. */
static void make_bad_row(void) {
  static tsr_index left[BAD];
  tsr_index n = BAD;
  uint32_t next = 1;
  for (tsr_index i = 0; i < BAD; i++) left[i] = i;
  memset(values, 0, sizeof values);
  while (n > 16384) {
    uint64_t place = (uint64_t)n;
    uint32_t sample[SAMPLE];
    for (int i = 0; i < SAMPLE; i++) {
      place = place * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      uint32_t *const value = &values[left[(place >> 32) * (uint64_t)n >> 32]];
      if (*value == 0) *value = next++;
      int at = i;
      for (; at > 0 && sample[at - 1] > *value; at--) sample[at] = sample[at - 1];
      sample[at] = *value;
    }
    tsr_index kept = 0;
    for (tsr_index i = 0; i < n; i++)
      if (values[left[i]] == 0 || values[left[i]] > sample[SAMPLE / 2 - 1]) left[kept++] = left[i];
    n = kept;
  }
  for (tsr_index i = 0; i < BAD; i++)
    if (values[i] == 0) values[i] = next++;
}

static double seconds_to_sort(tsr_ctx *ctx, const uint32_t *numbers, bool *sorted) {
  double best = 1e9;
  for (int i = 0; i < 5; i++) {
    tsr_tensor x = {0}, out = {0};
    OK(ctx, tsr_from_memory(ctx, (void *)numbers, TSR_U32, TSR_SHAPE(BAD), &x));
    const clock_t begin = clock();
    OK(ctx, tsr_sort(ctx, &x, 0, false, &out));
    const double took = (double)(clock() - begin) / CLOCKS_PER_SEC;
    best = took < best ? took : best;
    for (tsr_index k = 1; k < BAD; k++) *sorted = *sorted && ((uint32_t *)out.data)[k - 1] <= ((uint32_t *)out.data)[k];
    tsr_release(&out);
  }
  return best;
}

/* 1300 splits of the whole row, if nothing ended them. */
TEST(no_row_takes_quadratic_time) {
  static uint32_t usual[BAD];
  test_rng rng = {26};
  bool sorted = true;
  for (tsr_index i = 0; i < BAD; i++) usual[i] = test_random(&rng);
  make_bad_row();
  tsr_ctx with = *test_context();
  tsr_threads *const pool = test_with_threads(&with, 1);
  const double random = seconds_to_sort(&with, usual, &sorted), bad = seconds_to_sort(&with, values, &sorted);
  tsr_threads_release(pool);
  CHECK(sorted);
  CHECK(bad < 4 * random + 1e-3 + 2.0 / CLOCKS_PER_SEC); /* where clock() counts milliseconds, two of them */
  printf("  %.2f ms, a row that splits badly %.2f ms\n", random * 1e3, bad * 1e3);
}

#else
TEST(every_length_and_pattern) { SKIP("no kernels to sort with"); }
TEST(around_powers_of_two) { SKIP("no kernels to sort with"); }
TEST(several_threads_share_a_row) { SKIP("no kernels to sort with"); }
TEST(threads_share_each_of_a_few_rows) { SKIP("no kernels to sort with"); }
TEST(short_rows) { SKIP("no kernels to sort with"); }
TEST(no_row_takes_quadratic_time) { SKIP("no kernels to sort with"); }
#endif

TEST_MAIN(RUN(every_length_and_pattern), RUN(around_powers_of_two), RUN(several_threads_share_a_row),
          RUN(threads_share_each_of_a_few_rows), RUN(short_rows), RUN(no_row_takes_quadratic_time))
