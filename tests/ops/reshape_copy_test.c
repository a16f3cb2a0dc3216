/* tsr_reshape, tsr_flatten, tsr_contiguous: view or copy, a handle either way. */
#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffer;

/* Whether element number k, counted in order, is the same in both. */
static bool same_in_order(const tsr_tensor *in, tsr_order in_order, const tsr_tensor *out, tsr_order out_order) {
  uintptr_t a[TEST_ELEMENTS], b[TEST_ELEMENTS];
  const tsr_index n = test_addresses(in, in_order, a, TEST_ELEMENTS);
  if (test_addresses(out, out_order, b, TEST_ELEMENTS) != n) return false;
  for (tsr_index k = 0; k < n; k++)
    if (memcmp((void *)a[k], (void *)b[k], tsr_dtype_size(in->dtype)) != 0) return false;
  return true;
}

static const struct {
  int ndim;
  tsr_index shape[4];
} shapes[] = {{1, {-1}},          {2, {-1, 2}}, {2, {3, -1}},   {3, {2, -1, 2}},
              {4, {1, -1, 1, 3}}, {2, {-1, 1}}, {3, {-1, 3, 2}}};

TEST(every_order_of_every_layout) {
  test_rng rng = {41};
  int views = 0, copies = 0;
  for (int i = 0; i < test_layout_count(); i++)
    for (int s = 0; s < COUNT_OF(shapes); s++)
      for (int order = TSR_ROW_MAJOR; order <= TSR_MEMORY; order++) {
        tsr_ctx *const ctx = test_context();
        const test_layout *const layout = test_layout_at(i);
        tsr_index known = 1;
        const tsr_index size = test_product(layout->ndim, layout->shape);
        for (int k = 0; k < shapes[s].ndim; k++) known *= shapes[s].shape[k] > 0 ? shapes[s].shape[k] : 1;
        if (strcmp(layout->name, "windows") == 0 || strcmp(layout->name, "interleaved") == 0) continue;
        test_buffer_random(&buffer, &rng);
        tsr_tensor in = test_over(&buffer, TSR_I32, layout), out = {0};
        in.flags = TSR_READONLY, in.layout = TSR_NCHW;
        FAILS(ctx, size % known == 0 ? TSR_OK : TSR_ESHAPE,
              tsr_reshape_ordered(ctx, &in, shapes[s].ndim, shapes[s].shape, (tsr_order)order, &out));
        if (size % known != 0) continue;
        CHECK(same_in_order(&in, (tsr_order)order, &out, order == TSR_MEMORY ? TSR_ROW_MAJOR : (tsr_order)order));
        CHECK(out.ndim == shapes[s].ndim && test_is_tidy(&out) && out.layout == TSR_PLAIN);
        const bool is_view = test_live() == 0;
        CHECK(is_view ? (out.flags & TSR_READONLY) != 0 : out.flags == TSR_OWNS);
        views += is_view;
        copies += !is_view;
        tsr_tensor v = {0};
        CHECK((tsr_reshape_view_ordered(ctx, &in, shapes[s].ndim, shapes[s].shape, (tsr_order)order, &v) == TSR_OK) ==
              is_view);
        tsr_release(&out);
        CHECK(test_live() == 0);
      }
  CHECK(views > 50 && copies > 50);
}

TEST(flatten_in_every_order) {
  test_rng rng = {42};
  for (int i = 0; i < test_layout_count(); i++)
    for (int order = TSR_ROW_MAJOR; order <= TSR_MEMORY; order++) {
      tsr_ctx *const ctx = test_context();
      const test_layout *const layout = test_layout_at(i);
      if (strcmp(layout->name, "windows") == 0 || strcmp(layout->name, "interleaved") == 0) continue;
      test_buffer_random(&buffer, &rng);
      const tsr_tensor in = test_over(&buffer, TSR_I16, layout);
      tsr_tensor out = {0};
      OK(ctx, tsr_flatten(ctx, &in, (tsr_order)order, &out));
      CHECK(out.ndim == 1 && same_in_order(&in, (tsr_order)order, &out, TSR_ROW_MAJOR));
      tsr_release(&out);
      CHECK(test_live() == 0);
    }
}

TEST(contiguous_of_every_layout) {
  test_rng rng = {43};
  for (int i = 0; i < test_layout_count(); i++) {
    tsr_ctx *const ctx = test_context();
    test_buffer_random(&buffer, &rng);
    tsr_tensor in = test_over(&buffer, TSR_I64, test_layout_at(i)), out = {0};
    in.layout = TSR_NHWC;
    OK(ctx, tsr_contiguous(ctx, &in, &out));
    CHECK(test_same_elements(&in, &out) && tsr_is_contiguous(&out, TSR_ROW_MAJOR) && out.layout == TSR_NHWC);
    CHECK((test_live() == 0) == tsr_is_contiguous(&in, TSR_ROW_MAJOR));
    tsr_release(&out);
    CHECK(test_live() == 0);
  }
}

/* The result is released either way: as a view it holds its own count. */
TEST(results_are_handles) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, out[4] = {{0}};
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, 0, 12, 1, &t));
  t.name = "t";
  OK(ctx, tsr_reshape(ctx, &t, TSR_SHAPE(3, 4), &out[0]));
  OK(ctx, tsr_flatten(ctx, &out[0], TSR_ROW_MAJOR, &out[1]));
  OK(ctx, tsr_contiguous(ctx, &out[0], &out[2]));
  CHECK(tsr_refcount(&t) == 4 && test_live() == 1);
  OK(ctx, tsr_flatten(ctx, &out[0], TSR_FORTRAN, &out[3])); /* a copy */
  CHECK(tsr_refcount(&t) == 4 && tsr_refcount(&out[3]) == 1 && test_live() == 2);
  tsr_release(&t);
  for (int i = 0; i < 4; i++) {
    CHECK(out[i].name == NULL && (out[i].flags & TSR_OWNS) != 0);
    tsr_release(&out[i]);
  }
  CHECK(test_live() == 0);
}

TEST(in_place_replaces_the_input) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0};
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, 0, 12, 1, &t));
  void *const data = t.data;
  OK(ctx, tsr_reshape(ctx, &t, TSR_SHAPE(3, 4), &t)); /* a view of itself */
  CHECK(t.data == data && t.flags == TSR_OWNS && tsr_refcount(&t) == 1 && test_live() == 1);
  OK(ctx, tsr_contiguous(ctx, &t, &t));
  CHECK(t.data == data && tsr_refcount(&t) == 1);
  OK(ctx, tsr_transpose(ctx, &t, 0, 1, &t));
  OK(ctx, tsr_contiguous(ctx, &t, &t)); /* a copy: the old memory goes */
  CHECK(t.data != data && tsr_refcount(&t) == 1 && test_live() == 1);
  CHECK(TSR_AT(int32_t, &t, 1, 2) == 9);
  OK(ctx, tsr_flatten(ctx, &t, TSR_FORTRAN, &t));
  CHECK(t.ndim == 1 && TSR_AT(int32_t, &t, 5) == 5 && test_live() == 1);
  tsr_release(&t);
  CHECK(test_live() == 0);
  tsr_tensor borrowed = test_over(&buffer, TSR_I32, test_layout_at(8));
  OK(ctx, tsr_flatten(ctx, &borrowed, TSR_ROW_MAJOR, &borrowed)); /* a borrow becomes an owner */
  CHECK(borrowed.flags == TSR_OWNS && test_live() == 1);
  tsr_release(&borrowed);
}

TEST(outputs_must_be_empty_or_the_input) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = test_over(&buffer, TSR_I32, test_layout_at(6)), given = test_over(&buffer, TSR_I32, test_layout_at(1)),
             described = {0};
  OK(ctx, tsr_desc_init(ctx, TSR_I32, TSR_SHAPE(12), &described));
  tsr_tensor *const outs[] = {&given, &described};
  for (int i = 0; i < 2; i++) {
    const tsr_tensor before = *outs[i];
    FAILS(ctx, TSR_ESTATE, tsr_reshape(ctx, &t, TSR_SHAPE(12), outs[i]));
    MESSAGE_HAS(ctx, "reshape: out is i32");
    FAILS(ctx, TSR_ESTATE, tsr_flatten(ctx, &t, TSR_ROW_MAJOR, outs[i]));
    FAILS(ctx, TSR_ESTATE, tsr_contiguous(ctx, &t, outs[i]));
    CHECK(memcmp(outs[i], &before, sizeof before) == 0);
  }
  tsr_tensor out = {0};
  FAILS(ctx, TSR_EARG, tsr_reshape(ctx, &t, TSR_SHAPE(12), NULL));
  FAILS(ctx, TSR_EARG, tsr_contiguous(ctx, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_flatten(ctx, &t, (tsr_order)5, &out));
  FAILS(ctx, TSR_EARG, tsr_reshape_ordered(ctx, &t, TSR_SHAPE(12), (tsr_order)-2, &out));
  FAILS(ctx, TSR_EARG, tsr_reshape(ctx, &t, 1, NULL, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_reshape(ctx, &t, TSR_MAX_DIMS + 1, t.shape, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_reshape(ctx, &t, TSR_SHAPE(5), &out));
  FAILS(ctx, TSR_ESHAPE, tsr_reshape(ctx, &t, TSR_SHAPE(-1, -1), &out));
  CHECK(tsr_is_none(&out) && test_live() == 0);
}

TEST(without_memory_the_input_stays) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = test_over(&buffer, TSR_I32, test_layout_at(8)), out = {0};
  const tsr_tensor before = t;
  test_failing()->fail_at = 0, test_failing()->sticky = true;
  FAILS(ctx, TSR_ENOMEM, tsr_reshape(ctx, &t, TSR_SHAPE(12), &t));
  FAILS(ctx, TSR_ENOMEM, tsr_flatten(ctx, &t, TSR_ROW_MAJOR, &t));
  FAILS(ctx, TSR_ENOMEM, tsr_contiguous(ctx, &t, &t));
  FAILS(ctx, TSR_ENOMEM, tsr_contiguous(ctx, &t, &out));
  CHECK(memcmp(&t, &before, sizeof t) == 0 && tsr_is_none(&out));
}

TEST_MAIN(RUN(every_order_of_every_layout), RUN(flatten_in_every_order), RUN(contiguous_of_every_layout),
          RUN(results_are_handles), RUN(in_place_replaces_the_input), RUN(outputs_must_be_empty_or_the_input),
          RUN(without_memory_the_input_stays))
