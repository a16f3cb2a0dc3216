/* Views with other strides, shapes, dtypes and tags over the same memory; sizes beyond all memory, and none. */
#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffer;

/* ---- any strides ---- */

TEST(as_strided_stays_in_the_storage) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, middle = {0};
  tsr_storage *sub = NULL;
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, 0, 24, 1, &t));
  OK(ctx, tsr_storage_sub(ctx, t.storage, 5 * 4, 10 * 4, &sub));
  OK(ctx, tsr_from_storage(ctx, sub, 2 * 4, TSR_I32, TSR_SHAPE(4), NULL, &middle));
  tsr_storage_release(sub);
  test_rng rng = {99};
  int inside = 0, outside = 0;
  for (int round = 0; round < 4000; round++) {
    const bool part = round % 2 != 0;
    const tsr_tensor *const in = part ? &middle : &t;
    const tsr_index low = part ? -2 : 0, high = part ? 7 : 23; /* elements of the storage, from the tensor's first */
    const int ndim = (int)test_between(&rng, 0, 3);
    tsr_index shape[3], stride[3], first = test_between(&rng, low - 2, high + 2), least = first, most = first, size = 1;
    for (int i = 0; i < ndim; i++) {
      shape[i] = test_between(&rng, round % 20 == 0 ? 0 : 1, 4);
      stride[i] = test_between(&rng, -7, 7);
      size *= shape[i];
      if (shape[i] > 0) *(stride[i] < 0 ? &least : &most) += (shape[i] - 1) * stride[i];
    }
    tsr_tensor v = {0};
    const tsr_tensor before = v;
    const bool fits = size == 0 ? first >= low && first <= high + 1 : least >= low && most <= high;
    FAILS(ctx, fits ? TSR_OK : TSR_ECAPACITY, tsr_as_strided(ctx, in, ndim, shape, stride, first, &v));
    inside += fits;
    outside += !fits;
    if (!fits) CHECK(memcmp(&v, &before, sizeof v) == 0);
    if (!fits || size == 0) continue;
    tsr_index index[3] = {0};
    do {
      tsr_index at = first + (part ? 7 : 0);
      for (int i = 0; i < ndim; i++) at += index[i] * stride[i];
      CHECK(*(int32_t *)test_at(&v, index) == at);
    } while (test_next_index(ndim, shape, index));
    CHECK(test_is_tidy(&v) && v.layout == TSR_PLAIN);
  }
  CHECK(inside > 500 && outside > 500);
  tsr_release(&middle);
  tsr_release(&t);
  CHECK(test_live() == 0);
}

TEST(as_strided_over_borrowed_memory_keeps_to_its_extent) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = test_over(&buffer, TSR_I32, test_layout_at(10)), v = {0}; /* rows from the last: 8, 4, 0 */
  OK(ctx, tsr_as_strided(ctx, &t, TSR_SHAPE(12), (const tsr_index[]){1}, -8, &v));
  CHECK(v.data == buffer.bytes && v.shape[0] == 12);
  FAILS(ctx, TSR_ECAPACITY, tsr_as_strided(ctx, &t, TSR_SHAPE(13), (const tsr_index[]){1}, -8, &v));
  FAILS(ctx, TSR_ECAPACITY, tsr_as_strided(ctx, &t, TSR_SHAPE(12), (const tsr_index[]){1}, -9, &v));
  FAILS(ctx, TSR_ECAPACITY, tsr_as_strided(ctx, &t, TSR_SHAPE(12), (const tsr_index[]){1}, -7, &v));
  FAILS(ctx, TSR_ECAPACITY, tsr_as_strided(ctx, &t, TSR_SHAPE(2), (const tsr_index[]){-1}, -8, &v));
  MESSAGE_HAS(ctx, "as_strided");
}

TEST(as_strided_refuses_what_wraps) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = test_over(&buffer, TSR_I32, test_layout_at(6)), v = {0};
  static const tsr_index extremes[] = {TSR_INDEX_MAX,         TSR_INDEX_MIN,     TSR_INDEX_MAX / 2, TSR_INDEX_MIN / 2,
                                       TSR_INDEX_MAX / 4 + 1, TSR_INDEX_MIN / 4, TSR_INDEX_MAX / 8};
  for (int i = 0; i < COUNT_OF(extremes); i++) {
    for (tsr_index length = 2; length <= 5; length++) {
      const tsr_status st = tsr_as_strided(ctx, &t, TSR_SHAPE(length), &extremes[i], 0, &v);
      CHECK(st == TSR_ECAPACITY || st == TSR_EOVERFLOW);
    }
    FAILS(ctx, TSR_ECAPACITY, tsr_as_strided(ctx, &t, TEST_SCALAR, (const tsr_index[]){0}, extremes[i], &v));
    OK(ctx, tsr_as_strided(ctx, &t, TSR_SHAPE(1), &extremes[i], 0, &(tsr_tensor){0}));
  }
  FAILS(ctx, TSR_EARG, tsr_as_strided(ctx, &t, TSR_SHAPE(2), NULL, 0, &v));
  FAILS(ctx, TSR_EARG, tsr_as_strided(ctx, &t, 2, NULL, (const tsr_index[]){1, 1}, 0, &v));
  FAILS(ctx, TSR_ESHAPE, tsr_as_strided(ctx, &t, TSR_SHAPE(-1), (const tsr_index[]){1}, 0, &v));
  FAILS(ctx, TSR_ESHAPE, tsr_as_strided(ctx, &t, TSR_MAX_DIMS + 1, t.shape, t.stride, 0, &v));
  FAILS(ctx, TSR_EOVERFLOW, tsr_as_strided(ctx, &t, TSR_SHAPE(TSR_INDEX_MAX, 2), (const tsr_index[]){0, 0}, 0, &v));
  CHECK(tsr_is_none(&v));
}

TEST(rank_0_needs_no_arrays) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = test_over(&buffer, TSR_I32, test_layout_at(0)), v = {0};
  OK(ctx, tsr_as_strided(ctx, &t, 0, NULL, NULL, 0, &v));
  CHECK(v.ndim == 0 && v.data == t.data);
  OK(ctx, tsr_broadcast_to(ctx, &t, 0, NULL, &v));
  OK(ctx, tsr_reshape_view(ctx, &t, 0, NULL, &v));
  OK(ctx, tsr_permute(ctx, &t, NULL, &v));
  CHECK(v.ndim == 0 && v.data == t.data && test_is_tidy(&v));
  t = test_over(&buffer, TSR_I32, test_layout_at(6));
  FAILS(ctx, TSR_EARG, tsr_permute(ctx, &t, NULL, &v));
  FAILS(ctx, TSR_EARG, tsr_broadcast_to(ctx, &t, 2, NULL, &v));
  FAILS(ctx, TSR_EARG, tsr_reshape_view(ctx, &t, 2, NULL, &v));
  FAILS(ctx, TSR_ESHAPE, tsr_reshape_view(ctx, &t, -1, t.shape, &v));
  FAILS(ctx, TSR_ESHAPE, tsr_reshape_view(ctx, &t, TSR_MAX_DIMS + 1, t.shape, &v));
  FAILS(ctx, TSR_ESHAPE, tsr_broadcast_to(ctx, &t, -1, t.shape, &v));
  t = test_over(&buffer, TSR_I32, test_layout_at(21));
  FAILS(ctx, TSR_EARG, tsr_mat(ctx, &t, 1, NULL, &v));
}

/* ---- many elements, none, and both ---- */

TEST(broadcasts_beyond_2_to_the_31) {
#if TSR_INDEX_BITS == 64
  tsr_ctx *const ctx = test_context();
  int32_t values[3] = {10, 11, 12}, few[4];
  tsr_tensor t = {0}, big = {0}, v = {0}, out = {0};
  const tsr_index huge = (tsr_index)1 << 40;
  OK(ctx, tsr_from_memory(ctx, values, TSR_I32, TSR_SHAPE(3), &t));
  OK(ctx, tsr_broadcast_to(ctx, &t, TSR_SHAPE(huge, 3), &big));
  CHECK(tsr_size(&big) == 3 * huge);
  CHECK(TSR_AT(int32_t, &big, huge - 1, 2) == 12);
  OK(ctx, tsr_slice(ctx, &big, 0, huge - 2, TSR_OMIT, 1, &v));
  OK(ctx, tsr_slice(ctx, &v, 1, TSR_OMIT, TSR_OMIT, -2, &v));
  OK(ctx, tsr_copy(ctx, &v, &out));
  OK(ctx, tsr_to_array(ctx, &out, TSR_ROW_MAJOR, 4, few));
  CHECK(few[0] == 12 && few[1] == 10 && few[2] == 12 && few[3] == 10);
  tsr_release(&out);
  tsr_real value = 0;
  OK(ctx, tsr_get(ctx, &big, TSR_INDEX(-huge, 1), &value));
  CHECK(value == 11);
  OK(ctx, tsr_get_flat(ctx, &big, 3 * huge - 1, TSR_ROW_MAJOR, &value));
  CHECK(value == 12);
  FAILS(ctx, TSR_EINDEX, tsr_get_flat(ctx, &big, 3 * huge, TSR_ROW_MAJOR, &value));
  OK(ctx, tsr_reshape_view(ctx, &big, TSR_SHAPE(huge / 2, 2, 3), &v));
  FAILS(ctx, TSR_ESTRIDE, tsr_flatten_view(ctx, &big, &v));
  FAILS(ctx, TSR_EOVERFLOW, tsr_broadcast_to(ctx, &t, TSR_SHAPE(huge, huge, 3), &v));
  FAILS(ctx, TSR_EOVERFLOW, tsr_broadcast_to(ctx, &t, TSR_SHAPE((tsr_index)1 << 31, (tsr_index)1 << 33, 3), &v));
#else
  SKIP("indices of 32 bits");
#endif
}

/* A copy of more bytes than there are is a status, not a wrap. */
TEST(copies_of_huge_broadcasts_are_refused) {
  tsr_ctx *const ctx = test_context();
  double value[2] = {1, 2};
  tsr_tensor t = {0}, big = {0}, out = {0}, described = {0};
  OK(ctx, tsr_from_memory(ctx, value, TSR_F64, TSR_SHAPE(1), &t));
  OK(ctx, tsr_broadcast_to(ctx, &t, TSR_SHAPE(TSR_INDEX_MAX), &big));
  const tsr_status too_large = sizeof(ptrdiff_t) * 8 > TSR_INDEX_BITS ? TSR_ENOMEM : TSR_EOVERFLOW;
  FAILS(ctx, too_large, tsr_copy(ctx, &big, &out));
  FAILS(ctx, too_large, tsr_clone(ctx, &big, &out));
  FAILS(ctx, too_large, tsr_contiguous(ctx, &big, &out));
  FAILS(ctx, too_large, tsr_zeros_like(ctx, &big, &out));
  OK(ctx, tsr_flatten(ctx, &big, TSR_ROW_MAJOR, &out)); /* a view */
  tsr_release(&out);
  const tsr_status onto_itself = tsr_copy(ctx, &big, &big);
  CHECK(onto_itself == TSR_EOVERLAP || onto_itself == too_large);
  FAILS(ctx, TSR_EOVERFLOW, tsr_sliding_window(ctx, &big, 0, TSR_INDEX_MAX / 2, 1, &described));
  FAILS(ctx, TSR_ESTRIDE, tsr_bitcast(ctx, &big, TSR_U8, &described));
  CHECK(tsr_is_none(&out) && tsr_is_none(&described) && test_live() == 0);
}

TEST(zero_size_with_huge_dimensions) {
  tsr_ctx *const ctx = test_context();
  const tsr_index huge = TSR_INDEX_BITS == 64 ? (tsr_index)1 << (TSR_INDEX_BITS / 2 - 1) : 30000;
  tsr_tensor t = {0}, v = {0}, out = {0};
  double place = 0;
  OK(ctx, tsr_from_memory(ctx, &place, TSR_F64, TSR_SHAPE(0, huge, huge), &t));
  OK(ctx, tsr_select(ctx, &t, 1, huge - 1, &v));
  OK(ctx, tsr_slice(ctx, &t, 1, -1, TSR_OMIT, -1, &v));
  OK(ctx, tsr_flip(ctx, &t, 1, &v));
  OK(ctx, tsr_narrow(ctx, &t, 2, huge - 1, 1, &v));
  OK(ctx, tsr_diagonal(ctx, &t, huge - 1, 1, 2, &v));
  OK(ctx, tsr_copy(ctx, &t, &out));
  CHECK(tsr_size(&out) == 0 && out.ndim == 3 && out.shape[1] == huge);
  OK(ctx, tsr_zeros_like(ctx, &t, &out)); /* zero-size counts as given */
  tsr_release(&out);
  t.dtype = TSR_C128; /* as bytes, offsets between indices that do not exist may leave the address space */
  OK(ctx, tsr_select(ctx, &t, 1, huge - 1, &v));
  OK(ctx, tsr_flip(ctx, &t, 1, &v));
  OK(ctx, tsr_slice(ctx, &t, 1, -1, TSR_OMIT, 1, &v));
  CHECK(test_live() == 0);
}

/* ---- other dtypes ---- */

TEST(bitcast_of_every_pair) {
  tsr_ctx *const ctx = test_context();
  for (int from = 1; from < TSR_DTYPE_COUNT; from++)
    for (int to = 1; to < TSR_DTYPE_COUNT; to++) {
      const tsr_index a = (tsr_index)tsr_dtype_size(from), b = (tsr_index)tsr_dtype_size(to);
      tsr_tensor t = {0}, v = {0};
      OK(ctx, tsr_from_memory(ctx, buffer.bytes, from, TSR_SHAPE(2, 2, 4), &t));
      t.layout = TSR_NCL;
      const bool whole = 4 * a % b == 0;
      const tsr_status st = tsr_bitcast(ctx, &t, to, &v);
      CHECK(whole ? st == TSR_OK : st == TSR_ESTRIDE || st == TSR_ESHAPE);
      if (!whole) continue;
      CHECK(v.dtype == to && v.shape[0] == 2 && v.shape[1] == 2 && v.shape[2] == 4 * a / b && v.data == t.data);
      CHECK(v.stride[0] == 8 * a / b && v.stride[1] == 4 * a / b && v.stride[2] == 1);
      CHECK(v.layout == (a == b ? TSR_NCL : TSR_PLAIN));
    }
}

TEST(bitcast_refuses) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, v = {0};
  OK(ctx, tsr_from_memory(ctx, buffer.bytes, TSR_I16, TSR_SHAPE(4, 6), &t));
  FAILS(ctx, TSR_ESHAPE, tsr_bitcast(ctx, &t, TSR_I64, &v)); /* six are not a whole number of fours */
  tsr_tensor row = {0};
  OK(ctx, tsr_select(ctx, &t, 0, 0, &row));
  FAILS(ctx, TSR_ESHAPE, tsr_bitcast(ctx, &row, TSR_I64, &v));
  tsr_tensor odd = {0}, turned = {0}, scalar = {0}, skewed = {0}, single = {0};
  OK(ctx, tsr_from_memory(ctx, buffer.bytes, TSR_I16, TSR_SHAPE(4, 3), &odd));
  OK(ctx, tsr_slice(ctx, &odd, 1, 0, 2, 1, &odd)); /* rows of 2, 3 apart */
  FAILS(ctx, TSR_ESTRIDE, tsr_bitcast(ctx, &odd, TSR_I32, &v));
  OK(ctx, tsr_narrow(ctx, &odd, 0, 0, 1, &single)); /* one row: its stride does not matter */
  OK(ctx, tsr_bitcast(ctx, &single, TSR_I32, &v));
  OK(ctx, tsr_transpose(ctx, &t, 0, 1, &turned));
  FAILS(ctx, TSR_ESTRIDE, tsr_bitcast(ctx, &turned, TSR_I8, &v));
  FAILS(ctx, TSR_ESTRIDE, tsr_bitcast(ctx, &turned, TSR_I32, &v));
  memset(&v, 0, sizeof v);
  OK(ctx, tsr_bitcast(ctx, &turned, TSR_F16, &v));
  CHECK(v.stride[0] == 1 && v.stride[1] == 6);
  OK(ctx, tsr_from_memory(ctx, buffer.bytes, TSR_I16, TEST_SCALAR, &scalar));
  FAILS(ctx, TSR_ESTRIDE, tsr_bitcast(ctx, &scalar, TSR_I8, &v));
  OK(ctx, tsr_bitcast(ctx, &scalar, TSR_U16, &v));
  OK(ctx, tsr_from_memory(ctx, buffer.bytes + 2, TSR_I16, TSR_SHAPE(2), &skewed));
  memset(&v, 0, sizeof v);
  FAILS(ctx, TSR_EALIGN, tsr_bitcast(ctx, &skewed, TSR_I32, &v));
  FAILS(ctx, TSR_EDTYPE, tsr_bitcast(ctx, &t, TSR_NONE, &v));
  FAILS(ctx, TSR_EDTYPE, tsr_bitcast(ctx, &t, 300, &v));
  CHECK(tsr_is_none(&v));
  tsr_tensor broadcast = {0};
  OK(ctx, tsr_broadcast_to(ctx, &t, TSR_SHAPE(TSR_INDEX_MAX / 24, 4, 6), &broadcast));
  FAILS(ctx, TSR_EOVERFLOW, tsr_bitcast(ctx, &broadcast, TSR_I8, &v));
}

TEST(bitcast_runs_backwards_too) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, v = {0};
  OK(ctx, tsr_from_memory(ctx, buffer.bytes, TSR_I32, TSR_SHAPE(3, 4), &t));
  OK(ctx, tsr_flip(ctx, &t, 0, &t));
  OK(ctx, tsr_bitcast(ctx, &t, TSR_U8, &v));
  CHECK(v.stride[0] == -16 && v.shape[1] == 16 && v.data == buffer.bytes + 32);
  OK(ctx, tsr_bitcast(ctx, &t, TSR_C64, &v));
  CHECK(v.stride[0] == -2 && v.shape[1] == 2);
}

TEST(parts_of_complex_numbers) {
  tsr_ctx *const ctx = test_context();
  float values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  tsr_tensor t = {0}, v = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_C64, TSR_SHAPE(2, 2), &t));
  OK(ctx, tsr_flip(ctx, &t, 1, &t));
  t.layout = TSR_NC;
  for (int part = 0; part < 2; part++) {
    OK(ctx, tsr_complex_part(ctx, &t, part, &v));
    CHECK(v.dtype == TSR_F32 && v.layout == TSR_NC && test_is_tidy(&v));
    for (tsr_index i = 0; i < 2; i++)
      for (tsr_index j = 0; j < 2; j++) CHECK(TSR_AT(float, &v, i, j) == (float)(4 * i + 2 * (1 - j) + part));
  }
  const tsr_tensor before = v;
  FAILS(ctx, TSR_EARG, tsr_complex_part(ctx, &t, 2, &v));
  FAILS(ctx, TSR_EARG, tsr_complex_part(ctx, &t, -1, &v));
  FAILS(ctx, TSR_EDTYPE, tsr_complex_part(ctx, &v, 0, &v));
  CHECK(memcmp(&v, &before, sizeof v) == 0);
  double wide[2] = {0};
  OK(ctx, tsr_from_memory(ctx, wide, TSR_C128, TEST_SCALAR, &t));
  OK(ctx, tsr_complex_part(ctx, &t, 1, &v));
  CHECK(v.dtype == TSR_F64 && v.data == &wide[1]);
  tsr_tensor far = {.dtype = TSR_C64, .ndim = 1, .shape = {2}, .stride = {TSR_INDEX_MAX / 2 + 1}, .data = values};
  FAILS(ctx, TSR_EOVERFLOW, tsr_complex_part(ctx, &far, 0, &v));
}

/* ---- layouts ---- */

TEST(to_layout_view_permutes_by_letters) {
  tsr_ctx *const ctx = test_context();
  for (int from = 1; from < TSR_LAYOUT_COUNT; from++)
    for (int to = 0; to < TSR_LAYOUT_COUNT; to++) {
      const int rank = tsr_layout_rank(from);
      const bool blocked = from == TSR_NC4HW || from == TSR_NC8HW || to == TSR_NC4HW || to == TSR_NC8HW;
      if (rank > TSR_MAX_DIMS) continue;
      static const tsr_index shape[8] = {2, 3, 1, 4, 2, 1, 1, 1};
      tsr_tensor t = {0}, v = {0};
      OK(ctx, tsr_from_memory(ctx, buffer.bytes, TSR_U8, rank, shape, &t));
      t.layout = (uint8_t)from;
      bool same_letters = to != TSR_PLAIN && tsr_layout_rank(to) == rank;
      for (const char *c = "NCLDHWOIc"; *c != '\0'; c++)
        same_letters = same_letters && (tsr_layout_axis(from, *c) >= 0) == (tsr_layout_axis(to, *c) >= 0);
      const bool works = same_letters && (!blocked || from == to);
      FAILS(ctx, works ? TSR_OK : TSR_ELAYOUT, tsr_to_layout_view(ctx, &t, to, &v));
      CHECK(works || tsr_is_none(&v));
      if (!works) continue;
      CHECK(v.layout == to && v.data == t.data);
      for (const char *c = "NCLDHWOIc"; *c != '\0'; c++) {
        const int a = tsr_layout_axis(from, *c), b = tsr_layout_axis(to, *c);
        if (a >= 0) CHECK(v.shape[b] == t.shape[a] && v.stride[b] == t.stride[a]);
      }
      OK(ctx, tsr_to_layout_view(ctx, &t, to, &t));
      CHECK(t.layout == to && tsr_desc_equal(&t, &v));
    }
}

TEST(plain_tensors_count_as_their_rank_suggests) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, v = {0};
  OK(ctx, tsr_from_memory(ctx, buffer.bytes, TSR_U8, TSR_SHAPE(2, 3, 4, 5), &t));
  OK(ctx, tsr_to_layout_view(ctx, &t, TSR_NHWC, &v));
  CHECK(v.shape[3] == 3 && v.stride[3] == 20 && v.layout == TSR_NHWC);
  OK(ctx, tsr_to_layout_view(ctx, &v, TSR_AUTO, &v));
  CHECK(v.layout == TSR_NCHW && v.shape[1] == 3 && tsr_is_contiguous(&v, TSR_ROW_MAJOR));
  FAILS(ctx, TSR_ELAYOUT, tsr_to_layout_view(ctx, &t, TSR_OHWI, &v));
  MESSAGE_HAS(ctx, "OHWI");
  FAILS(ctx, TSR_ELAYOUT, tsr_to_layout_view(ctx, &t, 77, &v));
  FAILS(ctx, TSR_ELAYOUT, tsr_to_layout_view(ctx, &t, TSR_NC4HW, &v));
  MESSAGE_HAS(ctx, "NC4HW");
  FAILS(ctx, TSR_EARG, tsr_to_layout_view(ctx, NULL, TSR_NHWC, &v));
}

TEST_MAIN(RUN(as_strided_stays_in_the_storage), RUN(as_strided_over_borrowed_memory_keeps_to_its_extent),
          RUN(as_strided_refuses_what_wraps), RUN(rank_0_needs_no_arrays), RUN(broadcasts_beyond_2_to_the_31),
          RUN(copies_of_huge_broadcasts_are_refused), RUN(zero_size_with_huge_dimensions), RUN(bitcast_of_every_pair),
          RUN(bitcast_refuses), RUN(bitcast_runs_backwards_too), RUN(parts_of_complex_numbers),
          RUN(to_layout_view_permutes_by_letters), RUN(plain_tensors_count_as_their_rank_suggests))
