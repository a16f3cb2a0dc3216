/* Where elements lie: extents, strides, overlaps; checked against brute force over every index. */
#include "core/check.h"
#include "core/order.h"
#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffer;

static tsr_index element_offsets(const tsr_tensor *t, tsr_index *offsets, tsr_index capacity) {
  tsr_index index[TSR_MAX_DIMS] = {0}, n = 0;
  if (test_product(t->ndim, t->shape) == 0) return 0;
  do {
    tsr_index at = 0;
    for (int i = 0; i < t->ndim; i++) at += index[i] * t->stride[i];
    if (n < capacity) offsets[n] = at;
    n++;
  } while (test_next_index(t->ndim, t->shape, index));
  return n;
}

TEST(extent_is_that_of_the_elements) {
  for (int i = 0; i < test_layout_count(); i++) {
    const tsr_tensor t = test_over(&buffer, TSR_I32, test_layout_at(i));
    tsr_index offsets[TEST_ELEMENTS];
    const tsr_index n = element_offsets(&t, offsets, TEST_ELEMENTS);
    ptrdiff_t low = 0, high = 0;
    for (tsr_index k = 0; k < n; k++) {
      if (k == 0 || offsets[k] * 4 < low) low = (ptrdiff_t)offsets[k] * 4;
      if (k == 0 || offsets[k] * 4 + 4 > high) high = (ptrdiff_t)offsets[k] * 4 + 4;
    }
    tsr__extent extent = {1, 1};
    CHECK(tsr__extent_of(t.dtype, t.ndim, t.shape, t.stride, &extent));
    CHECK(extent.low == low && extent.high == high);
  }
}

TEST(extents_that_do_not_fit) {
  static const struct {
    int ndim;
    tsr_index shape[2], stride[2];
    bool fits;
  } rows[] = {
      {1, {2}, {TSR_INDEX_MAX}, TSR_INDEX_BITS < 8 * (int)sizeof(ptrdiff_t)},
      {1, {3}, {TSR_INDEX_MAX}, TSR_INDEX_BITS < 8 * (int)sizeof(ptrdiff_t)},
      {1, {1}, {TSR_INDEX_MAX}, true},
      {1, {0}, {TSR_INDEX_MIN}, true},
      {2, {TSR_INDEX_MAX, 2}, {0, 1}, true},
      {2, {TSR_INDEX_MAX, 0}, {TSR_INDEX_MAX, 1}, true},
      {2, {2, 0}, {TSR_INDEX_MAX, 1}, true}, /* no element, no extent */
  };
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr__extent extent;
    const bool zero_first = rows[i].ndim == 2 && rows[i].shape[1] == 0;
    const bool fits = tsr__extent_of(TSR_F32, rows[i].ndim, rows[i].shape, rows[i].stride, &extent);
    if (zero_first && !fits) continue; /* callers know the size first */
    CHECK(fits == rows[i].fits);
  }
#if TSR_INDEX_BITS == 64
  tsr__extent extent;
  if (sizeof(ptrdiff_t) == 8) {
    const tsr_index quarter = TSR_INDEX_MAX / 4; /* low and high fit, their distance does not */
    CHECK(tsr__extent_of(TSR_U8, 2, (const tsr_index[]){2, 2}, (const tsr_index[]){quarter, -quarter}, &extent));
    CHECK(!tsr__extent_of(TSR_U8, 2, (const tsr_index[]){4, 4}, (const tsr_index[]){quarter, -quarter}, &extent));
    CHECK(!tsr__extent_of(TSR_U8, 2, (const tsr_index[]){4, 4}, (const tsr_index[]){quarter, quarter}, &extent));
    CHECK(!tsr__extent_of(TSR_C128, 1, (const tsr_index[]){2}, (const tsr_index[]){quarter}, &extent));
  }
#endif
}

/* ---- self overlap ---- */

static bool meets_itself(const tsr_tensor *t) {
  static tsr_index offsets[4096];
  static tsr_index seen_low;
  static bool seen[8192];
  const tsr_index n = element_offsets(t, offsets, COUNT_OF(offsets));
  memset(seen, 0, sizeof seen);
  seen_low = 0;
  for (tsr_index k = 0; k < n; k++)
    if (offsets[k] < seen_low) seen_low = offsets[k];
  for (tsr_index k = 0; k < n; k++) {
    bool *const place = &seen[offsets[k] - seen_low];
    if (*place) return true;
    *place = true;
  }
  return false;
}

TEST(self_overlap_of_the_table) {
  for (int i = 0; i < test_layout_count(); i++) {
    const tsr_tensor t = test_over(&buffer, TSR_I32, test_layout_at(i));
    CHECK(tsr__self_overlaps(&t) == test_layout_at(i)->overlaps);
    CHECK(meets_itself(&t) == test_layout_at(i)->overlaps);
  }
}

TEST(self_overlap_of_random_strides) {
  test_rng rng = {2024};
  int overlapping = 0, apart = 0;
  for (int round = 0; round < 3000; round++) {
    tsr_tensor t = {.dtype = TSR_U8, .ndim = (uint8_t)test_between(&rng, 0, 4), .data = buffer.bytes};
    const tsr_index longest = t.ndim >= 3 ? 4 : 7;
    for (int i = 0; i < t.ndim; i++) {
      t.shape[i] = test_between(&rng, test_random(&rng) % 16 == 0 ? 0 : 1, longest);
      t.stride[i] = test_between(&rng, -25, 25);
    }
    const bool want = meets_itself(&t);
    CHECK(tsr__self_overlaps(&t) == want);
    overlapping += want;
    apart += !want;
  }
  CHECK(overlapping > 300 && apart > 300);
}

/* A search that would take for ever ends, and says yes. */
TEST(adversarial_strides_end) {
  tsr_tensor t = {.dtype = TSR_U8, .ndim = 4, .data = buffer.bytes};
  static const tsr_index stride[4] = {10007, 10009, 10037, 10039};
  for (int i = 0; i < 4; i++) {
    t.shape[i] = 1000;
    t.stride[i] = stride[i];
  }
  CHECK(tsr__self_overlaps(&t));
}

TEST(zero_size_never_overlaps_itself) {
  static const tsr_index shapes[][3] = {{0, 3, 3}, {3, 0, 3}, {3, 3, 0}};
  for (int i = 0; i < 3; i++) {
    tsr_tensor t = {.dtype = TSR_U8, .ndim = 3, .data = buffer.bytes}; /* every stride 0 */
    memcpy(t.shape, shapes[i], sizeof shapes[i]);
    CHECK(!tsr__self_overlaps(&t));
  }
}

/* ---- two tensors ---- */

static bool shares_byte(const tsr_tensor *a, const tsr_tensor *b) {
  uintptr_t pa[TEST_ELEMENTS], pb[TEST_ELEMENTS];
  const tsr_index na = test_addresses(a, TSR_ROW_MAJOR, pa, TEST_ELEMENTS);
  const tsr_index nb = test_addresses(b, TSR_ROW_MAJOR, pb, TEST_ELEMENTS);
  for (tsr_index i = 0; i < na; i++)
    for (tsr_index j = 0; j < nb; j++)
      if (pa[i] < pb[j] + tsr_dtype_size(b->dtype) && pb[j] < pa[i] + tsr_dtype_size(a->dtype)) return true;
  return false;
}

/* May say yes where elements interleave; must never say no where they meet. */
TEST(overlap_is_never_missed) {
  for (int i = 0; i < test_layout_count(); i++)
    for (int j = 0; j < test_layout_count(); j++)
      for (tsr_index shift = 0; shift < 12; shift += 5) {
        const tsr_tensor a = test_over(&buffer, TSR_I32, test_layout_at(i));
        tsr_tensor b = test_over(&buffer, TSR_I16, test_layout_at(j));
        b.data = (char *)b.data + shift * 4;
        if (shares_byte(&a, &b)) CHECK(tsr__overlap(&a, &b) && tsr__overlap(&b, &a));
      }
}

TEST(neighbours_do_not_overlap) {
  const test_layout *const matrix = test_layout_at(6);
  const tsr_tensor a = test_over(&buffer, TSR_I32, matrix);
  tsr_tensor b = a;
  b.data = (char *)a.data + 12 * 4;
  CHECK(!tsr__overlap(&a, &b) && !tsr__overlap(&b, &a));
  b.data = (char *)b.data - 1;
  CHECK(tsr__overlap(&a, &b) && tsr__overlap(&b, &a));
}

TEST(same_view_ignores_strides_of_length_one) {
  tsr_tensor a = test_over(&buffer, TSR_I32, test_layout_at(6)), b = a;
  CHECK(tsr__same_view(&a, &b));
  b.dtype = TSR_F32;
  CHECK(tsr__same_view(&a, &b));
  b.dtype = TSR_I16;
  CHECK(!tsr__same_view(&a, &b));
  b = a;
  b.stride[0] = 5;
  CHECK(!tsr__same_view(&a, &b));
  b = a;
  b.data = (char *)b.data + 4;
  CHECK(!tsr__same_view(&a, &b));
  b = a;
  b.shape[1] = 3;
  CHECK(!tsr__same_view(&a, &b));
  a.shape[0] = 1;
  b = a;
  b.stride[0] = 77;
  CHECK(tsr__same_view(&a, &b));
}

/* ---- orders ---- */

TEST(strides_for_each_order) {
  for (int i = 0; i < test_layout_count(); i++)
    for (int order = TSR_ROW_MAJOR; order <= TSR_FORTRAN; order++) {
      const test_layout *const layout = test_layout_at(i);
      const tsr_index size = test_product(layout->ndim, layout->shape);
      tsr_index stride[TSR_MAX_DIMS], index[TSR_MAX_DIMS];
      tsr__strides_for(layout->ndim, layout->shape, (tsr_order)order, stride);
      for (tsr_index k = 0; k < size; k++) {
        tsr_index at = 0;
        test_nth_index(layout->ndim, layout->shape, (tsr_order)order, k, index);
        for (int axis = 0; axis < layout->ndim; axis++) at += index[axis] * stride[axis];
        CHECK(at == k);
      }
    }
}

/* The row-major order of the view is the order of the tensor. */
TEST(views_in_each_order) {
  for (int i = 0; i < test_layout_count(); i++)
    for (int order = TSR_ROW_MAJOR; order <= TSR_MEMORY; order++) {
      const test_layout *const layout = test_layout_at(i);
      const tsr_tensor t = test_over(&buffer, TSR_I32, layout);
      int axes[TSR_MAX_DIMS];
      const tsr_tensor view = tsr__in_order(&t, (tsr_order)order, axes);
      uintptr_t want[TEST_ELEMENTS], got[TEST_ELEMENTS];
      const tsr_index n = test_addresses(&t, (tsr_order)order, want, TEST_ELEMENTS);
      CHECK(test_addresses(&view, TSR_ROW_MAJOR, got, TEST_ELEMENTS) == n);
      if (order == TSR_MEMORY && (strcmp(layout->name, "windows") == 0 || strcmp(layout->name, "interleaved") == 0))
        continue; /* no order of the axes walks these by address */
      const bool same = memcmp(want, got, sizeof *want * (size_t)n) == 0;
      CHECK(same);
      if (!same) printf("  order %d of %s\n", order, layout->name);
    }
}

TEST(contiguous_is_elements_without_gaps) {
  for (int i = 0; i < test_layout_count(); i++)
    for (int order = TSR_ROW_MAJOR; order <= TSR_MEMORY; order++) {
      const test_layout *const layout = test_layout_at(i);
      const tsr_tensor t = test_over(&buffer, TSR_I32, layout);
      uintptr_t at[TEST_ELEMENTS];
      const tsr_index n = test_addresses(&t, (tsr_order)order, at, TEST_ELEMENTS);
      bool want = true;
      for (tsr_index k = 1; k < n; k++) want = want && at[k] == at[k - 1] + 4;
      if (strcmp(layout->name, "interleaved") == 0 && order == TSR_MEMORY) continue;
      CHECK(tsr_is_contiguous(&t, (tsr_order)order) == want);
      if (tsr_is_contiguous(&t, (tsr_order)order) != want) printf("  order %d of %s\n", order, layout->name);
    }
}

TEST_MAIN(RUN(extent_is_that_of_the_elements), RUN(extents_that_do_not_fit), RUN(self_overlap_of_the_table),
          RUN(self_overlap_of_random_strides), RUN(adversarial_strides_end), RUN(zero_size_never_overlaps_itself),
          RUN(overlap_is_never_missed), RUN(neighbours_do_not_overlap), RUN(same_view_ignores_strides_of_length_one),
          RUN(strides_for_each_order), RUN(views_in_each_order), RUN(contiguous_is_elements_without_gaps))
