/* tsr_reallocate: another shape in the same memory, never another block. */
#include "support/helpers.h"
#include "support/test.h"

TEST(without_data_only_the_shape_changes) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0};
  OK(ctx, tsr_desc_init_ordered(ctx, TSR_F32, TSR_SHAPE(2, 3), TSR_FORTRAN, &t));
  t.layout = TSR_NC;
  t.name = "kept";
  OK(ctx, tsr_reallocate(ctx, &t, TSR_SHAPE(40, 50)));
  CHECK(t.shape[0] == 40 && t.stride[0] == 50 && t.stride[1] == 1 && t.layout == TSR_NC && t.data == NULL);
  CHECK(strcmp(t.name, "kept") == 0 && test_is_tidy(&t));
  OK(ctx, tsr_reallocate(ctx, &t, TSR_SHAPE(7)));
  CHECK(t.ndim == 1 && t.shape[0] == 7 && t.layout == TSR_PLAIN && test_is_tidy(&t));
  OK(ctx, tsr_reallocate(ctx, &t, 0, NULL));
  CHECK(t.ndim == 0 && tsr_size(&t) == 1);
  OK(ctx, tsr_reallocate(ctx, &t, TSR_SHAPE(0, 3)));
  CHECK(tsr_size(&t) == 0 && test_live() == 0);
}

TEST(shrinks_and_grows_back_in_its_memory) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0};
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, 0, 24, 1, &t));
  void *const data = t.data;
  static const struct {
    int ndim;
    tsr_index shape[3];
    bool fits;
  } rows[] = {{2, {4, 6}, true},  {1, {3}, true},  {3, {2, 3, 4}, true}, {1, {25}, false},
              {2, {0, 9}, true},  {1, {24}, true}, {0, {0}, true},       {2, {5, 5}, false},
              {2, {24, 1}, true}, {1, {0}, true},  {3, {1, 24, 1}, true}};
  for (int i = 0; i < COUNT_OF(rows); i++) {
    const tsr_tensor before = t;
    CHECK(tsr_capacity(&t) == 24 * sizeof(int32_t));
    FAILS(ctx, rows[i].fits ? TSR_OK : TSR_ECAPACITY, tsr_reallocate(ctx, &t, rows[i].ndim, rows[i].shape));
    if (!rows[i].fits) CHECK(memcmp(&t, &before, sizeof t) == 0);
    CHECK(t.data == data && (t.flags & TSR_OWNS) != 0 && tsr_refcount(&t) == 1);
    CHECK(tsr_is_contiguous(&t, TSR_ROW_MAJOR) && test_is_tidy(&t));
  }
  for (int i = 0; i < 24; i++) CHECK(((int32_t *)data)[i] == i);
  FAILS(ctx, TSR_ECAPACITY, tsr_reallocate(ctx, &t, TSR_SHAPE(25)));
  MESSAGE_HAS(ctx, "reallocate: shape [25] needs 100 bytes, the capacity is 96");
  tsr_release(&t);
  CHECK(test_live() == 0);
}

TEST(views_and_borrowed_memory_keep_to_their_extent) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, view = {0}, borrowed = {0};
  float x[8] = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(4, 6), &t));
  OK(ctx, tsr_narrow(ctx, &t, 0, 0, 2, &view));
  CHECK(tsr_capacity(&view) == 12 * 4);
  OK(ctx, tsr_reallocate(ctx, &view, TSR_SHAPE(3, 4)));
  FAILS(ctx, TSR_ECAPACITY, tsr_reallocate(ctx, &view, TSR_SHAPE(13)));
  OK(ctx, tsr_reallocate(ctx, &view, TSR_SHAPE(2)));
  FAILS(ctx, TSR_ECAPACITY, tsr_reallocate(ctx, &view, TSR_SHAPE(3, 4))); /* never the present extent */
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(2, 4), &borrowed));
  OK(ctx, tsr_reallocate(ctx, &borrowed, TSR_SHAPE(8)));
  FAILS(ctx, TSR_ECAPACITY, tsr_reallocate(ctx, &borrowed, TSR_SHAPE(9)));
  CHECK(borrowed.data == x);
  tsr_release(&t);
}

/* A handle that owns, but starts elsewhere than its storage, is held to its extent too. */
TEST(capacity_of_handles_on_parts) {
  tsr_ctx *const ctx = test_context();
  tsr_storage *s = NULL, *slot = NULL;
  tsr_tensor behind = {0}, at_base = {0}, in_slot = {0};
  OK(ctx, tsr_storage_new(ctx, NULL, 64, 0, &s));
  OK(ctx, tsr_from_storage(ctx, s, 16, TSR_F32, TSR_SHAPE(2), NULL, &behind));
  OK(ctx, tsr_from_storage(ctx, s, 0, TSR_F32, TSR_SHAPE(2), NULL, &at_base));
  OK(ctx, tsr_storage_sub(ctx, s, 16, 32, &slot));
  OK(ctx, tsr_from_storage(ctx, slot, 0, TSR_F32, TSR_SHAPE(2), NULL, &in_slot));
  CHECK(tsr_capacity(&behind) == 8 && tsr_capacity(&at_base) == 64 && tsr_capacity(&in_slot) == 32);
  FAILS(ctx, TSR_ECAPACITY, tsr_reallocate(ctx, &behind, TSR_SHAPE(3)));
  OK(ctx, tsr_reallocate(ctx, &at_base, TSR_SHAPE(16)));
  OK(ctx, tsr_reallocate(ctx, &in_slot, TSR_SHAPE(8)));
  FAILS(ctx, TSR_ECAPACITY, tsr_reallocate(ctx, &in_slot, TSR_SHAPE(9)));
  tsr_release(&behind);
  tsr_release(&at_base);
  tsr_release(&in_slot);
  tsr_storage_release(slot);
  tsr_storage_release(s);
  CHECK(test_live() == 0);
}

TEST(only_contiguous_tensors) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, turned = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(4, 6), &t));
  OK(ctx, tsr_transpose(ctx, &t, 0, 1, &turned));
  const tsr_tensor before = turned;
  FAILS(ctx, TSR_ESTRIDE, tsr_reallocate(ctx, &turned, TSR_SHAPE(24)));
  CHECK(memcmp(&turned, &before, sizeof before) == 0);
  tsr_release(&t);
}

TEST(arguments_are_checked) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, empty = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(4), &t));
  const tsr_tensor before = t;
  FAILS(ctx, TSR_EARG, tsr_reallocate(ctx, NULL, TSR_SHAPE(1)));
  FAILS(ctx, TSR_ESTATE, tsr_reallocate(ctx, &empty, TSR_SHAPE(1)));
  FAILS(ctx, TSR_EARG, tsr_reallocate(ctx, &t, 1, NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_reallocate(ctx, &t, TSR_SHAPE(-1)));
  FAILS(ctx, TSR_ESHAPE, tsr_reallocate(ctx, &t, TSR_MAX_DIMS + 1, t.shape));
  FAILS(ctx, TSR_EOVERFLOW, tsr_reallocate(ctx, &t, TSR_SHAPE(TSR_INDEX_MAX, 2)));
  CHECK(memcmp(&t, &before, sizeof t) == 0);
  OK(ctx, tsr_reallocate(ctx, &t, t.ndim, t.shape)); /* its own shape */
  CHECK(memcmp(&t, &before, sizeof t) == 0);
  tsr_release(&t);
}

/* A tag that promises a block does not survive a shape without one. */
TEST(layouts_survive_where_they_still_fit) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 2, 3, 4), &t));
  t.layout = TSR_NHWC;
  OK(ctx, tsr_reallocate(ctx, &t, TSR_SHAPE(1, 1, 3, 4)));
  CHECK(t.layout == TSR_NHWC);
  OK(ctx, tsr_reallocate(ctx, &t, TSR_SHAPE(3, 4)));
  CHECK(t.layout == TSR_PLAIN);
  tsr_release(&t);
}

TEST_MAIN(RUN(without_data_only_the_shape_changes), RUN(shrinks_and_grows_back_in_its_memory),
          RUN(views_and_borrowed_memory_keep_to_their_extent), RUN(capacity_of_handles_on_parts),
          RUN(only_contiguous_tensors), RUN(arguments_are_checked), RUN(layouts_survive_where_they_still_fit))
