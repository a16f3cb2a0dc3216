/* Layout tags. */
#include "support/helpers.h"
#include "support/test.h"

TEST(list_gives_every_layout) {
#define X(id, number, axes, block, name)                 \
  CHECK(TSR_##id == (number));                           \
  CHECK(strcmp(tsr_layout_name(TSR_##id), name) == 0);   \
  CHECK(tsr_layout_find(name) == TSR_##id);              \
  CHECK(tsr_layout_rank(TSR_##id) == (int)strlen(axes)); \
  for (int i = 0; (axes)[i] != '\0'; i++) CHECK(tsr_layout_axis(TSR_##id, (axes)[i]) == i);
  TSR_LAYOUT_LIST(X)
#undef X
}

TEST(what_is_no_layout) {
  static const int wrong[] = {-1, TSR_LAYOUT_COUNT, TSR_AUTO, 256, -300};
  for (int i = 0; i < COUNT_OF(wrong); i++) {
    CHECK(strcmp(tsr_layout_name(wrong[i]), "none") == 0);
    CHECK(tsr_layout_rank(wrong[i]) == -1);
    CHECK(tsr_layout_axis(wrong[i], 'N') == -1);
  }
  CHECK(tsr_layout_find(NULL) == -1);
  CHECK(tsr_layout_find("nchw") == -1);
  CHECK(tsr_layout_find("") == -1);
  CHECK(tsr_layout_axis(TSR_NCHW, 'L') == -1);
  CHECK(tsr_layout_axis(TSR_NCHW, '\0') == -1);
  CHECK(tsr_layout_axis(TSR_PLAIN, 'N') == -1);
}

TEST(set_layout_tags_by_rank) {
  static const tsr_layout by_rank[] = {TSR_PLAIN, TSR_N, TSR_NC, TSR_NCL, TSR_NCHW, TSR_NCDHW, TSR_PLAIN};
  tsr_ctx *const ctx = test_context();
  float element = 0;
  for (int rank = 0; rank <= TSR_MAX_DIMS && rank < COUNT_OF(by_rank); rank++) {
    tsr_tensor t = {0}, v = {0};
    static const tsr_index ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    OK(ctx, tsr_from_memory(ctx, &element, TSR_F32, rank, ones, &t));
    OK(ctx, tsr_set_layout(ctx, &t, TSR_AUTO, &v));
    CHECK(v.layout == by_rank[rank]);
    for (int layout = 0; layout < TSR_LAYOUT_COUNT; layout++) {
      const bool blocked = layout == TSR_NC4HW || layout == TSR_NC8HW;
      const bool fits = layout == TSR_PLAIN || (tsr_layout_rank(layout) == rank && !blocked);
      memset(&v, 0, sizeof v);
      FAILS(ctx, fits ? TSR_OK : TSR_ELAYOUT, tsr_set_layout(ctx, &t, layout, &v));
      CHECK(fits ? v.layout == layout && v.data == t.data : tsr_is_none(&v));
    }
  }
}

TEST(set_layout_of_blocks_needs_the_block) {
#if TSR_MAX_DIMS >= 5
  tsr_ctx *const ctx = test_context();
  static float elements[16];
  tsr_tensor t = {0}, v = {0};
  OK(ctx, tsr_from_memory(ctx, elements, TSR_F32, TSR_SHAPE(1, 2, 1, 2, 4), &t));
  OK(ctx, tsr_set_layout(ctx, &t, TSR_NC4HW, &v));
  CHECK(tsr_channels(&v) == 8 && tsr_rows(&v) == 1 && tsr_cols(&v) == 2 && tsr_batch(&v) == 1);
  FAILS(ctx, TSR_ELAYOUT, tsr_set_layout(ctx, &t, TSR_NC8HW, &v));
  MESSAGE_HAS(ctx, "NC8HW");
  FAILS(ctx, TSR_ELAYOUT, tsr_set_layout(ctx, &t, 99, &v));
  FAILS(ctx, TSR_ELAYOUT, tsr_set_layout(ctx, &t, -1, &v));
#else
  SKIP("blocked layouts have five axes");
#endif
}

/* A tagged tensor says what its axes mean; a plain one counts from the end. */
TEST(named_dimensions) {
  static const struct {
    int layout, ndim;
    tsr_index shape[4], batch, rows, cols, channels;
  } rows[] = {
      {TSR_PLAIN, 0, {0}, 1, 1, 1, 1},          {TSR_PLAIN, 1, {5}, 1, 5, 5, 1},
      {TSR_PLAIN, 2, {5, 6}, 1, 5, 6, 1},       {TSR_PLAIN, 3, {4, 5, 6}, 4, 5, 6, 1},
      {TSR_PLAIN, 4, {2, 3, 4, 5}, 2, 4, 5, 3}, {TSR_NCHW, 4, {2, 3, 4, 5}, 2, 4, 5, 3},
      {TSR_NHWC, 4, {2, 3, 4, 5}, 2, 3, 4, 5},  {TSR_N, 1, {7}, 7, 1, 1, 1},
      {TSR_NC, 2, {7, 8}, 7, 1, 1, 8},          {TSR_NCL, 3, {2, 3, 4}, 2, 1, 4, 3},
      {TSR_NLC, 3, {2, 3, 4}, 2, 1, 3, 4},      {TSR_OIHW, 4, {2, 3, 4, 5}, 1, 4, 5, 1},
  };
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr_tensor t = {.dtype = TSR_F32, .layout = (uint8_t)rows[i].layout, .ndim = (uint8_t)rows[i].ndim};
    memcpy(t.shape, rows[i].shape, sizeof rows[i].shape);
    CHECK(tsr_batch(&t) == rows[i].batch);
    CHECK(tsr_rows(&t) == rows[i].rows);
    CHECK(tsr_cols(&t) == rows[i].cols);
    CHECK(tsr_channels(&t) == rows[i].channels);
  }
}

TEST_MAIN(RUN(list_gives_every_layout), RUN(what_is_no_layout), RUN(set_layout_tags_by_rank),
          RUN(set_layout_of_blocks_needs_the_block), RUN(named_dimensions))
