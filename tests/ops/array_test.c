/* C arrays in and out, in every order. */
#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffer, values;

/* The element of an array that stands at an index, in order of a tensor's memory or of its shape. */
static void check_against_array(const tsr_tensor *t, tsr_order order, const test_buffer *array) {
  const size_t item = tsr_dtype_size(t->dtype);
  uintptr_t at[TEST_ELEMENTS];
  const tsr_index n = test_addresses(t, order, at, TEST_ELEMENTS);
  bool right = true;
  for (tsr_index k = 0; k < n; k++) right = right && memcmp((void *)at[k], array->bytes + (size_t)k * item, item) == 0;
  CHECK(right);
}

static bool has_memory_order(const test_layout *layout) {
  return strcmp(layout->name, "windows") != 0 && strcmp(layout->name, "interleaved") != 0;
}

TEST(into_outputs_that_are_described_and_empty) {
  test_rng rng = {11};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int i = 0; i < test_layout_count(); i++)
      for (int order = TSR_ROW_MAJOR; order <= TSR_MEMORY; order++) {
        tsr_ctx *const ctx = test_context();
        const test_layout *const layout = test_layout_at(i);
        const tsr_index n = test_product(layout->ndim, layout->shape);
        tsr_tensor t = {0}, described = {0};
        test_buffer_random(&values, &rng);
        OK(ctx, tsr_from_array(ctx, values.bytes, n, dtype, layout->ndim, layout->shape, (tsr_order)order, &t));
        CHECK(t.dtype == dtype && tsr_is_contiguous(&t, TSR_ROW_MAJOR));
        check_against_array(&t, (tsr_order)order, &values);
        OK(ctx,
           tsr_desc_init_ordered(ctx, dtype, layout->ndim, layout->shape, (tsr_order)((dtype + i) % 3), &described));
        OK(ctx, tsr_from_array(ctx, values.bytes, n, dtype, layout->ndim, layout->shape, (tsr_order)order, &described));
        CHECK(tsr_is_contiguous(&described, (tsr_order)((dtype + i) % 3)));
        check_against_array(&described, (tsr_order)order, &values);
        tsr_release(&t);
        tsr_release(&described);
        CHECK(test_live() == 0);
      }
}

TEST(into_given_outputs_and_out_again) {
  test_rng rng = {12};
  static test_buffer back;
  for (int i = 0; i < test_layout_count(); i++)
    for (int order = TSR_ROW_MAJOR; order <= TSR_MEMORY; order++) {
      tsr_ctx *const ctx = test_context();
      const test_layout *const layout = test_layout_at(i);
      const tsr_index n = test_product(layout->ndim, layout->shape);
      test_buffer_random(&values, &rng);
      test_buffer_random(&buffer, &rng);
      tsr_tensor t = test_over(&buffer, TSR_I32, layout);
      if (order == TSR_MEMORY && !has_memory_order(layout)) continue;
      FAILS(ctx, layout->overlaps ? TSR_EOVERLAP : TSR_OK,
            tsr_from_array(ctx, values.bytes, n, TSR_I32, layout->ndim, layout->shape, (tsr_order)order, &t));
      if (!layout->overlaps) check_against_array(&t, (tsr_order)order, &values);
      test_buffer_random(&back, &rng);
      OK(ctx, tsr_to_array(ctx, &t, (tsr_order)order, n, back.bytes)); /* reading repeats is fine */
      check_against_array(&t, (tsr_order)order, &back);
      CHECK(test_live() == 0);
    }
}

/* The array may be the memory of the tensor itself. */
TEST(arrays_that_overlap) {
  test_rng rng = {13};
  static test_buffer before, want;
  for (int i = 0; i < test_layout_count(); i++)
    for (tsr_index shift = 0; shift < 9; shift += 4)
      for (int order = TSR_ROW_MAJOR; order <= TSR_FORTRAN; order++) {
        tsr_ctx *const ctx = test_context();
        const test_layout *const layout = test_layout_at(i);
        const tsr_index n = test_product(layout->ndim, layout->shape);
        test_buffer_random(&buffer, &rng);
        before = buffer;
        const tsr_tensor t = test_over(&buffer, TSR_U8, layout), old = test_over(&before, TSR_U8, layout);
        OK(ctx, tsr_to_array(ctx, &old, (tsr_order)order, n, want.bytes)); /* apart: tested above */
        OK(ctx, tsr_to_array(ctx, &t, (tsr_order)order, n, buffer.bytes + shift));
        CHECK(memcmp(buffer.bytes + shift, want.bytes, (size_t)n) == 0);
        if (layout->overlaps) continue;
        buffer = before;
        tsr_tensor to = test_over(&buffer, TSR_U8, layout);
        OK(ctx,
           tsr_from_array(ctx, buffer.bytes + shift, n, TSR_U8, layout->ndim, layout->shape, (tsr_order)order, &to));
        for (tsr_index k = 0; k < n; k++) {
          tsr_index index[TSR_MAX_DIMS];
          test_nth_index(layout->ndim, layout->shape, (tsr_order)order, k, index);
          CHECK(*(unsigned char *)test_at(&to, index) == before.bytes[shift + k]);
        }
        CHECK(test_live() == 0);
      }
}

TEST(arguments_are_checked) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, full = test_over(&buffer, TSR_F32, test_layout_at(6));
  const tsr_index shape[2] = {3, 4};
  FAILS(ctx, TSR_ESHAPE, tsr_from_array(ctx, values.bytes, 11, TSR_F32, 2, shape, TSR_ROW_MAJOR, &t));
  MESSAGE_HAS(ctx, "from_array: count 11 is not the 12 elements of f32 [3,4]");
  FAILS(ctx, TSR_ESHAPE, tsr_from_array(ctx, values.bytes, -12, TSR_F32, 2, shape, TSR_ROW_MAJOR, &t));
  FAILS(ctx, TSR_EARG, tsr_from_array(ctx, NULL, 12, TSR_F32, 2, shape, TSR_ROW_MAJOR, &t));
  FAILS(ctx, TSR_EARG, tsr_from_array(ctx, values.bytes, 12, TSR_F32, 2, shape, (tsr_order)7, &t));
  FAILS(ctx, TSR_EARG, tsr_from_array(ctx, values.bytes, 12, TSR_F32, 2, shape, (tsr_order)-1, &t));
  FAILS(ctx, TSR_EALIGN, tsr_from_array(ctx, values.bytes + 1, 12, TSR_F32, 2, shape, TSR_ROW_MAJOR, &t));
  FAILS(ctx, TSR_EARG, tsr_from_array(ctx, values.bytes, 12, TSR_F32, 2, shape, TSR_ROW_MAJOR, NULL));
  OK(ctx, tsr_from_array(ctx, NULL, 0, TSR_F32, TSR_SHAPE(0, 4), TSR_ROW_MAJOR, &t));
  OK(ctx, tsr_to_array(ctx, &t, TSR_ROW_MAJOR, 0, NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_to_array(ctx, &full, TSR_ROW_MAJOR, 13, values.bytes));
  FAILS(ctx, TSR_EARG, tsr_to_array(ctx, &full, TSR_ROW_MAJOR, 12, NULL));
  FAILS(ctx, TSR_EARG, tsr_to_array(ctx, &full, (tsr_order)9, 12, values.bytes));
  FAILS(ctx, TSR_EALIGN, tsr_to_array(ctx, &full, TSR_ROW_MAJOR, 12, values.bytes + 2));
  FAILS(ctx, TSR_EARG, tsr_to_array(ctx, NULL, TSR_ROW_MAJOR, 12, values.bytes));
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(into_outputs_that_are_described_and_empty), RUN(into_given_outputs_and_out_again),
          RUN(arrays_that_overlap), RUN(arguments_are_checked))
