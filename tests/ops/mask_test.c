/* tsr_masked_fill, tsr_masked_scatter, tsr_masked_select, tsr_nonzero: against loops over indices, for every dtype and
 * layout; long tensors, threads; failures. */
#include "support/test.h"

#include "ops/scatter_reference.h"

#define INDEX_DTYPE (TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32)

/* ---- every dtype and layout ---- */

typedef struct masking {
  const tsr_tensor *in;
  tsr_tensor mask, src; /* mask: as given; src: more elements than needed */
  bool on[MOST];        /* the mask in row-major order of in */
  tsr_index count;
} masking;

/* A mask of in's shape, of its last axis, or one bool; in memory of its own, in the order of in or backwards. */
static void make_mask(tsr_ctx *ctx, masking *m, int variant, unsigned char *bools, test_rng *rng) {
  const tsr_tensor *const in = m->in;
  tsr_index at[TSR_MAX_DIMS] = {0}, i = 0;
  const int ndim = variant == 2 ? 0 : variant == 1 && in->ndim > 0 ? 1 : in->ndim;
  tsr_tensor full = {0};
  for (int k = 0; k < MOST; k++) bools[k] = (unsigned char)test_between(rng, 0, 1);
  m->mask = (tsr_tensor){0};
  OK(ctx, tsr_from_memory(ctx, bools, TSR_BOOL, ndim, in->shape + in->ndim - ndim, &m->mask));
  for (int k = 0; k < ndim && variant == 3; k++) OK(ctx, tsr_flip(ctx, &m->mask, k, &m->mask));
  OK(ctx, tsr_broadcast_to(ctx, &m->mask, in->ndim, in->shape, &full));
  m->count = 0;
  if (tsr_size(in) > 0) do {
      m->on[i] = *(bool *)test_at(&full, at);
      m->count += m->on[i++];
    } while (test_next_index(in->ndim, in->shape, at));
}

static bool select_is_right(const masking *m, const tsr_tensor *out) {
  const size_t item = tsr_dtype_size(m->in->dtype);
  tsr_index at[TSR_MAX_DIMS] = {0}, i = 0, k = 0;
  if (out->ndim != 1 || out->shape[0] != m->count || out->dtype != m->in->dtype) return false;
  if (m->count > 0) do {
      if (m->on[i++] && memcmp(test_at(out, &(tsr_index){k++}), test_at(m->in, at), item) != 0) return false;
    } while (test_next_index(m->in->ndim, m->in->shape, at));
  return true;
}

/* Whether out is in, with elements step apart from element on where the mask is. */
static bool put_is_right(const masking *m, const tsr_tensor *out, const unsigned char *from, size_t step) {
  const size_t item = tsr_dtype_size(m->in->dtype);
  tsr_index at[TSR_MAX_DIMS] = {0}, i = 0;
  if (!tsr_same_shape(out, m->in) || out->dtype != m->in->dtype) return false;
  if (tsr_size(out) > 0) do {
      const bool on = m->on[i++];
      if (memcmp(test_at(out, at), on ? from : test_at(m->in, at), item) != 0) return false;
      if (on) from += step;
    } while (test_next_index(out->ndim, out->shape, at));
  return true;
}

static void check_select(tsr_ctx *ctx, const masking *m) {
  tsr_tensor out = {0}, described = {0};
  OK(ctx, tsr_masked_select(ctx, m->in, &m->mask, &out));
  CHECK(select_is_right(m, &out) && test_is_tidy(&out));
  OK(ctx, tsr_desc_init(ctx, m->in->dtype, 1, &m->count, &described));
  OK(ctx, tsr_flip(ctx, &described, 0, &described));
  OK(ctx, tsr_masked_select(ctx, m->in, &m->mask, &described));
  CHECK(select_is_right(m, &described));
  tsr_release(&described);
  tsr_release(&out);
}

static void check_put(tsr_ctx *ctx, const masking *m) {
  _Alignas(16) unsigned char one[16] = {0};
  const size_t item = tsr_dtype_size(m->in->dtype);
  tsr_tensor out = {0}, described = {0}, number = {0};
  OK(ctx, tsr_masked_scatter(ctx, m->in, &m->mask, &m->src, &out));
  CHECK(put_is_right(m, &out, m->src.data, item) && test_is_tidy(&out));
  OK(ctx, tsr_desc_init_ordered(ctx, m->in->dtype, m->in->ndim, m->in->shape, TSR_FORTRAN, &described));
  OK(ctx, tsr_masked_scatter(ctx, m->in, &m->mask, &m->src, &described));
  CHECK(put_is_right(m, &described, m->src.data, item));
  OK(ctx, tsr_copy(ctx, m->in, &described));
  OK(ctx, tsr_masked_scatter(ctx, &described, &m->mask, &m->src, &described)); /* in place */
  CHECK(put_is_right(m, &described, m->src.data, item));
  if (tsr_dtype_supported(m->in->dtype)) {
    OK(ctx, tsr_from_memory(ctx, one, m->in->dtype, TEST_SCALAR, &number));
    OK(ctx, tsr_fill(ctx, 1, &number));
    OK(ctx, tsr_masked_fill(ctx, m->in, &m->mask, 1, &out));
    CHECK(put_is_right(m, &out, one, 0));
    OK(ctx, tsr_copy(ctx, m->in, &described));
    OK(ctx, tsr_masked_fill(ctx, &described, &m->mask, 1, &described));
    CHECK(put_is_right(m, &described, one, 0));
  }
  tsr_release(&described);
  tsr_release(&out);
}

TEST(masks_of_every_dtype_and_layout) {
  static test_buffer buffer, src_buffer;
  static unsigned char bools[MOST];
  static masking m;
  test_rng rng = {4};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int l = 0; l < test_layout_count(); l++)
      for (int variant = 0; variant < 4; variant++) {
        tsr_ctx *const ctx = test_context();
        test_buffer_random(&buffer, &rng);
        test_buffer_random(&src_buffer, &rng);
        if (dtype == TSR_BOOL)
          for (int i = 0; i < TEST_ELEMENTS; i++) buffer.bytes[i] &= 1, src_buffer.bytes[i] &= 1;
        const tsr_tensor x = test_over(&buffer, dtype, test_layout_at(l));
        m.in = &x;
        m.src = (tsr_tensor){0};
        OK(ctx, tsr_from_memory(ctx, src_buffer.bytes, dtype, TSR_SHAPE(TEST_ELEMENTS), &m.src));
        make_mask(ctx, &m, variant, bools, &rng);
        check_select(ctx, &m);
        check_put(ctx, &m);
        CHECK(test_live() == 0);
      }
}

/* ---- nonzero ---- */

static void check_nonzero(tsr_ctx *ctx, const tsr_tensor *x) {
  tsr_tensor out = {0}, described = {0}, count = {0};
  tsr_index at[TSR_MAX_DIMS] = {0}, k = 0;
  bool right = true;
  OK(ctx, tsr_nonzero(ctx, x, &out));
  OK(ctx, tsr_count_nonzero(ctx, x, 0, NULL, false, &count));
  CHECK(out.dtype == INDEX_DTYPE && out.ndim == 2 && out.shape[1] == x->ndim && test_is_tidy(&out));
  CHECK(out.shape[0] == *(int64_t *)count.data);
  OK(ctx, tsr_desc_init_ordered(ctx, INDEX_DTYPE, 2, out.shape, TSR_FORTRAN, &described));
  OK(ctx, tsr_nonzero(ctx, x, &described));
  CHECK(test_same_elements(&out, &described));
  const size_t item = tsr_dtype_size(x->dtype);
  if (tsr_size(x) > 0) do {
      static const unsigned char zero[16];
      unsigned char element[16];
      memcpy(element, test_at(x, at), item);
      if (is_float(x->dtype)) /* -0 is 0 */
        element[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? item - 1 : 0] &= 0x7f;
      if (memcmp(element, zero, item) == 0) continue;
      for (int i = 0; i < x->ndim; i++) right = right && TSR_AT(tsr_index, &out, k, i) == at[i];
      k++;
    } while (test_next_index(x->ndim, x->shape, at));
  CHECK(right && k == out.shape[0]);
  tsr_release(&described);
  tsr_release(&count);
  tsr_release(&out);
}

/* With room for fewer, as many, and more than there are: the same rows, and -1 or 0 behind them. */
static void check_within(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *mask) {
  tsr_tensor places = {0}, chosen = {0};
  OK(ctx, tsr_nonzero(ctx, mask, &places));
  OK(ctx, tsr_masked_select(ctx, x, mask, &chosen));
  const tsr_index n = places.shape[0], rooms[] = {0, n / 2, n, n + 3};
  const size_t item = tsr_dtype_size(x->dtype);
  for (int i = 0; i < COUNT_OF(rooms); i++) {
    tsr_tensor out = {0}, elements = {0}, count = {0}, same = {0};
    bool right = true;
    OK(ctx, tsr_nonzero_within(ctx, mask, rooms[i], &out, &count));
    OK(ctx, tsr_masked_select_within(ctx, x, mask, rooms[i], &elements, &same));
    CHECK(*(tsr_index *)count.data == n && *(tsr_index *)same.data == n);
    CHECK(out.ndim == 2 && out.shape[0] == rooms[i] && out.shape[1] == x->ndim && elements.shape[0] == rooms[i]);
    for (tsr_index k = 0; k < rooms[i]; k++) {
      static const unsigned char zero[16];
      const void *const want = k < n ? test_at(&chosen, &k) : (const void *)zero;
      right = right && memcmp(test_at(&elements, &k), want, item) == 0;
      for (int d = 0; d < x->ndim; d++)
        right = right && TSR_AT(tsr_index, &out, k, d) == (k < n ? TSR_AT(tsr_index, &places, k, d) : -1);
    }
    CHECK(right);
    tsr_tensor *const all[] = {&out, &elements, &count, &same};
    for (int k = 0; k < COUNT_OF(all); k++) tsr_release(all[k]);
  }
  tsr_release(&places);
  tsr_release(&chosen);
}

TEST(room_for_so_many) {
  tsr_ctx *const ctx = test_context();
  test_rng rng = {5};
  static const tsr_index lengths[] = {1, 63, 64, 4096, 20000};
  for (int i = 0; i < COUNT_OF(lengths); i++)
    for (int form = 0; form < 3; form++) {
      tsr_tensor x = {0}, mask = {0}, t = {0};
      OK(ctx, tsr_arange(ctx, form == 1 ? TSR_I16 : TSR_F32, 0, (tsr_real)lengths[i], 1, &x));
      OK(ctx, tsr_zeros(ctx, TSR_BOOL, TSR_SHAPE(lengths[i]), &mask));
      for (tsr_index k = 0; k < lengths[i]; k++) ((bool *)mask.data)[k] = test_between(&rng, 0, form) != 0;
      check_within(ctx, &x, &mask);
      OK(ctx, tsr_flip(ctx, &x, 0, &t));
      OK(ctx, tsr_flip(ctx, &mask, 0, &mask));
      check_within(ctx, &t, &mask);
      tsr_release(&t);
      tsr_release(&x);
      tsr_release(&mask);
    }
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3), &x));
  BAD(ctx, TSR_EARG, tsr_nonzero_within(ctx, &x, -1, &out, NULL), "nonzero_within: capacity is -1");
  OK(ctx, tsr_nonzero_within(ctx, &x, 2, &out, NULL));
  tsr_release(&out);
  tsr_release(&x);
}

TEST(nonzero_of_every_dtype_and_layout) {
  static test_buffer buffer;
  test_rng rng = {6};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int l = 0; tsr_dtype_supported(dtype) && l < test_layout_count(); l++) {
      tsr_ctx *const ctx = test_context();
      const size_t item = tsr_dtype_size(dtype);
      test_buffer_random(&buffer, &rng);
      for (size_t i = 0; i < TEST_ELEMENTS; i++) {
        unsigned char *const element = buffer.bytes + i * item;
        if (test_between(&rng, 0, 1) == 0) memset(element, 0, item);
        if (is_float(dtype) && test_between(&rng, 0, 5) == 0) /* -0 */
          memset(element, 0, item), element[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? item - 1 : 0] = 0x80;
        if (dtype == TSR_BOOL) *element &= 1;
        if ((dtype == TSR_C64 || dtype == TSR_C128) && test_between(&rng, 0, 1) == 0) memset(element, 0, item / 2);
      }
      const tsr_tensor x = test_over(&buffer, dtype, test_layout_at(l));
      check_nonzero(ctx, &x);
      CHECK(test_live() == 0);
    }
}

/* ---- many chunks, on threads ---- */

enum { ROWS = TSR_HAVE_MALLOC ? 211 : 7, COLUMNS = TSR_HAVE_MALLOC ? 701 : 83 };

/* density of 100; all and none of them among them. */
static void check_long(int density, int threads, bool turned) {
  static float values[ROWS * COLUMNS];
  tsr_ctx *const ctx = test_context();
  test_rng rng = {(uint32_t)density};
  tsr_tensor x = {0}, y = {0}, mask = {0}, places = {0}, chosen = {0}, back = {0};
  tsr_index k = 0;
  bool right = true;
#if TSR_HAVE_THREADS
  tsr_threads *const pool = test_with_threads(ctx, threads);
#else
  (void)threads;
#endif
  for (int i = 0; i < ROWS * COLUMNS; i++) values[i] = test_between(&rng, 0, 99) < density ? (float)(i + 1) : 0;
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(ROWS, COLUMNS), &x));
  if (turned) OK(ctx, tsr_transpose(ctx, &x, 0, 1, &x));
  OK(ctx, tsr_ne_scalar(ctx, &x, 0, &mask));
  OK(ctx, tsr_nonzero(ctx, &x, &places));
  OK(ctx, tsr_masked_select(ctx, &x, &mask, &chosen));
  for (tsr_index i = 0; i < x.shape[0]; i++)
    for (tsr_index j = 0; j < x.shape[1]; j++) {
      const float value = TSR_AT(float, &x, i, j);
      if (value == 0) continue;
      right = right && k < places.shape[0] && TSR_AT(tsr_index, &places, k, 0) == i &&
              TSR_AT(tsr_index, &places, k, 1) == j && TSR_AT(float, &chosen, k) == value;
      k++;
    }
  CHECK(right && k == places.shape[0] && k == chosen.shape[0]);
  tsr_release(&places);
  OK(ctx, tsr_zeros(ctx, TSR_F32, 2, x.shape, &y));
  OK(ctx, tsr_masked_scatter(ctx, &y, &mask, &chosen, &back)); /* and back where they were */
  CHECK(test_same_elements(&x, &back));
  tsr_release(&back);
  tsr_release(&chosen);
  tsr_release(&mask);
  tsr_release(&y);
#if TSR_HAVE_THREADS
  tsr_threads_release(pool);
#endif
  CHECK(test_live() == 0);
}

TEST(long_ones) {
  static const int densities[] = {0, 1, 50, 99, 100};
  for (int d = 0; d < COUNT_OF(densities); d++)
    for (int threads = 1; threads <= (TSR_HAVE_THREADS ? 3 : 1); threads += 2)
      for (int turned = 0; turned < 2; turned++) {
        if (!TSR_HAVE_MALLOC && densities[d] > 1) continue;
        check_long(densities[d], threads, turned == 1);
      }
}

/* ---- shared memory ---- */

TEST(all_may_be_the_output) {
  tsr_ctx *const ctx = test_context();
  bool bools[4] = {true, false, true, true};
  float x[6] = {1, 0, 3, 4, 0, 6};
  tsr_tensor b = {0}, t = {0}, mask = {0}, later = {0};
  OK(ctx, tsr_from_memory(ctx, bools, TSR_BOOL, TSR_SHAPE(4), &b));
  OK(ctx, tsr_masked_fill(ctx, &b, &b, 0, &b)); /* x[x] = false */
  for (int i = 0; i < 4; i++) CHECK(!bools[i]);
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(6), &t));
  OK(ctx, tsr_gt_scalar(ctx, &t, 0, &mask));
  OK(ctx, tsr_narrow(ctx, &t, 0, 2, 4, &later));
  OK(ctx, tsr_masked_select(ctx, &t, &mask, &later));
  CHECK(x[0] == 1 && x[1] == 0 && x[2] == 1 && x[3] == 3 && x[4] == 4 && x[5] == 6);
  OK(ctx, tsr_masked_scatter(ctx, &t, &mask, &later, &t)); /* 1 3 4 6 to 0 2 3 5 */
  CHECK(x[0] == 1 && x[1] == 0 && x[2] == 3 && x[3] == 4 && x[4] == 4 && x[5] == 6);
  tsr_release(&mask);
  CHECK(test_live() == 0);
}

/* ---- bad calls ---- */

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  int32_t values[6] = {1, 2, 3, 4, 5, 6};
  bool bools[6] = {true, true, true, true, true, false};
  tsr_tensor x = {0}, mask = {0}, wrong = {0}, few = {0}, floats = {0}, given = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_I32, TSR_SHAPE(3, 2), &x));
  OK(ctx, tsr_from_memory(ctx, bools, TSR_BOOL, TSR_SHAPE(3, 2), &mask));
  OK(ctx, tsr_from_memory(ctx, bools, TSR_BOOL, TSR_SHAPE(3), &wrong));
  OK(ctx, tsr_from_memory(ctx, values, TSR_I32, TSR_SHAPE(4), &few));
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(6), &floats));
  OK(ctx, tsr_from_memory(ctx, values, TSR_I32, TSR_SHAPE(6), &given));
  BAD(ctx, TSR_EDTYPE, tsr_masked_select(ctx, &x, &x, &out), "masked_select: mask is i32, not bool; compare it with 0");
  BAD(ctx, TSR_ESHAPE, tsr_masked_select(ctx, &x, &wrong, &out),
      "masked_select: mask is bool [3], which does not broadcast to [3,2]");
  BAD(ctx, TSR_ESHAPE, tsr_masked_fill(ctx, &few, &mask, 0, &out),
      "masked_fill: mask is bool [3,2], which does not broadcast to [4]");
  BAD(ctx, TSR_ERANGE, tsr_masked_fill(ctx, &x, &mask, (tsr_real)0.5, &out), "masked_fill: value");
  BAD(ctx, TSR_ESHAPE, tsr_masked_scatter(ctx, &x, &mask, &few, &out),
      "masked_scatter: src is i32 [4]: fewer than the 5 places that mask bool [3,2] has");
  BAD(ctx, TSR_EDTYPE, tsr_masked_scatter(ctx, &x, &mask, &floats, &out),
      "masked_scatter: src is f32 [6] and in is i32 [3,2]: the dtypes differ");
  BAD(ctx, TSR_ESHAPE, tsr_masked_select(ctx, &x, &mask, &given),
      "masked_select: out is i32 [6], the result is i32 [5]");
  BAD(ctx, TSR_EDTYPE, tsr_nonzero(ctx, &x, &floats), "nonzero: out is f32 [6], the result is ");
  BAD(ctx, TSR_EARG, tsr_nonzero(ctx, &x, NULL), "nonzero: out is NULL");
  BAD(ctx, TSR_EARG, tsr_masked_select(ctx, &x, &mask, NULL), "masked_select: out is NULL");
  BAD(ctx, TSR_EARG, tsr_masked_select(ctx, &x, NULL, &out), "masked_select: mask is NULL");
  BAD(ctx, TSR_EARG, tsr_masked_scatter(ctx, &x, &mask, NULL, &out), "masked_scatter: src is NULL");
  BAD(ctx, TSR_EARG, tsr_masked_fill(ctx, NULL, &mask, 0, &out), "masked_fill: in is NULL");
  BAD(ctx, TSR_EARG, tsr_nonzero(ctx, NULL, &out), "nonzero: x is NULL");
  for (int i = 0; i < 6; i++) CHECK(values[i] == i + 1);
  CHECK(tsr_is_none(&out));
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(masks_of_every_dtype_and_layout), RUN(nonzero_of_every_dtype_and_layout), RUN(room_for_so_many),
          RUN(long_ones), RUN(all_may_be_the_output), RUN(bad_calls))
