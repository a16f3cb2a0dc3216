/* Tensors that are all one value: every dtype, every state of the output. */
#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffer;

static bool all_are(const tsr_tensor *t, int value) {
  unsigned char want[16];
  tsr_index index[TSR_MAX_DIMS] = {0};
  test_encode(t->dtype, value, want);
  if (test_product(t->ndim, t->shape) == 0) return true;
  do {
    if (memcmp(test_at(t, index), want, tsr_dtype_size(t->dtype)) != 0) return false;
  } while (test_next_index(t->ndim, t->shape, index));
  return true;
}

/* The functions of this file as one: value is what every element must be, -1 when it may be anything. */
typedef struct maker {
  const char *name;
  int value;
  tsr_status (*make)(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out);
} maker;

static tsr_status full_5(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  return tsr_full(ctx, dtype, ndim, shape, dtype == TSR_BOOL ? 1 : 5, out);
}

/* The *_like forms, of a tensor that is only described. */
#define LIKE(name, call)                                                                               \
  static tsr_status name(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) { \
    tsr_tensor like = {0};                                                                             \
    const tsr_status st = tsr_desc_init(ctx, dtype, ndim, shape, &like);                               \
    return st == TSR_OK ? call : st;                                                                   \
  }
LIKE(empty_like, tsr_empty_like(ctx, &like, out))
LIKE(zeros_like, tsr_zeros_like(ctx, &like, out))
LIKE(ones_like, tsr_ones_like(ctx, &like, out))
LIKE(full_like_5, tsr_full_like(ctx, &like, dtype == TSR_BOOL ? 1 : 5, out))

static const maker makers[] = {{"empty", -1, tsr_empty},       {"zeros", 0, tsr_zeros},
                               {"ones", 1, tsr_ones},          {"full", 5, full_5},
                               {"empty_like", -1, empty_like}, {"zeros_like", 0, zeros_like},
                               {"ones_like", 1, ones_like},    {"full_like", 5, full_like_5}};

TEST(empty_outputs_are_allocated_in_every_dtype) {
  for (int m = 0; m < COUNT_OF(makers); m++)
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
      for (int i = 0; i < test_layout_count(); i++) {
        tsr_ctx *const ctx = test_context();
        const test_layout *const layout = test_layout_at(i);
        tsr_tensor t = {0};
        const bool works = tsr_dtype_supported(dtype) || makers[m].value <= 0;
        FAILS(ctx, works ? TSR_OK : TSR_EDTYPE, makers[m].make(ctx, dtype, layout->ndim, layout->shape, &t));
        CHECK(works || tsr_is_none(&t));
        if (!works) continue;
        CHECK(t.dtype == dtype && t.ndim == layout->ndim && test_is_tidy(&t) && t.name == NULL &&
              t.layout == TSR_PLAIN);
        CHECK(tsr_is_contiguous(&t, TSR_ROW_MAJOR) && tsr_size(&t) == test_product(layout->ndim, layout->shape));
        CHECK(tsr_size(&t) == 0 || (t.flags == TSR_OWNS && tsr_refcount(&t) == 1));
        if (makers[m].value >= 0) CHECK(all_are(&t, makers[m].value));
        tsr_release(&t);
        CHECK(test_live() == 0);
      }
}

TEST(described_outputs_are_allocated_as_described) {
  for (int m = 0; m < COUNT_OF(makers); m++)
    for (int order = TSR_ROW_MAJOR; order <= TSR_FORTRAN; order++)
      for (int i = 0; i < test_layout_count(); i++) {
        tsr_ctx *const ctx = test_context();
        const test_layout *const layout = test_layout_at(i);
        tsr_tensor t = {0};
        OK(ctx, tsr_desc_init_ordered(ctx, TSR_I32, layout->ndim, layout->shape, (tsr_order)order, &t));
        t.layout = layout->ndim == 4 ? TSR_NCHW : TSR_PLAIN;
        const tsr_tensor before = t;
        OK(ctx, makers[m].make(ctx, TSR_I32, layout->ndim, layout->shape, &t));
        CHECK(tsr_desc_equal(&t, &before));
        if (makers[m].value >= 0) CHECK(all_are(&t, makers[m].value));
        tsr_release(&t);
        tsr_tensor plain = {.dtype = TSR_I32, .ndim = (uint8_t)layout->ndim}; /* every stride 0: row-major */
        memcpy(plain.shape, layout->shape, sizeof plain.shape);
        OK(ctx, makers[m].make(ctx, TSR_I32, layout->ndim, layout->shape, &plain));
        CHECK(tsr_is_contiguous(&plain, TSR_ROW_MAJOR));
        if (makers[m].value >= 0) CHECK(all_are(&plain, makers[m].value));
        tsr_release(&plain);
        CHECK(test_live() == 0);
      }
}

TEST(given_outputs_are_written_into) {
  test_rng rng = {3};
  for (int m = 0; m < COUNT_OF(makers); m++)
    for (int i = 0; i < test_layout_count(); i++) {
      tsr_ctx *const ctx = test_context();
      const test_layout *const layout = test_layout_at(i);
      static test_buffer before;
      test_buffer_random(&buffer, &rng);
      before = buffer;
      tsr_tensor t = test_over(&buffer, TSR_I16, layout), old = test_over(&before, TSR_I16, layout);
      t.name = "mine";
      const tsr_tensor handle = t;
      FAILS(ctx, layout->overlaps ? TSR_EOVERLAP : TSR_OK,
            makers[m].make(ctx, TSR_I16, layout->ndim, layout->shape, &t));
      CHECK(memcmp(&t, &handle, sizeof t) == 0 && test_live() == 0);
      if (layout->overlaps) {
        CHECK(memcmp(&buffer, &before, sizeof buffer) == 0);
        continue;
      }
      if (makers[m].value < 0) CHECK(test_same_elements(&t, &old));
      if (makers[m].value < 0) continue;
      CHECK(all_are(&t, makers[m].value));
      tsr_index index[TSR_MAX_DIMS] = {0}; /* and nothing else */
      if (tsr_size(&t) > 0) {
        do {
          memcpy(test_at(&t, index), test_at(&old, index), 2);
        } while (test_next_index(t.ndim, t.shape, index));
      }
      CHECK(memcmp(&buffer, &before, sizeof buffer) == 0);
    }
}

TEST(wrong_outputs_are_refused_by_name) {
  tsr_ctx *const ctx = test_context();
  const tsr_index shape[2] = {3, 4};
  for (int m = 0; m < COUNT_OF(makers); m++) {
    tsr_tensor rows[6];
    static const tsr_status want[6] = {TSR_EDTYPE, TSR_ESHAPE, TSR_EREADONLY, TSR_EALIGN, TSR_ESHAPE, TSR_ESTRIDE};
    for (int i = 0; i < 6; i++) rows[i] = test_over(&buffer, TSR_I32, test_layout_at(6));
    rows[0].dtype = TSR_F32;
    rows[1].shape[0] = 2;
    rows[2].flags = TSR_READONLY;
    rows[3].data = (char *)rows[3].data + 2;
    rows[4].ndim = 1;
    rows[5].data = NULL, rows[5].stride[0] = 5; /* described with gaps */
    for (int i = 0; i < 6; i++) {
      const tsr_tensor before = rows[i];
      static test_buffer bytes;
      bytes = buffer;
      FAILS(ctx, want[i], makers[m].make(ctx, TSR_I32, 2, shape, &rows[i]));
      CHECK(memcmp(&rows[i], &before, sizeof before) == 0 && memcmp(&bytes, &buffer, sizeof bytes) == 0);
      MESSAGE_HAS(ctx, makers[m].name);
      MESSAGE_HAS(ctx, ": out ");
    }
    FAILS(ctx, TSR_EARG, makers[m].make(ctx, TSR_I32, 2, shape, NULL));
    CHECK(test_live() == 0);
  }
}

TEST(like_keeps_the_order_of_the_axes) {
  for (int i = 0; i < test_layout_count(); i++) {
    tsr_ctx *const ctx = test_context();
    const test_layout *const layout = test_layout_at(i);
    tsr_tensor like = test_over(&buffer, TSR_I16, layout), out = {0};
    like.layout = TSR_NCHW;
    like.flags = TSR_READONLY;
    like.name = "like";
    OK(ctx, tsr_ones_like(ctx, &like, &out));
    CHECK(out.dtype == TSR_I16 && out.layout == TSR_NCHW && tsr_same_shape(&like, &out));
    CHECK(tsr_size(&out) == 0 || out.flags == TSR_OWNS);
    CHECK(tsr_is_contiguous(&out, TSR_MEMORY) && out.name == NULL && all_are(&out, 1));
    for (int a = 0; a < like.ndim; a++)
      for (int b = 0; b < like.ndim; b++) { /* what runs slower there runs slower here */
        const tsr_index sa = like.stride[a] < 0 ? -like.stride[a] : like.stride[a];
        const tsr_index sb = like.stride[b] < 0 ? -like.stride[b] : like.stride[b];
        if (like.shape[a] > 1 && like.shape[b] > 1 && sa > sb && sb > 0) CHECK(out.stride[a] > out.stride[b]);
      }
    tsr_release(&out);
    CHECK(test_live() == 0);
  }
}

TEST(like_what_is_nothing) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor empty = {0}, out = {0}, malformed = test_over(&buffer, TSR_I16, test_layout_at(6));
  FAILS(ctx, TSR_EARG, tsr_zeros_like(ctx, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_ones_like(ctx, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_empty_like(ctx, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_full_like(ctx, NULL, 1, &out));
  FAILS(ctx, TSR_ESTATE, tsr_zeros_like(ctx, &empty, &out));
  malformed.ndim = 99;
  FAILS(ctx, TSR_ESHAPE, tsr_zeros_like(ctx, &malformed, &out));
  CHECK(tsr_is_none(&out));
  tsr_tensor x = {0};
  OK(ctx, tsr_ones(ctx, TSR_I16, TSR_SHAPE(3), &x));
  OK(ctx, tsr_zeros_like(ctx, &x, &x)); /* in place */
  CHECK(all_are(&x, 0) && tsr_refcount(&x) == 1);
  tsr_release(&x);
}

TEST(zeros_in_each_order) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < test_layout_count(); i++)
    for (int order = TSR_ROW_MAJOR; order <= TSR_FORTRAN; order++) {
      const test_layout *const layout = test_layout_at(i);
      tsr_tensor t = {0}, want = {0};
      OK(ctx, tsr_zeros_ordered(ctx, TSR_I64, layout->ndim, layout->shape, (tsr_order)order, &t));
      OK(ctx, tsr_desc_init_ordered(ctx, TSR_I64, layout->ndim, layout->shape, (tsr_order)order, &want));
      CHECK(tsr_desc_equal(&t, &want) && all_are(&t, 0));
      tsr_release(&t);
    }
  tsr_tensor t = {0};
  FAILS(ctx, TSR_EARG, tsr_zeros_ordered(ctx, TSR_F32, TSR_SHAPE(2), TSR_MEMORY, &t));
  FAILS(ctx, TSR_EARG, tsr_zeros_ordered(ctx, TSR_F32, TSR_SHAPE(2), TSR_ROW_MAJOR, NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_zeros_ordered(ctx, TSR_F32, TSR_SHAPE(-2), TSR_ROW_MAJOR, &t));
  MESSAGE_HAS(ctx, "zeros_ordered: shape");
  CHECK(tsr_is_none(&t) && test_live() == 0);
}

TEST(values_that_do_not_fit) {
  tsr_ctx *const ctx = test_context();
  static const struct {
    int dtype;
    tsr_real value;
    bool fits;
  } rows[] = {{TSR_U8, 255, true},  {TSR_U8, 256, false},  {TSR_U8, -1, false},
              {TSR_I8, -128, true}, {TSR_I8, -129, false}, {TSR_I32, (tsr_real)0.5, false},
              {TSR_BOOL, 1, true},  {TSR_BOOL, 2, false},  {TSR_F32, (tsr_real)0.5, true}};
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr_tensor t = {0};
    FAILS(ctx, rows[i].fits ? TSR_OK : TSR_ERANGE, tsr_full(ctx, rows[i].dtype, TSR_SHAPE(2), rows[i].value, &t));
    CHECK(tsr_is_none(&t) == !rows[i].fits);
    tsr_release(&t);
  }
  tsr_tensor t = {0};
  FAILS(ctx, TSR_ERANGE, tsr_full(ctx, TSR_U8, TSR_SHAPE(2), 256, &t));
  MESSAGE_HAS(ctx, "full: value 256");
  MESSAGE_HAS(ctx, "u8");
}

TEST_MAIN(RUN(empty_outputs_are_allocated_in_every_dtype), RUN(described_outputs_are_allocated_as_described),
          RUN(given_outputs_are_written_into), RUN(wrong_outputs_are_refused_by_name),
          RUN(like_keeps_the_order_of_the_axes), RUN(like_what_is_nothing), RUN(zeros_in_each_order),
          RUN(values_that_do_not_fit))
