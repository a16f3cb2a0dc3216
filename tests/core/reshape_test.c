/* Reshaping without a copy, in every order. */
#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffer;

/* Every way to write n as an ordered product of up to three factors; returns how many shapes there are. */
typedef struct small_shape {
  int ndim;
  tsr_index shape[3];
} small_shape;

static int shapes_of(tsr_index n, small_shape *shapes, int capacity) {
  int count = 0;
  if (n == 1) shapes[count++] = (small_shape){0, {0}};
  shapes[count++] = (small_shape){1, {n}};
  for (tsr_index a = 1; a <= n; a++) {
    if (n % a != 0) continue;
    if (count < capacity) shapes[count++] = (small_shape){2, {a, n / a}};
    for (tsr_index b = 1; b <= n / a; b++)
      if (n / a % b == 0 && count < capacity) shapes[count++] = (small_shape){3, {a, b, n / a / b}};
  }
  return count;
}

/* Whether a list of addresses, counted in order of a shape, comes from some strides. */
static bool strides_exist(const uintptr_t *at, int ndim, const tsr_index *shape, tsr_order order) {
  const tsr_index size = test_product(ndim, shape);
  ptrdiff_t stride[3] = {0};
  tsr_index index[3];
  for (tsr_index k = 0; k < size; k++) {
    int moved = 0, axis = 0;
    test_nth_index(ndim, shape, order, k, index);
    for (int i = 0; i < ndim; i++)
      if (index[i] > 0) moved += (int)index[i], axis = i;
    if (moved == 1) stride[axis] = (ptrdiff_t)(at[k] - at[0]);
  }
  for (tsr_index k = 0; k < size; k++) {
    ptrdiff_t want = 0;
    test_nth_index(ndim, shape, order, k, index);
    for (int i = 0; i < ndim; i++) want += (ptrdiff_t)index[i] * stride[i];
    if (at[k] != at[0] + (uintptr_t)want) return false;
  }
  return true;
}

static void check_view(tsr_ctx *ctx, const tsr_tensor *in, tsr_order order, const small_shape *to, const char *name) {
  uintptr_t want[TEST_ELEMENTS], got[TEST_ELEMENTS];
  const tsr_index n = test_addresses(in, order, want, TEST_ELEMENTS);
  const bool possible = strides_exist(want, to->ndim, to->shape, order == TSR_MEMORY ? TSR_ROW_MAJOR : order);
  tsr_tensor v = {0};
  const tsr_status st = tsr_reshape_view_ordered(ctx, in, to->ndim, to->shape, order, &v);
  const int failures = test_now.failures;
  if (st == TSR_OK) {
    CHECK(v.ndim == to->ndim && memcmp(v.shape, to->shape, sizeof *v.shape * (size_t)v.ndim) == 0 && test_is_tidy(&v));
    CHECK(test_addresses(&v, order == TSR_MEMORY ? TSR_ROW_MAJOR : order, got, TEST_ELEMENTS) == n);
    CHECK(memcmp(want, got, sizeof *want * (size_t)n) == 0);
    if (order == TSR_MEMORY) CHECK(tsr_is_contiguous(&v, TSR_ROW_MAJOR));
  } else {
    CHECK(st == TSR_ESTRIDE && tsr_is_none(&v));
    if (order != TSR_MEMORY) CHECK(!possible); /* in memory order only dense tensors are viewed */
  }
  if (order ==
      TSR_ROW_MAJOR) { /* the usual form has a way of its own: the same view, also when the shape is its output's */
    tsr_tensor usual = {0}, own = {0};
    CHECK(tsr_reshape_view(ctx, in, to->ndim, to->shape, &usual) == st && memcmp(&usual, &v, sizeof v) == 0);
    memcpy(own.shape, to->shape, sizeof *own.shape * (size_t)to->ndim);
    if (st == TSR_OK)
      CHECK(tsr_reshape_view(ctx, in, to->ndim, own.shape, &own) == st && memcmp(&own, &v, sizeof v) == 0);
  }
  if (test_now.failures > failures) printf("  %s in order %d to rank %d\n", name, (int)order, to->ndim);
}

TEST(every_shape_of_every_layout_in_every_order) {
  tsr_ctx *const ctx = test_context();
  static small_shape shapes[80];
  for (int i = 0; i < test_layout_count(); i++)
    for (int order = TSR_ROW_MAJOR; order <= TSR_MEMORY; order++) {
      const tsr_tensor t = test_over(&buffer, TSR_I16, test_layout_at(i));
      const tsr_index size = test_product(t.ndim, t.shape);
      if (size == 0) continue;
      const int count = shapes_of(size, shapes, COUNT_OF(shapes));
      for (int k = 0; k < count; k++) check_view(ctx, &t, (tsr_order)order, &shapes[k], test_layout_at(i)->name);
    }
}

TEST(dense_tensors_are_always_viewed_in_memory_order) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < test_layout_count(); i++) {
    const tsr_tensor t = test_over(&buffer, TSR_I16, test_layout_at(i));
    tsr_tensor v = {0};
    const tsr_index size = test_product(t.ndim, t.shape);
    FAILS(ctx, tsr_is_contiguous(&t, TSR_MEMORY) ? TSR_OK : TSR_ESTRIDE,
          tsr_reshape_view_ordered(ctx, &t, 1, &size, TSR_MEMORY, &v));
  }
}

TEST(one_dimension_is_worked_out) {
  tsr_ctx *const ctx = test_context();
  const tsr_tensor t = test_over(&buffer, TSR_I16, test_layout_at(21)); /* 2·3·4 */
  for (int order = TSR_ROW_MAJOR; order <= TSR_MEMORY; order++) {
    tsr_tensor v = {0};
    OK(ctx, tsr_reshape_view_ordered(ctx, &t, TSR_SHAPE(-1, 24), TSR_ROW_MAJOR, &v));
    CHECK(v.shape[0] == 1 && v.shape[1] == 24);
    FAILS(ctx, TSR_ESHAPE, tsr_reshape_view_ordered(ctx, &t, TSR_SHAPE(-1, 7), (tsr_order)order, &v));
    FAILS(ctx, TSR_ESHAPE, tsr_reshape_view_ordered(ctx, &t, TSR_SHAPE(-1, 0), (tsr_order)order, &v));
    FAILS(ctx, TSR_ESHAPE, tsr_reshape_view_ordered(ctx, &t, TSR_SHAPE(-1, -1), (tsr_order)order, &v));
    FAILS(ctx, TSR_ESHAPE, tsr_reshape_view_ordered(ctx, &t, TSR_SHAPE(-2, -12), (tsr_order)order, &v));
    FAILS(ctx, TSR_EOVERFLOW, tsr_reshape_view_ordered(ctx, &t, TSR_SHAPE(TSR_INDEX_MAX, 3), (tsr_order)order, &v));
  }
  tsr_tensor v = {0};
  FAILS(ctx, TSR_EARG, tsr_reshape_view_ordered(ctx, &t, TSR_SHAPE(24), (tsr_order)4, &v));
  FAILS(ctx, TSR_EARG, tsr_reshape_view_ordered(ctx, &t, TSR_SHAPE(24), (tsr_order)-1, &v));
  CHECK(tsr_is_none(&v));
}

TEST(nothing_reshapes_to_nothing) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, v = {0};
  OK(ctx, tsr_from_memory(ctx, NULL, TSR_F32, TSR_SHAPE(0, 3), &t));
  for (int order = TSR_ROW_MAJOR; order <= TSR_MEMORY; order++) {
    OK(ctx, tsr_reshape_view_ordered(ctx, &t, TSR_SHAPE(4, 0, 2), (tsr_order)order, &v));
    CHECK(v.ndim == 3 && tsr_size(&v) == 0);
    OK(ctx, tsr_reshape_view_ordered(ctx, &t, TSR_SHAPE(-1, 5), (tsr_order)order, &v));
    CHECK(v.shape[0] == 0 && v.shape[1] == 5);
    FAILS(ctx, TSR_ESHAPE, tsr_reshape_view_ordered(ctx, &t, TSR_SHAPE(1), (tsr_order)order, &v));
  }
  OK(ctx, tsr_flatten_view(ctx, &t, &v));
  CHECK(v.ndim == 1 && v.shape[0] == 0);
}

TEST(the_usual_way_counts_elements_too) {
  tsr_ctx *const ctx = test_context();
  float memory[12];
  tsr_tensor t = {0}, v = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(3, 4), &t));
  FAILS(ctx, TSR_ESHAPE, tsr_reshape_view(ctx, &t, TSR_SHAPE(13), &v));
  FAILS(ctx, TSR_ESHAPE, tsr_reshape_view(ctx, &t, TSR_SHAPE(2, 5), &v));
  FAILS(ctx, TSR_ESHAPE, tsr_reshape_view(ctx, &t, TSR_SHAPE(-3, -4), &v));
  FAILS(ctx, TSR_ESHAPE, tsr_reshape_view(ctx, &t, TSR_SHAPE(12, 0), &v));
  FAILS(ctx, TSR_EOVERFLOW, tsr_reshape_view(ctx, &t, TSR_SHAPE(TSR_INDEX_MAX, 3), &v));
  CHECK(tsr_is_none(&v));
}

TEST(message_says_what_stands_in_the_way) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = test_over(&buffer, TSR_F32, test_layout_at(8)), v = {0}; /* column-major [3,4] */
  FAILS(ctx, TSR_ESTRIDE, tsr_reshape_view(ctx, &t, TSR_SHAPE(12), &v));
  MESSAGE_HAS(ctx, "in f32 [3,4] with strides [1,3] does not become [12] without a copy");
  FAILS(ctx, TSR_ESHAPE, tsr_reshape_view(ctx, &t, TSR_SHAPE(5), &v));
  MESSAGE_HAS(ctx, "shape [5] does not have the 12 elements of f32 [3,4]");
  OK(ctx, tsr_select(ctx, &t, 0, 0, &v));
  OK(ctx, tsr_narrow(ctx, &v, 0, 0, 1, &v));
  FAILS(ctx, TSR_ESHAPE, tsr_reshape_view(ctx, &v, TSR_SHAPE(5), &v));
  MESSAGE_HAS(ctx, "shape [5] does not have the 1 element of f32 [1]");
}

TEST_MAIN(RUN(every_shape_of_every_layout_in_every_order), RUN(dense_tensors_are_always_viewed_in_memory_order),
          RUN(one_dimension_is_worked_out), RUN(nothing_reshapes_to_nothing), RUN(the_usual_way_counts_elements_too),
          RUN(message_says_what_stands_in_the_way))
