/* tsr_copy, tsr_cast, tsr_clone: layouts, states of the output, overlap. */
#include "support/helpers.h"
#include "support/test.h"

static test_buffer buffer, other, before, want;

static bool same_shape(const test_layout *a, const test_layout *b) {
  return a->ndim == b->ndim && memcmp(a->shape, b->shape, sizeof *a->shape * (size_t)a->ndim) == 0;
}

/* ---- layouts and dtypes ---- */

TEST(copy_into_empty_outputs) {
  test_rng rng = {21};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int i = 0; i < test_layout_count(); i++) {
      tsr_ctx *const ctx = test_context();
      test_buffer_random(&buffer, &rng);
      tsr_tensor in = test_over(&buffer, dtype, test_layout_at(i)), out = {0}, clone = {0};
      in.layout = TSR_NCHW, in.flags = TSR_READONLY, in.name = "in";
      OK(ctx, tsr_copy(ctx, &in, &out));
      CHECK(test_same_elements(&in, &out) && tsr_is_contiguous(&out, TSR_ROW_MAJOR) && test_is_tidy(&out));
      CHECK(out.name == NULL && (out.flags & TSR_READONLY) == 0);
      OK(ctx, tsr_clone(ctx, &in, &clone));
      CHECK(test_same_elements(&in, &clone) && tsr_is_contiguous(&clone, TSR_MEMORY) && clone.layout == TSR_NCHW);
      if (tsr_is_contiguous(&in, TSR_FORTRAN)) CHECK(tsr_is_contiguous(&clone, TSR_FORTRAN));
      if (tsr_is_contiguous(&in, TSR_COL_MAJOR)) CHECK(tsr_is_contiguous(&clone, TSR_COL_MAJOR));
      tsr_release(&out);
      tsr_release(&clone);
      CHECK(test_live() == 0);
    }
}

TEST(copy_between_layouts_of_one_shape) {
  test_rng rng = {22};
  int pairs = 0;
  for (int i = 0; i < test_layout_count(); i++)
    for (int j = 0; j < test_layout_count(); j++)
      for (int dtype = TSR_U8; dtype <= TSR_C128; dtype++) {
        tsr_ctx *const ctx = test_context();
        if (!same_shape(test_layout_at(i), test_layout_at(j))) continue;
        test_buffer_random(&buffer, &rng);
        test_buffer_random(&other, &rng);
        const tsr_tensor in = test_over(&buffer, dtype, test_layout_at(i));
        tsr_tensor out = test_over(&other, dtype, test_layout_at(j));
        const bool refused = test_layout_at(j)->overlaps;
        before = other;
        FAILS(ctx, refused ? TSR_EOVERLAP : TSR_OK, tsr_copy(ctx, &in, &out));
        CHECK(refused ? memcmp(&other, &before, sizeof other) == 0 : test_same_elements(&in, &out));
        CHECK(test_live() == 0);
        pairs++;
      }
  CHECK(pairs > 500);
}

TEST(cast_of_every_pair) {
  for (int from = 1; from < TSR_DTYPE_COUNT; from++)
    for (int to = 1; to < TSR_DTYPE_COUNT; to++)
      for (int i = 6; i < test_layout_count(); i += 3) {
        tsr_ctx *const ctx = test_context();
        const bool complex_from = from == TSR_C64 || from == TSR_C128, complex_to = to == TSR_C64 || to == TSR_C128;
        const bool works = from == to || (tsr_dtype_supported(from) && tsr_dtype_supported(to) &&
                                          (!complex_from || complex_to || to == TSR_BOOL));
        test_buffer_number(&buffer, from);
        const tsr_tensor in = test_over(&buffer, from, test_layout_at(i));
        tsr_tensor out = {0}, given = {0};
        FAILS(ctx, works ? TSR_OK : TSR_EDTYPE, tsr_cast(ctx, &in, to, &out));
        if (!works) {
          CHECK(tsr_is_none(&out));
          MESSAGE_HAS(ctx, "cast: ");
          continue;
        }
        tsr_index index[TSR_MAX_DIMS] = {0};
        bool right = out.dtype == to && tsr_same_shape(&in, &out) && tsr_is_contiguous(&out, TSR_MEMORY);
        if (tsr_size(&in) > 0) {
          do {
            const double x = test_decode(from, test_at(&in, index)), y = test_decode(to, test_at(&out, index));
            right = right && y == (to == TSR_BOOL ? x != 0 : x);
          } while (test_next_index(in.ndim, in.shape, index));
        }
        CHECK(right);
        OK(ctx, tsr_desc_init_ordered(ctx, to, in.ndim, in.shape, TSR_FORTRAN, &given));
        OK(ctx, tsr_copy(ctx, &in, &given)); /* copy converts to what is described, and to what is given */
        CHECK(test_same_elements(&out, &given) && tsr_is_contiguous(&given, TSR_FORTRAN));
        OK(ctx, tsr_copy(ctx, &in, &given));
        CHECK(test_same_elements(&out, &given));
        tsr_release(&out);
        tsr_release(&given);
        CHECK(test_live() == 0);
      }
}

/* ---- overlap ---- */

typedef struct span {
  tsr_index start, length, step;
} span;

static tsr_tensor part_of(test_buffer *b, int dtype, const span *s) {
  return (tsr_tensor){.dtype = (uint8_t)dtype,
                      .ndim = 1,
                      .shape = {s->length},
                      .stride = {s->step},
                      .data = b->bytes + (size_t)s->start * tsr_dtype_size(dtype)};
}

static int spans_in(tsr_index size, span *spans, int capacity) {
  int n = 0;
  for (tsr_index step = -3; step <= 3; step++)
    for (tsr_index start = 0; start < size; start++)
      for (tsr_index length = 1; length <= size; length++) {
        const tsr_index last = start + (length - 1) * step;
        if (last < 0 || last >= size || (step == 0 && length > 3)) continue;
        if (n < capacity) spans[n++] = (span){start, length, step};
      }
  return n;
}

/* Every pair of strided parts of a small buffer: the result is that of copying through another buffer. */
static void check_overlap(tsr_ctx *ctx, int from, int to, tsr_index from_size, tsr_index to_size) {
  static span sources[200], targets[200];
  const int ns = spans_in(from_size, sources, COUNT_OF(sources)), nt = spans_in(to_size, targets, COUNT_OF(targets));
  for (int i = 0; i < ns; i++)
    for (int j = 0; j < nt; j++) {
      if (sources[i].length != targets[j].length || (targets[j].step == 0 && targets[j].length > 1)) continue;
      test_buffer_number(&buffer, from);
      before = want = buffer;
      const tsr_tensor in = part_of(&buffer, from, &sources[i]), old = part_of(&before, from, &sources[i]);
      tsr_tensor out = part_of(&buffer, to, &targets[j]), apart = part_of(&want, to, &targets[j]);
      OK(ctx, tsr_copy(ctx, &old, &apart));
      OK(ctx, tsr_copy(ctx, &in, &out));
      const bool right = memcmp(buffer.bytes, want.bytes, 64) == 0;
      CHECK(right);
      if (!right)
        printf("  %s from %d by %d to %s from %d by %d, %d elements\n", tsr_dtype_name(from), (int)sources[i].start,
               (int)sources[i].step, tsr_dtype_name(to), (int)targets[j].start, (int)targets[j].step,
               (int)sources[i].length);
    }
}

TEST(overlap_of_one_dtype) {
  tsr_ctx *const ctx = test_context();
  check_overlap(ctx, TSR_U8, TSR_U8, 7, 7);
  check_overlap(ctx, TSR_I32, TSR_I32, 6, 6);
  CHECK(test_live() == 0);
}

TEST(overlap_of_two_dtypes) {
  tsr_ctx *const ctx = test_context();
  check_overlap(ctx, TSR_I16, TSR_U8, 5, 8);
  check_overlap(ctx, TSR_U8, TSR_I16, 8, 5);
  check_overlap(ctx, TSR_I32, TSR_F32, 6, 6);
  check_overlap(ctx, TSR_I32, TSR_I16, 4, 7);
  check_overlap(ctx, TSR_I16, TSR_I64, 8, 3);
  CHECK(test_live() == 0);
}

TEST(overlap_of_matrices) {
  test_rng rng = {23};
  for (int i = 0; i < test_layout_count(); i++)
    for (int j = 0; j < test_layout_count(); j++)
      for (tsr_index shift = -2; shift <= 3; shift++) {
        tsr_ctx *const ctx = test_context();
        const test_layout *const a = test_layout_at(i), *const b = test_layout_at(j);
        if (!same_shape(a, b) || b->overlaps) continue;
        test_buffer_random(&buffer, &rng);
        before = want = buffer;
        tsr_tensor in = test_over(&buffer, TSR_I16, a), old = test_over(&before, TSR_I16, a);
        tsr_tensor out = test_over(&buffer, TSR_I16, b), apart = test_over(&want, TSR_I16, b);
        in.data = (int16_t *)in.data + 8; /* room on both sides */
        old.data = (int16_t *)old.data + 8;
        out.data = (int16_t *)out.data + 8 + shift;
        apart.data = (int16_t *)apart.data + 8 + shift;
        OK(ctx, tsr_copy(ctx, &old, &apart));
        OK(ctx, tsr_copy(ctx, &in, &out));
        CHECK(memcmp(&buffer, &want, sizeof want) == 0);
        CHECK(test_live() == 0);
      }
}

TEST(overlap_without_memory_changes_nothing) {
  tsr_ctx *const ctx = test_context();
  const span from = {0, 6, 1}, to = {1, 6, 1};
  test_buffer_number(&buffer, TSR_I32);
  before = buffer;
  const tsr_tensor in = part_of(&buffer, TSR_I32, &from);
  tsr_tensor out = part_of(&buffer, TSR_I32, &to);
  test_failing()->fail_at = 0;
  FAILS(ctx, TSR_ENOMEM, tsr_copy(ctx, &in, &out));
  MESSAGE_HAS(ctx, "copy: no memory for 24 temporary bytes");
  CHECK(memcmp(&buffer, &before, sizeof buffer) == 0);
  FAILS(ctx, TSR_OK, tsr_copy(ctx, &in, &out));
}

TEST(in_place_is_free) {
  tsr_ctx *const ctx = test_context();
  test_buffer_number(&buffer, TSR_I32);
  tsr_tensor t = test_over(&buffer, TSR_I32, test_layout_at(8)), f = {0};
  test_failing()->fail_at = 0;
  test_failing()->sticky = true;
  OK(ctx, tsr_copy(ctx, &t, &t));
  OK(ctx, tsr_clone(ctx, &t, &t));
  OK(ctx, tsr_cast(ctx, &t, TSR_I32, &t));
  OK(ctx, tsr_bitcast(ctx, &t, TSR_F32, &f));
  OK(ctx, tsr_copy(ctx, &t, &f)); /* converted in place: the same elements, of the same size */
  for (int i = 0; i < 12; i++) CHECK(((float *)buffer.bytes)[i] == (float)(i % 8));
  FAILS(ctx, TSR_EDTYPE, tsr_cast(ctx, &f, TSR_I32, &f));
  CHECK(test_failing()->calls == 0);
}

/* ---- states of the output ---- */

TEST(wrong_outputs) {
  tsr_ctx *const ctx = test_context();
  const tsr_tensor in = test_over(&buffer, TSR_I32, test_layout_at(6));
  tsr_tensor rows[6];
  static const tsr_status wanted[6] = {TSR_ESHAPE, TSR_ESHAPE, TSR_EREADONLY, TSR_EALIGN, TSR_EDTYPE, TSR_ESTRIDE};
  for (int i = 0; i < 6; i++) rows[i] = test_over(&other, TSR_I32, test_layout_at(6));
  rows[0].shape[1] = 3;
  rows[1].ndim = 3;
  rows[2].flags = TSR_READONLY;
  rows[3].data = (char *)rows[3].data + 1;
  rows[4].dtype = 77;
  rows[5].data = NULL, rows[5].stride[1] = 3;
  for (int i = 0; i < 6; i++) {
    const tsr_tensor handle = rows[i];
    before = other;
    FAILS(ctx, wanted[i], tsr_copy(ctx, &in, &rows[i]));
    MESSAGE_HAS(ctx, "copy: ");
    if (i != 4) FAILS(ctx, wanted[i], tsr_cast(ctx, &in, TSR_I32, &rows[i]));
    if (i != 4) FAILS(ctx, wanted[i], tsr_clone(ctx, &in, &rows[i]));
    CHECK(memcmp(&rows[i], &handle, sizeof handle) == 0 && memcmp(&other, &before, sizeof other) == 0);
  }
  tsr_tensor f = test_over(&other, TSR_F32, test_layout_at(6)), out = {0}, empty = {0};
  FAILS(ctx, TSR_EDTYPE, tsr_clone(ctx, &in, &f)); /* only copy and cast convert */
  FAILS(ctx, TSR_EDTYPE, tsr_cast(ctx, &in, TSR_I16, &f));
  MESSAGE_HAS(ctx, "cast: out is f32 [3,4], the result is i16 [3,4]");
  OK(ctx, tsr_cast(ctx, &in, TSR_F32, &f));
  FAILS(ctx, TSR_EDTYPE, tsr_cast(ctx, &in, 0, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_cast(ctx, &in, 1000, &out));
  FAILS(ctx, TSR_EARG, tsr_copy(ctx, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_copy(ctx, &in, NULL));
  FAILS(ctx, TSR_EARG, tsr_cast(ctx, &in, TSR_F32, NULL));
  FAILS(ctx, TSR_EARG, tsr_clone(ctx, &in, NULL));
  FAILS(ctx, TSR_ESTATE, tsr_copy(ctx, &empty, &out));
  /* outputs that no check has seen yet */
  tsr_tensor huge = {.dtype = TSR_F32, .ndim = 2, .shape = {TSR_INDEX_MAX, TSR_INDEX_MAX}};
  FAILS(ctx, TSR_ESHAPE, tsr_copy(ctx, &in, &huge));
  tsr_tensor rank = {.dtype = TSR_F32, .ndim = 200};
  FAILS(ctx, TSR_ESHAPE, tsr_copy(ctx, &in, &rank));
  CHECK(tsr_is_none(&out) && test_live() == 0);
}

TEST(zero_size_outputs_count_as_given) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor in = {0}, out = {0}, by_hand = {.dtype = TSR_I16, .ndim = 2, .shape = {3, 0}};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3, 0), &in));
  CHECK(in.data == NULL && tsr_size(&in) == 0);
  OK(ctx, tsr_copy(ctx, &in, &out));
  OK(ctx, tsr_copy(ctx, &in, &out));
  OK(ctx, tsr_copy(ctx, &in, &by_hand));
  FAILS(ctx, TSR_EDTYPE, tsr_clone(ctx, &in, &by_hand));
  tsr_tensor other_shape = {.dtype = TSR_F32, .ndim = 2, .shape = {0, 3}};
  FAILS(ctx, TSR_ESHAPE, tsr_copy(ctx, &in, &other_shape));
  other_shape = out;
  other_shape.flags = TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, tsr_copy(ctx, &in, &other_shape));
  CHECK(test_live() == 0);
}

TEST(long_rows_cross_blocks) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, y = {0}, back = {0};
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, -1000, 1000, 1, &x));
  OK(ctx, tsr_slice(ctx, &x, 0, TSR_OMIT, TSR_OMIT, -1, &x));
  OK(ctx, tsr_cast(ctx, &x, TSR_F32, &y));
  OK(ctx, tsr_cast(ctx, &y, TSR_I32, &back));
  CHECK(test_same_elements(&x, &back) && TSR_AT(float, &y, 0) == 999);
  tsr_release(&x);
  tsr_release(&y);
  tsr_release(&back);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(copy_into_empty_outputs), RUN(copy_between_layouts_of_one_shape), RUN(cast_of_every_pair),
          RUN(overlap_of_one_dtype), RUN(overlap_of_two_dtypes), RUN(overlap_of_matrices),
          RUN(overlap_without_memory_changes_nothing), RUN(in_place_is_free), RUN(wrong_outputs),
          RUN(zero_size_outputs_count_as_given), RUN(long_rows_cross_blocks))
