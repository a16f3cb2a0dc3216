/* Storage: counts, parts, wrapped memory and its release. */
#include "support/helpers.h"
#include "support/test.h"

typedef struct released {
  int calls;
  void *data;
  size_t bytes;
} released;

static void note_release(void *user, void *data, size_t bytes) {
  released *const r = user;
  r->calls++;
  r->data = data;
  r->bytes = bytes;
}

TEST(new_storage_is_one_aligned_block) {
  tsr_ctx *const ctx = test_context();
  static const size_t sizes[] = {0, 1, 7, 64, 1000, 5000};
  for (int i = 0; i < COUNT_OF(sizes); i++) {
    tsr_storage *s = NULL;
    OK(ctx, tsr_storage_new(ctx, NULL, sizes[i], TSR_HINT_DEFAULT, &s));
    REQUIRE(s != NULL);
    CHECK(test_live() == 1);
    CHECK(tsr_storage_bytes(s) == sizes[i]);
    CHECK(tsr_storage_count(s) == 1);
    CHECK(tsr_storage_device(s) == tsr_device_cpu());
    CHECK((uintptr_t)tsr_storage_data(s) % TSR_DATA_ALIGN == 0);
    memset(tsr_storage_data(s), 1, sizes[i]);
    tsr_storage_release(s);
    CHECK(test_live() == 0);
  }
}

TEST(counts_go_up_and_down) {
  tsr_ctx *const ctx = test_context();
  tsr_storage *s = NULL;
  OK(ctx, tsr_storage_new(ctx, NULL, 16, TSR_HINT_HOT, &s));
  CHECK(tsr_storage_share(s) == s);
  CHECK(tsr_storage_share(s) == s);
  CHECK(tsr_storage_count(s) == 3);
  tsr_storage_release(s);
  tsr_storage_release(s);
  CHECK(tsr_storage_count(s) == 1 && test_live() == 1);
  tsr_storage_release(s);
  CHECK(test_live() == 0);
  tsr_storage_release(NULL);
}

TEST(sizes_that_cannot_be) {
  tsr_ctx *const ctx = test_context();
  static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 8 * TSR_DATA_ALIGN};
  for (int i = 0; i < COUNT_OF(sizes); i++) {
    tsr_storage *s = (tsr_storage *)&s;
    FAILS(ctx, TSR_ENOMEM, tsr_storage_new(ctx, NULL, sizes[i], 0, &s));
    CHECK((void *)s == (void *)&s);
  }
  CHECK(test_live() == 0);
  FAILS(ctx, TSR_EARG, tsr_storage_new(ctx, NULL, 8, 0, NULL));
}

/* ---- wrapped memory ---- */

TEST(release_is_called_once_with_what_was_given) {
  tsr_ctx *const ctx = test_context();
  released r = {0};
  float x[4] = {0};
  tsr_storage *s = NULL;
  OK(ctx, tsr_storage_wrap(ctx, NULL, x, sizeof x, note_release, &r, &s));
  CHECK(tsr_storage_data(s) == x && tsr_storage_bytes(s) == sizeof x && tsr_storage_device(s) == tsr_device_cpu());
  tsr_storage_release(tsr_storage_share(s));
  CHECK(r.calls == 0);
  tsr_storage_release(s);
  CHECK(r.calls == 1 && r.data == x && r.bytes == sizeof x);
  CHECK(test_live() == 0);
}

TEST(release_may_be_missing_and_bytes_may_be_none) {
  tsr_ctx *const ctx = test_context();
  released r = {0};
  tsr_storage *s = NULL;
  tsr_tensor t = {0};
  OK(ctx, tsr_storage_wrap(ctx, NULL, NULL, 0, note_release, &r, &s));
  OK(ctx, tsr_from_storage(ctx, s, 0, TSR_F32, TSR_SHAPE(0, 5), NULL, &t));
  FAILS(ctx, TSR_ECAPACITY, tsr_from_storage(ctx, s, 0, TSR_F32, TEST_SCALAR, NULL, &(tsr_tensor){0}));
  tsr_storage_release(s);
  CHECK(r.calls == 0);
  tsr_release(&t);
  CHECK(r.calls == 1 && r.data == NULL && r.bytes == 0);
  OK(ctx, tsr_storage_wrap(ctx, NULL, &r, sizeof r, NULL, NULL, &s));
  tsr_storage_release(s);
  CHECK(test_live() == 0);
}

TEST(failing_wrap_does_not_release) {
  tsr_ctx *const ctx = test_context();
  released r = {0};
  float x[4] = {0};
  tsr_storage *s = NULL;
  FAILS(ctx, TSR_EARG, tsr_storage_wrap(ctx, NULL, NULL, 8, note_release, &r, &s));
  FAILS(ctx, TSR_EARG, tsr_storage_wrap(ctx, NULL, x, sizeof x, note_release, &r, NULL));
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_storage_wrap(ctx, NULL, x, sizeof x, note_release, &r, &s));
  CHECK(r.calls == 0 && s == NULL && test_live() == 0);
}

/* Every way that a last count can go: by which of the handles, shares, parts and views. */
TEST(release_is_called_once_on_every_path) {
  for (int path = 0; path < 24; path++) { /* the order in which four holders end */
    tsr_ctx *const ctx = test_context();
    released r = {0};
    float x[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    tsr_storage *s = NULL, *sub = NULL;
    tsr_tensor a = {0}, view = {0}, b = {0}, part = {0};
    OK(ctx, tsr_storage_wrap(ctx, NULL, x, sizeof x, note_release, &r, &s));
    OK(ctx, tsr_from_storage(ctx, s, 0, TSR_F32, TSR_SHAPE(2, 4), NULL, &a));
    OK(ctx, tsr_flip(ctx, &a, 1, &view));
    OK(ctx, tsr_share(ctx, &view, &b));
    OK(ctx, tsr_storage_sub(ctx, s, 8, 16, &sub));
    OK(ctx, tsr_from_storage(ctx, sub, 4, TSR_F32, TSR_SHAPE(3), NULL, &part));
    tsr_storage_release(sub);
    CHECK(tsr_refcount(&a) == 4 && tsr_refcount(&part) == 1);
    CHECK(TSR_AT(float, &b, 0, 0) == 3 && TSR_AT(float, &part, 0) == 3);
    bool done[4] = {false};
    int code = path;
    for (int left = 4; left > 0; left--) {
      int pick = code % left, which = 0;
      code /= left;
      for (;; which++)
        if (!done[which] && pick-- == 0) break;
      done[which] = true;
      CHECK(r.calls == 0);
      switch (which) {
        case 0: tsr_storage_release(s); break;
        case 1: tsr_release(&a); break;
        case 2: tsr_release(&b); break;
        default: tsr_release(&part); break;
      }
      tsr_release(&view); /* a borrow: nothing happens */
    }
    CHECK(r.calls == 1 && test_live() == 0);
  }
}

/* ---- parts ---- */

TEST(part_keeps_its_parent_alive) {
  tsr_ctx *const ctx = test_context();
  tsr_storage *s = NULL, *sub = NULL, *subsub = NULL;
  OK(ctx, tsr_storage_new(ctx, NULL, 100, 0, &s));
  OK(ctx, tsr_storage_sub(ctx, s, 10, 50, &sub));
  OK(ctx, tsr_storage_sub(ctx, sub, 10, 40, &subsub));
  CHECK(tsr_storage_count(s) == 2 && tsr_storage_count(sub) == 2 && tsr_storage_count(subsub) == 1);
  CHECK(tsr_storage_data(subsub) == (char *)tsr_storage_data(s) + 20);
  CHECK(tsr_storage_bytes(subsub) == 40 && tsr_storage_device(subsub) == tsr_device_cpu());
  tsr_storage_release(s);
  tsr_storage_release(sub);
  CHECK(test_live() == 3);
  memset(tsr_storage_data(subsub), 7, 40);
  tsr_storage_release(subsub);
  CHECK(test_live() == 0);
}

TEST(part_stays_inside) {
  tsr_ctx *const ctx = test_context();
  tsr_storage *s = NULL;
  OK(ctx, tsr_storage_new(ctx, NULL, 64, 0, &s));
  static const struct {
    size_t offset, bytes;
    bool fits;
  } rows[] = {{0, 64, true},        {0, 65, false},       {64, 0, true},
              {65, 0, false},       {1, 64, false},       {63, 1, true},
              {SIZE_MAX, 1, false}, {1, SIZE_MAX, false}, {SIZE_MAX, SIZE_MAX, false}};
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr_storage *sub = NULL;
    FAILS(ctx, rows[i].fits ? TSR_OK : TSR_ECAPACITY, tsr_storage_sub(ctx, s, rows[i].offset, rows[i].bytes, &sub));
    CHECK((sub != NULL) == rows[i].fits);
    CHECK(tsr_storage_count(s) == (rows[i].fits ? 2 : 1));
    tsr_storage_release(sub);
  }
  FAILS(ctx, TSR_EARG, tsr_storage_sub(ctx, NULL, 0, 1, &(tsr_storage *){NULL}));
  FAILS(ctx, TSR_EARG, tsr_storage_sub(ctx, s, 0, 1, NULL));
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_storage_sub(ctx, s, 0, 1, &(tsr_storage *){NULL}));
  CHECK(tsr_storage_count(s) == 1);
  tsr_storage_release(s);
  CHECK(test_live() == 0);
}

/* A storage remembers its allocator, never its context. */
TEST(storage_outlives_its_context) {
  tsr_ctx *const ctx = test_context();
  tsr_ctx other = *ctx;
  tsr_tensor t = {0};
  OK(&other, tsr_zeros(&other, TSR_F32, TSR_SHAPE(4), &t));
  memset(&other, 0xee, sizeof other);
  CHECK(test_live() == 1);
  tsr_release(&t);
  CHECK(test_live() == 0);
}

TEST(header_size_is_what_the_allocator_sees) {
  tsr_ctx *const ctx = test_context();
  tsr_storage *s = NULL;
  OK(ctx, tsr_storage_new(ctx, NULL, 32, 0, &s));
  CHECK((size_t)((char *)tsr_storage_data(s) - (char *)s) == tsr_storage_header_size());
  CHECK(tsr_storage_header_size() % TSR_DATA_ALIGN == 0);
  tsr_storage_release(s);
}

TEST(shares_views_and_clones_have_no_name) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, shared = {0}, view = {0}, clone = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2), &t));
  t.name = "weights";
  OK(ctx, tsr_share(ctx, &t, &shared));
  OK(ctx, tsr_view(ctx, &t, &view));
  OK(ctx, tsr_clone(ctx, &t, &clone));
  CHECK(shared.name == NULL && view.name == NULL && clone.name == NULL);
  tsr_release(&clone);
  tsr_release(&shared);
  tsr_release(&t);
  CHECK(test_live() == 0);
}

/* In place it is the same tensor. */
TEST(in_place_keeps_the_name) {
  static const char name[] = "weights";
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, other = {0};
  OK(ctx, tsr_zeros_ordered(ctx, TSR_F32, TSR_SHAPE(2, 3), TSR_COL_MAJOR, &t));
  t.name = name;
  OK(ctx, tsr_reshape(ctx, &t, TSR_SHAPE(2, 3, 1), &t)); /* a view */
  CHECK(t.name == name && (t.flags & TSR_OWNS) != 0);
  OK(ctx, tsr_reshape(ctx, &t, TSR_SHAPE(2, 3), &t));
  OK(ctx, tsr_reshape(ctx, &t, TSR_SHAPE(3, 2), &t)); /* a copy */
  CHECK(t.name == name && tsr_is_contiguous(&t, TSR_ROW_MAJOR));
  OK(ctx, tsr_contiguous(ctx, &t, &t));
  CHECK(t.name == name);
  OK(ctx, tsr_flatten(ctx, &t, TSR_FORTRAN, &t));
  CHECK(t.name == name && t.ndim == 1);
  OK(ctx, tsr_reshape(ctx, &t, TSR_SHAPE(6), &other));
  CHECK(other.name == NULL);
  tsr_release(&other);
  tsr_release(&t);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(shares_views_and_clones_have_no_name), RUN(in_place_keeps_the_name),
          RUN(new_storage_is_one_aligned_block), RUN(counts_go_up_and_down), RUN(sizes_that_cannot_be),
          RUN(release_is_called_once_with_what_was_given), RUN(release_may_be_missing_and_bytes_may_be_none),
          RUN(failing_wrap_does_not_release), RUN(release_is_called_once_on_every_path),
          RUN(part_keeps_its_parent_alive), RUN(part_stays_inside), RUN(storage_outlives_its_context),
          RUN(header_size_is_what_the_allocator_sees))
