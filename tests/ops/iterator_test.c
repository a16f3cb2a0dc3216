/* The element iterator in every order, over every layout. */
#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffer;

TEST(every_order_of_every_layout) {
  for (int i = 0; i < test_layout_count(); i++)
    for (int order = TSR_ROW_MAJOR; order <= TSR_MEMORY; order++) {
      tsr_ctx *const ctx = test_context();
      const test_layout *const layout = test_layout_at(i);
      const tsr_tensor t = test_over(&buffer, TSR_I32, layout);
      uintptr_t at[TEST_ELEMENTS];
      const tsr_index n = test_addresses(&t, (tsr_order)order, at, TEST_ELEMENTS);
      const bool by_address =
          order != TSR_MEMORY || (strcmp(layout->name, "windows") != 0 && strcmp(layout->name, "interleaved") != 0);
      tsr_iter it;
      tsr_index k = 0;
      bool seen[TEST_ELEMENTS] = {false};
      OK(ctx, tsr_iter_init(ctx, &t, (tsr_order)order, &it));
      while (tsr_iter_next(&it) && k < TEST_ELEMENTS) {
        CHECK(it.data == test_at(&t, it.index)); /* the index is that of the element */
        if (by_address) CHECK((uintptr_t)it.data == at[k]);
        const tsr_index flat = test_flat(t.ndim, t.shape, it.index);
        CHECK(flat >= 0 && flat < n && !seen[flat]); /* each once */
        if (flat >= 0 && flat < TEST_ELEMENTS) seen[flat] = true;
        k++;
      }
      CHECK(k == n);
      CHECK(!tsr_iter_next(&it) && !tsr_iter_next(&it));
      if (test_now.failures > 0) printf("  order %d of %s\n", order, layout->name);
    }
}

TEST(failing_starts_end_at_once) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = test_over(&buffer, TSR_I32, test_layout_at(6)), empty = {0};
  tsr_iter it;
  memset(&it, 0x33, sizeof it);
  FAILS(ctx, TSR_EARG, tsr_iter_init(ctx, NULL, TSR_ROW_MAJOR, &it));
  CHECK(!tsr_iter_next(&it));
  memset(&it, 0x33, sizeof it);
  FAILS(ctx, TSR_ESTATE, tsr_iter_init(ctx, &empty, TSR_ROW_MAJOR, &it));
  CHECK(!tsr_iter_next(&it));
  memset(&it, 0x33, sizeof it);
  FAILS(ctx, TSR_EARG, tsr_iter_init(ctx, &t, (tsr_order)4, &it));
  CHECK(!tsr_iter_next(&it));
  FAILS(ctx, TSR_EARG, tsr_iter_init(ctx, &t, TSR_ROW_MAJOR, NULL));
}

TEST(strides_of_length_one_do_not_count) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {
      .dtype = TSR_C128, .ndim = 2, .shape = {1, 1}, .stride = {TSR_INDEX_MAX, TSR_INDEX_MIN}, .data = buffer.bytes};
  for (int order = TSR_ROW_MAJOR; order <= TSR_MEMORY; order++) {
    tsr_iter it;
    OK(ctx, tsr_iter_init(ctx, &t, (tsr_order)order, &it));
    CHECK(tsr_iter_next(&it) && it.data == buffer.bytes && !tsr_iter_next(&it));
  }
}

TEST_MAIN(RUN(every_order_of_every_layout), RUN(failing_starts_end_at_once), RUN(strides_of_length_one_do_not_count))
