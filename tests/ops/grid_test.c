/* tsr_meshgrid, tsr_one_hot. Golden values of both are in movement_test.c. */
#include "ops/move_reference.h"

/* ---- meshgrid ---- */

/* Vectors of different dtypes, one of them backwards, and a number. */
static void make_vectors(tsr_ctx *ctx, tsr_tensor *v) {
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, 10, 13, 1, &v[0]));
  OK(ctx, tsr_arange(ctx, TSR_F32, 20, 24, 1, &v[1]));
  OK(ctx, tsr_flip(ctx, &v[1], 0, &v[1]));
  OK(ctx, tsr_full(ctx, TSR_U8, TEST_SCALAR, 7, &v[2]));
}

TEST(grids_are_views_in_either_indexing) {
  tsr_ctx *const ctx = test_context();
  for (int xy = 0; xy < 2; xy++)
    for (int n = 1; n <= 3; n++) {
      tsr_tensor v[3] = {{0}}, grid[3] = {{0}};
      make_vectors(ctx, v);
      const tsr_tensor *const in[3] = {&v[0], &v[1], &v[2]};
      OK(ctx, tsr_meshgrid(ctx, n, in, xy ? TSR_INDEXING_XY : TSR_INDEXING_IJ, grid));
      const tsr_index lengths[3] = {3, 4, 1};
      for (int i = 0; i < n; i++) {
        const int axis = xy && n > 1 && i < 2 ? 1 - i : i;
        CHECK(grid[i].ndim == n && grid[i].dtype == v[i].dtype && grid[i].data == v[i].data);
        CHECK((grid[i].flags & TSR_OWNS) == 0 && test_is_tidy(&grid[i]) && grid[i].shape[axis] == lengths[i]);
        tsr_index at[TSR_MAX_DIMS] = {0};
        do {
          tsr_real value = -1;
          const int want = i == 0 ? 10 + (int)at[axis] : i == 1 ? 23 - (int)at[axis] : 7;
          OK(ctx, tsr_get(ctx, &grid[i], n, at, &value));
          CHECK(value == (tsr_real)want);
        } while (test_next_index(n, grid[i].shape, at));
      }
      for (int i = 0; i < 3; i++) tsr_release(&v[i]);
      CHECK(test_live() == 0);
    }
}

TEST(a_grid_may_take_its_vectors_place) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor v[2] = {{0}};
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, 0, 3, 1, &v[0]));
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, 5, 7, 1, &v[1]));
  OK(ctx, tsr_meshgrid(ctx, 2, (const tsr_tensor *[]){&v[0], &v[1]}, TSR_INDEXING_XY, v));
  CHECK(v[0].shape[0] == 2 && v[0].shape[1] == 3 && (v[0].flags & TSR_OWNS) != 0); /* the handle it was, still owning */
  CHECK(TSR_AT(int32_t, &v[0], 1, 2) == 2 && TSR_AT(int32_t, &v[1], 1, 2) == 6);
  FAILS(ctx, TSR_EOVERLAP, tsr_fill(ctx, 0, &v[0])); /* repeats: no output */
  tsr_release(&v[0]);
  tsr_release(&v[1]);
  CHECK(test_live() == 0);
}

TEST(grids_without_points) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor none = {0}, some = {0}, grid[2] = {{0}};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(0), &none));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3), &some));
  OK(ctx, tsr_meshgrid(ctx, 2, (const tsr_tensor *[]){&none, &some}, TSR_INDEXING_IJ, grid));
  for (int i = 0; i < 2; i++) CHECK(grid[i].shape[0] == 0 && grid[i].shape[1] == 3);
  tsr_release(&some);
  tsr_release(&none);
}

TEST(meshgrid_bad_calls) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor v = {0}, m = {0}, empty = {0}, owner = {0}, wide = {0}, grid[2] = {{0}};
  const tsr_tensor *const pair[2] = {&v, &m};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3), &v));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 2), &m));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1), &owner));
  BAD(ctx, TSR_EARG, tsr_meshgrid(ctx, 0, pair, TSR_INDEXING_IJ, grid), "meshgrid: n is 0");
  BAD(ctx, TSR_EARG, tsr_meshgrid(ctx, TSR_MAX_DIMS + 1, pair, TSR_INDEXING_IJ, grid), "meshgrid: n is ");
  BAD(ctx, TSR_EARG, tsr_meshgrid(ctx, 1, NULL, TSR_INDEXING_IJ, grid), "meshgrid: in is NULL");
  BAD(ctx, TSR_EARG, tsr_meshgrid(ctx, 1, pair, TSR_INDEXING_IJ, NULL), "meshgrid: out is NULL");
  BAD(ctx, TSR_EARG, tsr_meshgrid(ctx, 2, (const tsr_tensor *[]){&v, NULL}, TSR_INDEXING_IJ, grid),
      "meshgrid: in [1] is NULL");
  BAD(ctx, TSR_EARG, tsr_meshgrid(ctx, 1, pair, (tsr_indexing)2, grid), "meshgrid: indexing 2 is neither ij nor xy");
  BAD(ctx, TSR_ESHAPE, tsr_meshgrid(ctx, 2, pair, TSR_INDEXING_IJ, grid), "meshgrid: in [1] is f32 [2,2]");
  FAILS(ctx, TSR_ESTATE, tsr_meshgrid(ctx, 1, (const tsr_tensor *[]){&empty}, TSR_INDEXING_IJ, grid));
  FAILS(ctx, TSR_ESTATE, tsr_meshgrid(ctx, 1, pair, TSR_INDEXING_IJ, &owner)); /* its memory would be lost */
  OK(ctx, tsr_broadcast_to(ctx, &owner, TSR_SHAPE(TSR_INDEX_MAX / 2), &wide));
  FAILS(ctx, TSR_EOVERFLOW, tsr_meshgrid(ctx, 2, (const tsr_tensor *[]){&wide, &v}, TSR_INDEXING_IJ, grid));
  CHECK(tsr_is_none(&grid[0]) && tsr_is_none(&grid[1]));
  tsr_release(&v);
  tsr_release(&m);
  tsr_release(&owner);
  CHECK(test_live() == 0);
}

/* ---- one_hot ---- */

static const int index_dtypes[] = {TSR_I8, TSR_I16, TSR_I32, TSR_I64, TSR_U8, TSR_U16, TSR_U32, TSR_U64};

/* Whether out is 1 where its last index is the number and 0 elsewhere; number is i64 of the other axes' shape. */
static bool is_one_hot(const tsr_tensor *number, const tsr_tensor *out, int on, int off) {
  tsr_index at[TSR_MAX_DIMS] = {0};
  unsigned char want[2][16];
  test_encode(out->dtype, off, want[0]);
  test_encode(out->dtype, on, want[1]);
  if (tsr_size(out) == 0) return true;
  do {
    const bool hot = *(const int64_t *)test_at(number, at) == at[number->ndim];
    if (memcmp(test_at(out, at), want[hot], tsr_dtype_size(out->dtype)) != 0) return false;
  } while (test_next_index(out->ndim, out->shape, at));
  return true;
}

TEST(one_hot_of_every_dtype_and_layout) {
  static test_buffer buffer;
  for (int d = 0; d < COUNT_OF(index_dtypes); d++)
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
      for (int i = 0; i < test_layout_count(); i++) {
        tsr_ctx *const ctx = test_context();
        if (test_layout_at(i)->ndim >= TSR_MAX_DIMS || !tsr_dtype_supported(dtype)) continue;
        test_buffer_number(&buffer, index_dtypes[d]); /* 0 … 7 */
        const tsr_tensor index = test_over(&buffer, index_dtypes[d], test_layout_at(i));
        tsr_tensor number = {0}, out = {0}, given = {0};
        const int on = dtype == TSR_BOOL ? 0 : 5, off = 1;
        OK(ctx, tsr_cast(ctx, &index, TSR_I64, &number));
        OK(ctx, tsr_one_hot(ctx, &index, 8, (tsr_real)on, (tsr_real)off, dtype, &out));
        CHECK(out.dtype == dtype && out.ndim == index.ndim + 1 && out.shape[index.ndim] == 8);
        CHECK(is_one_hot(&number, &out, on, off));
        OK(ctx, tsr_desc_init_ordered(ctx, dtype, out.ndim, out.shape, TSR_FORTRAN, &given));
        if (TSR_HAVE_MALLOC) {
          OK(ctx, tsr_one_hot(ctx, &index, 8, (tsr_real)on, (tsr_real)off, dtype, &given));
          CHECK(is_one_hot(&number, &given, on, off));
        }
        tsr_release(&given);
        tsr_release(&out);
        tsr_release(&number);
        CHECK(test_live() == 0);
      }
}

TEST(one_hot_over_its_own_index) {
  tsr_ctx *const ctx = test_context();
  int32_t numbers[8] = {1, 3, 7, 7, 7, 7, 7, 7};
  tsr_tensor index = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I32, TSR_SHAPE(2), &index));
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I32, TSR_SHAPE(2, 4), &out));
  OK(ctx, tsr_one_hot(ctx, &index, 4, 9, 0, TSR_I32, &out));
  for (int i = 0; i < 8; i++) CHECK(numbers[i] == (i == 1 || i == 7 ? 9 : 0));
}

TEST(one_hot_of_nothing) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor index = {0}, out = {0}, number = {0};
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(0, 3), &index));
  OK(ctx, tsr_one_hot(ctx, &index, 0, 1, 0, TSR_F32, &out));
  CHECK(out.ndim == 3 && out.shape[2] == 0);
  tsr_release(&out);
  OK(ctx, tsr_full(ctx, TSR_I16, TEST_SCALAR, 2, &number));
  OK(ctx, tsr_one_hot(ctx, &number, 3, 1, 0, TSR_F32, &out));
  CHECK(out.ndim == 1 && TSR_AT(float, &out, 2) == 1 && TSR_AT(float, &out, 1) == 0);
  tsr_release(&out);
  tsr_release(&number);
  tsr_release(&index);
  CHECK(test_live() == 0);
}

TEST(one_hot_bad_calls) {
  tsr_ctx *const ctx = test_context();
  int16_t numbers[4] = {0, 2, 3, 1};
  uint64_t huge[1] = {UINT64_MAX};
  tsr_tensor index = {0}, big = {0}, floats = {0}, truth = {0}, deep = {0}, given = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I16, TSR_SHAPE(2, 2), &index));
  OK(ctx, tsr_from_memory(ctx, huge, TSR_U64, TSR_SHAPE(1), &big));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2), &floats));
  OK(ctx, tsr_zeros(ctx, TSR_BOOL, TSR_SHAPE(2), &truth));
  OK(ctx, tsr_full(ctx, TSR_F32, TSR_SHAPE(2, 2, 3), 6, &given));
  tsr_index ones[TSR_MAX_DIMS];
  for (int k = 0; k < TSR_MAX_DIMS; k++) ones[k] = 1;
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_MAX_DIMS, ones, &deep));
  BAD(ctx, TSR_EINDEX, tsr_one_hot(ctx, &index, 3, 1, 0, TSR_F32, &given),
      "one_hot: index number 2 is 3: out of range for 3 classes");
  OK(ctx, tsr_transpose(ctx, &index, 0, 1, &index)); /* counted as the tensor is indexed, whatever its memory */
  BAD(ctx, TSR_EINDEX, tsr_one_hot(ctx, &index, 3, 1, 0, TSR_F32, &given), "one_hot: index number 1 is 3");
  numbers[2] = -1;
  BAD(ctx, TSR_EINDEX, tsr_one_hot(ctx, &index, 3, 1, 0, TSR_F32, &given),
      "one_hot: index number 1 is -1: out of range for 3 classes");
  for (int i = 0; i < 12; i++) CHECK(((float *)given.data)[i] == 6); /* all are seen before anything is written */
  numbers[2] = 2;
  BAD(ctx, TSR_EINDEX, tsr_one_hot(ctx, &big, 3, 1, 0, TSR_F32, &out), "one_hot: index number 0 is beyond 3 classes");
  BAD(ctx, TSR_EINDEX, tsr_one_hot(ctx, &index, 0, 1, 0, TSR_F32, &out), "out of range for 0 classes");
  BAD(ctx, TSR_EDTYPE, tsr_one_hot(ctx, &floats, 3, 1, 0, TSR_F32, &out), "one_hot: index is f32 [2]");
  BAD(ctx, TSR_EDTYPE, tsr_one_hot(ctx, &truth, 3, 1, 0, TSR_F32, &out), "one_hot: index is bool [2]");
  BAD(ctx, TSR_EDTYPE, tsr_one_hot(ctx, &index, 3, 1, 0, 99, &out), "one_hot: dtype");
  BAD(ctx, TSR_EARG, tsr_one_hot(ctx, &index, -1, 1, 0, TSR_F32, &out), "one_hot: classes is -1");
  BAD(ctx, TSR_ERANGE, tsr_one_hot(ctx, &index, 3, 300, 0, TSR_U8, &out), "one_hot: on");
  BAD(ctx, TSR_ERANGE, tsr_one_hot(ctx, &index, 3, 1, -1, TSR_U8, &out), "one_hot: off");
  BAD(ctx, TSR_ESHAPE, tsr_one_hot(ctx, &deep, 3, 1, 0, TSR_F32, &out), "one_hot: index i8 [1,1");
  BAD(ctx, TSR_EARG, tsr_one_hot(ctx, NULL, 3, 1, 0, TSR_F32, &out), "one_hot: index is NULL");
  BAD(ctx, TSR_EARG, tsr_one_hot(ctx, &index, 3, 1, 0, TSR_F32, NULL), "one_hot: out is NULL");
  BAD(ctx, TSR_ESHAPE, tsr_one_hot(ctx, &index, 4, 1, 0, TSR_F32, &given),
      "one_hot: out is f32 [2,2,3], the result is f32 [2,2,4]");
  BAD(ctx, TSR_EDTYPE, tsr_one_hot(ctx, &index, 3, 1, 0, TSR_I8, &given), "one_hot: out is f32 [2,2,3]");
  given.flags |= TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, tsr_one_hot(ctx, &index, 3, 1, 0, TSR_F32, &given));
  CHECK(tsr_is_none(&out));
  tsr_release(&deep);
  tsr_release(&given);
  tsr_release(&truth);
  tsr_release(&floats);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(grids_are_views_in_either_indexing), RUN(a_grid_may_take_its_vectors_place), RUN(grids_without_points),
          RUN(meshgrid_bad_calls), RUN(one_hot_of_every_dtype_and_layout), RUN(one_hot_over_its_own_index),
          RUN(one_hot_of_nothing), RUN(one_hot_bad_calls))
