/* Cumulative ops and norms of any order: against naive references and NumPy, for every dtype, layout, axis and
 * instruction set;
 * the documented order, bit by bit, whatever the way; in place; failures. */
#include "support/test.h"

#include "ops/reduce_reference.h"

enum { CUMSUM, CUMPROD, CUMMIN, CUMMAX, CUMULATIVE, NORM = CUMULATIVE };

typedef tsr_status cumulative_fn(tsr_ctx *, const tsr_tensor *, int, tsr_tensor *);
static cumulative_fn *const fns[CUMULATIVE] = {tsr_cumsum, tsr_cumprod, tsr_cummin, tsr_cummax};
static const char *const names[CUMULATIVE] = {"cumsum", "cumprod", "cummin", "cummax"};

static int dtype_after(int which, int dtype) { return which <= CUMPROD ? result_dtype(SUM, dtype) : dtype; }

/* ---- every op, dtype, layout, axis ---- */

/* One element more: exact in 64 bits for integers, in a double for floats. */
static double merged(int which, int dtype, double a, double x) {
  const bool whole = precision(dtype) == 0;
  switch (which) {
    case CUMSUM: return a + x;
    case CUMPROD: {
      if (!whole) return a * x;
      const uint64_t product = (uint64_t)(int64_t)a * (uint64_t)(int64_t)x;
      return dtype == TSR_U64 ? (double)product : (double)(int64_t)product;
    }
    case CUMMIN: return x < a || isnan(x) ? x : a;
    default: return x > a || isnan(x) ? x : a;
  }
}

/* Every result against the elements before it. */
static int wrong_elements(int which, const tsr_tensor *x, int axis, const tsr_tensor *out) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  int wrong = 0;
  do {
    const tsr_index last = index[axis];
    double want = 0, scale = 0;
    for (tsr_index i = 0; i <= last; i++) {
      index[axis] = i;
      const double element = number_of(x->dtype, test_at(x, index));
      want = i == 0 ? element : merged(which, out->dtype, want, element);
      scale = which == CUMPROD ? fabs(want) * (double)(i + 1) : scale + fabs(element);
    }
    const double got = number_of(out->dtype, test_at(out, index));
    wrong += which <= CUMPROD ? !is_close(out->dtype, got, want, scale) : !(got == want || (isnan(got) && isnan(want)));
  } while (test_next_index(x->ndim, x->shape, index));
  return wrong;
}

static void check_axis(tsr_ctx *ctx, int which, const tsr_tensor *x, int axis, const char *layout) {
  tsr_tensor out = {0}, back = {0};
  OK(ctx, fns[which](ctx, x, axis, &out));
  OK(ctx, fns[which](ctx, x, axis - x->ndim, &back));
  CHECK(out.dtype == dtype_after(which, x->dtype) && out.ndim == x->ndim && test_same_elements(&out, &back));
  for (int i = 0; i < x->ndim && i < out.ndim; i++) CHECK(out.shape[i] == x->shape[i]);
  if (tsr_size(x) > 0 && out.ndim == x->ndim) {
    const int wrong = wrong_elements(which, x, axis, &out);
    CHECK(wrong == 0);
    if (wrong != 0)
      printf("  %d of %s of %s, %s, axis %d\n", wrong, names[which], tsr_dtype_name(x->dtype), layout, axis);
  }
  tsr_release(&back);
  tsr_release(&out);
}

TEST(every_op_dtype_layout_and_axis) {
  static test_buffer buffer;
  test_rng rng = {3};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
      if (!is_real(dtype)) continue;
      tsr_ctx *const ctx = test_context();
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      fill_small(ctx, &buffer, dtype, &rng);
      for (int l = 0; l < test_layout_count(); l++) {
        const tsr_tensor x = test_over(&buffer, dtype, test_layout_at(l));
        for (int axis = 0; axis < x.ndim; axis++)
          for (int which = 0; which < CUMULATIVE; which++) check_axis(ctx, which, &x, axis, test_layout_at(l)->name);
      }
      CHECK(test_live() == 0);
    }
}

/* ---- NumPy ---- */

#if TSR_HAVE_F64 && TSR_HAVE_MALLOC
typedef struct golden {
  int op, dtype, out_dtype, ndim;
  tsr_index shape[3];
  _Alignas(8) double x[18];
  int axis;
  double power;
  double y[18];
} golden;

static const golden rows[] = {
#include "golden/cumulative.inc"
};

static void check_golden(tsr_ctx *ctx, const golden *g, const tsr_tensor *x) {
  tsr_tensor out = {0};
  int wrong = 0;
  if (g->op == NORM)
    OK(ctx, tsr_norm(ctx, x, g->power, 0, NULL, false, &out));
  else
    OK(ctx, fns[g->op](ctx, x, g->axis, &out));
  CHECK(out.dtype == g->out_dtype && tsr_size(&out) == (g->op == NORM ? 1 : tsr_size(x)));
  tsr_tensor flat = {0};
  OK(ctx, tsr_contiguous(ctx, &out, &flat));
  for (tsr_index i = 0; i < tsr_size(&out); i++) {
    const double got = number_of(out.dtype, (const char *)flat.data + (size_t)i * tsr_dtype_size(out.dtype));
    const bool close = is_close(out.dtype, got, g->y[i], 8 * fabs(g->y[i]));
    wrong += !close || (g->y[i] == 0 && !isnan(got) && signbit(got) != signbit(g->y[i]) && g->op == CUMSUM);
  }
  CHECK(wrong == 0);
  if (wrong != 0) printf("  row %d: %d wrong\n", (int)(g - rows), wrong);
  tsr_release(&flat);
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

/* ---- the documented order, bit by bit ---- */

#if TSR_HAVE_MALLOC
enum { RUN_LENGTH = 16, CHUNK_LENGTH = 16384 };

static void ordered(int product, const float *x, tsr_index n, float *out) {
  const float neutral = product ? 1.0f : -0.0f;
  float chunks = neutral, runs = neutral, run = neutral;
  for (tsr_index i = 0; i < n; i++) {
    if (i % RUN_LENGTH == 0 && i > 0) runs = product ? runs * run : runs + run, run = neutral;
    if (i % CHUNK_LENGTH == 0 && i > 0) chunks = product ? chunks * runs : chunks + runs, runs = neutral;
    run = product ? run * x[i] : run + x[i];
    out[i] = product ? (chunks * runs) * run : (chunks + runs) + run;
  }
}

/* The same elements along axis 1 of [few,n]: contiguous, transposed, in every second place backwards. */
static tsr_status lay_out(tsr_ctx *ctx, const tsr_tensor *x, int way, tsr_tensor *memory, tsr_tensor *view) {
  const tsr_index few = x->shape[0], n = x->shape[1];
  tsr_status st = TSR_OK;
  if (way == 0) st = tsr_empty(ctx, x->dtype, TSR_SHAPE(few, n), memory);
  if (way == 1) st = tsr_empty(ctx, x->dtype, TSR_SHAPE(n, few), memory);
  if (way == 2) st = tsr_empty(ctx, x->dtype, TSR_SHAPE(few, 2 * n), memory);
  if (st == TSR_OK) st = tsr_view(ctx, memory, view);
  if (st == TSR_OK && way == 1) st = tsr_transpose(ctx, view, 0, 1, view);
  if (st == TSR_OK && way == 2) st = tsr_slice(ctx, view, 1, 0, 2 * n, 2, view);
  if (st == TSR_OK && way == 2) st = tsr_flip(ctx, view, 1, view);
  return st == TSR_OK ? tsr_copy(ctx, x, view) : st;
}

static void check_ways(tsr_ctx *ctx, int which, const tsr_tensor *x, const tsr_tensor *want, int *wrong) {
  for (int way = 0; way < 3; way++)
    for (int in_place = 0; in_place < 2; in_place++) {
      tsr_tensor memory = {0}, view = {0}, out = {0};
      OK(ctx, lay_out(ctx, x, way, &memory, &view));
      if (in_place) OK(ctx, tsr_view(ctx, &view, &out));
      OK(ctx, fns[which](ctx, &view, 1, &out));
      *wrong += !test_same_elements(want, &out);
      tsr_release(&out);
      tsr_release(&memory);
    }
}

static void check_shape(tsr_ctx *ctx, const tsr_index *shape) {
  tsr_rng rng = tsr_rng_seed(21);
  tsr_tensor x = {0}, want = {0};
  OK(ctx, tsr_rand_uniform(ctx, &rng, TSR_F32, 2, shape, (tsr_real)-1, (tsr_real)1.5, &x));
  OK(ctx, tsr_empty(ctx, TSR_F32, 2, shape, &want));
  for (int product = 0; product < 2; product++) {
    for (tsr_index row = 0; row < shape[0]; row++)
      ordered(product, (float *)x.data + row * shape[1], shape[1], (float *)want.data + row * shape[1]);
    for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
      int wrong = 0;
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      check_ways(ctx, product ? CUMPROD : CUMSUM, &x, &want, &wrong);
      CHECK(wrong == 0);
      if (wrong != 0) printf("  %d ways of [%d,%d] on %s\n", wrong, (int)shape[0], (int)shape[1], tsr_isa_name(isa));
    }
  }
  tsr_release(&want);
  tsr_release(&x);
}
#endif

TEST(the_documented_order_whatever_the_way) {
#if TSR_HAVE_THREADS
  static const tsr_index shapes[][2] = {{1, 40000}, {9, 100},  {3, 16384}, {3, 16385},
                                        {9, 17000}, {300, 17}, {2100, 40}};
  for (int count = 1; count <= 8; count += count < 2 ? 1 : 6) {
    tsr_ctx ctx = *test_context();
    tsr_threads *const pool = test_with_threads(&ctx, count);
    for (int i = 0; i < COUNT_OF(shapes); i++) check_shape(&ctx, shapes[i]);
    tsr_threads_release(pool);
  }
  CHECK(test_live() == 0);
#else
  SKIP("no threads");
#endif
}

TEST(extremes_of_long_rows_with_nan) {
  enum { LENGTH = TSR_HAVE_MALLOC ? 40000 : 400 };
  static float values[LENGTH];
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, out = {0};
  for (int i = 0; i < LENGTH; i++) values[i] = (float)((i * 7919) % 10007);
  values[LENGTH / 2] = NAN;
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(LENGTH), &x));
  for (int which = CUMMIN; which <= CUMMAX; which++) {
    int wrong = 0;
    float best = values[0];
    OK(ctx, fns[which](ctx, &x, 0, &out));
    for (int i = 0; i < LENGTH; i++) {
      const float got = ((float *)out.data)[i];
      best = which == CUMMIN ? fminf(best, values[i]) : fmaxf(best, values[i]);
      wrong += i >= LENGTH / 2 ? !isnan(got) : got != best;
    }
    CHECK(wrong == 0);
    tsr_release(&out);
  }
}

/* ---- norms of any order ---- */

static double norm_of(const double *x, tsr_index n, double p) {
  double sum = 0;
  for (tsr_index i = 0; i < n; i++) sum += p == 0 ? x[i] != 0 : pow(fabs(x[i]), p);
  return p == 0 ? sum : pow(sum, 1 / p);
}

TEST(norms_of_any_order) {
  static const double orders[] = {0, 0.5, 3, -1, -2.5};
  static test_buffer buffer;
  static double list[TEST_ELEMENTS];
  test_rng rng = {4};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    if (!is_real(dtype) || dtype == TSR_F8_E4M3) continue; /* whose powers overflow to NaN */
    tsr_ctx *const ctx = test_context();
    fill_small(ctx, &buffer, dtype, &rng);
    for (int l = 0; l < test_layout_count(); l++) {
      const tsr_tensor x = test_over(&buffer, dtype, test_layout_at(l));
      for (unsigned mask = 0; mask < 1u << x.ndim && x.ndim < 5; mask++)
        for (int o = 0; o < COUNT_OF(orders); o++) {
          int axes[TSR_MAX_DIMS], wrong = 0;
          tsr_index shape[TSR_MAX_DIMS], kept[TSR_MAX_DIMS] = {0};
          tsr_tensor out = {0};
          const int naxes = axes_of(mask, x.ndim, axes), ndim = result_shape(&x, mask, false, shape);
          OK(ctx, tsr_norm(ctx, &x, (tsr_real)orders[o], naxes, axes, false, &out));
          CHECK(out.ndim == ndim && out.dtype == result_dtype(NORM2, dtype));
          if (test_product(ndim, shape) > 0) do {
              const tsr_index n = elements_of(&x, mask, kept, list);
              const double want = norm_of(list, n, orders[o]);
              wrong += !is_close(out.dtype, number_of(out.dtype, test_at(&out, kept)), want, 16 * fabs(want));
            } while (test_next_index(ndim, shape, kept));
          CHECK(wrong == 0);
          if (wrong != 0)
            printf("  norm %g of %s, %s, axes %x\n", orders[o], tsr_dtype_name(dtype), test_layout_at(l)->name, mask);
          tsr_release(&out);
        }
    }
    CHECK(test_live() == 0);
  }
}

TEST(norms_by_columns_and_in_pieces) {
  if (!TSR_HAVE_THREADS) SKIP("no threads");
  tsr_ctx *const ctx = test_context();
  tsr_ctx other = *ctx;
  tsr_rng rng = tsr_rng_seed(8);
  tsr_tensor x = {0}, a = {0}, b = {0};
  const int first[1] = {0};
  ctx->parallel = tsr_parallel_serial();
  tsr_threads *const pool = test_with_threads(&other, 3);
  OK(ctx, tsr_context_set_isa(ctx, "base"));
  OK(ctx, tsr_rand_normal(ctx, &rng, TSR_F32, TSR_SHAPE(3000, 40), &x));
  for (int all = 0; all < 2; all++) {
    OK(ctx, tsr_norm(ctx, &x, 3, all ? 0 : 1, all ? NULL : first, false, &a));
    OK(&other, tsr_norm(&other, &x, 3, all ? 0 : 1, all ? NULL : first, false, &b));
    CHECK(test_same_elements(&a, &b));
    double sum = 0;
    for (tsr_index i = 0; i < 3000 * 40; i += all ? 1 : 40) sum += pow(fabs((double)((float *)x.data)[i]), 3);
    CHECK(fabs((double)*(float *)a.data - cbrt(sum)) < 1e-5 * cbrt(sum));
    tsr_release(&a);
    tsr_release(&b);
  }
  tsr_release(&x);
  tsr_threads_release(pool);
  CHECK(test_live() == 0);
}

/* ---- outputs and failures ---- */

TEST(output_that_overlaps) {
  tsr_ctx *const ctx = test_context();
  float values[7] = {1, 2, 3, 4, 5, 6, 7};
  tsr_tensor x = {0}, whole = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(7), &whole));
  OK(ctx, tsr_slice(ctx, &whole, 0, 0, 6, 1, &x));
  OK(ctx, tsr_slice(ctx, &whole, 0, 1, 7, 1, &out));
  OK(ctx, tsr_cumsum(ctx, &x, 0, &out));
  CHECK(values[0] == 1 && values[1] == 1 && values[2] == 3 && values[3] == 6 && values[6] == 21);
  CHECK(test_live() == 0);
}

TEST(bad_calls_say_what_is_wrong) {
  tsr_ctx *const ctx = test_context();
  float values[6] = {1, 2, 3, 4, 5, 6};
  tsr_tensor x = {0}, scalar = {0}, out = {0}, empty = {0}, wrong = {0}, fixed = {0}, none = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_from_const_memory(ctx, values, TSR_F32, TSR_SHAPE(2, 3), &fixed));
  OK(ctx, tsr_from_const_memory(ctx, values, TSR_F32, 0, NULL, &scalar));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3), &wrong));
  for (int which = 0; which < CUMULATIVE; which++) {
    FAILS(ctx, TSR_EAXIS, fns[which](ctx, &x, 2, &out));
    MESSAGE_HAS(ctx, names[which]);
    MESSAGE_HAS(ctx, "axis 2 is out of range");
    FAILS(ctx, TSR_EAXIS, fns[which](ctx, &x, -3, &out));
    FAILS(ctx, TSR_EAXIS, fns[which](ctx, &scalar, 0, &out));
    FAILS(ctx, TSR_EARG, fns[which](ctx, NULL, 0, &out));
    MESSAGE_HAS(ctx, "x is NULL");
    FAILS(ctx, TSR_EARG, fns[which](ctx, &x, 0, NULL));
    MESSAGE_HAS(ctx, "out is NULL");
    FAILS(ctx, TSR_ESTATE, fns[which](ctx, &empty, 0, &out));
    FAILS(ctx, TSR_ESHAPE, fns[which](ctx, &x, 0, &wrong));
    MESSAGE_HAS(ctx, "out is f32 [3]");
    FAILS(ctx, TSR_EREADONLY, fns[which](ctx, &x, 0, &fixed));
#if TSR_HAVE_COMPLEX
    tsr_tensor z = {0};
    OK(ctx, tsr_from_const_memory(ctx, values, TSR_C64, TSR_SHAPE(3), &z));
    if (strncmp(names[which], "cumm", 4) == 0) {
      FAILS(ctx, TSR_EDTYPE, fns[which](ctx, &z, 0, &out));
      MESSAGE_HAS(ctx, "x is c64");
    }
#endif
    CHECK(tsr_is_none(&out) && values[0] == 1 && values[5] == 6);
  }
  FAILS(ctx, TSR_EARG, tsr_norm(ctx, &x, (tsr_real)NAN, 0, NULL, false, &out));
  MESSAGE_HAS(ctx, "norm: p is nan");
  FAILS(ctx, TSR_EAXIS, tsr_norm(ctx, &x, 3, 1, (const int[]){2}, false, &out));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(0), &none));
  FAILS(ctx, TSR_ESHAPE, tsr_norm(ctx, &none, -(tsr_real)INFINITY, 0, NULL, false, &out));
  tsr_release(&wrong);
  CHECK(test_live() == 0);
}

TEST(no_memory_leaves_the_output) {
#if TSR_HAVE_MALLOC
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(200, 200), &x));
  for (size_t allowed = 0; allowed < 2; allowed++) { /* the output, then the temporary memory */
    tsr_failing *const failing = test_failing();
    failing->fail_at = failing->calls + allowed;
    FAILS(ctx, TSR_ENOMEM, tsr_cumsum(ctx, &x, 0, &out));
    CHECK(tsr_is_none(&out));
    failing->fail_at = SIZE_MAX;
  }
  tsr_release(&x);
  CHECK(test_live() == 0);
#else
  SKIP("no malloc");
#endif
}

TEST_MAIN(RUN(every_op_dtype_layout_and_axis), RUN(golden_values), RUN(the_documented_order_whatever_the_way),
          RUN(extremes_of_long_rows_with_nan), RUN(norms_of_any_order), RUN(norms_by_columns_and_in_pieces),
          RUN(output_that_overlaps), RUN(bad_calls_say_what_is_wrong), RUN(no_memory_leaves_the_output))
