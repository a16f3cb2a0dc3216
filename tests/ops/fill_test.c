/* tsr_fill on every dtype and layout. */
#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffer, before;

/* Every element is value, and no other byte has changed. */
static void check_filled(const tsr_tensor *t, const tsr_tensor *old, int value) {
  unsigned char want[16];
  tsr_index index[TSR_MAX_DIMS] = {0};
  const size_t item = tsr_dtype_size(t->dtype);
  bool right = true;
  test_encode(t->dtype, value, want);
  if (test_product(t->ndim, t->shape) > 0) {
    do {
      right = right && memcmp(test_at(t, index), want, item) == 0;
      memcpy(test_at(t, index), test_at(old, index), item);
    } while (test_next_index(t->ndim, t->shape, index));
  }
  CHECK(right);
  CHECK(memcmp(&buffer, &before, sizeof buffer) == 0);
}

TEST(every_dtype_and_layout) {
  test_rng rng = {1};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int i = 0; i < test_layout_count(); i++)
      for (int value = 0; value < 8; value += dtype == TSR_BOOL ? 8 : 3) {
        tsr_ctx *const ctx = test_context();
        const test_layout *const layout = test_layout_at(i);
        if (!tsr_dtype_supported(dtype)) continue;
        test_buffer_random(&buffer, &rng);
        before = buffer;
        tsr_tensor t = test_over(&buffer, dtype, layout);
        const tsr_tensor old = test_over(&before, dtype, layout), handle = t;
        const tsr_status want = layout->overlaps ? TSR_EOVERLAP : TSR_OK;
        FAILS(ctx, want, value % 2 == 0 ? tsr_fill(ctx, (tsr_real)value, &t) : tsr_fill_i64(ctx, value, &t));
        CHECK(memcmp(&t, &handle, sizeof t) == 0 && test_live() == 0);
        if (want == TSR_OK) check_filled(&t, &old, value);
        CHECK(memcmp(&buffer, &before, sizeof buffer) == 0);
      }
}

TEST(described_outputs) {
  tsr_ctx *const ctx = test_context();
  for (int order = TSR_ROW_MAJOR; order <= TSR_FORTRAN; order++) {
    tsr_tensor t = {0};
    OK(ctx, tsr_desc_init_ordered(ctx, TSR_I64, TSR_SHAPE(2, 1, 3), (tsr_order)order, &t));
    const tsr_tensor described = t;
    OK(ctx, tsr_fill_i64(ctx, INT64_MIN, &t));
    CHECK(tsr_desc_equal(&t, &described) && TSR_AT(int64_t, &t, 1, 0, 2) == INT64_MIN);
    tsr_release(&t);
  }
  CHECK(test_live() == 0);
}

TEST(refusals) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor empty = {0}, t = test_over(&buffer, TSR_U8, test_layout_at(6));
  FAILS(ctx, TSR_EARG, tsr_fill(ctx, 1, NULL));
  FAILS(ctx, TSR_EARG, tsr_fill_i64(ctx, 1, NULL));
  FAILS(ctx, TSR_ESTATE, tsr_fill(ctx, 1, &empty));
  MESSAGE_HAS(ctx, "fill: out is empty");
  FAILS(ctx, TSR_ESTATE, tsr_fill_i64(ctx, 1, &empty));
  FAILS(ctx, TSR_ERANGE, tsr_fill(ctx, 256, &t));
  FAILS(ctx, TSR_ERANGE, tsr_fill(ctx, (tsr_real)0.5, &t));
  FAILS(ctx, TSR_ERANGE, tsr_fill_i64(ctx, -1, &t));
  MESSAGE_HAS(ctx, "fill_i64: value -1");
  t.flags = TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, tsr_fill(ctx, 1, &t));
  t.flags = 0, t.dtype = TSR_I16, t.data = buffer.bytes + 1;
  FAILS(ctx, TSR_EALIGN, tsr_fill(ctx, 1, &t));
  t.dtype = 99;
  FAILS(ctx, TSR_EDTYPE, tsr_fill(ctx, 1, &t));
  /* described by hand, and too large */
  tsr_tensor huge = {.dtype = TSR_F32, .ndim = 2, .shape = {TSR_INDEX_MAX, TSR_INDEX_MAX}}, copy = huge;
  FAILS(ctx, TSR_EOVERFLOW, tsr_fill(ctx, 1, &huge));
  CHECK(memcmp(&huge, &copy, sizeof huge) == 0);
  tsr_tensor rank = {.dtype = TSR_F32, .ndim = 200};
  FAILS(ctx, TSR_ESHAPE, tsr_fill(ctx, 1, &rank));
  tsr_tensor described = {.dtype = TSR_F32, .ndim = 1, .shape = {5}};
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_fill(ctx, 1, &described));
  CHECK(described.data == NULL && test_live() == 0);
}

TEST_MAIN(RUN(every_dtype_and_layout), RUN(described_outputs), RUN(refusals))
