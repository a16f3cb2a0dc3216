/* Reductions: every op against naive references and NumPy, for every dtype, layout, set of axes and instruction set;
 * outputs;
 * failures. */
#include "support/test.h"

#include "ops/reduce_reference.h"

/* ---- every op, dtype, layout, set of axes ---- */

static void say(op which, int dtype, const char *layout, unsigned mask, double got, double want) {
  if (test_now.failures <= 20)
    printf("  %s of %s, %s, axes %x: %.9g instead of %.9g\n", op_names[which], tsr_dtype_name(dtype), layout, mask, got,
           want);
}

static void compare(op which, const tsr_tensor *x, unsigned mask, int ddof, const char *layout, const tsr_tensor *out) {
  static double list[TEST_ELEMENTS];
  tsr_index shape[TSR_MAX_DIMS], index[TSR_MAX_DIMS] = {0}, kept[TSR_MAX_DIMS] = {0};
  const int ndim = result_shape(x, mask, false, shape);
  const bool same_rank = out->ndim == x->ndim;
  if (test_product(ndim, shape) == 0) return;
  do {
    double scale;
    const tsr_index n = elements_of(x, mask, kept, list);
    double want = expected(which, list, n, ddof, &scale);
    if (which == PROD && precision(out->dtype) == 0) want = wrapped_product(list, n, out->dtype);
    for (int i = 0, at = 0; i < x->ndim; i++) {
      const bool gone = (mask >> i & 1) != 0;
      if (same_rank && ndim != out->ndim) index[i] = gone ? 0 : kept[at];
      if (!(same_rank && ndim != out->ndim) && !gone) index[at] = kept[at];
      at += !gone;
    }
    const double got = number_of(out->dtype, test_at(out, index));
    const bool close = is_close(out->dtype, got, want, scale);
    CHECK(close);
    if (!close) say(which, x->dtype, layout, mask, got, want);
  } while (test_next_index(ndim, shape, kept));
}

static void check_op(tsr_ctx *ctx, op which, const tsr_tensor *x, unsigned mask, bool keepdims, const char *layout) {
  int axes[TSR_MAX_DIMS];
  tsr_index shape[TSR_MAX_DIMS];
  tsr_tensor out = {0};
  const int naxes = axes_of(mask, x->ndim, axes), ndim = result_shape(x, mask, keepdims, shape);
  const int ddof = which == VAR || which == STD ? (int)(mask & 1) : 0;
  if ((which == MIN || which == MAX) && reduced_count(x, mask) == 0) {
    FAILS(ctx, TSR_ESHAPE, call(which, ctx, x, naxes, axes, keepdims, ddof, &out));
    CHECK(tsr_is_none(&out));
    return;
  }
  OK(ctx, call(which, ctx, x, naxes, axes, keepdims, ddof, &out));
  CHECK(out.dtype == result_dtype(which, x->dtype) && out.ndim == ndim);
  for (int i = 0; i < ndim && i < out.ndim; i++) CHECK(out.shape[i] == shape[i]);
  if (out.ndim == ndim) compare(which, x, mask, ddof, layout, &out);
  tsr_release(&out);
}

static void check_layouts(tsr_ctx *ctx, int dtype, test_rng *rng) {
  static test_buffer buffer;
  fill_small(ctx, &buffer, dtype, rng);
  for (int l = 0; l < test_layout_count(); l++) {
    const test_layout *const layout = test_layout_at(l);
    const tsr_tensor x = test_over(&buffer, dtype, layout);
    const unsigned sets = layout->ndim > 5 ? 1u << layout->ndim : 1u << layout->ndim, step = layout->ndim > 5 ? 37 : 1;
    for (unsigned mask = 0; mask < sets; mask += step)
      for (int which = 0; which < OPS; which++)
        check_op(ctx, (op)which, &x, mask, (mask + (unsigned)which + (unsigned)l) % 2 == 0, layout->name);
  }
}

TEST(every_op_dtype_layout_and_axes) {
  test_rng rng = {1};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
      if (!is_real(dtype)) continue;
      tsr_ctx *const ctx = test_context();
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      check_layouts(ctx, dtype, &rng);
      CHECK(test_live() == 0);
    }
}

TEST(axes_from_the_end_and_none) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, a = {0}, b = {0};
  const int back[2] = {-1, -3}, forth[2] = {0, 2}, none[1] = {0};
  OK(ctx, tsr_arange(ctx, TSR_F32, 0, 24, 1, &x));
  OK(ctx, tsr_reshape(ctx, &x, TSR_SHAPE(2, 3, 4), &x));
  OK(ctx, tsr_sum(ctx, &x, 2, back, false, &a));
  OK(ctx, tsr_sum(ctx, &x, 2, forth, false, &b));
  CHECK(test_same_elements(&a, &b) && a.ndim == 1 && a.shape[0] == 3);
  tsr_release(&a);
  OK(ctx, tsr_sum(ctx, &x, 0, none, false, &a)); /* no axis: every element its own sum */
  CHECK(test_same_elements(&a, &x));
  tsr_release(&a);
  tsr_release(&b);
  OK(ctx, tsr_sum(ctx, &x, 0, NULL, false, &a)); /* all axes */
  CHECK(a.ndim == 0 && *(float *)a.data == 276);
  tsr_release(&a);
  tsr_release(&x);
  CHECK(test_live() == 0);
}

TEST(integers_wrap) {
  tsr_ctx *const ctx = test_context();
  const int64_t near[3] = {INT64_MAX, 1, 5};
  const uint8_t bytes[4] = {255, 255, 255, 255};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_const_memory(ctx, near, TSR_I64, TSR_SHAPE(3), &x));
  OK(ctx, tsr_sum(ctx, &x, 0, NULL, false, &out));
  CHECK(*(int64_t *)out.data == INT64_MIN + 5);
  OK(ctx, tsr_prod(ctx, &x, 0, NULL, false, &out));
  CHECK(*(int64_t *)out.data == INT64_MAX - 4);
  tsr_release(&out);
  OK(ctx, tsr_from_const_memory(ctx, near, TSR_U64, TSR_SHAPE(3), &x));
  OK(ctx, tsr_sum(ctx, &x, 0, NULL, false, &out));
  CHECK(*(uint64_t *)out.data == (uint64_t)INT64_MAX + 6);
  tsr_release(&out);
  OK(ctx, tsr_from_const_memory(ctx, bytes, TSR_U8, TSR_SHAPE(4), &x));
  OK(ctx, tsr_prod(ctx, &x, 0, NULL, false, &out));
  CHECK(*(uint64_t *)out.data == 4228250625u);
  tsr_release(&out);
}

/* ---- long sums of narrow integers, where lanes could overflow ---- */

TEST(narrow_integers_in_long_blocks) {
#if TSR_HAVE_MALLOC
  enum { ROWS_HERE = 40000, COLUMNS = 9 };
  tsr_ctx *const ctx = test_context();
  const int first[1] = {0};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_full(ctx, TSR_U16, TSR_SHAPE(ROWS_HERE, COLUMNS), 65535, &x));
  OK(ctx, tsr_sum(ctx, &x, 1, first, false, &out));
  for (int i = 0; i < COLUMNS; i++) CHECK(((uint64_t *)out.data)[i] == (uint64_t)65535 * ROWS_HERE);
  tsr_release(&out);
  OK(ctx, tsr_sum(ctx, &x, 0, NULL, false, &out));
  CHECK(*(uint64_t *)out.data == (uint64_t)65535 * ROWS_HERE * COLUMNS);
  tsr_release(&out);
  tsr_release(&x);
  OK(ctx, tsr_full(ctx, TSR_I8, TSR_SHAPE(ROWS_HERE, COLUMNS), -128, &x));
  OK(ctx, tsr_sum(ctx, &x, 1, first, false, &out));
  for (int i = 0; i < COLUMNS; i++) CHECK(((int64_t *)out.data)[i] == (int64_t)-128 * ROWS_HERE);
  tsr_release(&out);
  OK(ctx, tsr_count_nonzero(ctx, &x, 1, first, false, &out));
  for (int i = 0; i < COLUMNS; i++) CHECK(((int64_t *)out.data)[i] == ROWS_HERE);
  tsr_release(&out);
  tsr_release(&x);
#else
  SKIP("needs more memory");
#endif
}

/* ---- against NumPy ---- */

#if TSR_HAVE_MALLOC
typedef struct golden {
  op which;
  int ddof, dtype, ndim;
  tsr_index shape[3];
  _Alignas(8) double x[12]; /* i686 aligns a double in a struct to 4 */
  unsigned mask;
  bool keepdims, works;
  int out_ndim;
  tsr_index out_shape[3];
  double y[12];
} golden;

static const golden rows[] = {
#include "golden/reduce.inc"
};

static void check_golden(tsr_ctx *ctx, const golden *g, const tsr_tensor *x) {
  int axes[TSR_MAX_DIMS];
  tsr_tensor out = {0};
  const int naxes = axes_of(g->mask, x->ndim, axes);
  const tsr_status st =
      call(g->which, ctx, x, naxes == x->ndim ? 0 : naxes, naxes == x->ndim ? NULL : axes, g->keepdims, g->ddof, &out);
  CHECK(st == (g->works ? TSR_OK : TSR_ESHAPE));
  if (st == TSR_OK && g->works) {
    CHECK(out.dtype == result_dtype(g->which, g->dtype) && out.ndim == g->out_ndim);
    for (int i = 0; i < g->out_ndim; i++) CHECK(out.shape[i] == g->out_shape[i]);
    for (tsr_index i = 0; i < tsr_size(&out); i++) {
      const double got = number_of(out.dtype, (char *)out.data + (size_t)i * tsr_dtype_size(out.dtype));
      const bool close = is_close(out.dtype, got, g->y[i], 8 * fabs(g->y[i]) + 1);
      CHECK(close);
      if (!close) printf("  row %d, element %d: %.17g\n", (int)(g - rows), (int)i, got);
    }
  }
  tsr_release(&out);
}

TEST(golden_values) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr_tensor doubles = {0}, x = {0};
    OK(ctx, tsr_from_const_memory(ctx, rows[i].x, TSR_F64, rows[i].ndim, rows[i].shape, &doubles));
    OK(ctx, tsr_cast(ctx, &doubles, rows[i].dtype, &x));
    check_golden(ctx, &rows[i], &x);
    tsr_release(&x);
  }
  CHECK(test_live() == 0);
}
#else
TEST(golden_values) { SKIP("needs f64 and flash"); }
#endif

/* ---- special numbers ---- */

TEST(nan_anywhere_is_found) {
  enum { LENGTH = 300 };
  tsr_ctx *const ctx = test_context();
  static float values[LENGTH];
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(LENGTH), &x));
  for (int at = 0; at < LENGTH; at++) {
    for (int i = 0; i < LENGTH; i++) values[i] = (float)(i % 7);
    values[at] = NAN;
    static const op those[] = {SUM, PROD, MEAN, VAR, STD, MIN, MAX, NORM1, NORM2, NORM_INF, LOGSUMEXP};
    for (int i = 0; i < COUNT_OF(those); i++) {
      OK(ctx, call(those[i], ctx, &x, 0, NULL, false, 0, &out));
      CHECK(isnan(*(float *)out.data));
    }
  }
  tsr_release(&out);
}

TEST(logsumexp_does_not_overflow) {
  tsr_ctx *const ctx = test_context();
  const float large[2] = {1000, 1000}, small[2] = {-1000, -1001};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_const_memory(ctx, large, TSR_F32, TSR_SHAPE(2), &x));
  OK(ctx, tsr_logsumexp(ctx, &x, 0, NULL, false, &out));
  CHECK(fabsf(*(float *)out.data - 1000.6931471805599f) < 1e-4f);
  OK(ctx, tsr_from_const_memory(ctx, small, TSR_F32, TSR_SHAPE(2), &x));
  OK(ctx, tsr_logsumexp(ctx, &x, 0, NULL, false, &out));
  CHECK(fabsf(*(float *)out.data + 999.686738f) < 1e-4f);
  tsr_release(&out);
}

TEST(squares_of_f32_do_not_overflow) {
#if TSR_HAVE_F64
  tsr_ctx *const ctx = test_context();
  const float large[2] = {3e38f, 0};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_const_memory(ctx, large, TSR_F32, TSR_SHAPE(2), &x));
  OK(ctx, tsr_norm2(ctx, &x, 0, NULL, false, &out));
  CHECK(*(float *)out.data == 3e38f);
  tsr_release(&out);
#else
  SKIP("no f64");
#endif
}

/* ---- outputs ---- */

TEST(outputs_given_described_strided) {
  tsr_ctx *const ctx = test_context();
  const int last[1] = {-1};
  float values[6] = {1, 2, 3, 4, 5, 6}, room[8] = {0};
  tsr_tensor x = {0}, out = {0}, described = {.dtype = TSR_F32, .ndim = 1, .shape = {2}};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_from_memory(ctx, room, TSR_F32, TSR_SHAPE(8), &out));
  OK(ctx, tsr_slice(ctx, &out, 0, 1, 7, 3, &out)); /* places 1 and 4 */
  OK(ctx, tsr_sum(ctx, &x, 1, last, false, &out));
  CHECK(room[1] == 6 && room[4] == 15 && room[0] == 0 && room[2] == 0);
  OK(ctx, tsr_sum(ctx, &x, 1, last, false, &described));
  CHECK(described.data != NULL && ((float *)described.data)[1] == 15);
  tsr_release(&described);
  CHECK(test_live() == 0);
}

TEST(output_inside_the_input) {
  tsr_ctx *const ctx = test_context();
  const int first[1] = {0};
  float values[12];
  tsr_tensor x = {0}, out = {0};
  for (int i = 0; i < 12; i++) values[i] = (float)i;
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(3, 4), &x));
  OK(ctx, tsr_select(ctx, &x, 0, 0, &out));
  OK(ctx, tsr_sum(ctx, &x, 1, first, false, &out));
  CHECK(values[0] == 12 && values[1] == 15 && values[2] == 18 && values[3] == 21 && values[4] == 4);
  CHECK(test_live() == 0);
}

TEST(repeated_input) {
  tsr_ctx *const ctx = test_context();
  const float one[1] = {0.5f};
  tsr_tensor x = {0}, wide = {0}, out = {0};
  const int first[1] = {0};
  OK(ctx, tsr_from_const_memory(ctx, one, TSR_F32, TSR_SHAPE(1), &x));
  OK(ctx, tsr_broadcast_to(ctx, &x, TSR_SHAPE(300, 40), &wide));
  OK(ctx, tsr_sum(ctx, &wide, 0, NULL, false, &out));
  CHECK(*(float *)out.data == 6000);
  tsr_release(&out);
  OK(ctx, tsr_sum(ctx, &wide, 1, first, false, &out));
  CHECK(((float *)out.data)[39] == 150);
  tsr_release(&out);
}

/* ---- failures ---- */

/* Norms of some orders are other functions, and fail as norm all the same. */
TEST(a_norm_names_itself) {
  tsr_ctx *const ctx = test_context();
  const float values[6] = {0};
  const tsr_real orders[] = {1, 2, 3, INFINITY};
  const int high[1] = {2};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_const_memory(ctx, values, TSR_F32, TSR_SHAPE(2, 3), &x));
  for (int i = 0; i < 4; i++) {
    FAILS(ctx, TSR_EAXIS, tsr_norm(ctx, &x, orders[i], 1, high, false, &out));
    MESSAGE_HAS(ctx, "norm: axis 2 is out of range");
  }
}

TEST(bad_calls_say_what_is_wrong) {
  tsr_ctx *const ctx = test_context();
  const float values[6] = {0};
  const int high[1] = {2}, low[1] = {-3}, twice[2] = {1, -1}, one[1] = {0};
  tsr_tensor x = {0}, empty = {0}, out = {0}, wrong = {0};
  OK(ctx, tsr_from_const_memory(ctx, values, TSR_F32, TSR_SHAPE(2, 3), &x));
  for (int which = 0; which < OPS; which++) {
    const op o = (op)which;
    FAILS(ctx, TSR_EAXIS, call(o, ctx, &x, 1, high, false, 0, &out));
    MESSAGE_HAS(ctx, op_names[which]);
    MESSAGE_HAS(ctx, "axis 2 is out of range");
    FAILS(ctx, TSR_EAXIS, call(o, ctx, &x, 1, low, false, 0, &out));
    FAILS(ctx, TSR_EAXIS, call(o, ctx, &x, 2, twice, false, 0, &out));
    MESSAGE_HAS(ctx, "axes name axis 1 of f32 [2,3] twice");
    FAILS(ctx, TSR_EARG, call(o, ctx, &x, 2, NULL, false, 0, &out));
    MESSAGE_HAS(ctx, "axes is NULL for 2 axes");
    FAILS(ctx, TSR_EARG, call(o, ctx, &x, -1, one, false, 0, &out));
    MESSAGE_HAS(ctx, "naxes is -1");
    FAILS(ctx, TSR_EARG, call(o, ctx, NULL, 0, NULL, false, 0, &out));
    MESSAGE_HAS(ctx, "x is NULL");
    FAILS(ctx, TSR_EARG, call(o, ctx, &x, 0, NULL, false, 0, NULL));
    MESSAGE_HAS(ctx, "out is NULL");
    FAILS(ctx, TSR_ESTATE, call(o, ctx, &empty, 0, NULL, false, 0, &out));
    OK(ctx, tsr_zeros(ctx, result_dtype(o, TSR_F32), TSR_SHAPE(3), &wrong));
    FAILS(ctx, TSR_ESHAPE, call(o, ctx, &x, 0, NULL, false, 0, &wrong));
    MESSAGE_HAS(ctx, "out is");
    tsr_release(&wrong);
    OK(ctx, tsr_zeros(ctx, TSR_I16, TSR_SHAPE(3), &wrong));
    FAILS(ctx, TSR_EDTYPE, call(o, ctx, &x, 1, one, false, 0, &wrong));
    tsr_release(&wrong);
    CHECK(tsr_is_none(&out));
  }
}

TEST(extremes_of_complex_numbers_are_refused) {
#if TSR_HAVE_COMPLEX
  tsr_ctx *const ctx = test_context();
  const float values[8] = {0, 0, 1, 0, 0, 2, 0, 0};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_const_memory(ctx, values, TSR_C64, TSR_SHAPE(4), &x));
  for (int which = 0; which < OPS; which++) {
    if (which != MIN && which != MAX) continue;
    FAILS(ctx, TSR_EDTYPE, call((op)which, ctx, &x, 0, NULL, false, 0, &out));
    MESSAGE_HAS(ctx, "x is c64");
  }
  OK(ctx, tsr_count_nonzero(ctx, &x, 0, NULL, false, &out));
  CHECK(*(int64_t *)out.data == 2);
  tsr_release(&out);
#else
  SKIP("no complex dtypes");
#endif
}

TEST(extremes_of_nothing_and_bad_ddof) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(0, 3), &x));
  FAILS(ctx, TSR_ESHAPE, tsr_max(ctx, &x, 0, NULL, false, &out));
  MESSAGE_HAS(ctx, "max of no elements has no result");
  FAILS(ctx, TSR_ESHAPE, tsr_min(ctx, &x, 0, NULL, false, &out));
  FAILS(ctx, TSR_EARG, tsr_var(ctx, &x, 0, NULL, false, -1, &out));
  MESSAGE_HAS(ctx, "ddof is -1");
}

TEST(no_memory_leaves_the_output) {
#if TSR_HAVE_MALLOC
  tsr_ctx *const ctx = test_context();
  const int first[1] = {0};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(200, 200), &x));
  for (size_t allowed = 0; allowed < 2; allowed++) { /* the output, then the temporary memory */
    tsr_failing *const failing = test_failing();
    failing->fail_at = failing->calls + allowed;
    FAILS(ctx, TSR_ENOMEM, tsr_sum(ctx, &x, 1, first, false, &out));
    CHECK(tsr_is_none(&out));
    failing->fail_at = SIZE_MAX;
  }
  tsr_release(&x);
  CHECK(test_live() == 0);
#else
  SKIP("no malloc");
#endif
}

TEST_MAIN(RUN(every_op_dtype_layout_and_axes), RUN(axes_from_the_end_and_none), RUN(integers_wrap),
          RUN(narrow_integers_in_long_blocks), RUN(golden_values), RUN(nan_anywhere_is_found),
          RUN(logsumexp_does_not_overflow), RUN(squares_of_f32_do_not_overflow), RUN(outputs_given_described_strided),
          RUN(output_inside_the_input), RUN(repeated_input), RUN(bad_calls_say_what_is_wrong), RUN(a_norm_names_itself),
          RUN(extremes_of_complex_numbers_are_refused), RUN(extremes_of_nothing_and_bad_ddof),
          RUN(no_memory_leaves_the_output))
