/* tsr_scatter, tsr_put, tsr_index_add, tsr_gather_nd, tsr_scatter_nd: against updates one after another, for every
 * dtype, layout, axis and mode; threads; failures. */
#include "support/test.h"

#include "ops/scatter_reference.h"

static const int index_dtypes[] = {TSR_I64, TSR_I8, TSR_I16, TSR_I32, TSR_U8, TSR_U16, TSR_U32, TSR_U64};

/* ---- a call into outputs of every state ---- */

typedef struct scattering {
  const tsr_tensor *in, *index, *src;
  int axis, mode; /* axis TSR_MAX_DIMS: scatter_nd */
  bool slices;
} scattering;

static tsr_status run(tsr_ctx *ctx, const scattering *s, const tsr_tensor *in, tsr_tensor *out) {
  const tsr_scatter_mode mode = (tsr_scatter_mode)s->mode;
  if (s->axis == TSR_MAX_DIMS) return tsr_scatter_nd(ctx, in, s->index, s->src, mode, out);
  if (!s->slices) return tsr_scatter(ctx, in, s->index, s->src, s->axis, mode, out);
  if (s->mode == TSR_SCATTER_ADD && s->axis >= 0) return tsr_index_add(ctx, in, s->index, s->src, s->axis, out);
  return tsr_put(ctx, in, s->index, s->src, s->axis, mode, out);
}

static void check_outputs(const scattering *s, const held *want) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor out = {0}, described = {0}, given = {0};
  tsr_status st = run(ctx, s, s->in, &out);
  if (!TSR_HAVE_MALLOC && st == TSR_ENOMEM) return;
  OK(ctx, st);
  if (st != TSR_OK) return;
  CHECK(tsr_same_shape(&out, s->in) && test_is_tidy(&out) && holds(ctx, &out, s->mode, want));
  if (TSR_HAVE_MALLOC) {
    OK(ctx, tsr_desc_init_ordered(ctx, out.dtype, out.ndim, out.shape, TSR_FORTRAN, &described));
    for (int axis = 0; axis < out.ndim; axis++) OK(ctx, tsr_flip(ctx, &described, axis, &described));
    OK(ctx, run(ctx, s, s->in, &described));
    CHECK(holds(ctx, &described, s->mode, want));
    OK(ctx, tsr_copy(ctx, s->in, &described));
    OK(ctx, tsr_view(ctx, &described, &given));
    OK(ctx, run(ctx, s, &given, &given)); /* in place */
    CHECK(holds(ctx, &described, s->mode, want));
  }
  tsr_release(&described);
  tsr_release(&out);
  CHECK(test_live() == 0);
}

/* Numbers of both signs where the dtype has them, all in range. */
static void number_indices(int dtype, tsr_index n, tsr_index length, test_rng *rng, int64_t *numbers) {
  const bool is_signed = dtype >= TSR_I8 && dtype <= TSR_I64;
  for (tsr_index i = 0; i < n; i++)
    numbers[i] = test_between(rng, 0, length - 1) - (is_signed && test_between(rng, 0, 1) == 1 ? length : 0);
}

static void fill_any(tsr_ctx *ctx, test_buffer *buffer, int dtype, test_rng *rng) {
  if (is_real(dtype))
    fill_small(ctx, buffer, dtype, rng);
  else
    test_buffer_random(buffer, rng);
}

/* The values of an index: its own dtype, for what was made as i64. */
static tsr_tensor index_as(tsr_ctx *ctx, int dtype, const tsr_tensor *wide_index, unsigned char *bytes) {
  tsr_tensor index = {0};
  if (tsr_from_memory(ctx, bytes, dtype, wide_index->ndim, wide_index->shape, &index) != TSR_OK ||
      tsr_copy(ctx, wide_index, &index) != TSR_OK)
    __builtin_trap();
  return index;
}

/* ---- along an axis ---- */

enum { ALONG = 5 };

/* variant 0: index and src of full shape; 1: the index repeats along other axes; 2: src is one number; 3: slices. */
static void check_axis(test_buffer *buffer, const tsr_tensor *x, int axis, int mode, int variant, test_rng *rng) {
  static test_buffer src_buffer;
  static held want, src_held;
  static int64_t numbers[MOST];
  static _Alignas(16) unsigned char index_bytes[MOST * 8];
  tsr_ctx *const ctx = test_context();
  static int turn;
  const int dtype = index_dtypes[turn++ % COUNT_OF(index_dtypes)];
  tsr_index shape[TSR_MAX_DIMS], ishape[TSR_MAX_DIMS], at[TSR_MAX_DIMS] = {0};
  tsr_tensor wide_index = {0}, src = {0}, full = {0};
  for (int k = 0; k < x->ndim; k++) {
    shape[k] = k == axis ? ALONG : x->shape[k];
    ishape[k] = k == axis ? ALONG : variant == 1 ? 1 : x->shape[k];
  }
  if (test_product(x->ndim, shape) > TEST_ELEMENTS) return;
  fill_any(ctx, buffer, x->dtype, rng);
  fill_any(ctx, &src_buffer, x->dtype, rng);
  number_indices(dtype, MOST, x->shape[axis], rng, numbers);
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I64, variant == 3 ? 1 : x->ndim, variant == 3 ? &shape[axis] : ishape,
                          &wide_index));
  const tsr_tensor index = index_as(ctx, dtype, &wide_index, index_bytes);
  OK(ctx, tsr_from_memory(ctx, src_buffer.bytes, x->dtype, variant == 2 ? 0 : x->ndim, shape, &src));
  OK(ctx, tsr_broadcast_to(ctx, &src, x->ndim, shape, &full));
  hold(x, mode != TSR_SCATTER_SET, &want);
  hold(&full, mode != TSR_SCATTER_SET, &src_held);
  if (test_product(x->ndim, shape) > 0) do {
      tsr_index to[TSR_MAX_DIMS], from[TSR_MAX_DIMS];
      for (int k = 0; k < x->ndim; k++) to[k] = at[k], from[k] = ishape[k] == 1 ? 0 : at[k];
      const int64_t number = variant == 3 ? numbers[at[axis]] : *(int64_t *)test_at(&wide_index, from);
      to[axis] = (tsr_index)(number < 0 ? number + x->shape[axis] : number);
      update(x->dtype, mode, &want, test_flat(x->ndim, x->shape, to), &src_held, test_flat(x->ndim, shape, at));
    } while (test_next_index(x->ndim, shape, at));
  const scattering s = {x, &index, &src, turn % 2 ? axis : axis - x->ndim, mode, variant == 3};
  check_outputs(&s, &want);
}

TEST(along_every_axis) {
  static test_buffer buffer;
  test_rng rng = {5};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int l = 0; l < test_layout_count(); l++) {
      const tsr_tensor x = test_over(&buffer, dtype, test_layout_at(l));
      for (int axis = 0; axis < x.ndim; axis++)
        for (int mode = 0; mode < MODES; mode++) {
          if (x.shape[axis] == 0 || !mode_takes(mode, dtype)) continue;
          for (int variant = 0; variant < 4; variant++) check_axis(&buffer, &x, axis, mode, variant, &rng);
        }
    }
}

TEST(nothing_to_scatter) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, index = {0}, src = {0}, none = {0}, out = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3, 4), &x));
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(0), &index));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(0, 4), &src));
  OK(ctx, tsr_put(ctx, &x, &index, &src, 0, TSR_SCATTER_SET, &out));
  CHECK(test_same_elements(&x, &out));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(0, 4), &none));
  tsr_tensor empty = {0};
  OK(ctx, tsr_index_add(ctx, &none, &index, &src, 0, &empty));
  CHECK(tsr_size(&empty) == 0 && empty.ndim == 2);
  tsr_release(&x);
  tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST(nan_and_zeros) {
  tsr_ctx *const ctx = test_context();
  float x[4] = {1, 2, NAN, 4}, y[4] = {NAN, 0, 1, -INFINITY};
  int64_t at[4] = {0, 1, 2, 3};
  tsr_tensor in = {0}, index = {0}, src = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(4), &in));
  OK(ctx, tsr_from_memory(ctx, y, TSR_F32, TSR_SHAPE(4), &src));
  OK(ctx, tsr_from_memory(ctx, at, TSR_I64, TSR_SHAPE(4), &index));
  for (int mode = TSR_SCATTER_MIN; mode <= TSR_SCATTER_MAX; mode++) {
    OK(ctx, tsr_scatter(ctx, &in, &index, &src, 0, (tsr_scatter_mode)mode, &out));
    const float *const z = out.data;
    CHECK(isnan(z[0]) && isnan(z[2]));
    CHECK(mode == TSR_SCATTER_MIN ? z[1] == 0 && isinf(z[3]) : z[1] == 2 && z[3] == 4);
  }
  tsr_release(&out);
  CHECK(test_live() == 0);
}

/* Small floats are rounded once: 2048 + 1 + 1 is 2050 in f16, where 2048 + 1 is 2048. */
TEST(small_floats_are_rounded_once) {
  tsr_ctx *const ctx = test_context();
  float x[2] = {2048, 1}, y[3] = {1, 1, 1};
  int32_t at[3] = {0, 0, 1};
  tsr_tensor wide_in = {0}, wide_src = {0}, in = {0}, index = {0}, src = {0}, out = {0}, back = {0};
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(2), &wide_in));
  OK(ctx, tsr_from_memory(ctx, y, TSR_F32, TSR_SHAPE(3), &wide_src));
  OK(ctx, tsr_from_memory(ctx, at, TSR_I32, TSR_SHAPE(3), &index));
  OK(ctx, tsr_cast(ctx, &wide_in, TSR_F16, &in));
  OK(ctx, tsr_cast(ctx, &wide_src, TSR_F16, &src));
  OK(ctx, tsr_index_add(ctx, &in, &index, &src, 0, &out));
  OK(ctx, tsr_cast(ctx, &out, TSR_F32, &back));
  CHECK(((float *)back.data)[0] == 2050 && ((float *)back.data)[1] == 2);
  tsr_release(&back);
  tsr_release(&out);
  tsr_release(&src);
  tsr_release(&in);
  CHECK(test_live() == 0);
}

/* Everything is one piece of memory. */
TEST(all_may_be_the_output) {
  tsr_ctx *const ctx = test_context();
  int64_t x[4] = {3, 0, 2, 1};
  tsr_tensor t = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, x, TSR_I64, TSR_SHAPE(4), &t));
  OK(ctx, tsr_view(ctx, &t, &out));
  OK(ctx, tsr_scatter(ctx, &t, &t, &t, 0, TSR_SCATTER_ADD, &out)); /* x[x[i]] += x[i] */
  CHECK(x[0] == 3 && x[1] == 1 && x[2] == 4 && x[3] == 4);
  int64_t y[6] = {0, 1, 2, 3, 4, 5};
  int32_t at[2] = {1, 0};
  tsr_tensor whole = {0}, in = {0}, src = {0}, index = {0}, later = {0};
  OK(ctx, tsr_from_memory(ctx, y, TSR_I64, TSR_SHAPE(6), &whole));
  OK(ctx, tsr_from_memory(ctx, at, TSR_I32, TSR_SHAPE(2), &index));
  OK(ctx, tsr_narrow(ctx, &whole, 0, 0, 4, &in));
  OK(ctx, tsr_narrow(ctx, &whole, 0, 1, 4, &later));
  OK(ctx, tsr_narrow(ctx, &whole, 0, 2, 2, &src));
  OK(ctx, tsr_put(ctx, &in, &index, &src, 0, TSR_SCATTER_SET, &later)); /* {3, 2, 2, 3} */
  CHECK(y[0] == 0 && y[1] == 3 && y[2] == 2 && y[3] == 2 && y[4] == 3 && y[5] == 5);
  CHECK(test_live() == 0);
}

/* Many to few, whose indices are checked as they are used: in order, from the end, and one that is out of range. */
TEST(many_to_few) {
#if TSR_HAVE_MALLOC
  enum { MANY = 4099, FEW = 37 };
  static int64_t numbers[MANY];
  static float values[MANY];
  float sums[FEW] = {0}, given[FEW], want[FEW];
  tsr_ctx *const ctx = test_context();
  test_rng rng = {41};
  tsr_tensor in = {0}, index = {0}, src = {0}, out = {0};
  for (int i = 0; i < MANY; i++) {
    numbers[i] = test_between(&rng, 0, FEW - 1);
    values[i] = (float)test_random(&rng) * 0x1p-32f;
    sums[numbers[i]] += values[i];
  }
  memcpy(want, sums, sizeof want);
  memset(sums, 0, sizeof sums);
  memset(given, 0xff, sizeof given);
  OK(ctx, tsr_from_memory(ctx, sums, TSR_F32, TSR_SHAPE(FEW), &in));
  OK(ctx, tsr_from_memory(ctx, given, TSR_F32, TSR_SHAPE(FEW), &out));
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I64, TSR_SHAPE(MANY), &index));
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(MANY), &src));
  numbers[MANY - 2] += FEW; /* after all the others */
  BAD(ctx, TSR_EINDEX, tsr_scatter(ctx, &in, &index, &src, 0, TSR_SCATTER_ADD, &out), "scatter: index number 4097 is ");
  for (int i = 0; i < FEW; i++) CHECK(isnan(given[i]));
  numbers[MANY - 2] -= FEW;
  OK(ctx, tsr_scatter(ctx, &in, &index, &src, 0, TSR_SCATTER_ADD, &out));
  CHECK(memcmp(given, want, sizeof want) == 0);
  for (int i = 0; i < MANY; i += 3) numbers[i] -= FEW;    /* the same places */
  OK(ctx, tsr_index_add(ctx, &in, &index, &src, 0, &in)); /* in place */
  CHECK(memcmp(sums, want, sizeof want) == 0);
  CHECK(test_live() == 0);
#else
  SKIP("too large");
#endif
}

/* ---- lists of coordinates ---- */

/* The element of in that list number i of an index names, as a flat number; in's remaining axes begin there. */
static tsr_index named(const tsr_tensor *in, const tsr_tensor *index, int batch, tsr_index i, tsr_index rest) {
  const int q = (int)index->shape[index->ndim - 1], more = in->ndim - batch - q;
  tsr_index list[TSR_MAX_DIMS] = {0}, to[TSR_MAX_DIMS] = {0};
  test_nth_index(index->ndim - 1, index->shape, TSR_ROW_MAJOR, i, list);
  for (int k = 0; k < batch; k++) to[k] = list[k];
  for (int k = 0; k < q; k++) {
    list[index->ndim - 1] = k;
    const int64_t number = *(int64_t *)test_at(index, list);
    to[batch + k] = (tsr_index)(number < 0 ? number + in->shape[batch + k] : number);
  }
  test_nth_index(more, in->shape + batch + q, TSR_ROW_MAJOR, rest, to + batch + q);
  return test_flat(in->ndim, in->shape, to);
}

static void number_lists(const tsr_tensor *x, int batch, int q, test_rng *rng, int64_t *numbers) {
  for (int i = 0; i < MOST; i++)
    for (int k = 0; k < q && i * q + k < MOST; k++) {
      const tsr_index length = x->shape[batch + k];
      numbers[i * q + k] = test_between(rng, -length, length - 1);
    }
}

static void check_gather(test_buffer *buffer, const tsr_tensor *x, int batch, int q, test_rng *rng) {
  static int64_t numbers[MOST];
  static held from;
  tsr_ctx *const ctx = test_context();
  const size_t item = tsr_dtype_size(x->dtype);
  tsr_index shape[TSR_MAX_DIMS], at[TSR_MAX_DIMS] = {0};
  tsr_tensor index = {0}, out = {0};
  for (int k = 0; k < batch; k++) shape[k] = x->shape[k];
  shape[batch] = 3;
  shape[batch + 1] = q;
  const int more = x->ndim - batch - q;
  const tsr_index slice = test_product(more, x->shape + batch + q);
  if (batch + 1 + more > TSR_MAX_DIMS || test_product(batch + 2, shape) > MOST) return;
  test_buffer_random(buffer, rng);
  number_lists(x, batch, q, rng, numbers);
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I64, batch + 2, shape, &index));
  hold(x, false, &from);
  const tsr_status st = tsr_gather_nd(ctx, x, &index, batch, &out);
  if (!TSR_HAVE_MALLOC && st == TSR_ENOMEM) return;
  OK(ctx, st);
  if (st != TSR_OK) return;
  CHECK(out.ndim == batch + 1 + more && out.dtype == x->dtype && test_is_tidy(&out));
  tsr_index i = 0;
  bool right = true;
  if (tsr_size(&out) > 0) do {
      const tsr_index want = named(x, &index, batch, i / slice, i % slice);
      right = right && memcmp(test_at(&out, at), from.bytes + (size_t)want * item, item) == 0;
      i++;
    } while (test_next_index(out.ndim, out.shape, at));
  CHECK(right);
  tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST(gather_of_lists) {
  static test_buffer buffer;
  test_rng rng = {8};
  for (int d = 0; d < COUNT_OF(move_dtypes); d++)
    for (int l = 0; l < test_layout_count(); l++) {
      const tsr_tensor x = test_over(&buffer, move_dtypes[d], test_layout_at(l));
      for (int batch = 0; batch < x.ndim && batch + 2 <= TSR_MAX_DIMS; batch++)
        for (int q = 0; q <= x.ndim - batch; q++)
          if (tsr_size(&x) > 0) check_gather(&buffer, &x, batch, q, &rng);
    }
}

static void check_scatter_nd(test_buffer *buffer, const tsr_tensor *x, int q, int mode, test_rng *rng) {
  static int64_t numbers[MOST];
  static held want, from;
  static test_buffer src_buffer;
  tsr_ctx *const ctx = test_context();
  const int more = x->ndim - q;
  tsr_index shape[TSR_MAX_DIMS] = {2, 2};
  tsr_tensor index = {0}, src = {0};
  for (int k = 0; k < more && k + 2 < TSR_MAX_DIMS; k++) shape[2 + k] = x->shape[q + k];
  const tsr_index slice = test_product(more, x->shape + q);
  if (2 + more > TSR_MAX_DIMS || 4 * slice > TEST_ELEMENTS) return;
  fill_any(ctx, buffer, x->dtype, rng);
  fill_any(ctx, &src_buffer, x->dtype, rng);
  number_lists(x, 0, q, rng, numbers);
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I64, TSR_SHAPE(2, 2, q), &index));
  OK(ctx, tsr_from_memory(ctx, src_buffer.bytes, x->dtype, 2 + more, shape, &src));
  if (mode == TSR_SCATTER_MIN) OK(ctx, tsr_transpose(ctx, &src, 0, 1, &src)); /* lists that do not run on */
  hold(x, mode != TSR_SCATTER_SET, &want);
  hold(&src, mode != TSR_SCATTER_SET, &from);
  for (tsr_index i = 0; i < 4 * slice; i++)
    update(x->dtype, mode, &want, named(x, &index, 0, i / slice, i % slice), &from, i);
  const scattering s = {x, &index, &src, TSR_MAX_DIMS, mode, false};
  check_outputs(&s, &want);
}

TEST(scatter_of_lists) {
  static test_buffer buffer;
  test_rng rng = {9};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int l = 0; l < test_layout_count(); l++) {
      const tsr_tensor x = test_over(&buffer, dtype, test_layout_at(l));
      for (int q = 0; q <= x.ndim && tsr_size(&x) > 0; q++)
        for (int mode = 0; mode < MODES; mode++)
          if (mode_takes(mode, dtype)) check_scatter_nd(&buffer, &x, q, mode, &rng);
    }
}

/* ---- threads: the same bits ---- */

#if TSR_HAVE_THREADS
enum { ROWS = 300, COLUMNS = 150, UPDATES = 2000 };

static float one_after_another[ROWS][COLUMNS];

static void check_threads(int threads, int axis) {
  static float values[UPDATES * COLUMNS], *const v = values;
  static int32_t numbers[UPDATES];
  tsr_ctx *const ctx = test_context();
  test_rng rng = {3};
  tsr_tensor in = {0}, index = {0}, src = {0}, out = {0};
  tsr_threads *const pool = test_with_threads(ctx, threads);
  memset(one_after_another, 0, sizeof one_after_another);
  for (int i = 0; i < UPDATES; i++) {
    numbers[i] = (int32_t)test_between(&rng, 0, ROWS - 1);
    for (int j = 0; j < COLUMNS; j++) {
      const float x = (float)test_random(&rng) * 0x1p-32f;
      v[axis == 0 ? i * COLUMNS + j : j * UPDATES + i] = x;
      one_after_another[numbers[i]][j] += x;
    }
  }
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I32, TSR_SHAPE(UPDATES), &index));
  const tsr_index shape[3] = {COLUMNS, UPDATES, COLUMNS}, in_shape[3] = {COLUMNS, ROWS, COLUMNS};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, 2, shape + (axis == 0), &src));
  OK(ctx, tsr_zeros(ctx, TSR_F32, 2, in_shape + (axis == 0), &in));
  OK(ctx, tsr_index_add(ctx, &in, &index, &src, axis, &out));
  bool right = true;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      right = right && one_after_another[i][j] == (axis == 0 ? TSR_AT(float, &out, i, j) : TSR_AT(float, &out, j, i));
  CHECK(right);
  tsr_release(&in);
  tsr_release(&out);
  tsr_threads_release(pool);
  CHECK(test_live() == 0);
}
#endif

TEST(threads_give_the_same_bits) {
#if TSR_HAVE_THREADS
  for (int threads = 1; threads <= 4; threads++)
    for (int axis = 0; axis < 2; axis++) check_threads(threads, axis);
#else
  SKIP("no threads");
#endif
}

/* ---- bad calls ---- */

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  int64_t numbers[6] = {0, 3, 1, 0, 0, 0};
  int32_t ones[6] = {1, 1, 1, 1, 1, 1}, zeros[6] = {0};
  float floats[12] = {0};
  uint64_t huge[1] = {UINT64_MAX};
  tsr_tensor x = {0}, index = {0}, square = {0}, big = {0}, src = {0}, one = {0}, wrong = {0}, out = {0};
  tsr_tensor given = {0}, z = {0};
  OK(ctx, tsr_from_memory(ctx, ones, TSR_I32, TSR_SHAPE(3, 2), &x));
  OK(ctx, tsr_from_memory(ctx, zeros, TSR_I32, TSR_SHAPE(3, 2), &given));
  OK(ctx, tsr_from_memory(ctx, ones, TSR_I32, TSR_SHAPE(3, 2), &src));
  OK(ctx, tsr_from_memory(ctx, ones, TSR_I32, TEST_SCALAR, &one));
  OK(ctx, tsr_from_memory(ctx, floats, TSR_F32, TSR_SHAPE(3, 2), &wrong));
  OK(ctx, tsr_from_memory(ctx, floats, TSR_C64, TSR_SHAPE(3, 2), &z));
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I64, TSR_SHAPE(3), &index));
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I64, TSR_SHAPE(3, 2), &square));
  OK(ctx, tsr_from_memory(ctx, huge, TSR_U64, TSR_SHAPE(1), &big));
  BAD(ctx, TSR_EINDEX, tsr_put(ctx, &x, &index, &src, 0, TSR_SCATTER_SET, &given),
      "put: index number 1 is 3: out of range for axis 0 of in i32 [3,2]");
  BAD(ctx, TSR_EINDEX, tsr_scatter(ctx, &x, &square, &src, -2, TSR_SCATTER_ADD, &given),
      "scatter: index number 1 is 3: out of range for axis 0 of in i32 [3,2]");
  BAD(ctx, TSR_EINDEX, tsr_scatter_nd(ctx, &x, &square, &one, TSR_SCATTER_SET, &given),
      "scatter_nd: index number 1 is 3: out of range for axis 1 of in i32 [3,2]");
  numbers[1] = -3;
  BAD(ctx, TSR_EINDEX, tsr_gather_nd(ctx, &x, &square, 0, &out), "gather_nd: index number 1 is -3: out of range");
  BAD(ctx, TSR_EINDEX, tsr_index_add(ctx, &x, &big, &one, 1, &given),
      "index_add: index number 0 is beyond axis 1 of in i32 [3,2]");
  for (int i = 0; i < 6; i++) CHECK(zeros[i] == 0); /* nothing is written before all are seen */
  numbers[1] = 1;
  BAD(ctx, TSR_ESHAPE, tsr_gather_nd(ctx, &x, &index, 0, &out),
      "gather_nd: index is i64 [3]: lists of 3 for the 2 axes");
  BAD(ctx, TSR_EAXIS, tsr_gather_nd(ctx, &x, &square, 2, &out), "gather_nd: batch_dims is 2");
  BAD(ctx, TSR_EAXIS, tsr_gather_nd(ctx, &x, &square, -1, &out), "gather_nd: batch_dims is -1");
  BAD(ctx, TSR_ESHAPE, tsr_gather_nd(ctx, &given, &(tsr_tensor){.dtype = TSR_I64, .data = numbers}, 0, &out),
      "gather_nd: index is i64 []; its last axis is that of a list");
  OK(ctx, tsr_transpose(ctx, &square, 0, 1, &square));
  BAD(ctx, TSR_ESHAPE, tsr_gather_nd(ctx, &x, &square, 1, &out),
      "gather_nd: index is i64 [2,3] and in is i32 [3,2]: axis 0 is 2 against 3");
  BAD(ctx, TSR_ESHAPE, tsr_scatter(ctx, &x, &index, &src, 0, TSR_SCATTER_SET, &out),
      "scatter: index is i64 [3] and in is i32 [3,2]: the ranks differ");
  BAD(ctx, TSR_ESHAPE, tsr_scatter(ctx, &x, &square, &one, 0, TSR_SCATTER_SET, &out),
      "scatter: index is i64 [2,3], which does not broadcast to [2,2]");
  BAD(ctx, TSR_ESHAPE, tsr_put(ctx, &x, &square, &src, 0, TSR_SCATTER_SET, &out),
      "put: index is i64 [2,3]; it has one axis");
  BAD(ctx, TSR_ESHAPE, tsr_put(ctx, &x, &index, &src, 1, TSR_SCATTER_SET, &out),
      "put: src is i32 [3,2], which does not broadcast to [3,3]");
  BAD(ctx, TSR_EDTYPE, tsr_put(ctx, &x, &index, &wrong, 0, TSR_SCATTER_SET, &out),
      "put: src is f32 [3,2] and in is i32 [3,2]: the dtypes differ");
  BAD(ctx, TSR_EDTYPE, tsr_put(ctx, &x, &wrong, &src, 0, TSR_SCATTER_SET, &out),
      "put: index is f32 [3,2]; indices are");
  BAD(ctx, TSR_EDTYPE, tsr_put(ctx, &z, &index, &z, 0, TSR_SCATTER_ADD, &out), "put: in is c64; only TSR_SCATTER_SET");
  BAD(ctx, TSR_EARG, tsr_put(ctx, &x, &index, &src, 0, (tsr_scatter_mode)7, &out), "put: mode is 7");
  BAD(ctx, TSR_EAXIS, tsr_put(ctx, &x, &index, &src, 2, TSR_SCATTER_SET, &out), "put: axis 2");
  BAD(ctx, TSR_EARG, tsr_put(ctx, NULL, &index, &src, 0, TSR_SCATTER_SET, &out), "put: in is NULL");
  BAD(ctx, TSR_EARG, tsr_scatter(ctx, &x, NULL, &src, 0, TSR_SCATTER_SET, &out), "scatter: index is NULL");
  BAD(ctx, TSR_EARG, tsr_scatter_nd(ctx, &x, &square, NULL, TSR_SCATTER_SET, &out), "scatter_nd: src is NULL");
  BAD(ctx, TSR_EARG, tsr_index_add(ctx, &x, &index, &src, 0, NULL), "index_add: out is NULL");
  given.flags |= TSR_READONLY;
  BAD(ctx, TSR_EREADONLY, tsr_index_add(ctx, &x, &index, &src, 0, &given), "index_add: out");
  BAD(ctx, TSR_EDTYPE, tsr_index_add(ctx, &x, &index, &src, 0, &wrong),
      "index_add: out is f32 [3,2], the result is i32");
  CHECK(tsr_is_none(&out));
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(along_every_axis), RUN(nothing_to_scatter), RUN(nan_and_zeros), RUN(small_floats_are_rounded_once),
          RUN(all_may_be_the_output), RUN(many_to_few), RUN(gather_of_lists), RUN(scatter_of_lists),
          RUN(threads_give_the_same_bits), RUN(bad_calls))
