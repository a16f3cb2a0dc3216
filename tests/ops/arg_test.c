/* argmin and argmax: against a naive search for every dtype, layout, axis and instruction set; ties, NaN, long
 * searches, the same results on every thread count; failures. */
#include "support/test.h"

#include "ops/reduce_reference.h"

typedef tsr_status arg_fn(tsr_ctx *, const tsr_tensor *, int, bool, tsr_tensor *);
static arg_fn *const arg_fns[2] = {tsr_argmin, tsr_argmax};
static const char *const names[2] = {"argmin", "argmax"};

#define INDEX_DTYPE (TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32)

static tsr_index naive(int max, const double *x, tsr_index n) {
  tsr_index best = 0;
  for (tsr_index i = 1; i < n; i++) {
    if (isnan(x[best])) return best;
    if (isnan(x[i]) || (max ? x[i] > x[best] : x[i] < x[best])) best = i;
  }
  return best;
}

static int64_t index_at(const tsr_tensor *out, const tsr_index *at) {
  return (int64_t) * (const tsr_index *)test_at(out, at);
}

/* All outputs of one search; list has room for the elements of one. */
static void check_search(tsr_ctx *ctx, int max, const tsr_tensor *x, int axis, const char *layout, double *list) {
  tsr_index shape[TSR_MAX_DIMS], kept[TSR_MAX_DIMS] = {0};
  tsr_tensor out = {0};
  const unsigned mask = axis == TSR_ALL_AXES ? (1u << x->ndim) - 1 : 1u << axis;
  const int ndim = result_shape(x, mask, false, shape);
  if (reduced_count(x, mask) == 0) {
    FAILS(ctx, TSR_ESHAPE, arg_fns[max](ctx, x, axis, false, &out));
    return;
  }
  OK(ctx, arg_fns[max](ctx, x, axis, false, &out));
  CHECK(out.dtype == INDEX_DTYPE && out.ndim == ndim);
  if (test_product(ndim, shape) > 0 && out.ndim == ndim) {
    int wrong = 0;
    do {
      const tsr_index n = elements_of(x, mask, kept, list);
      wrong += index_at(&out, kept) != (int64_t)naive(max, list, n);
    } while (test_next_index(ndim, shape, kept));
    CHECK(wrong == 0);
    if (wrong != 0)
      printf("  %d of %s of %s, %s, axis %d\n", wrong, names[max], tsr_dtype_name(x->dtype), layout, axis);
  }
  tsr_release(&out);
}

TEST(every_dtype_layout_and_axis) {
  static test_buffer buffer;
  static double list[TEST_ELEMENTS];
  test_rng rng = {2};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
      if (!is_real(dtype)) continue;
      tsr_ctx *const ctx = test_context();
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      fill_small(ctx, &buffer, dtype, &rng);
      for (int l = 0; l < test_layout_count(); l++) {
        const tsr_tensor x = test_over(&buffer, dtype, test_layout_at(l));
        for (int axis = -1; axis < x.ndim; axis++)
          for (int max = 0; max < 2; max++)
            check_search(ctx, max, &x, axis < 0 ? TSR_ALL_AXES : axis, test_layout_at(l)->name, list);
      }
      CHECK(test_live() == 0);
    }
}

/* ---- long searches, by rows and by columns, few and many different numbers ---- */

static const tsr_index shapes[][2] = {
#if TSR_HAVE_MALLOC
    {1, 70000}, {70000, 3}, {300, 301}, {5, 9000}, {9000, 12}, {700, 40}, {130, 1100},
#else
    {1, 700},
    {40, 17},
#endif
};

static void check_large(tsr_ctx *ctx, int dtype, int number, int64_t kinds) {
  tsr_tensor x = {0}, floats = {0}, room = {0}, view = {0};
  tsr_rng rng = tsr_rng_seed((uint64_t)number);
  OK(ctx, tsr_rand_integers(ctx, &rng, TSR_I16, 2, shapes[number], 0, kinds, &floats));
  OK(ctx, tsr_cast(ctx, &floats, dtype, &x));
  OK(ctx, tsr_empty(ctx, TSR_I64, TSR_SHAPE(tsr_size(&x)), &room)); /* for doubles */
  for (int v = 0; v < VIEWS; v++) {
    OK(ctx, make_view(ctx, &x, v, &view));
    for (int axis = -1; axis < 2; axis++)
      for (int max = 0; max < 2; max++)
        check_search(ctx, max, &view, axis < 0 ? TSR_ALL_AXES : axis, view_name(v), room.data);
  }
  tsr_release(&room);
  tsr_release(&floats);
  tsr_release(&x);
}

TEST(long_searches) {
  static const int dtypes[] = {TSR_U8, TSR_I16, TSR_F32, TSR_F64, TSR_F16};
  tsr_ctx *const ctx = test_context();
  for (int number = 0; number < COUNT_OF(shapes); number++)
    for (int d = 0; d < COUNT_OF(dtypes); d++) {
      if (!tsr_dtype_supported(dtypes[d]) || (d != 2 && (d + number) % 3 != 0)) continue;
      check_large(ctx, dtypes[d], number, 3);
      if (d == 2) check_large(ctx, dtypes[d], number, 30000);
    }
}

/* ---- NaN ---- */

TEST(the_first_nan_wins) {
  enum { ROWS_HERE = 20, COLUMNS = 300 };
  static float values[ROWS_HERE * COLUMNS];
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(ROWS_HERE, COLUMNS), &x));
  for (int axis = 0; axis < 2; axis++)
    for (int at = 0; at < (axis == 0 ? ROWS_HERE : COLUMNS); at++) {
      for (int i = 0; i < ROWS_HERE * COLUMNS; i++) {
        const int along = axis == 0 ? i / COLUMNS : i % COLUMNS;
        values[i] = along >= at && (along - at) % 3 == 0 ? NAN : (float)(i * 7 % 11);
      }
      for (int max = 0; max < 2; max++) {
        OK(ctx, arg_fns[max](ctx, &x, axis, false, &out));
        int wrong = 0;
        for (tsr_index i = 0; i < out.shape[0]; i++) wrong += ((tsr_index *)out.data)[i] != at;
        CHECK(wrong == 0);
        tsr_release(&out);
      }
    }
}

TEST(zeros_of_both_signs_are_equal) {
  tsr_ctx *const ctx = test_context();
  float values[100];
  tsr_tensor x = {0}, out = {0};
  for (int i = 0; i < 100; i++) values[i] = i % 2 == 0 ? -0.0f : 0.0f;
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(100), &x));
  for (int max = 0; max < 2; max++) {
    OK(ctx, arg_fns[max](ctx, &x, 0, true, &out));
    CHECK(out.ndim == 1 && *(tsr_index *)out.data == 0);
  }
  tsr_release(&out);
}

/* ---- the same on every instruction set and thread count ---- */

TEST(same_on_every_thread_count_and_instruction_set) {
  if (!TSR_HAVE_THREADS) SKIP("no threads");
  static const tsr_index sizes[][2] = {{300000, 1}, {70001, 3}, {2, 140000}, {500, 301}};
  tsr_ctx *const ctx = test_context();
  ctx->parallel = tsr_parallel_serial();
  for (int number = 0; number < COUNT_OF(sizes); number++)
    for (int count = 2; count <= 8; count += 2) {
      tsr_rng rng = tsr_rng_seed(3);
      tsr_tensor x = {0}, a = {0}, b = {0};
      tsr_ctx other = *ctx;
      tsr_threads *const pool = test_with_threads(&other, count);
      OK(ctx, tsr_context_set_isa(ctx, "base"));
      OK(ctx, tsr_rand_integers(ctx, &rng, TSR_I32, 2, sizes[number], -999999, 999999, &x));
      for (int axis = -1; axis < 2; axis++) {
        OK(ctx, tsr_argmax(ctx, &x, axis < 0 ? TSR_ALL_AXES : axis, false, &a));
        OK(&other, tsr_argmax(&other, &x, axis < 0 ? TSR_ALL_AXES : axis, false, &b));
        CHECK(test_same_elements(&a, &b));
        tsr_release(&a);
        tsr_release(&b);
      }
      tsr_release(&x);
      tsr_threads_release(pool);
    }
  CHECK(test_live() == 0);
}

/* ---- outputs and failures ---- */

TEST(output_inside_the_input) {
  tsr_ctx *const ctx = test_context();
  tsr_index values[6] = {3, 9, 1, 7, 2, 8};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, values, INDEX_DTYPE, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_select(ctx, &x, 1, 0, &out));
  OK(ctx, tsr_argmax(ctx, &x, 1, false, &out));
  CHECK(values[0] == 1 && values[3] == 2 && values[1] == 9);
}

TEST(bad_calls_say_what_is_wrong) {
  tsr_ctx *const ctx = test_context();
  const float values[6] = {0};
  tsr_tensor x = {0}, out = {0}, none = {0}, wrong = {0};
  OK(ctx, tsr_from_const_memory(ctx, values, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(0, 3), &none));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3), &wrong));
  for (int max = 0; max < 2; max++) {
    FAILS(ctx, TSR_EAXIS, arg_fns[max](ctx, &x, 2, false, &out));
    MESSAGE_HAS(ctx, names[max]);
    MESSAGE_HAS(ctx, ": axis 2 is out of range");
    MESSAGE_HAS(ctx, "2 is out of range");
    FAILS(ctx, TSR_EAXIS, arg_fns[max](ctx, &x, -3, false, &out));
    FAILS(ctx, TSR_EARG, arg_fns[max](ctx, NULL, 0, false, &out));
    FAILS(ctx, TSR_EARG, arg_fns[max](ctx, &x, 0, false, NULL));
    FAILS(ctx, TSR_ESHAPE, arg_fns[max](ctx, &none, 0, false, &out));
    MESSAGE_HAS(ctx, "of no elements has no result");
    FAILS(ctx, TSR_EDTYPE, arg_fns[max](ctx, &x, 0, false, &wrong));
    MESSAGE_HAS(ctx, "out is f32 [3]");
    CHECK(tsr_is_none(&out));
#if TSR_HAVE_COMPLEX
    tsr_tensor z = {0};
    OK(ctx, tsr_from_const_memory(ctx, values, TSR_C64, TSR_SHAPE(3), &z));
    FAILS(ctx, TSR_EDTYPE, arg_fns[max](ctx, &z, 0, false, &out));
    MESSAGE_HAS(ctx, "x is c64");
#endif
  }
  OK(ctx, tsr_argmax(ctx, &none, 1, false, &out)); /* nothing is asked for: an empty result */
  CHECK(out.ndim == 1 && out.shape[0] == 0);
  tsr_release(&out);
  tsr_release(&wrong);
  tsr_release(&none);
}

TEST_MAIN(RUN(every_dtype_layout_and_axis), RUN(long_searches), RUN(the_first_nan_wins),
          RUN(zeros_of_both_signs_are_equal), RUN(same_on_every_thread_count_and_instruction_set),
          RUN(output_inside_the_input), RUN(bad_calls_say_what_is_wrong))
