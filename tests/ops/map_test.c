/* A user function over every element. */
#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffer, before, want;
static int calls;

static tsr_real less_one(tsr_real x, void *user) {
  calls++;
  return x - *(tsr_real *)user;
}
static float twice(float x, void *user) {
  calls++;
  (void)user;
  return 2 * x;
}
static int32_t negate(int32_t x, void *user) {
  calls++;
  (void)user;
  return -x;
}

static const tsr_real one = 1;

static tsr_status map_less_one(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  tsr_real by = one;
  return tsr_map(ctx, in, less_one, &by, out);
}
static tsr_status map_twice(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  return tsr_map_f32(ctx, in, twice, NULL, out);
}
static tsr_status map_negate(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  return tsr_map_i32(ctx, in, negate, NULL, out);
}

static bool is_mapped(const tsr_tensor *in, const tsr_tensor *out) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  if (in->dtype != out->dtype || !tsr_same_shape(in, out)) return false;
  if (tsr_size(in) == 0) return true;
  do {
    const double x = test_decode(in->dtype, test_at(in, index)), y = test_decode(in->dtype, test_at(out, index));
    if (y != x - 1) return false;
  } while (test_next_index(in->ndim, in->shape, index));
  return true;
}

/* Elements 1 … 7, so that 1 less fits the unsigned dtypes. */
static void number_from_one(test_buffer *b, int dtype) {
  for (int i = 0; i < TEST_ELEMENTS; i++) test_encode(dtype, i % 7 + 1, b->bytes + (size_t)i * tsr_dtype_size(dtype));
}

TEST(every_dtype_and_layout) {
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int i = 0; i < test_layout_count(); i++) {
      tsr_ctx *const ctx = test_context();
      const bool complex = dtype == TSR_C64 || dtype == TSR_C128;
      number_from_one(&buffer, dtype);
      tsr_tensor in = test_over(&buffer, dtype, test_layout_at(i)), out = {0};
      in.layout = TSR_NCHW;
      if (dtype == TSR_BOOL) continue;
      calls = 0;
      FAILS(ctx, complex || !tsr_dtype_supported(dtype) ? TSR_EDTYPE : TSR_OK, map_less_one(ctx, &in, &out));
      if (complex || !tsr_dtype_supported(dtype)) {
        CHECK(tsr_is_none(&out) && calls == 0);
        continue;
      }
      CHECK(calls == test_product(in.ndim, in.shape) && is_mapped(&in, &out));
      CHECK(tsr_is_contiguous(&out, TSR_MEMORY) && out.layout == TSR_NCHW);
      tsr_release(&out);
      CHECK(test_live() == 0);
    }
}

TEST(results_are_taken_as_a_cast_would) {
  tsr_ctx *const ctx = test_context();
  uint8_t bytes[3] = {0, 1, 2};
  tsr_tensor t = {0};
  tsr_real by = 2;
  OK(ctx, tsr_from_memory(ctx, bytes, TSR_U8, TSR_SHAPE(3), &t));
  OK(ctx, tsr_map(ctx, &t, less_one, &by, &t)); /* -2, -1, 0: a float below 0 saturates */
  CHECK(bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 0);
  bool truth[2] = {true, false};
  OK(ctx, tsr_from_memory(ctx, truth, TSR_BOOL, TSR_SHAPE(2), &t));
  by = 1;
  OK(ctx, tsr_map(ctx, &t, less_one, &by, &t)); /* 0, -1: not 0 is true */
  CHECK(!truth[0] && truth[1]);
}

/* ---- given outputs ---- */

TEST(every_pair_of_layouts) {
  int pairs = 0;
  for (int i = 0; i < test_layout_count(); i++)
    for (int j = 0; j < test_layout_count(); j++)
      for (tsr_index shift = 0; shift < 2; shift++) {
        tsr_ctx *const ctx = test_context();
        const test_layout *const a = test_layout_at(i), *const b = test_layout_at(j);
        if (a->ndim != b->ndim || memcmp(a->shape, b->shape, sizeof *a->shape * (size_t)a->ndim) != 0) continue;
        number_from_one(&buffer, TSR_I32);
        before = buffer;
        const tsr_tensor in = test_over(&buffer, TSR_I32, a), old = test_over(&before, TSR_I32, a);
        tsr_tensor out = test_over(&buffer, TSR_I32, b); /* the same memory: in place or overlapping */
        out.data = (char *)out.data + 4 * shift;
        FAILS(ctx, b->overlaps ? TSR_EOVERLAP : TSR_OK, map_less_one(ctx, &in, &out));
        CHECK(b->overlaps ? memcmp(&buffer, &before, sizeof buffer) == 0 : is_mapped(&old, &out));
        CHECK(test_live() == 0);
        pairs++;
      }
  CHECK(pairs > 2 * test_layout_count());
}

TEST(typed_maps) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < test_layout_count(); i++) {
    const test_layout *const layout = test_layout_at(i);
    tsr_index index[TSR_MAX_DIMS] = {0};
    tsr_tensor f = {0}, n = {0};
    number_from_one(&buffer, TSR_F32);
    const tsr_tensor in = test_over(&buffer, TSR_F32, layout);
    OK(ctx, map_twice(ctx, &in, &f));
    number_from_one(&want, TSR_I32);
    const tsr_tensor whole = test_over(&want, TSR_I32, layout);
    OK(ctx, map_negate(ctx, &whole, &n));
    if (tsr_size(&in) > 0) {
      do {
        CHECK(*(float *)test_at(&f, index) == 2 * *(float *)test_at(&in, index));
        CHECK(*(int32_t *)test_at(&n, index) == -*(int32_t *)test_at(&whole, index));
      } while (test_next_index(in.ndim, in.shape, index));
    }
    FAILS(ctx, TSR_EDTYPE, map_negate(ctx, &in, &n));
    FAILS(ctx, TSR_EDTYPE, map_twice(ctx, &whole, &f));
    MESSAGE_HAS(ctx, "map_f32: in is i32");
    tsr_release(&f);
    tsr_release(&n);
  }
  CHECK(test_live() == 0);
}

TEST(long_rows_cross_blocks) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, y = {0};
  OK(ctx, tsr_arange_i64(ctx, TSR_I16, 0, 1000, 1, &x));
  OK(ctx, map_less_one(ctx, &x, &y));
  OK(ctx, map_less_one(ctx, &x, &x));
  for (tsr_index i = 0; i < 1000; i++) CHECK(TSR_AT(int16_t, &x, i) == i - 1 && TSR_AT(int16_t, &y, i) == i - 1);
  tsr_release(&x);
  tsr_release(&y);
}

TEST(refusals) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor in = test_over(&buffer, TSR_F32, test_layout_at(6)), out = {0}, empty = {0};
  FAILS(ctx, TSR_EARG, tsr_map(ctx, &in, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "map: fn is NULL");
  FAILS(ctx, TSR_EARG, tsr_map_f32(ctx, &in, NULL, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_map_i32(ctx, &in, NULL, NULL, &out));
  FAILS(ctx, TSR_EARG, map_twice(ctx, NULL, &out));
  FAILS(ctx, TSR_EARG, map_twice(ctx, &in, NULL));
  FAILS(ctx, TSR_EARG, map_less_one(ctx, &in, NULL));
  FAILS(ctx, TSR_ESTATE, map_less_one(ctx, &empty, &out));
  calls = 0;
  tsr_tensor wrong = test_over(&want, TSR_F32, test_layout_at(7));
  FAILS(ctx, TSR_ESHAPE, map_twice(ctx, &in, &wrong));
  wrong = test_over(&want, TSR_I32, test_layout_at(6));
  FAILS(ctx, TSR_EDTYPE, map_twice(ctx, &in, &wrong));
  wrong = in, wrong.flags = TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, map_twice(ctx, &in, &wrong));
  tsr_tensor apart = test_over(&buffer, TSR_F32, test_layout_at(8)); /* other strides over the same memory */
  before = buffer;
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, map_twice(ctx, &in, &apart));
  CHECK(calls == 0 && memcmp(&buffer, &before, sizeof buffer) == 0 && tsr_is_none(&out) && test_live() == 0);
}

TEST_MAIN(RUN(every_dtype_and_layout), RUN(results_are_taken_as_a_cast_would), RUN(every_pair_of_layouts),
          RUN(typed_maps), RUN(long_rows_cross_blocks), RUN(refusals))
