/* sort, argsort, topk, partition, unique: against a sort by insertion, for every dtype, layout, axis and order, byte by
 * byte; long lines; threads; outputs that are given, in place, overlapping; failures. */
#include "support/test.h"

#include "ops/sort_reference.h"

#define INDEX_DTYPE (TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32)

static tsr_index order[SORT_LONGEST];

/* ---- what a line must be ---- */

typedef struct wanted {
  const tsr_tensor *out, *index; /* NULL: not looked at */
  bool descending, sorted;
  tsr_index k; /* of topk, or the place of partition */
  int wrong;
} wanted;

static void check_sorted(const tsr_tensor *x, const char *at, ptrdiff_t step, tsr_index *index, int axis, void *arg) {
  wanted *const e = arg;
  const size_t item = tsr_dtype_size(x->dtype);
  sorted_indices(x->dtype, e->descending, x->shape[axis], at, step, order);
  for (tsr_index i = 0; i < x->shape[axis]; i++) {
    e->wrong += memcmp(along_at(e->out, index, axis, i), at + step * (ptrdiff_t)order[i], item) != 0;
    e->wrong += index_at(e->index, index, axis, i) != order[i];
  }
}

static void check_topk(const tsr_tensor *x, const char *at, ptrdiff_t step, tsr_index *index, int axis, void *arg) {
  wanted *const e = arg;
  const tsr_index n = x->shape[axis];
  sorted_indices(x->dtype, e->descending, n, at, step, order);
  for (tsr_index i = 1; i < e->k && !e->sorted; i++) /* in the order of the indices */
    for (tsr_index k = i; k > 0 && order[k] < order[k - 1]; k--) {
      const tsr_index other = order[k];
      order[k] = order[k - 1];
      order[k - 1] = other;
    }
  const size_t item = tsr_dtype_size(x->dtype);
  for (tsr_index i = 0; i < e->k; i++) {
    e->wrong += memcmp(along_at(e->out, index, axis, i), at + step * (ptrdiff_t)order[i], item) != 0;
    e->wrong += index_at(e->index, index, axis, i) != order[i];
  }
}

/* The lesser, the equal, the greater, each in order. */
static void check_parts(const tsr_tensor *x, const char *at, ptrdiff_t step, tsr_index *index, int axis, void *arg) {
  wanted *const e = arg;
  const tsr_index n = x->shape[axis];
  tsr_index to = 0;
  sorted_indices(x->dtype, false, n, at, step, order);
  const char *const pivot = at + step * (ptrdiff_t)order[e->k];
  for (int part = 0; part < 3; part++)
    for (tsr_index i = 0; i < n; i++) {
      const char *const element = at + step * (ptrdiff_t)i;
      const bool less = comes_before(x->dtype, false, element, pivot);
      const int own = less ? 0 : comes_before(x->dtype, false, pivot, element) ? 2 : 1;
      if (own != part) continue;
      e->wrong += memcmp(along_at(e->out, index, axis, to), element, tsr_dtype_size(x->dtype)) != 0;
      e->wrong += index_at(e->index, index, axis, to) != i;
      to++;
    }
}

/* ---- every dtype, layout and axis ---- */

static void check_axis(tsr_ctx *ctx, const tsr_tensor *x, int axis) {
  const tsr_index n = x->shape[axis];
  for (int descending = 0; descending < 2; descending++) {
    tsr_tensor out = {0}, index = {0};
    wanted e = {&out, &index, descending != 0, true, 0, 0};
    OK(ctx, tsr_sort(ctx, x, axis - x->ndim, descending != 0, &out));
    OK(ctx, tsr_argsort(ctx, x, axis, descending != 0, &index));
    CHECK(out.dtype == x->dtype && index.dtype == INDEX_DTYPE && tsr_same_shape(&out, x) && tsr_same_shape(&index, x));
    each_line(x, axis, check_sorted, &e);
    tsr_release(&index);
    tsr_release(&out);
    for (tsr_index k = 0; k <= n; k += n > 2 ? n / 2 : 1)
      for (int sorted = 0; sorted < 2; sorted++) {
        e.k = k;
        e.sorted = sorted != 0;
        OK(ctx, tsr_topk(ctx, x, k, axis, descending != 0, sorted != 0, &out, &index));
        CHECK(out.dtype == x->dtype && out.shape[axis] == k && index.shape[axis] == k);
        if (k > 0) each_line(x, axis, check_topk, &e);
        tsr_release(&index);
        tsr_release(&out);
      }
    CHECK(e.wrong == 0);
    if (e.wrong != 0) printf("  %d of %s, axis %d, down %d\n", e.wrong, tsr_dtype_name(x->dtype), axis, descending);
  }
  for (tsr_index place = 0; place < n; place += 1 + n / 3) {
    tsr_tensor out = {0}, index = {0};
    wanted e = {&out, &index, false, true, place, 0};
    OK(ctx, tsr_partition(ctx, x, place, axis, &out));
    OK(ctx, tsr_argpartition(ctx, x, place - n, axis, &index));
    each_line(x, axis, check_parts, &e);
    CHECK(e.wrong == 0);
    tsr_release(&index);
    tsr_release(&out);
  }
}

static void check_axes(tsr_ctx *ctx, test_buffer *buffer, const tsr_tensor *x, test_rng *rng) {
  fill_hard(x->dtype, TEST_ELEMENTS, buffer->bytes, rng);
  for (int axis = 0; axis < x->ndim; axis++) check_axis(ctx, x, axis);
}

TEST(every_dtype_layout_and_axis) { each_ordered_layout(3, check_axes); }

/* ---- long lines ---- */

static _Alignas(64) unsigned char line_bytes[SORT_LONGEST * 8];

/* Random, rising, falling, all equal, two values. */
static void fill_line(int dtype, tsr_index n, int kind, test_rng *rng) {
  fill_hard(dtype, n, line_bytes, rng);
  if (kind == 0 || (kind < 3 && tsr_dtype_size(dtype) < 4)) return;
  for (tsr_index i = 0; i < n; i++) {
    const tsr_index number = kind == 1 ? i : kind == 2 ? n - i : kind == 3 ? 5 : i * 7 % 2;
    if (dtype == TSR_F32)
      ((float *)(void *)line_bytes)[i] = (float)number;
    else if (dtype == TSR_I32 || dtype == TSR_U32)
      ((int32_t *)(void *)line_bytes)[i] = (int32_t)number;
    else if (dtype == TSR_I64 || dtype == TSR_U64)
      ((int64_t *)(void *)line_bytes)[i] = (int64_t)number;
  }
}

TEST(long_lines) {
  static const tsr_index lengths[] = {17, 47, 49, 97, 193, SORT_LONGEST};
  test_rng rng = {11};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    if (!is_real(dtype)) continue;
    for (int l = 0; l < COUNT_OF(lengths); l++)
      for (int kind = 0; kind < (lengths[l] < 1000 ? 5 : 1); kind++) {
        const tsr_index n = lengths[l];
        tsr_ctx *const ctx = test_context();
        tsr_tensor x = {0}, out = {0}, index = {0};
        fill_line(dtype, n, kind, &rng);
        OK(ctx, tsr_from_memory(ctx, line_bytes, dtype, TSR_SHAPE(n), &x));
        wanted e = {&out, &index, (l + kind) % 2 != 0, true, 0, 0};
        OK(ctx, tsr_sort(ctx, &x, 0, e.descending, &out));
        OK(ctx, tsr_argsort(ctx, &x, 0, e.descending, &index));
        each_line(&x, 0, check_sorted, &e);
        CHECK(e.wrong == 0);
        if (e.wrong != 0) printf("  %d of %s, %d, kind %d\n", e.wrong, tsr_dtype_name(dtype), (int)n, kind);
        tsr_release(&index);
        tsr_release(&out);
      }
  }
}

TEST(few_of_long_lines) {
  test_rng rng = {12};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    if (!is_real(dtype)) continue;
    for (int kind = 0; kind < 5; kind++) {
      tsr_ctx *const ctx = test_context();
      tsr_tensor x = {0}, out = {0}, index = {0};
      fill_line(dtype, SORT_LONGEST, kind, &rng);
      OK(ctx, tsr_from_memory(ctx, line_bytes, dtype, TSR_SHAPE(SORT_LONGEST), &x));
      wanted e = {&out, &index, kind % 2 == 0, true, kind * 5 + 1, 0};
      OK(ctx, tsr_topk(ctx, &x, e.k, 0, e.descending, true, &out, &index));
      each_line(&x, 0, check_topk, &e);
      CHECK(e.wrong == 0);
      tsr_release(&index);
      tsr_release(&out);
      e.k = SORT_LONGEST / 3;
      OK(ctx, tsr_partition(ctx, &x, e.k, 0, &out));
      OK(ctx, tsr_argpartition(ctx, &x, e.k, 0, &index));
      each_line(&x, 0, check_parts, &e);
      CHECK(e.wrong == 0);
      tsr_release(&index);
      tsr_release(&out);
    }
  }
}

/* Lines that are longer than what is kept at a time: what argsort says, which is tested above. */
TEST(few_of_very_long_lines) {
  enum { LENGTH = TSR_HAVE_MALLOC ? 30000 : 400 };
  static const int dtypes[] = {TSR_F32, TSR_U8, TSR_I16, TSR_I64};
  static _Alignas(64) unsigned char bytes[LENGTH * 8];
  static const tsr_index ks[] = {1, 15, LENGTH / 40, LENGTH / 10};
  test_rng rng = {13};
  for (int d = 0; d < COUNT_OF(dtypes); d++)
    for (int rising = 0; rising < 2; rising++)
      for (int i = 0; i < COUNT_OF(ks); i++) {
        tsr_ctx *const ctx = test_context();
        tsr_tensor x = {0}, index = {0}, all = {0}, first = {0};
        fill_hard(dtypes[d], LENGTH, bytes, &rng);
        if (i == 0) memset(bytes, 0xff, LENGTH / 4 * tsr_dtype_size(dtypes[d])); /* NaN to begin with */
        OK(ctx, tsr_from_memory(ctx, bytes, dtypes[d], TSR_SHAPE(LENGTH), &x));
        if (rising) OK(ctx, tsr_sort(ctx, &x, 0, i % 2 != 0, &x)); /* each is better than all before, or none */
        OK(ctx, tsr_argsort(ctx, &x, 0, true, &all));
        OK(ctx, tsr_topk(ctx, &x, ks[i], 0, true, true, NULL, &index));
        OK(ctx, tsr_narrow(ctx, &all, 0, 0, ks[i], &first));
        CHECK(test_same_elements(&first, &index));
        tsr_release(&index);
        tsr_release(&all);
      }
}

/* ---- unique ---- */

static void check_unique(tsr_ctx *ctx, const tsr_tensor *x) {
  tsr_tensor flat = {0}, values = {0}, index = {0}, inverse = {0}, counts = {0}, alone = {0};
  OK(ctx, tsr_copy(ctx, x, &flat));
  const tsr_index n = tsr_size(&flat);
  const size_t item = tsr_dtype_size(x->dtype);
  const char *const at = flat.data;
  OK(ctx, tsr_unique(ctx, x, &values, &index, &inverse, &counts));
  OK(ctx, tsr_unique(ctx, x, &alone, NULL, NULL, NULL));
  CHECK(test_same_elements(&values, &alone) && tsr_same_shape(&inverse, x) && tsr_same_shape(&index, &counts));
  sorted_indices(x->dtype, false, n, at, (ptrdiff_t)item, order);
  tsr_index run = -1, count = 0;
  int wrong = 0;
  for (tsr_index i = 0; i < n; i++) {
    const char *const element = at + (size_t)order[i] * item;
    if (i == 0 || comes_before(x->dtype, false, at + (size_t)order[i - 1] * item, element)) {
      run++;
      count = 0;
      wrong += memcmp((char *)values.data + (size_t)run * item, element, item) != 0;
      wrong += ((tsr_index *)index.data)[run] != order[i];
    }
    count++;
    wrong += i + 1 == n && ((tsr_index *)counts.data)[run] != count;
    tsr_index place[TSR_MAX_DIMS];
    test_nth_index(x->ndim, x->shape, TSR_ROW_MAJOR, order[i], place);
    wrong += *(tsr_index *)test_at(&inverse, place) != run;
  }
  CHECK(wrong == 0 && values.shape[0] == run + 1 && values.ndim == 1);
  if (wrong != 0) printf("  %d of %s\n", wrong, tsr_dtype_name(x->dtype));
  tsr_release(&alone);
  tsr_release(&counts);
  tsr_release(&inverse);
  tsr_release(&index);
  tsr_release(&values);
  tsr_release(&flat);
}

/* With room for fewer, as many, and more than there are: the same values and counts, and 0 behind them. */
static void check_within(tsr_ctx *ctx, const tsr_tensor *x) {
  tsr_tensor values = {0}, inverse = {0}, counts = {0};
  OK(ctx, tsr_unique(ctx, x, &values, NULL, &inverse, &counts));
  const tsr_index n = values.shape[0], rooms[] = {0, n / 2, n, n + 3};
  const size_t item = tsr_dtype_size(x->dtype);
  for (int i = 0; i < COUNT_OF(rooms); i++) {
    tsr_tensor some = {0}, alone = {0}, all = {0}, how_often = {0}, count = {0}, same = {0};
    OK(ctx, tsr_unique_within(ctx, x, rooms[i], &some, &all, &how_often, &count));
    OK(ctx, tsr_unique_within(ctx, x, rooms[i], &alone, NULL, NULL, NULL));
    OK(ctx, tsr_unique_within(ctx, x, rooms[i], NULL, NULL, NULL, &same));
    CHECK(*(tsr_index *)count.data == n && *(tsr_index *)same.data == n);
    CHECK(some.shape[0] == rooms[i] && test_same_elements(&some, &alone) && test_same_elements(&all, &inverse));
    int wrong = 0;
    for (tsr_index k = 0; k < rooms[i]; k++) {
      static const unsigned char zero[16];
      const void *const want = k < n ? (const char *)values.data + (size_t)k * item : (const void *)zero;
      wrong += memcmp((const char *)some.data + (size_t)k * item, want, item) != 0;
      wrong += ((const tsr_index *)how_often.data)[k] != (k < n ? ((const tsr_index *)counts.data)[k] : 0);
    }
    CHECK(wrong == 0);
    tsr_tensor *const made[] = {&some, &alone, &all, &how_often, &count, &same};
    for (int k = 0; k < COUNT_OF(made); k++) tsr_release(made[k]);
  }
  tsr_release(&values);
  tsr_release(&inverse);
  tsr_release(&counts);
}

static void check_different(tsr_ctx *ctx, test_buffer *buffer, const tsr_tensor *x, test_rng *rng) {
  fill_hard(x->dtype, TEST_ELEMENTS, buffer->bytes, rng);
  if (tsr_size(x) <= SORT_LONGEST) check_unique(ctx, x);
  if (tsr_size(x) <= SORT_LONGEST) check_within(ctx, x);
}

TEST(different_values) { each_ordered_layout(5, check_different); }

/* ---- threads ---- */

TEST(the_same_for_every_number_of_threads) {
  if (!TSR_HAVE_THREADS) SKIP("no threads");
  enum { ROWS = 9, COLUMNS = 3000 };
  static const int dtypes[] = {TSR_F32, TSR_I64, TSR_U8, TSR_F16};
  test_rng rng = {8};
  for (int d = 0; d < COUNT_OF(dtypes); d++) {
    tsr_tensor x = {0}, want[4] = {{0}};
    tsr_ctx *ctx = test_context();
    OK(ctx, tsr_empty(ctx, dtypes[d], TSR_SHAPE(ROWS, COLUMNS), &x));
    fill_hard(dtypes[d], ROWS * COLUMNS, x.data, &rng);
    for (int count = 1; count <= 8; count++) {
      tsr_tensor got[4] = {{0}};
      tsr_ctx with = *ctx;
      tsr_threads *const pool = test_with_threads(&with, count);
      OK(&with, tsr_sort(&with, &x, 1, false, &got[0]));
      OK(&with, tsr_argsort(&with, &x, 0, true, &got[1]));
      OK(&with, tsr_topk(&with, &x, 50, 1, true, true, &got[2], &got[3]));
      for (int i = 0; i < 4; i++) {
        if (count == 1)
          want[i] = tsr_move(&got[i]);
        else
          CHECK(test_same_elements(&want[i], &got[i]));
        tsr_release(&got[i]);
      }
      tsr_threads_release(pool);
    }
    for (int i = 0; i < 4; i++) tsr_release(&want[i]);
    tsr_release(&x);
    CHECK(test_live() == 0);
  }
}

/* ---- outputs ---- */

TEST(outputs_in_place_and_overlapping) {
  tsr_ctx *const ctx = test_context();
  float values[8] = {5, 3, NAN, -1, 4, -0.0f, 0, 9};
  tsr_tensor whole = {0}, x = {0}, out = {0}, turned = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(8), &whole));
  OK(ctx, tsr_sort(ctx, &whole, 0, false, &whole));
  CHECK(values[0] == -1 && values[1] == 0 && signbit(values[1]) && !signbit(values[2]));
  CHECK(values[6] == 9 && isnan(values[7]));
  OK(ctx, tsr_sort(ctx, &whole, 0, true, &whole));
  CHECK(values[0] == 9 && values[6] == -1 && isnan(values[7]) && signbit(values[4]) && !signbit(values[5]));
  OK(ctx, tsr_flip(ctx, &whole, 0, &turned));
  OK(ctx, tsr_sort(ctx, &whole, 0, true, &turned)); /* the same memory the other way round */
  CHECK(isnan(values[0]) && values[1] == -1 && values[7] == 9);
  OK(ctx, tsr_slice(ctx, &whole, 0, 1, 7, 1, &x));
  OK(ctx, tsr_slice(ctx, &whole, 0, 2, 8, 1, &out));
  OK(ctx, tsr_partition(ctx, &x, 0, 0, &out));
  CHECK(values[2] == -1 && values[1] == -1 && values[7] == 5);
  float best[2] = {0, 0};
  tsr_tensor given = {0};
  OK(ctx, tsr_from_memory(ctx, best, TSR_F32, TSR_SHAPE(2), &given));
  OK(ctx, tsr_flip(ctx, &given, 0, &given));
  OK(ctx, tsr_topk(ctx, &x, 2, 0, true, true, &given, NULL));
  CHECK(best[1] == 4 && best[0] == 3);
  CHECK(test_live() == 0);
}

TEST(indices_in_the_place_of_the_elements) {
  tsr_ctx *const ctx = test_context();
  tsr_index own[4] = {30, 10, 20, 0};
  tsr_tensor x = {0};
  OK(ctx, tsr_from_memory(ctx, own, INDEX_DTYPE, TSR_SHAPE(4), &x));
  OK(ctx, tsr_argsort(ctx, &x, 0, false, &x));
  CHECK(own[0] == 3 && own[1] == 1 && own[2] == 2 && own[3] == 0);
  CHECK(test_live() == 0);
}

TEST(scratch_of_the_context) {
  static _Alignas(64) unsigned char bytes[8192];
  tsr_ctx *const ctx = test_context();
  float numbers[4] = {4, 1, 3, 2};
  tsr_tensor x = {0};
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(4), &x));
  OK(ctx, tsr_context_set_scratch(ctx, bytes, 16));
  FAILS(ctx, TSR_ESCRATCH, tsr_sort(ctx, &x, 0, false, &x));
  MESSAGE_HAS(ctx, "sort: scratch has 16 bytes");
  CHECK(numbers[0] == 4 && numbers[3] == 2);
  OK(ctx, tsr_context_set_scratch(ctx, bytes, sizeof bytes));
  const size_t calls = test_failing()->calls;
  OK(ctx, tsr_sort(ctx, &x, 0, false, &x));
  CHECK(numbers[0] == 1 && numbers[3] == 4 && test_failing()->calls == calls);
  OK(ctx, tsr_context_set_scratch(ctx, NULL, 0));
}

TEST(nothing_to_sort) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor none = {0}, out = {0}, index = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(0), &none));
  OK(ctx, tsr_sort(ctx, &none, 0, false, &out));
  CHECK(out.ndim == 1 && out.shape[0] == 0);
  OK(ctx, tsr_unique(ctx, &none, &index, NULL, NULL, NULL));
  CHECK(index.ndim == 1 && index.shape[0] == 0 && index.dtype == TSR_F32);
  tsr_release(&index);
  OK(ctx, tsr_topk(ctx, &none, 0, 0, true, true, NULL, &index));
  CHECK(index.shape[0] == 0);
  FAILS(ctx, TSR_EINDEX, tsr_partition(ctx, &none, 0, 0, &out));
  tsr_release(&index);
  tsr_release(&out);
  tsr_release(&none);
  CHECK(test_live() == 0);
}

/* ---- failures ---- */

TEST(bad_calls_say_what_is_wrong) {
  tsr_ctx *const ctx = test_context();
  float numbers[6] = {1, 2, 3, 4, 5, 6};
  tsr_tensor x = {0}, scalar = {0}, out = {0}, index = {0}, wrong = {0};
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TEST_SCALAR, &scalar));
  OK(ctx, tsr_zeros(ctx, INDEX_DTYPE, TSR_SHAPE(2), &wrong));
  FAILS(ctx, TSR_EAXIS, tsr_sort(ctx, &scalar, 0, false, &out));
  FAILS(ctx, TSR_EAXIS, tsr_argsort(ctx, &x, 2, false, &out));
  MESSAGE_HAS(ctx, "argsort: axis 2 is out of range");
  FAILS(ctx, TSR_EARG, tsr_topk(ctx, &x, 4, 1, true, true, &out, &index));
  MESSAGE_HAS(ctx, "topk: k is 4; axis 1 of x f32 [2,3] has 3 elements");
  FAILS(ctx, TSR_EARG, tsr_topk(ctx, &x, -1, 1, true, true, &out, &index));
  FAILS(ctx, TSR_EARG, tsr_topk(ctx, &x, 1, 1, true, true, NULL, NULL));
  MESSAGE_HAS(ctx, "topk: values and index are NULL");
  FAILS(ctx, TSR_ESHAPE, tsr_topk(ctx, &x, 1, 1, true, true, &out, &wrong));
  MESSAGE_HAS(ctx, "topk: index is i");
  FAILS(ctx, TSR_EINDEX, tsr_partition(ctx, &x, 3, 1, &out));
  MESSAGE_HAS(ctx, "partition: place 3 is out of range for axis 1 of x f32 [2,3]");
  FAILS(ctx, TSR_EINDEX, tsr_argpartition(ctx, &x, -4, 1, &out));
  FAILS(ctx, TSR_EARG, tsr_unique_within(ctx, &x, -1, &out, NULL, NULL, NULL));
  MESSAGE_HAS(ctx, "unique_within: capacity is -1");
  FAILS(ctx, TSR_EARG, tsr_unique_within(ctx, &x, 3, NULL, NULL, NULL, NULL));
  FAILS(ctx, TSR_EARG, tsr_unique(ctx, &x, NULL, NULL, NULL, NULL));
  MESSAGE_HAS(ctx, "unique: values and all other outputs are NULL");
  FAILS(ctx, TSR_ESHAPE, tsr_unique(ctx, &x, &out, &wrong, NULL, NULL));
  MESSAGE_HAS(ctx, "unique: index is i");
  MESSAGE_HAS(ctx, "[6]");
#if TSR_HAVE_COMPLEX
  tsr_tensor z = {0};
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_C64, TSR_SHAPE(3), &z));
  FAILS(ctx, TSR_EDTYPE, tsr_sort(ctx, &z, 0, false, &out));
  MESSAGE_HAS(ctx, "sort: x is c64; sort takes real numbers");
#endif
  CHECK(tsr_is_none(&out) && tsr_is_none(&index) && numbers[0] == 1 && numbers[5] == 6);
  tsr_release(&wrong);
  CHECK(test_live() == 0);
}

TEST(outputs_that_share_memory_are_refused) {
  tsr_ctx *const ctx = test_context();
  int64_t numbers[4] = {4, 3, 2, 1}, both[4] = {0};
  tsr_tensor x = {0}, values = {0}, index = {0};
  if (INDEX_DTYPE != TSR_I64) SKIP("indices have 32 bits");
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I64, TSR_SHAPE(4), &x));
  OK(ctx, tsr_from_memory(ctx, both, TSR_I64, TSR_SHAPE(4), &values));
  OK(ctx, tsr_from_memory(ctx, both, TSR_I64, TSR_SHAPE(4), &index));
  FAILS(ctx, TSR_EOVERLAP, tsr_topk(ctx, &x, 4, 0, true, true, &values, &index));
  MESSAGE_HAS(ctx, "topk: index i64 [4] and values share memory");
  FAILS(ctx, TSR_EOVERLAP, tsr_unique(ctx, &x, &values, NULL, NULL, &index));
  MESSAGE_HAS(ctx, "unique: counts i64 [4] and values share memory");
  CHECK(both[0] == 0);
}

/* Every allocation of a call refused in turn: a status, and nothing held. */
TEST(no_memory_leaves_the_outputs) {
#if TSR_HAVE_MALLOC
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(5, 40), &x));
  for (int which = 0; which < 5; which++) {
    int refused = 0;
    for (bool done = false; !done; refused++) {
      tsr_failing *const failing = test_failing();
      tsr_tensor out = {0}, second = {0};
      failing->fail_at = failing->calls + (size_t)refused;
      const tsr_status st = which == 0   ? tsr_sort(ctx, &x, 0, false, &out)
                            : which == 1 ? tsr_argsort(ctx, &x, 1, false, &out)
                            : which == 2 ? tsr_topk(ctx, &x, 3, 1, true, true, &out, &second)
                            : which == 3 ? tsr_partition(ctx, &x, 2, 0, &out)
                                         : tsr_unique(ctx, &x, &out, NULL, &second, NULL);
      failing->fail_at = SIZE_MAX;
      done = st == TSR_OK;
      CHECK(done || (st == TSR_ENOMEM && tsr_is_none(&out) && tsr_is_none(&second)));
      tsr_release(&second);
      tsr_release(&out);
      if (refused > 10) break;
    }
    CHECK(refused > (which == 2 || which == 4 ? 3 : 2)); /* temporary memory, every output, success */
  }
  tsr_release(&x);
  CHECK(test_live() == 0);
#else
  SKIP("no malloc");
#endif
}

TEST_MAIN(RUN(every_dtype_layout_and_axis), RUN(long_lines), RUN(few_of_long_lines), RUN(few_of_very_long_lines),
          RUN(different_values), RUN(the_same_for_every_number_of_threads), RUN(outputs_in_place_and_overlapping),
          RUN(indices_in_the_place_of_the_elements), RUN(scratch_of_the_context), RUN(nothing_to_sort),
          RUN(bad_calls_say_what_is_wrong), RUN(outputs_that_share_memory_are_refused),
          RUN(no_memory_leaves_the_outputs))
