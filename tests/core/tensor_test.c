/* Handles: describing, wrapping, sharing, moving, releasing, and what a tensor says of itself. */
#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffer;

/* ---- describing ---- */

TEST(described_in_each_order) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < test_layout_count(); i++)
    for (int order = TSR_ROW_MAJOR; order <= TSR_FORTRAN; order++) {
      const test_layout *const layout = test_layout_at(i);
      tsr_tensor t = {0};
      memset(&t, 0x77, sizeof t);
      OK(ctx, tsr_desc_init_ordered(ctx, TSR_I16, layout->ndim, layout->shape, (tsr_order)order, &t));
      CHECK(t.dtype == TSR_I16 && t.ndim == layout->ndim && t.layout == TSR_PLAIN && t.flags == 0);
      CHECK(t.data == NULL && t.storage == NULL && t.name == NULL && test_is_tidy(&t));
      CHECK(tsr_size(&t) == test_product(layout->ndim, layout->shape));
      CHECK(tsr_is_contiguous(&t, (tsr_order)order) && tsr_is_contiguous(&t, TSR_MEMORY));
      for (tsr_index k = 0; k < tsr_size(&t); k++) {
        tsr_index index[TSR_MAX_DIMS], at = 0;
        test_nth_index(layout->ndim, layout->shape, (tsr_order)order, k, index);
        for (int axis = 0; axis < layout->ndim; axis++) at += index[axis] * t.stride[axis];
        CHECK(at == k);
      }
    }
}

TEST(described_by_axes) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0};
  OK(ctx, tsr_desc_init_permuted(ctx, TSR_F32, TSR_SHAPE(2, 3, 4, 5), (const int[]){0, 2, 3, 1}, &t));
  CHECK(t.stride[0] == 60 && t.stride[1] == 1 && t.stride[2] == 15 && t.stride[3] == 3);
  OK(ctx, tsr_desc_init_permuted(ctx, TSR_F32, TSR_SHAPE(2, 3), (const int[]){-1, -2}, &t));
  CHECK(t.stride[0] == 1 && t.stride[1] == 2 && test_is_tidy(&t));
  OK(ctx, tsr_desc_init_permuted(ctx, TSR_F32, TSR_SHAPE(2, 0, 4), (const int[]){0, 1, 2}, &t));
  OK(ctx, tsr_desc_init_permuted(ctx, TSR_F32, 0, NULL, NULL, &t));
  const tsr_tensor before = t;
  FAILS(ctx, TSR_EAXIS, tsr_desc_init_permuted(ctx, TSR_F32, TSR_SHAPE(2, 3), (const int[]){0, 0}, &t));
  MESSAGE_HAS(ctx, "twice");
  FAILS(ctx, TSR_EAXIS, tsr_desc_init_permuted(ctx, TSR_F32, TSR_SHAPE(2, 3), (const int[]){0, 2}, &t));
  FAILS(ctx, TSR_EARG, tsr_desc_init_permuted(ctx, TSR_F32, TSR_SHAPE(2, 3), NULL, &t));
  FAILS(ctx, TSR_EARG, tsr_desc_init_permuted(ctx, TSR_F32, TSR_SHAPE(2, 3), (const int[]){0, 1}, NULL));
  FAILS(ctx, TSR_EDTYPE, tsr_desc_init_permuted(ctx, 0, TSR_SHAPE(2, 3), (const int[]){0, 1}, &t));
  CHECK(memcmp(&t, &before, sizeof t) == 0);
}

/* Shapes that no tensor can have, for every function that takes one. */
typedef tsr_status with_shape(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out);

static tsr_status ordered(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  return tsr_desc_init_ordered(ctx, dtype, ndim, shape, TSR_FORTRAN, out);
}
static tsr_status permuted(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  static const int axes[TSR_MAX_DIMS] = {0, 1, 2, 3};
  return tsr_desc_init_permuted(ctx, dtype, ndim, shape, axes, out);
}
static tsr_status memory(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  return tsr_from_memory(ctx, buffer.bytes, dtype, ndim, shape, out);
}
static tsr_status const_memory(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  return tsr_from_const_memory(ctx, buffer.bytes, dtype, ndim, shape, out);
}
static tsr_status full(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  return tsr_full(ctx, dtype, ndim, shape, 1, out);
}
static tsr_status zeros_ordered(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  return tsr_zeros_ordered(ctx, dtype, ndim, shape, TSR_COL_MAJOR, out);
}
static tsr_status array(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  return tsr_from_array(ctx, buffer.bytes, 1, dtype, ndim, shape, TSR_ROW_MAJOR, out);
}

static with_shape *const takers[] = {tsr_desc_init, ordered,  permuted, memory,        const_memory, tsr_empty,
                                     tsr_zeros,     tsr_ones, full,     zeros_ordered, array};

TEST(sizes_are_checked_before_they_are_multiplied) {
  tsr_ctx *const ctx = test_context();
  const tsr_index half = (tsr_index)1 << (TSR_INDEX_BITS / 2);
  const struct {
    int ndim;
    tsr_index shape[TSR_MAX_DIMS + 1];
    tsr_status want;
  } rows[] = {
    {2, {half, half}, TSR_EOVERFLOW},
    {2, {half / 2, half * 2}, TSR_EOVERFLOW},
#if TSR_INDEX_BITS == 64
    {2, {(tsr_index)1 << 31, (tsr_index)1 << 33}, TSR_EOVERFLOW},
    {4, {65536, 65536, 65536, 65536}, TSR_EOVERFLOW},
#endif
    {2, {TSR_INDEX_MAX, TSR_INDEX_MAX}, TSR_EOVERFLOW},
    {3, {0, half, half}, TSR_EOVERFLOW}, /* its strides would not fit either */
    {1, {-1}, TSR_ESHAPE},
    {2, {3, TSR_INDEX_MIN}, TSR_ESHAPE},
    {2, {-3, -4}, TSR_ESHAPE},
    {-1, {1}, TSR_ESHAPE},
    {TSR_MAX_DIMS + 1, {1, 1, 1, 1, 1}, TSR_ESHAPE},
    {1000000, {1}, TSR_ESHAPE},
  };
  for (int f = 0; f < COUNT_OF(takers); f++)
    for (int i = 0; i < COUNT_OF(rows); i++) {
      tsr_tensor t = {0};
      FAILS(ctx, rows[i].want, takers[f](ctx, TSR_U8, rows[i].ndim, rows[i].shape, &t));
      CHECK(tsr_is_none(&t));
      MESSAGE_HAS(ctx, "shape");
    }
  CHECK(test_live() == 0);
}

TEST(bytes_are_checked_too) {
  tsr_ctx *const ctx = test_context();
  if (sizeof(ptrdiff_t) * 8 > TSR_INDEX_BITS) SKIP("every count of elements has a count of bytes");
  for (int f = 0; f < COUNT_OF(takers); f++) {
    tsr_tensor t = {0};
    const tsr_index most = (tsr_index)(PTRDIFF_MAX / 8);
    FAILS(ctx, TSR_EOVERFLOW, takers[f](ctx, TSR_I64, TSR_SHAPE(most + 1), &t));
    MESSAGE_HAS(ctx, "bytes");
    CHECK(tsr_is_none(&t));
  }
  tsr_tensor t = {0};
  FAILS(ctx, TSR_ENOMEM, tsr_zeros(ctx, TSR_I64, TSR_SHAPE((tsr_index)(PTRDIFF_MAX / 8)), &t));
  CHECK(tsr_is_none(&t) && test_live() == 0);
}

TEST(dtypes_and_pointers_are_checked) {
  tsr_ctx *const ctx = test_context();
  for (int f = 0; f < COUNT_OF(takers); f++) {
    tsr_tensor t = {0};
    FAILS(ctx, TSR_EDTYPE, takers[f](ctx, TSR_NONE, TSR_SHAPE(1), &t));
    FAILS(ctx, TSR_EDTYPE, takers[f](ctx, -1, TSR_SHAPE(1), &t));
    FAILS(ctx, TSR_EDTYPE, takers[f](ctx, 256 + TSR_F32, TSR_SHAPE(1), &t));
    FAILS(ctx, TSR_EARG, takers[f](ctx, TSR_F32, 1, NULL, &t));
    FAILS(ctx, TSR_EARG, takers[f](ctx, TSR_F32, TSR_SHAPE(1), NULL));
    CHECK(tsr_is_none(&t));
  }
  tsr_tensor t = {0};
  FAILS(ctx, TSR_EARG, tsr_desc_init_ordered(ctx, TSR_F32, TSR_SHAPE(2), TSR_MEMORY, &t));
  FAILS(ctx, TSR_EARG, tsr_desc_init_ordered(ctx, TSR_F32, TSR_SHAPE(2), (tsr_order)4, &t));
  FAILS(ctx, TSR_EARG, tsr_desc_init_ordered(ctx, TSR_F32, TSR_SHAPE(2), (tsr_order)-1, &t));
}

/* ---- memory ---- */

TEST(allocate_gives_what_was_described) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < test_layout_count(); i++)
    for (int order = TSR_ROW_MAJOR; order <= TSR_FORTRAN; order++) {
      const test_layout *const layout = test_layout_at(i);
      tsr_tensor t = {0};
      OK(ctx, tsr_desc_init_ordered(ctx, TSR_I32, layout->ndim, layout->shape, (tsr_order)order, &t));
      t.name = "kept";
      t.layout = TSR_NCHW;
      const tsr_tensor before = t;
      OK(ctx, tsr_allocate(ctx, NULL, TSR_HINT_COLD, &t));
      CHECK(tsr_desc_equal(&t, &before) && t.name == before.name);
      if (tsr_size(&t) == 0) {
        CHECK(t.data == NULL && t.storage == NULL);
        continue;
      }
      CHECK(t.flags == TSR_OWNS && tsr_refcount(&t) == 1 && (uintptr_t)t.data % TSR_DATA_ALIGN == 0);
      CHECK(tsr_storage_bytes(t.storage) == tsr_nbytes(&t));
      tsr_release(&t);
    }
  CHECK(test_live() == 0);
}

TEST(allocate_takes_any_dense_strides) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < test_layout_count(); i++) {
    const test_layout *const layout = test_layout_at(i);
    tsr_tensor t = test_over(&buffer, TSR_I32, layout);
    uintptr_t at[TEST_ELEMENTS];
    const tsr_index n = test_addresses(&t, TSR_MEMORY, at, TEST_ELEMENTS);
    bool dense = true;
    for (tsr_index k = 1; k < n; k++) dense = dense && at[k] == at[k - 1] + 4;
    bool all_zero = true;
    for (int axis = 0; axis < t.ndim; axis++) all_zero = all_zero && t.stride[axis] == 0;
    if (strcmp(layout->name, "interleaved") == 0) continue;
    t.data = NULL;
    const tsr_tensor before = t;
    FAILS(ctx, dense || all_zero ? TSR_OK : TSR_ESTRIDE, tsr_allocate(ctx, NULL, 0, &t));
    if (!dense && !all_zero) {
      CHECK(memcmp(&t, &before, sizeof t) == 0);
      continue;
    }
    if (n > 0 && dense) {
      CHECK(test_addresses(&t, TSR_MEMORY, at, TEST_ELEMENTS) == n);
      CHECK((void *)at[0] == tsr_storage_data(t.storage)); /* every element is inside */
      CHECK(at[n - 1] + 4 == at[0] + tsr_storage_bytes(t.storage));
    }
    if (all_zero && t.ndim > 0 && n > 0) CHECK(tsr_is_contiguous(&t, TSR_ROW_MAJOR));
    tsr_release(&t);
  }
  CHECK(test_live() == 0);
}

TEST(allocate_refuses) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, full_one = test_over(&buffer, TSR_I32, test_layout_at(6));
  FAILS(ctx, TSR_EARG, tsr_allocate(ctx, NULL, 0, NULL));
  FAILS(ctx, TSR_ESTATE, tsr_allocate(ctx, NULL, 0, &full_one));
  CHECK(tsr_allocate(ctx, NULL, 0, &t) != TSR_OK && tsr_is_none(&t));
  tsr_tensor negative = {.dtype = TSR_F32, .ndim = 1, .shape = {-3}};
  FAILS(ctx, TSR_ESHAPE, tsr_allocate(ctx, NULL, 0, &negative));
  tsr_tensor described = {.dtype = TSR_F32, .ndim = 1, .shape = {3}};
  const tsr_tensor before = described;
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_allocate(ctx, NULL, 0, &described));
  CHECK(memcmp(&described, &before, sizeof before) == 0);
}

TEST(borrowed_memory) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0};
  OK(ctx, tsr_from_memory(ctx, buffer.bytes, TSR_F32, TSR_SHAPE(2, 3), &t));
  CHECK(t.data == buffer.bytes && t.flags == 0 && t.storage == NULL && tsr_refcount(&t) == 0);
  CHECK(tsr_device_of(&t) == tsr_device_cpu());
  OK(ctx, tsr_from_const_memory(ctx, buffer.bytes, TSR_F32, TSR_SHAPE(2, 3), &t));
  CHECK(t.flags == TSR_READONLY);
  OK(ctx, tsr_from_memory(ctx, NULL, TSR_F32, TSR_SHAPE(2, 0), &t));
  CHECK(t.data == NULL && tsr_size(&t) == 0 && !tsr_is_none(&t));
  const tsr_tensor before = t;
  FAILS(ctx, TSR_EARG, tsr_from_memory(ctx, NULL, TSR_F32, TSR_SHAPE(2), &t));
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    const size_t align = tsr_dtype_describe(dtype)->align;
    for (size_t skew = 0; skew < 16; skew++) {
      tsr_tensor v = {0};
      const tsr_status want = skew % align == 0 ? TSR_OK : TSR_EALIGN;
      FAILS(ctx, want, tsr_from_memory(ctx, buffer.bytes + skew, dtype, TSR_SHAPE(2), &v));
      CHECK(want == TSR_OK || tsr_is_none(&v));
    }
  }
  CHECK(memcmp(&t, &before, sizeof t) == 0);
}

/* ---- handles on storage ---- */

/* Far away, but not out of the address space. */
#define FAR ((tsr_index)(TSR_INDEX_MAX < PTRDIFF_MAX ? TSR_INDEX_MAX / 16 : PTRDIFF_MAX / 16))

TEST(from_storage_stays_inside) {
  tsr_ctx *const ctx = test_context();
  tsr_storage *s = NULL;
  OK(ctx, tsr_storage_new(ctx, NULL, 40, 0, &s));
  static const struct {
    size_t offset;
    tsr_index shape, stride;
    tsr_status want;
  } rows[] = {
      {0, 10, 1, TSR_OK},         {0, 11, 1, TSR_ECAPACITY},   {4, 9, 1, TSR_OK},
      {4, 10, 1, TSR_ECAPACITY},  {36, 10, -1, TSR_OK},        {32, 10, -1, TSR_ECAPACITY},
      {40, 0, 1, TSR_OK},         {40, 1, 1, TSR_ECAPACITY},   {44, 0, 1, TSR_ECAPACITY},
      {2, 2, 1, TSR_EALIGN},      {0, 4, 3, TSR_OK},           {0, 5, 3, TSR_ECAPACITY},
      {0, 1000000, 0, TSR_OK},    {36, 1, 1000, TSR_OK},       {SIZE_MAX, 1, 1, TSR_ECAPACITY},
      {0, 2, FAR, TSR_ECAPACITY}, {0, 2, -FAR, TSR_ECAPACITY},
  };
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr_tensor t = {0};
    FAILS(ctx, rows[i].want,
          tsr_from_storage(ctx, s, rows[i].offset, TSR_F32, TSR_SHAPE(rows[i].shape), &rows[i].stride, &t));
    CHECK(rows[i].want == TSR_OK ? t.flags == TSR_OWNS && tsr_refcount(&t) == 2 : tsr_is_none(&t));
    if (rows[i].want == TSR_OK && rows[i].shape > 0) CHECK(t.data == (char *)tsr_storage_data(s) + rows[i].offset);
    tsr_release(&t);
    CHECK(tsr_storage_count(s) == 1);
  }
  tsr_tensor t = {0};
  if (sizeof(ptrdiff_t) * 8 == TSR_INDEX_BITS)
    FAILS(ctx, TSR_EOVERFLOW,
          tsr_from_storage(ctx, s, 0, TSR_F32, TSR_SHAPE(3), (const tsr_index[]){TSR_INDEX_MAX}, &t));
  FAILS(ctx, TSR_EARG, tsr_from_storage(ctx, NULL, 0, TSR_F32, TSR_SHAPE(3), NULL, &t));
  FAILS(ctx, TSR_EARG, tsr_from_storage(ctx, s, 0, TSR_F32, TSR_SHAPE(3), NULL, NULL));
  FAILS(ctx, TSR_EDTYPE, tsr_from_storage(ctx, s, 0, 99, TSR_SHAPE(3), NULL, &t));
  FAILS(ctx, TSR_ESHAPE, tsr_from_storage(ctx, s, 0, TSR_F32, TSR_SHAPE(-3), NULL, &t));
  OK(ctx, tsr_from_storage(ctx, s, 8, TSR_F32, TSR_SHAPE(2, 4), NULL, &t));
  CHECK(t.stride[0] == 4 && t.stride[1] == 1 && test_is_tidy(&t));
  tsr_storage_release(s);
  CHECK(tsr_refcount(&t) == 1);
  tsr_release(&t);
  CHECK(test_live() == 0);
}

TEST(share_makes_counted_handles_of_views) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, view = {0}, second = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 3), &t));
  t.name = "first";
  OK(ctx, tsr_flip(ctx, &t, 0, &view));
  view.flags |= TSR_READONLY;
  OK(ctx, tsr_share(ctx, &view, &second));
  CHECK(second.flags == (TSR_OWNS | TSR_READONLY) && second.data == view.data && second.name == NULL);
  CHECK(tsr_refcount(&t) == 2 && tsr_desc_equal(&second, &view));
  const tsr_tensor before = second;
  FAILS(ctx, TSR_ESTATE, tsr_share(ctx, &t, &second)); /* its count would be lost */
  CHECK(memcmp(&second, &before, sizeof second) == 0 && tsr_refcount(&t) == 2);
  tsr_release(&t);
  CHECK(tsr_is_none(&t) && test_live() == 1);
  OK(ctx, tsr_share(ctx, &view, &view)); /* a borrow becomes a handle in place */
  CHECK(tsr_refcount(&view) == 2);
  tsr_release(&second);
  tsr_release(&view);
  CHECK(test_live() == 0);
}

TEST(share_refuses) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor borrowed = test_over(&buffer, TSR_F32, test_layout_at(6)), empty = {0}, out = {0};
  FAILS(ctx, TSR_ESTATE, tsr_share(ctx, &borrowed, &out));
  FAILS(ctx, TSR_ESTATE, tsr_share(ctx, &empty, &out));
  FAILS(ctx, TSR_EARG, tsr_share(ctx, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_share(ctx, &borrowed, NULL));
  CHECK(tsr_is_none(&out));
}

TEST(move_and_release) {
  tsr_ctx *const ctx = test_context();
  const tsr_tensor zero = {0};
  tsr_tensor t = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(2), &t));
  const tsr_tensor before = t;
  tsr_tensor moved = tsr_move(&t);
  CHECK(memcmp(&moved, &before, sizeof moved) == 0 && memcmp(&t, &zero, sizeof t) == 0);
  CHECK(tsr_refcount(&moved) == 1);
  tsr_release(&t);
  tsr_release(&t);
  tsr_release(NULL);
  CHECK(test_live() == 1);
  tsr_release(&moved);
  CHECK(tsr_is_none(&moved) && moved.ndim == 0 && moved.flags == 0 && moved.storage == NULL && moved.name == NULL);
  CHECK(test_live() == 0);
  tsr_release(&moved);
  t = test_over(&buffer, TSR_F32, test_layout_at(6));
  tsr_release(&t);
  CHECK(tsr_is_none(&t));
}

/* ---- what a tensor says of itself ---- */

TEST(sizes) {
  tsr_tensor t = {0};
  CHECK(tsr_size(&t) == 0 && tsr_nbytes(&t) == 0 && tsr_is_none(&t) && tsr_capacity(&t) == 0);
  t = test_over(&buffer, TSR_C128, test_layout_at(0));
  CHECK(tsr_size(&t) == 1 && tsr_nbytes(&t) == 16 && !tsr_is_none(&t));
  t = test_over(&buffer, TSR_I16, test_layout_at(13)); /* repeated rows */
  CHECK(tsr_size(&t) == 12 && tsr_nbytes(&t) == 24);
}

TEST(axes_count_from_the_end) {
  const tsr_tensor t = test_over(&buffer, TSR_I16, test_layout_at(21)),
                   scalar = test_over(&buffer, TSR_I16, test_layout_at(0));
  static const int want[] = {-1, 0, 1, 2, 0, 1, 2, -1};
  for (int axis = -4; axis <= 3; axis++) CHECK(tsr_axis(&t, axis) == want[axis + 4]);
  CHECK(tsr_axis(&scalar, 0) == -1 && tsr_axis(&scalar, -1) == -1);
}

TEST(descriptions_compare) {
  tsr_tensor a = test_over(&buffer, TSR_I16, test_layout_at(6)), b = a;
  CHECK(tsr_desc_equal(&a, &b) && tsr_same_shape(&a, &b));
  b.data = NULL;
  b.flags = TSR_READONLY;
  CHECK(tsr_desc_equal(&a, &b));
  b = a, b.dtype = TSR_U16;
  CHECK(!tsr_desc_equal(&a, &b) && tsr_same_shape(&a, &b));
  b = a, b.layout = TSR_NC;
  CHECK(!tsr_desc_equal(&a, &b));
  b = a, b.shape[1] = 5;
  CHECK(!tsr_desc_equal(&a, &b) && !tsr_same_shape(&a, &b));
  b = a, b.ndim = 1;
  CHECK(!tsr_desc_equal(&a, &b) && !tsr_same_shape(&a, &b));
  b = a, b.stride[0] = 9;
  CHECK(!tsr_desc_equal(&a, &b) && tsr_same_shape(&a, &b));
  a.shape[0] = 1, b = a, b.stride[0] = 9;
  CHECK(tsr_desc_equal(&a, &b));
}

TEST(descriptions_as_text) {
  static const struct {
    tsr_tensor t;
    const char *want;
  } rows[] = {
      {{0}, "empty"},
      {{.dtype = TSR_F32}, "f32 []"},
      {{.dtype = TSR_F32, .ndim = 3, .shape = {2, 3, 4}, .stride = {12, 4, 1}}, "f32 [2,3,4]"},
      {{.dtype = TSR_I8, .ndim = 2, .shape = {2, 3}, .stride = {1, 2}}, "i8 [2,3] strides [1,2]"},
      {{.dtype = TSR_BF16, .ndim = 4, .layout = TSR_NCHW, .shape = {1, 2, 1, 1}, .stride = {2, 1, 1, 1}},
       "bf16 [1,2,1,1] NCHW"},
      {{.dtype = TSR_BF16, .ndim = 2, .layout = TSR_NC, .shape = {2, 2}, .stride = {-2, 0}},
       "bf16 [2,2] NC strides [-2,0]"},
  };
  for (int i = 0; i < COUNT_OF(rows); i++) {
    char text[64];
    const size_t length = strlen(rows[i].want);
    CHECK(tsr_desc_format(&rows[i].t, text, sizeof text) == length && strcmp(text, rows[i].want) == 0);
    CHECK(tsr_desc_format(&rows[i].t, NULL, 0) == length);
    for (size_t capacity = 1; capacity <= length + 1; capacity++) {
      memset(text, '#', sizeof text);
      CHECK(tsr_desc_format(&rows[i].t, text, capacity) == length);
      CHECK(strlen(text) == capacity - 1 && strncmp(text, rows[i].want, capacity - 1) == 0 && text[capacity] == '#');
    }
  }
}

TEST(malformed_tensors_are_refused) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor out = {0};
  const tsr_tensor good = test_over(&buffer, TSR_F32, test_layout_at(6));
  struct {
    tsr_tensor t;
    tsr_status want;
  } rows[6];
  for (int i = 0; i < COUNT_OF(rows); i++) rows[i].t = good;
  rows[0].t.dtype = 200, rows[0].want = TSR_EDTYPE;
  rows[1].t.ndim = 200, rows[1].want = TSR_ESHAPE;
  rows[2].t.shape[0] = -1, rows[2].want = TSR_ESHAPE;
  rows[3].t.shape[0] = rows[3].t.shape[1] = TSR_INDEX_MAX, rows[3].want = TSR_EOVERFLOW;
  rows[4].t.data = (char *)rows[4].t.data + 1, rows[4].want = TSR_EALIGN;
  rows[5].t.data = NULL, rows[5].want = TSR_ESTATE;
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr_tensor *const t = &rows[i].t;
    tsr_iter it;
    tsr_real value;
    FAILS(ctx, rows[i].want, tsr_copy(ctx, t, &out));
    FAILS(ctx, rows[i].want, tsr_clone(ctx, t, &out));
    FAILS(ctx, rows[i].want, tsr_contiguous(ctx, t, &out));
    FAILS(ctx, rows[i].want, tsr_reshape(ctx, t, TSR_SHAPE(12), &out));
    FAILS(ctx, rows[i].want, tsr_flatten(ctx, t, TSR_MEMORY, &out));
    FAILS(ctx, rows[i].want, tsr_cast(ctx, t, TSR_I32, &out));
    FAILS(ctx, rows[i].want, tsr_to_layout(ctx, t, TSR_NC, 0, &out));
    FAILS(ctx, rows[i].want, tsr_to_array(ctx, t, TSR_ROW_MAJOR, 12, buffer.bytes));
    FAILS(ctx, rows[i].want, tsr_get(ctx, t, TSR_INDEX(0, 0), &value));
    FAILS(ctx, rows[i].want, tsr_iter_init(ctx, t, TSR_ROW_MAJOR, &it));
    CHECK(!tsr_iter_next(&it));
    if (i < 4 && i != 0) CHECK(tsr_flatten_view(ctx, t, &out) != TSR_OK);
    CHECK(tsr_is_none(&out));
    const tsr_tensor before = *t;
    if (rows[i].want == TSR_ESTATE) continue; /* described: a fine output */
    const tsr_status filled = tsr_fill(ctx, 1, t);
    CHECK(filled != TSR_OK && memcmp(t, &before, sizeof before) == 0);
    const tsr_status copied = tsr_copy(ctx, &good, t);
    CHECK(copied != TSR_OK && memcmp(t, &before, sizeof before) == 0);
    t->data = NULL;
    CHECK(tsr_fill(ctx, 1, t) != TSR_OK || i == 4);
    tsr_release(t);
  }
  CHECK(test_live() == 0);
}

TEST(strides_that_leave_the_address_space_are_refused) {
  tsr_ctx *const ctx = test_context();
  if (sizeof(ptrdiff_t) * 8 > TSR_INDEX_BITS) SKIP("no stride can");
  tsr_tensor t = test_over(&buffer, TSR_F32, test_layout_at(6)), out = {0};
  t.stride[0] = TSR_INDEX_MAX / 2;
  FAILS(ctx, TSR_EOVERFLOW, tsr_copy(ctx, &t, &out));
  MESSAGE_HAS(ctx, "address space");
}

TEST_MAIN(RUN(described_in_each_order), RUN(described_by_axes), RUN(sizes_are_checked_before_they_are_multiplied),
          RUN(bytes_are_checked_too), RUN(dtypes_and_pointers_are_checked), RUN(allocate_gives_what_was_described),
          RUN(allocate_takes_any_dense_strides), RUN(allocate_refuses), RUN(borrowed_memory),
          RUN(from_storage_stays_inside), RUN(share_makes_counted_handles_of_views), RUN(share_refuses),
          RUN(move_and_release), RUN(sizes), RUN(axes_count_from_the_end), RUN(descriptions_compare),
          RUN(descriptions_as_text), RUN(malformed_tensors_are_refused),
          RUN(strides_that_leave_the_address_space_are_refused))
