/* tsr_take, tsr_gather. */
#include "ops/move_reference.h"

static const int index_dtypes[] = {TSR_I8, TSR_I16, TSR_I32, TSR_I64, TSR_U8, TSR_U16, TSR_U32, TSR_U64};

static int normal(const move_case *c) { return c->axis < 0 ? c->axis + c->in->ndim : c->axis; }

static tsr_index index_at(const move_case *c, const tsr_index *at) {
  const int64_t i = *(const int64_t *)test_at(c->index, at);
  return (tsr_index)(i < 0 ? i + c->in->shape[normal(c)] : i);
}

/* An index of dtype number, from the i64 one of the case; negative numbers only where the dtype has them. */
static tsr_status index_of(tsr_ctx *ctx, const move_case *c, tsr_tensor *index) {
  return tsr_cast(ctx, c->index, (int)c->number[0], index);
}

/* ---- take ---- */

static tsr_status run_take(tsr_ctx *ctx, const move_case *c, tsr_tensor *out) {
  tsr_tensor index = {0};
  tsr_status st = index_of(ctx, c, &index);
  if (st == TSR_OK) st = tsr_take(ctx, c->in, &index, c->axis, out);
  tsr_release(&index);
  return st;
}

static bool map_take(const move_case *c, const tsr_index *out, tsr_index *in) {
  const int axis = normal(c), rank = c->index->ndim;
  for (int k = 0; k < c->in->ndim; k++)
    if (k != axis) in[k] = out[k < axis ? k : k - 1 + rank];
  in[axis] = index_at(c, out + axis);
  return true;
}

static void each_take(tsr_ctx *ctx, move_case *c, test_buffer *buffer) {
  static int turn = 0;
  int64_t numbers[6];
  for (c->axis = -c->in->ndim; c->axis < c->in->ndim; c->axis++) {
    const tsr_index length = c->in->shape[normal(c)];
    if (length == 0) continue;
    for (int rank = 0; rank <= 2 && c->in->ndim - 1 + rank <= TSR_MAX_DIMS; rank++) {
      tsr_tensor index = {0};
      const int dtype = index_dtypes[turn++ % COUNT_OF(index_dtypes)];
      const bool is_signed = dtype <= TSR_I64;
      for (int i = 0; i < 6; i++) numbers[i] = (i * 5 + turn) % length - (is_signed && i % 2 == 1 ? length : 0);
      OK(ctx, tsr_from_memory(ctx, numbers, TSR_I64, rank, (const tsr_index[]){3, 2}, &index));
      if (rank == 2) OK(ctx, tsr_transpose(ctx, &index, 0, 1, &index));
      c->index = &index;
      c->number[0] = dtype;
      move_check(ctx, run_take, c, map_take, buffer);
    }
  }
}

TEST(take_of_layouts) { move_each(each_take); }

TEST(take_nothing) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, none = {0}, index = {0}, out = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3, 4), &x));
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(2, 0), &index));
  OK(ctx, tsr_take(ctx, &x, &index, 0, &out));
  CHECK(out.ndim == 3 && out.shape[0] == 2 && out.shape[1] == 0 && out.shape[2] == 4);
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(0, 4), &none));
  tsr_tensor again = {0};
  OK(ctx, tsr_take(ctx, &none, &index, 0, &again)); /* no index, so that none is out of range */
  CHECK(tsr_size(&again) == 0);
  tsr_release(&x);
  CHECK(test_live() == 0);
}

/* ---- gather ---- */

static tsr_status run_gather(tsr_ctx *ctx, const move_case *c, tsr_tensor *out) {
  tsr_tensor index = {0};
  tsr_status st = index_of(ctx, c, &index);
  if (st == TSR_OK) st = tsr_gather(ctx, c->in, &index, c->axis, out);
  tsr_release(&index);
  return st;
}

static bool map_gather(const move_case *c, const tsr_index *out, tsr_index *in) {
  tsr_index at[TSR_MAX_DIMS];
  for (int k = 0; k < c->in->ndim; k++) {
    at[k] = c->index->shape[k] == 1 ? 0 : out[k];
    in[k] = c->in->shape[k] == 1 ? 0 : out[k];
  }
  in[normal(c)] = index_at(c, at);
  return true;
}

static void each_gather(tsr_ctx *ctx, move_case *c, test_buffer *buffer) {
  static int turn = 0;
  static int64_t numbers[256];
  for (c->axis = -c->in->ndim; c->axis < c->in->ndim; c->axis++)
    for (int variant = 0; variant < 2; variant++) { /* the index as long as the input, or repeating along other axes */
      const tsr_index length = c->in->shape[normal(c)];
      tsr_index shape[TSR_MAX_DIMS];
      tsr_tensor index = {0};
      if (length == 0) continue;
      for (int k = 0; k < c->in->ndim; k++) shape[k] = variant == 0 ? c->in->shape[k] : 1;
      shape[normal(c)] = 3;
      for (int i = 0; i < COUNT_OF(numbers); i++) numbers[i] = (i * 3 + turn) % length - (i % 3 == 1 ? length : 0);
      OK(ctx, tsr_from_memory(ctx, numbers, TSR_I64, c->in->ndim, shape, &index));
      c->index = &index;
      c->number[0] = index_dtypes[turn++ % 4];
      move_check(ctx, run_gather, c, map_gather, buffer);
    }
}

TEST(gather_of_layouts) { move_each(each_gather); }

/* ---- index and output share memory ---- */

TEST(the_index_may_be_the_output) {
  tsr_ctx *const ctx = test_context();
  int64_t numbers[6] = {5, 4, 3, 2, 1, 0};
  tsr_tensor x = {0}, y = {0};
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I64, TSR_SHAPE(6), &x));
  OK(ctx, tsr_view(ctx, &x, &y));
  OK(ctx, tsr_take(ctx, &x, &x, 0, &y));
  for (int i = 0; i < 6; i++) CHECK(numbers[i] == i);
  CHECK(test_live() == 0);
}

TEST(take_on_threads) {
  if (!TSR_HAVE_THREADS) SKIP("no threads");
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, index = {0}, rows = {0}, columns = {0};
  tsr_threads *const pool = test_with_threads(ctx, 4);
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, 0, 300 * 257, 1, &x));
  OK(ctx, tsr_reshape(ctx, &x, TSR_SHAPE(300, 257), &x));
  OK(ctx, tsr_empty(ctx, TSR_U16, TSR_SHAPE(400), &index));
  for (tsr_index i = 0; i < 400; i++) TSR_AT(uint16_t, &index, i) = (uint16_t)(i * 37 % 257);
  OK(ctx, tsr_take(ctx, &x, &index, 0, &rows));
  OK(ctx, tsr_take(ctx, &x, &index, 1, &columns));
  bool right = true;
  for (tsr_index i = 0; i < 400; i++) {
    const int at = (int)(i * 37 % 257);
    for (int j = 0; j < 257; j++) right = right && TSR_AT(int32_t, &rows, i, j) == at * 257 + j;
    for (int j = 0; j < 300; j++) right = right && TSR_AT(int32_t, &columns, j, i) == j * 257 + at;
  }
  CHECK(right);
  tsr_threads_release(pool);
  tsr_release(&x);
  tsr_release(&index);
  tsr_release(&rows);
  tsr_release(&columns);
  CHECK(test_live() == 0);
}

/* ---- bad calls ---- */

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  int64_t numbers[3] = {0, 3, 1};
  uint64_t huge[1] = {UINT64_MAX};
  tsr_tensor x = {0}, index = {0}, big = {0}, floats = {0}, out = {0}, given = {0}, square = {0};
  OK(ctx, tsr_ones(ctx, TSR_I32, TSR_SHAPE(3, 2), &x));
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(3, 2), &given));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3), &floats));
  OK(ctx, tsr_zeros(ctx, TSR_I64, TSR_SHAPE(2, 3), &square));
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I64, TSR_SHAPE(3), &index));
  OK(ctx, tsr_from_memory(ctx, huge, TSR_U64, TSR_SHAPE(1), &big));
  BAD(ctx, TSR_EINDEX, tsr_take(ctx, &x, &index, 0, &given),
      "take: index number 1 is 3: out of range for axis 0 of in i32 [3,2]");
  for (int i = 0; i < 6; i++) CHECK(((int32_t *)given.data)[i] == 0); /* nothing is written before all are seen */
  numbers[1] = -4;
  BAD(ctx, TSR_EINDEX, tsr_take(ctx, &x, &index, 0, &out), "take: index number 1 is -4: out of range");
  BAD(ctx, TSR_EINDEX, tsr_take(ctx, &x, &big, 0, &out), "take: index number 0 is beyond axis 0 of in i32 [3,2]");
  BAD(ctx, TSR_EDTYPE, tsr_take(ctx, &x, &floats, 0, &out), "take: index is f32 [3]; indices are integers");
  BAD(ctx, TSR_EAXIS, tsr_take(ctx, &x, &index, 2, &out), "take: axis 2");
  BAD(ctx, TSR_EARG, tsr_take(ctx, &x, NULL, 0, &out), "take: index is NULL");
  BAD(ctx, TSR_EARG, tsr_take(ctx, NULL, &index, 0, &out), "take: in is NULL");
  numbers[1] = 1;
  BAD(ctx, TSR_EARG, tsr_take(ctx, &x, &index, 0, NULL), "take: out is NULL");
  BAD(ctx, TSR_EDTYPE, tsr_take(ctx, &x, &index, 0, &floats), "take: out is f32 [3], the result is i32 [3,2]");
  BAD(ctx, TSR_ESHAPE, tsr_gather(ctx, &x, &index, 0, &out),
      "gather: index is i64 [3] and in is i32 [3,2]: the ranks differ");
  BAD(ctx, TSR_ESHAPE, tsr_gather(ctx, &x, &square, 0, &out),
      "gather: index is i64 [2,3] and in is i32 [3,2]: axis 1 is 3 against 2");
  OK(ctx, tsr_set_i64(ctx, &square, TSR_INDEX(1, 1), 3));
  OK(ctx, tsr_narrow(ctx, &square, 1, 0, 2, &index));
  BAD(ctx, TSR_EINDEX, tsr_gather(ctx, &x, &index, 0, &out), "gather: index number 3 is 3: out of range for axis 0");
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_take(ctx, &x, &big, 0, &out));
  CHECK(tsr_is_none(&out));
  tsr_release(&x);
  tsr_release(&given);
  tsr_release(&floats);
  tsr_release(&square);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(take_of_layouts), RUN(take_nothing), RUN(gather_of_layouts), RUN(the_index_may_be_the_output),
          RUN(take_on_threads), RUN(bad_calls))
