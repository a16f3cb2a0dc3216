/* Elements one at a time: TSR_AT, TSR_ROW, get and set, flat. */
#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffer;

TEST(at_of_every_rank) {
  static int32_t values[256];
  static const tsr_index twos[8] = {2, 2, 2, 2, 2, 2, 2, 2};
  tsr_tensor t[TSR_MAX_DIMS + 1] = {{0}};
  for (int i = 0; i < 256; i++) values[i] = i;
  for (int rank = 0; rank <= TSR_MAX_DIMS; rank++)
    OK(NULL, tsr_from_memory(NULL, values, TSR_I32, rank, twos, &t[rank]));
  for (int n = 0; n < 256; n++) {
    const tsr_index a = n >> 7 & 1, b = n >> 6 & 1, c = n >> 5 & 1, d = n >> 4 & 1, e = n >> 3 & 1, f = n >> 2 & 1,
                    g = n >> 1 & 1, h = n & 1;
    (void)a, (void)b, (void)c, (void)d;
    if (n < 1) CHECK(TSR_AT(int32_t, &t[0]) == 0);
    if (n < 2) CHECK(TSR_AT(int32_t, &t[1], h) == n);
    if (n < 4) CHECK(TSR_AT(int32_t, &t[2], g, h) == n);
    if (n < 8) CHECK(TSR_AT(int32_t, &t[3], f, g, h) == n);
    if (n < 16) CHECK(TSR_AT(int32_t, &t[4], e, f, g, h) == n);
    if (n < 4) CHECK(TSR_ROW(int32_t, &t[2], g)[h] == n);
    if (n < 16) CHECK(TSR_ROW(int32_t, &t[4], e, f, g)[h] == n);
#if TSR_MAX_DIMS >= 8
    if (n < 32) CHECK(TSR_AT(int32_t, &t[5], d, e, f, g, h) == n);
    if (n < 64) CHECK(TSR_AT(int32_t, &t[6], c, d, e, f, g, h) == n);
    if (n < 128) CHECK(TSR_AT(int32_t, &t[7], b, c, d, e, f, g, h) == n);
    CHECK(TSR_AT(int32_t, &t[8], a, b, c, d, e, f, g, h) == n);
    CHECK(TSR_ROW(int32_t, &t[8], a, b, c, d, e, f, g)[h] == n);
#endif
  }
  CHECK(TSR_ROW(int32_t, &t[1])[1] == 1);
  TSR_AT(int32_t, &t[2], 1, 0) = -5;
  CHECK(values[2] == -5);
}

static tsr_index evaluated;
static const tsr_tensor *seen(const tsr_tensor *t) { return evaluated++, t; }
static tsr_index next(void) { return evaluated++; }

TEST(at_evaluates_its_arguments_once) {
  int16_t values[6] = {0, 1, 2, 3, 4, 5};
  tsr_tensor t = {0};
  OK(NULL, tsr_from_memory(NULL, values, TSR_I16, TSR_SHAPE(6), &t));
  evaluated = 0;
  CHECK(TSR_AT(int16_t, &t, next()) == 0 && evaluated == 1);
  CHECK(TSR_AT(int16_t, seen(&t), 3) == 3 && evaluated == 2);
  CHECK(TSR_ROW(int16_t, seen(&t))[4] == 4 && evaluated == 3);
}

TEST(at_in_any_layout) {
  for (int i = 0; i < test_layout_count(); i++) {
    tsr_tensor t = test_over(&buffer, TSR_I16, test_layout_at(i));
    tsr_index x[TSR_MAX_DIMS] = {0};
    if (test_product(t.ndim, t.shape) == 0) continue;
    do {
      const void *const want = test_at(&t, x);
      if (t.ndim == 1) CHECK(&TSR_AT(int16_t, &t, x[0]) == want);
      if (t.ndim == 2) CHECK(&TSR_AT(int16_t, &t, x[0], x[1]) == want);
      if (t.ndim == 3) CHECK(&TSR_AT(int16_t, &t, x[0], x[1], x[2]) == want);
      if (t.ndim == 4) CHECK(&TSR_AT(int16_t, &t, x[0], x[1], x[2], x[3]) == want);
      if (t.ndim == 2 && t.stride[1] == 1) CHECK(TSR_ROW(int16_t, &t, x[0]) + x[1] == want);
    } while (test_next_index(t.ndim, t.shape, x));
  }
}

/* ---- checked access ---- */

TEST(get_and_set_every_dtype_and_layout) {
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int i = 0; i < test_layout_count(); i++) {
      tsr_ctx *const ctx = test_context();
      const test_layout *const layout = test_layout_at(i);
      tsr_index index[TSR_MAX_DIMS] = {0}, negative[TSR_MAX_DIMS];
      if (test_product(layout->ndim, layout->shape) == 0 || !tsr_dtype_supported(dtype)) continue;
      test_buffer_number(&buffer, dtype);
      tsr_tensor t = test_over(&buffer, dtype, layout);
      int n = 0;
      do {
        unsigned char want[16];
        tsr_real value = -1;
        int64_t whole = -1;
        const double now = test_decode(dtype, test_at(&t, index));
        for (int k = 0; k < t.ndim; k++) negative[k] = index[k] - t.shape[k];
        OK(ctx, tsr_get(ctx, &t, t.ndim, index, &value));
        OK(ctx, tsr_get_i64(ctx, &t, t.ndim, negative, &whole));
        CHECK((double)value == now && (double)whole == now);
        const int put = dtype == TSR_BOOL ? n % 2 : n % 8;
        test_encode(dtype, put, want);
        if (n++ % 2 == 0)
          OK(ctx, tsr_set(ctx, &t, t.ndim, negative, (tsr_real)put));
        else
          OK(ctx, tsr_set_i64(ctx, &t, t.ndim, index, put));
        CHECK(memcmp(test_at(&t, index), want, tsr_dtype_size(dtype)) == 0);
      } while (test_next_index(t.ndim, t.shape, index));
    }
}

TEST(wrong_indices) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = test_over(&buffer, TSR_I32, test_layout_at(6));
  tsr_real value = 42;
  int64_t whole = 42;
  static const tsr_index wrong[][2] = {{3, 0}, {0, 4}, {-4, 0}, {0, -5}, {TSR_INDEX_MAX, 0}, {0, TSR_INDEX_MIN}};
  const test_buffer before = buffer;
  for (int i = 0; i < COUNT_OF(wrong); i++) {
    FAILS(ctx, TSR_EINDEX, tsr_get(ctx, &t, 2, wrong[i], &value));
    FAILS(ctx, TSR_EINDEX, tsr_set(ctx, &t, 2, wrong[i], 1));
    FAILS(ctx, TSR_EINDEX, tsr_get_i64(ctx, &t, 2, wrong[i], &whole));
    FAILS(ctx, TSR_EINDEX, tsr_set_i64(ctx, &t, 2, wrong[i], 1));
  }
  FAILS(ctx, TSR_EINDEX, tsr_get(ctx, &t, TSR_INDEX(1, 4), &value));
  MESSAGE_HAS(ctx, "get: index 4 is out of range for axis 1 of i32 [3,4]");
  FAILS(ctx, TSR_EARG, tsr_get(ctx, &t, TSR_INDEX(1), &value));
  MESSAGE_HAS(ctx, "get: index has 1 ");
  MESSAGE_HAS(ctx, "i32 [3,4] needs");
  FAILS(ctx, TSR_EARG, tsr_set(ctx, &t, TSR_INDEX(1, 1, 1), 1));
  FAILS(ctx, TSR_EARG, tsr_get(ctx, &t, 2, NULL, &value));
  FAILS(ctx, TSR_EARG, tsr_get(ctx, &t, TSR_INDEX(1, 1), NULL));
  FAILS(ctx, TSR_EARG, tsr_get_i64(ctx, &t, TSR_INDEX(1, 1), NULL));
  FAILS(ctx, TSR_EARG, tsr_get(ctx, NULL, TSR_INDEX(1, 1), &value));
  CHECK(value == 42 && whole == 42 && memcmp(&buffer, &before, sizeof buffer) == 0);
}

TEST(values_that_do_not_fit) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor u8 = test_over(&buffer, TSR_U8, test_layout_at(1)), f32 = test_over(&buffer, TSR_F32, test_layout_at(1));
  const test_buffer before = buffer;
  int64_t whole = 7;
  FAILS(ctx, TSR_ERANGE, tsr_set(ctx, &u8, TSR_INDEX(0), 256));
  FAILS(ctx, TSR_ERANGE, tsr_set(ctx, &u8, TSR_INDEX(0), (tsr_real)1.5));
  FAILS(ctx, TSR_ERANGE, tsr_set_i64(ctx, &u8, TSR_INDEX(0), -1));
  FAILS(ctx, TSR_ERANGE, tsr_set_flat(ctx, &u8, 0, TSR_ROW_MAJOR, -1));
  CHECK(memcmp(&buffer, &before, sizeof buffer) == 0);
  OK(ctx, tsr_set(ctx, &f32, TSR_INDEX(0), (tsr_real)1.5));
  FAILS(ctx, TSR_ERANGE, tsr_get_i64(ctx, &f32, TSR_INDEX(0), &whole));
  CHECK(whole == 7);
  u8.flags = f32.flags = TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, tsr_set(ctx, &u8, TSR_INDEX(0), 1));
  FAILS(ctx, TSR_EREADONLY, tsr_set_i64(ctx, &u8, TSR_INDEX(0), 1));
  FAILS(ctx, TSR_EREADONLY, tsr_set_flat(ctx, &u8, 0, TSR_ROW_MAJOR, 1));
}

/* ---- by number ---- */

TEST(flat_in_every_order) {
  for (int i = 0; i < test_layout_count(); i++)
    for (int order = TSR_ROW_MAJOR; order <= TSR_MEMORY; order++) {
      tsr_ctx *const ctx = test_context();
      const test_layout *const layout = test_layout_at(i);
      test_buffer_number(&buffer, TSR_I16);
      tsr_tensor t = test_over(&buffer, TSR_I16, layout);
      uintptr_t at[TEST_ELEMENTS];
      const tsr_index n = test_addresses(&t, (tsr_order)order, at, TEST_ELEMENTS);
      if (order == TSR_MEMORY && (strcmp(layout->name, "windows") == 0 || strcmp(layout->name, "interleaved") == 0))
        continue;
      for (tsr_index k = 0; k < n; k++) {
        void *element = NULL;
        tsr_real value = -1;
        OK(ctx, tsr_flat(ctx, &t, k, (tsr_order)order, &element));
        CHECK((uintptr_t)element == at[k]);
        OK(ctx, tsr_get_flat(ctx, &t, k, (tsr_order)order, &value));
        CHECK(value == (tsr_real) * (int16_t *)at[k]);
        OK(ctx, tsr_set_flat(ctx, &t, k, (tsr_order)order, (tsr_real)(k + 100)));
        CHECK(*(int16_t *)at[k] == k + 100);
      }
      void *element = &at;
      FAILS(ctx, TSR_EINDEX, tsr_flat(ctx, &t, n, (tsr_order)order, &element));
      FAILS(ctx, TSR_EINDEX, tsr_flat(ctx, &t, -1, (tsr_order)order, &element));
      CHECK(element == &at);
    }
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = test_over(&buffer, TSR_I16, test_layout_at(6));
  tsr_real value;
  FAILS(ctx, TSR_EARG, tsr_flat(ctx, &t, 0, (tsr_order)9, &(void *){NULL}));
  FAILS(ctx, TSR_EARG, tsr_flat(ctx, &t, 0, TSR_ROW_MAJOR, NULL));
  FAILS(ctx, TSR_EARG, tsr_get_flat(ctx, &t, 0, TSR_ROW_MAJOR, NULL));
  FAILS(ctx, TSR_EARG, tsr_get_flat(ctx, NULL, 0, TSR_ROW_MAJOR, &value));
  FAILS(ctx, TSR_EINDEX, tsr_get_flat(ctx, &t, 12, TSR_ROW_MAJOR, &value));
  MESSAGE_HAS(ctx, "get_flat: offset 12 is out of range for the 12 elements of i16 [3,4]");
  tsr_tensor one = {0};
  OK(ctx, tsr_select(ctx, &t, 0, 0, &one));
  OK(ctx, tsr_select(ctx, &one, 0, 0, &one));
  FAILS(ctx, TSR_EINDEX, tsr_get_flat(ctx, &one, 1, TSR_ROW_MAJOR, &value));
  MESSAGE_HAS(ctx, "get_flat: offset 1 is out of range for the 1 element of i16 []");
}

TEST_MAIN(RUN(at_of_every_rank), RUN(at_evaluates_its_arguments_once), RUN(at_in_any_layout),
          RUN(get_and_set_every_dtype_and_layout), RUN(wrong_indices), RUN(values_that_do_not_fit),
          RUN(flat_in_every_order))
