/* Reductions over some of the elements: against lists of those that count, for every dtype, layout, set of axes and
 * kind of selection; the bits of the plain functions when all count; threads; failures. */
#include "support/test.h"

#include "ops/move_reference.h"
#include "ops/reduce_reference.h"

enum { WHERE_OPS = COUNT + 1, MOST = TEST_ELEMENTS };

typedef tsr_status where_fn(tsr_ctx *, const tsr_tensor *, const tsr_selection *, int, const int *, bool, tsr_tensor *);
static where_fn *const where_fns[WHERE_OPS] = {
    [SUM] = tsr_sum_where, [PROD] = tsr_prod_where, [MEAN] = tsr_mean_where, [MIN] = tsr_min_where,
    [MAX] = tsr_max_where, [ANY] = tsr_any_where,   [ALL] = tsr_all_where,   [COUNT] = tsr_count_nonzero_where};

static tsr_status call_where(op which, tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *s, int naxes,
                             const int *axes, bool keepdims, int ddof, tsr_tensor *out) {
  if (which == VAR) return tsr_var_where(ctx, x, s, naxes, axes, keepdims, ddof, out);
  if (which == STD) return tsr_std_where(ctx, x, s, naxes, axes, keepdims, ddof, out);
  return where_fns[which](ctx, x, s, naxes, axes, keepdims, out);
}

static bool is_float_dtype(int dtype) { return tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT; }

/* ---- every dtype, layout and selection ---- */

typedef struct chosen {
  tsr_selection selection;
  tsr_tensor mask, full; /* as given, and over x's shape */
  int ddof;
} chosen;

/* What counts of one result's elements. */
static tsr_index filter(const tsr_tensor *x, const chosen *c, unsigned axes, const tsr_index *at, double *list) {
  double on[MOST];
  const tsr_index n = elements_of(x, axes, at, list);
  tsr_index kept = 0;
  for (tsr_index i = 0; i < n; i++) on[i] = 1;
  if (c->selection.where != NULL) (void)elements_of(&c->full, axes, at, on);
  for (tsr_index i = 0; i < n; i++)
    if (on[i] != 0 && !(c->selection.skip_nan && isnan(list[i]))) list[kept++] = list[i];
  return kept;
}

static double want_of(op which, const chosen *c, int dtype, double *list, tsr_index n, double *scale) {
  const double initial = (double)c->selection.initial;
  double want = expected(which, list, n, c->ddof, scale);
  bool nan = false;
  if (which == PROD && !is_float_dtype(dtype)) {
    list[n] = initial;
    return wrapped_product(list, c->selection.has_initial ? n + 1 : n, result_dtype(PROD, dtype));
  }
  for (tsr_index i = 0; i < n; i++) nan = nan || isnan(list[i]);
  if (which == MIN || which == MAX) {
    if (c->selection.has_initial && (which == MIN ? initial < want : initial > want)) want = initial;
    if (nan || (n == 0 && !c->selection.has_initial)) want = (double)NAN;
  }
  if (which == SUM && c->selection.has_initial) want += initial, *scale += fabs(initial);
  if (which == PROD && c->selection.has_initial) want *= initial, *scale *= fabs(initial);
  if ((which == VAR || which == STD) && c->selection.skip_nan && n <= c->ddof) want = (double)NAN;
  return want;
}

static void check_op(op which, const tsr_tensor *x, const chosen *c, unsigned axes, bool keepdims) {
  tsr_ctx *const ctx = test_context();
  int list_axes[TSR_MAX_DIMS], wrong = 0;
  const int naxes = axes_of(axes, x->ndim, list_axes);
  tsr_index at[TSR_MAX_DIMS] = {0}, shape[TSR_MAX_DIMS];
  double list[MOST + 1];
  tsr_tensor out = {0};
  const tsr_status st = call_where(which, ctx, x, &c->selection, naxes, list_axes, keepdims, c->ddof, &out);
  if (!TSR_HAVE_MALLOC && st == TSR_ENOMEM) return;
  OK(ctx, st);
  if (st != TSR_OK) return;
  const int ndim = result_shape(x, axes, keepdims, shape);
  CHECK(out.dtype == result_dtype(which, x->dtype) && out.ndim == ndim && test_is_tidy(&out));
  tsr_index kept[TSR_MAX_DIMS], number = 0;
  const int kept_ndim = result_shape(x, axes, false, kept);
  if (tsr_size(&out) > 0) do {
      tsr_index own[TSR_MAX_DIMS];
      double scale = 0;
      const tsr_index n = filter(x, c, axes, at, list);
      const double want = want_of(which, c, x->dtype, list, n, &scale);
      test_nth_index(ndim, shape, TSR_ROW_MAJOR, number++, own);
      const double got = number_of(out.dtype, test_at(&out, own));
      wrong += !is_close(out.dtype, got, want, 4 * scale);
      if (wrong == 1) printf("  %s of %s: %g, not %g\n", op_names[which], tsr_dtype_name(x->dtype), got, want);
    } while (test_next_index(kept_ndim, kept, at));
  CHECK(wrong == 0);
  tsr_release(&out);
  CHECK(test_live() == 0);
}

/* variant 0: all; 1: a mask of x's shape; 2: of its last axis; 3: one bool; 4: nothing. */
static void make_selection(const tsr_tensor *x, int variant, bool skip_nan, op which, bool *bools, test_rng *rng,
                           chosen *c) {
  tsr_ctx *const ctx = test_context();
  const int ndim = variant == 3 ? 0 : variant == 2 && x->ndim > 0 ? 1 : x->ndim;
  for (int i = 0; i < MOST; i++) bools[i] = variant != 4 && test_between(rng, 0, 2) > 0;
  *c = (chosen){.ddof = (int)test_between(rng, 0, 1)};
  c->selection.skip_nan = skip_nan;
  c->selection.has_initial = variant > 0 || test_between(rng, 0, 1) == 1;
  c->selection.initial = which == PROD ? 2 : 1;
  if (variant == 0) return;
  OK(ctx, tsr_from_memory(ctx, bools, TSR_BOOL, ndim, x->shape + x->ndim - ndim, &c->mask));
  OK(ctx, tsr_broadcast_to(ctx, &c->mask, x->ndim, x->shape, &c->full));
  c->selection.where = &c->mask;
}

/* A few NaN, where the dtype has them. */
static void add_nan(test_buffer *buffer, int dtype, test_rng *rng) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor all = {0}, one = {0};
  if (!is_float_dtype(dtype)) return;
  OK(ctx, tsr_from_memory(ctx, buffer->bytes, dtype, TSR_SHAPE(TEST_ELEMENTS), &all));
  for (int i = 0; i < 12; i++) {
    OK(ctx, tsr_narrow(ctx, &all, 0, test_between(rng, 0, TEST_ELEMENTS - 1), 1, &one));
    OK(ctx, tsr_fill(ctx, (tsr_real)NAN, &one));
  }
}

static void check_layout(test_buffer *buffer, const tsr_tensor *x, test_rng *rng) {
  bool bools[MOST];
  chosen c;
  for (int which = 0; which < WHERE_OPS; which++)
    for (int variant = 0; variant < 5; variant++)
      for (int skip = 0; skip < 2; skip++) {
        const unsigned axes = (unsigned)test_between(rng, 0, (1 << x->ndim) - 1);
        fill_small(test_context(), buffer, x->dtype, rng);
        if (test_between(rng, 0, 3) > 0) add_nan(buffer, x->dtype, rng);
        make_selection(x, variant, skip == 1, (op)which, bools, rng, &c);
        if ((which == MIN || which == MAX) && reduced_count(x, axes) == 0) continue;
        check_op((op)which, x, &c, axes, variant % 2 == 1);
      }
}

TEST(every_dtype_layout_and_selection) {
  static test_buffer buffer;
  test_rng rng = {21};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int l = 0; is_real(dtype) && l < test_layout_count(); l++) {
      const tsr_tensor x = test_over(&buffer, dtype, test_layout_at(l));
      check_layout(&buffer, &x, &rng);
    }
}

/* ---- argmin and argmax ---- */

static void check_arg(const tsr_tensor *x, const chosen *c, int axis, bool least) {
  tsr_ctx *const ctx = test_context();
  const unsigned axes = axis == TSR_ALL_AXES ? (1u << x->ndim) - 1 : 1u << axis;
  double list[MOST], on[MOST];
  tsr_index at[TSR_MAX_DIMS] = {0}, kept[TSR_MAX_DIMS], number = 0;
  tsr_tensor out = {0};
  bool right = true, all = true;
  const tsr_status st = least ? tsr_argmin_where(ctx, x, &c->selection, axis, true, &out)
                              : tsr_argmax_where(ctx, x, &c->selection, axis, true, &out);
  const int kept_ndim = result_shape(x, axes, false, kept);
  do {
    const tsr_index n = elements_of(x, axes, at, list);
    tsr_index best = -1;
    for (tsr_index i = 0; i < n; i++) on[i] = 1;
    if (c->selection.where != NULL) (void)elements_of(&c->full, axes, at, on);
    for (tsr_index i = 0; i < n; i++) {
      if (on[i] == 0 || (c->selection.skip_nan && isnan(list[i]))) continue;
      if (best >= 0 && isnan(list[best])) continue;
      if (best < 0 || isnan(list[i]) || (least ? list[i] < list[best] : list[i] > list[best])) best = i;
    }
    all = all && best >= 0;
    if (st == TSR_OK && best >= 0) right = right && ((tsr_index *)out.data)[number] == best;
    number++;
  } while (test_next_index(kept_ndim, kept, at));
  if (!TSR_HAVE_MALLOC && st == TSR_ENOMEM) return;
  CHECK(right && (st == TSR_OK) == all && (all || st == TSR_ESHAPE));
  tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST(where_the_extremes_are) {
  static test_buffer buffer;
  bool bools[MOST];
  chosen c;
  test_rng rng = {22};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int l = 0; is_real(dtype) && l < test_layout_count(); l++) {
      const tsr_tensor x = test_over(&buffer, dtype, test_layout_at(l));
      for (int variant = 0; variant < 8 && tsr_size(&x) > 0; variant++)
        for (int least = 0; least < 2; least++) {
          const int axis = x.ndim == 0 || variant == 7 ? TSR_ALL_AXES : (int)test_between(&rng, 0, x.ndim - 1);
          fill_small(test_context(), &buffer, dtype, &rng);
          if (variant % 2 == 1) add_nan(&buffer, dtype, &rng);
          make_selection(&x, variant % 4, variant > 2, MIN, bools, &rng, &c);
          check_arg(&x, &c, axis, least == 1);
        }
    }
}

/* Infinities that count, beside NaN that do not. */
TEST(infinity_counts) {
  tsr_ctx *const ctx = test_context();
  float values[4] = {NAN, INFINITY, NAN, INFINITY};
  const tsr_selection numbers = {.skip_nan = true};
  tsr_tensor x = {0}, out = {0}, least = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(4), &x));
  OK(ctx, tsr_argmin_where(ctx, &x, &numbers, 0, false, &out));
  CHECK(*(tsr_index *)out.data == 1);
  OK(ctx, tsr_min_where(ctx, &x, &numbers, 0, NULL, false, &least));
  CHECK(isinf(*(float *)least.data));
  tsr_release(&least);
  OK(ctx, tsr_var_where(ctx, &x, &numbers, 0, NULL, false, 0, &least));
  CHECK(isnan(*(float *)least.data)); /* as NumPy's: inf - inf */
  tsr_release(&least);
  tsr_release(&out);
  CHECK(test_live() == 0);
}

/* ---- the bits of the plain functions ---- */

enum { ROWS = TSR_HAVE_MALLOC ? 67 : 7, COLUMNS = TSR_HAVE_MALLOC ? 2111 : 41 };

static void check_bits(int dtype, int view, int threads) {
  static float values[ROWS * COLUMNS];
  tsr_ctx *const ctx = test_context();
  test_rng rng = {12};
  tsr_tensor from = {0}, x = {0}, v = {0}, mask = {0};
#if TSR_HAVE_THREADS
  tsr_threads *const pool = test_with_threads(ctx, threads);
#else
  (void)threads;
#endif
  for (int i = 0; i < ROWS * COLUMNS; i++) values[i] = (float)test_random(&rng) * 0x1p-31f - 1;
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(ROWS, COLUMNS), &from));
  OK(ctx, tsr_cast(ctx, &from, dtype, &x));
  OK(ctx, make_view(ctx, &x, view, &v));
  OK(ctx, tsr_ones(ctx, TSR_BOOL, TEST_SCALAR, &mask));
  const tsr_selection all = {.where = &mask, .skip_nan = true};
  for (int which = SUM; which <= COUNT; which++)
    for (int axis = -1; axis < 2; axis++) {
      tsr_tensor a = {0}, b = {0};
      if (which == MIN || which == MAX || (!TSR_HAVE_MALLOC && axis == 0)) continue;
      OK(ctx, call((op)which, ctx, &v, axis >= 0, axis < 0 ? NULL : &axis, false, 1, &a));
      OK(ctx, call_where((op)which, ctx, &v, &all, axis >= 0, axis < 0 ? NULL : &axis, false, 1, &b));
      CHECK(test_same_elements(&a, &b));
      tsr_release(&b);
      tsr_release(&a);
    }
  tsr_release(&mask);
  tsr_release(&x);
#if TSR_HAVE_THREADS
  tsr_threads_release(pool);
#endif
  CHECK(test_live() == 0);
}

TEST(all_of_them_are_the_plain_ones) {
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_BF16};
  for (int d = 0; d < COUNT_OF(dtypes); d++)
    for (int view = 0; tsr_dtype_supported(dtypes[d]) && view < VIEWS; view++)
      for (int threads = 1; threads <= (TSR_HAVE_THREADS ? 3 : 1); threads += 2) check_bits(dtypes[d], view, threads);
}

/* ---- shared memory; failures ---- */

TEST(the_output_may_be_an_input) {
  tsr_ctx *const ctx = test_context();
  float values[6] = {1, 2, NAN, 4, 5, 6};
  const tsr_selection numbers = {.skip_nan = true};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_select(ctx, &x, 0, 0, &out));
  OK(ctx, tsr_sum_where(ctx, &x, &numbers, 1, (const int[]){0}, false, &out));
  CHECK(values[0] == 5 && values[1] == 7 && values[2] == 6 && values[3] == 4);
  values[0] = NAN;
  OK(ctx, tsr_mean_where(ctx, &x, &numbers, 1, (const int[]){0}, false, &out));
  CHECK(values[0] == 4 && values[1] == 6 && values[2] == 6);
  CHECK(test_live() == 0);
}

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  float values[6] = {1, 2, NAN, NAN, 5, NAN};
  bool bools[6] = {false, true, true, false, true, false};
  tsr_tensor x = {0}, mask = {0}, wrong = {0}, out = {0}, ints = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_from_memory(ctx, values, TSR_I32, TSR_SHAPE(2, 3), &ints));
  OK(ctx, tsr_from_memory(ctx, bools, TSR_BOOL, TSR_SHAPE(2, 3), &mask));
  OK(ctx, tsr_from_memory(ctx, bools, TSR_BOOL, TSR_SHAPE(2), &wrong));
  const tsr_selection some = {.where = &mask}, unfit = {.where = &wrong}, floats = {.where = &x};
  const tsr_selection skip = {.skip_nan = true};
  const tsr_selection half = {.has_initial = true, .initial = (tsr_real)0.5};
  BAD(ctx, TSR_EDTYPE, tsr_sum_where(ctx, &x, &floats, 0, NULL, false, &out),
      "sum_where: where is f32, not bool; compare it with 0 first");
  BAD(ctx, TSR_ESHAPE, tsr_mean_where(ctx, &x, &unfit, 0, NULL, false, &out),
      "mean_where: where is bool [2], which does not broadcast to [2,3]");
  BAD(ctx, TSR_EARG, tsr_min_where(ctx, &x, &some, 0, NULL, false, &out), "min_where: initial is needed with a mask");
  BAD(ctx, TSR_ERANGE, tsr_sum_where(ctx, &ints, &half, 0, NULL, false, &out), "sum_where: initial");
  BAD(ctx, TSR_ESHAPE, tsr_argmin_where(ctx, &x, &skip, 0, false, &out),
      "argmin_where: x is f32 [2,3]: nothing is chosen for result number 2");
  BAD(ctx, TSR_ESHAPE, tsr_argmax_where(ctx, &x, &some, 0, false, &out),
      "argmax_where: x is f32 [2,3]: nothing is chosen for result number 0");
  BAD(ctx, TSR_EARG, tsr_var_where(ctx, &x, &skip, 0, NULL, false, -1, &out), "var_where: ddof is -1");
  BAD(ctx, TSR_EAXIS, tsr_prod_where(ctx, &x, NULL, 1, (const int[]){2}, false, &out),
      "prod_where: axis 2 is out of range for rank 2");
  BAD(ctx, TSR_EARG, tsr_std_where(ctx, &x, &skip, 0, NULL, false, 0, NULL), "std_where: out is NULL");
  CHECK(tsr_is_none(&out));
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(every_dtype_layout_and_selection), RUN(where_the_extremes_are), RUN(infinity_counts),
          RUN(all_of_them_are_the_plain_ones), RUN(the_output_may_be_an_input), RUN(bad_calls))
