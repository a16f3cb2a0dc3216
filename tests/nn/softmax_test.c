/* Softmax and log_softmax: against the definition in f64 for every dtype, axis and way to lie, and against PyTorch;
 * edges; outputs; threads; scratch; failures. */
#include "support/test.h"

#include "nn/nn_support.h"
#include "support/scratch.h"

typedef tsr_status softmax_fn(tsr_ctx *, const tsr_tensor *, int, tsr_tensor *);

/* The elements along axis through index, their greatest, and Σ e^(x - greatest). */
static double sum_along(tsr_ctx *ctx, const tsr_tensor *x, int axis, const tsr_index *index, double *top) {
  tsr_index at[TSR_MAX_DIMS];
  double sum = 0;
  memcpy(at, index, sizeof at);
  *top = -(double)INFINITY;
  for (at[axis] = 0; at[axis] < x->shape[axis]; at[axis]++) *top = fmax(*top, nn_get(ctx, x, at));
  for (at[axis] = 0; at[axis] < x->shape[axis]; at[axis]++) sum += exp(nn_get(ctx, x, at) - *top);
  return sum;
}

static void compare(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool log_too, const tsr_tensor *out) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  const double unit = nn_unit(x->dtype), f32 = x->dtype == TSR_F64 ? unit : 0x1p-24;
  if (tsr_size(x) == 0) return;
  do {
    double top;
    const double sum = sum_along(ctx, x, axis, index, &top), d = nn_get(ctx, x, index) - top;
    const double want = log_too ? d - log(sum) : exp(d) / sum, got = nn_get(ctx, out, index);
    const double small = x->dtype == TSR_F16 ? 0x1p-25 : 1e-37;
    const double allowed =
        log_too ? (2 * unit + 6 * f32) * (fabs(d) + fabs(log(sum)) + 1) : (2 * unit + (16 - d) * f32) * want;
    const bool close = nn_close(got, want, allowed + small);
    CHECK(close);
    if (!close && test_now.failures <= 20)
      printf("  %s, axis %d, log %d: %.9g instead of %.9g\n", tsr_dtype_name(x->dtype), axis, log_too, got, want);
  } while (test_next_index(x->ndim, x->shape, index));
}

/* Into a fresh output, into one that lies in another way, and in place. */
static void check_outputs(tsr_ctx *ctx, const tsr_tensor *x, int axis, int out_way, bool log_too) {
  softmax_fn *const f = log_too ? tsr_log_softmax : tsr_softmax;
  tsr_tensor fresh = {0}, owner = {0}, given = {0};
  OK(ctx, f(ctx, x, axis, &fresh));
  CHECK(fresh.dtype == x->dtype && tsr_same_shape(&fresh, x) && fresh.layout == x->layout);
  compare(ctx, x, axis < 0 ? axis + x->ndim : axis, log_too, &fresh);
  OK(ctx, nn_make(ctx, x->dtype, x->ndim, x->shape, out_way, &owner, &given));
  OK(ctx, f(ctx, x, axis, &given));
  CHECK(test_same_elements(&given, &fresh));
  OK(ctx, tsr_copy(ctx, x, &given));
  OK(ctx, f(ctx, &given, axis, &given));
  CHECK(test_same_elements(&given, &fresh));
  tsr_release(&fresh);
  tsr_release(&owner);
}

TEST(every_dtype_axis_and_way_to_lie) {
  static const tsr_index shapes[][3] = {{1, 1, 1}, {2, 3, 5}, {3, 17, 2}, {2, 4, 33}, {1, 3, 17}, {0, 3, 2}, {2, 0, 3}};
  test_rng rng = {1};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int d = 0; d < COUNT_OF(nn_dtypes); d++)
      for (int s = 0; s < COUNT_OF(shapes) && nn_has(nn_dtypes[d]); s++)
        for (int way = 0; way < NN_WAYS; way++) {
          tsr_ctx *const ctx = nn_context(isa);
          tsr_tensor owner = {0}, x = {0};
          OK(ctx, nn_make(ctx, nn_dtypes[d], 3, shapes[s], way, &owner, &x));
          nn_fill(ctx, &x, &rng, 0, s % 2 == 0 ? 3 : 40);
          for (int axis = -1; axis < 3; axis++)
            check_outputs(ctx, &x, axis, (way + axis + 1) % NN_WAYS, (axis + s) % 2 == 0);
          for (int axis = -1; axis < 3; axis++) check_outputs(ctx, &x, axis, (way + 1) % NN_WAYS, (axis + s) % 2 != 0);
          tsr_release(&owner);
          CHECK(test_live() == 0);
        }
}

TEST(edges) {
  static const float inf = INFINITY;
  const float rows[6][4] = {{-inf, -inf, -inf, -inf},  {0, inf, 1, 2},      {0, (float)NAN, 1, 2}, {-inf, 1, -inf, 1},
                            {3e38f, -3e38f, 3e38f, 0}, {-1000, 0, -90, -86}};
  const float wants[6][4] = {{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN},
                             {0, 0.5f, 0, 0.5f},   {0.5f, 0, 0.5f, 0},   {0, 1, 0, 0}};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    tsr_ctx *const ctx = nn_context(isa);
    tsr_tensor x = {0}, out = {0}, logs = {0};
    OK(ctx, tsr_from_const_memory(ctx, rows, TSR_F32, TSR_SHAPE(6, 4), &x));
    OK(ctx, tsr_softmax(ctx, &x, 1, &out));
    OK(ctx, tsr_log_softmax(ctx, &x, 1, &logs));
    for (int i = 0; i < 24; i++) {
      const float got = ((const float *)out.data)[i], want = ((const float *)(const void *)wants)[i];
      CHECK(isnan(want) ? isnan(got) : fabsf(got - want) < 1e-37f || i == 23);
      CHECK(!isnan(want) || isnan(((const float *)logs.data)[i]));
    }
    CHECK(fabsf(((const float *)out.data)[23] / 4.4737793e-38f - 1) < 1e-5f); /* e^-86: still there */
    CHECK(((const float *)logs.data)[20] == -1000);
    CHECK(((const float *)logs.data)[12] == -inf);
    tsr_release(&out);
    tsr_release(&logs);
  }
}

#if TSR_HAVE_MALLOC
/* A NaN is found wherever it is, at any length. */
TEST(nan_anywhere) {
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (tsr_index n = 1; n < 150; n += 1 + n / 20)
      for (tsr_index at = 0; at < n; at += 1 + at / 3) {
        tsr_ctx *const ctx = nn_context(isa);
        tsr_tensor x = {0};
        OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(n), &x));
        ((float *)x.data)[at] = (at % 2) != 0 ? -(float)NAN : (float)NAN;
        OK(ctx, tsr_softmax(ctx, &x, 0, &x));
        bool all = true;
        for (tsr_index i = 0; i < n; i++) all = all && isnan(((float *)x.data)[i]);
        CHECK(all);
        tsr_release(&x);
      }
}

/* Long rows and many rows: the sum of a row is 1, whatever the thread count, the strides and the instruction set with
 * fused multiply-add. */
TEST(same_bits_for_threads_strides_and_isas) {
  static const tsr_index shapes[][2] = {{3, 20011}, {300, 257}, {1, 4097}};
  tsr_threads *pool = NULL;
  OK(NULL, tsr_threads_new(4, &pool));
  for (int s = 0; s < COUNT_OF(shapes); s++)
    for (int d = 0; d < COUNT_OF(nn_dtypes); d++) {
      tsr_tensor first = {0};
      for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
        for (int way = 0; way < NN_WAYS; way++) {
          tsr_ctx *const ctx = nn_context(isa);
          tsr_tensor owner = {0}, x = {0}, out = {0};
          test_rng rng = {7};
          if (isa > 1) ctx->parallel = tsr_threads_parallel(pool);
          OK(ctx, nn_make(ctx, nn_dtypes[d], 2, shapes[s], way, &owner, &x));
          nn_fill(ctx, &x, &rng, 0, 9);
          OK(ctx, tsr_softmax(ctx, &x, 1, &out));
          if (isa == 1 && way == 0) OK(NULL, tsr_clone(NULL, &out, &first));
          if (isa >= 1) CHECK(test_same_elements(&out, &first));
          if (way == 0 && nn_dtypes[d] == TSR_F32) {
            double sum = 0;
            for (tsr_index i = 0; i < shapes[s][1]; i++) sum += (double)((float *)out.data)[i];
            CHECK(fabs(sum - 1) < 1e-6);
          }
          tsr_release(&out);
          tsr_release(&owner);
        }
      tsr_release(&first);
    }
  tsr_threads_release(pool);
}

/* x over axis 0 against the copy of its transpose over axis 1. */
static void check_columns(tsr_ctx *ctx, softmax_fn *f, const tsr_tensor *x) {
  tsr_tensor out = {0}, turned = {0}, rows = {0}, want = {0}, back = {0};
  OK(ctx, tsr_transpose(ctx, x, 0, 1, &turned));
  OK(ctx, tsr_empty(ctx, x->dtype, TSR_SHAPE(x->shape[1], x->shape[0]), &rows));
  OK(ctx, tsr_copy(ctx, &turned, &rows));
  OK(ctx, f(ctx, &rows, 1, &want));
  OK(ctx, tsr_transpose(ctx, &want, 0, 1, &back));
  OK(ctx, f(ctx, x, 0, &out));
  CHECK(test_same_elements(&out, &back));
  OK(ctx, tsr_copy(ctx, x, &out));
  OK(ctx, f(ctx, &out, 0, &out)); /* in place */
  CHECK(test_same_elements(&out, &back));
  tsr_release(&out);
  tsr_release(&turned);
  tsr_release(&rows);
  tsr_release(&want);
  tsr_release(&back);
}

/* Another axis than the innermost is read row by row, and its sums come about in the order of a row's. */
TEST(columns_have_the_bits_of_rows) {
  static const tsr_index shapes[][2] = {{5000, 70}, {257, 1100}, {16, 3}, {1, 40}, {35, 2}};
  static const tsr_real odd[] = {(tsr_real)NAN, (tsr_real)INFINITY, (tsr_real)-INFINITY, -1000};
  tsr_threads *pool = NULL;
  OK(NULL, tsr_threads_new(4, &pool));
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < COUNT_OF(shapes) * 2; i++) {
      tsr_ctx *const ctx = nn_context(isa);
      const tsr_index *const shape = shapes[i / 2];
      const int dtype = i % 2 == 0 ? TSR_F32 : TSR_F64;
      tsr_tensor x = {0};
      test_rng rng = {9};
      if (!nn_has(dtype)) continue;
      OK(ctx, tsr_empty(ctx, dtype, TSR_SHAPE(shape[0], shape[1]), &x));
      nn_fill(ctx, &x, &rng, 0, 9);
      for (int k = 0; k < COUNT_OF(odd) && shape[1] > 20; k++)
        OK(ctx, tsr_set(ctx, &x, TSR_INDEX((shape[0] - 1) * (k % 2), 3 * k + 1), odd[k]));
      ctx->parallel = i % 3 == 0 ? tsr_threads_parallel(pool) : tsr_parallel_serial();
      check_columns(ctx, tsr_softmax, &x);
      check_columns(ctx, tsr_log_softmax, &x);
      tsr_release(&x);
    }
  tsr_threads_release(pool);
}
#endif

TEST(overlap_is_as_if_copied) {
  tsr_ctx *const ctx = test_context();
  float memory[12];
  tsr_tensor all = {0}, x = {0}, shifted = {0}, want = {0};
  for (int i = 0; i < 12; i++) memory[i] = (float)(i * i % 7);
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(12), &all));
  OK(ctx, tsr_narrow(ctx, &all, 0, 0, 10, &x));
  OK(ctx, tsr_narrow(ctx, &all, 0, 1, 10, &shifted));
  OK(ctx, tsr_softmax(ctx, &x, 0, &want));
  OK(ctx, tsr_softmax(ctx, &x, 0, &shifted));
  CHECK(test_same_elements(&shifted, &want));
  tsr_release(&want);
  CHECK(test_live() == 0);
}

#if TSR_HAVE_MALLOC
typedef struct softmax_call {
  const tsr_tensor *x;
  int axis;
  tsr_tensor *out;
} softmax_call;

static tsr_status call_softmax(tsr_ctx *ctx, void *arg) {
  const softmax_call *const c = arg;
  return tsr_softmax(ctx, c->x, c->axis, c->out);
}

static tsr_status call_log_softmax(tsr_ctx *ctx, void *arg) {
  const softmax_call *const c = arg;
  return tsr_log_softmax(ctx, c->x, c->axis, c->out);
}

#endif

TEST(scratch_is_enough_and_nothing_is_allocated) {
#if TSR_HAVE_MALLOC
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_zeros(ctx, TSR_BF16, TSR_SHAPE(40, 30), &x));
  OK(ctx, tsr_zeros(ctx, TSR_BF16, TSR_SHAPE(40, 30), &out));
  for (int axis = 0; axis < 2; axis++) {
    CHECK(test_scratch(ctx, call_softmax, &(softmax_call){&x, axis, &out}) > 0);
    CHECK(test_scratch(ctx, call_softmax, &(softmax_call){&x, axis, &x}) > 0);
    CHECK(test_scratch(ctx, call_log_softmax, &(softmax_call){&x, axis, &out}) > 0);
  }
  tsr_release(&x);
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(4, 3), &x));
  CHECK(test_scratch(ctx, call_log_softmax, &(softmax_call){&x, 1, &x}) == 0);
  tsr_release(&x);
  tsr_release(&out);
#else
  SKIP("no allocator that refuses");
#endif
}

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  float memory[6] = {0};
  int32_t numbers[6] = {0};
  tsr_tensor x = {0}, integers = {0}, readonly = {0}, out = {0}, wrong = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I32, TSR_SHAPE(2, 3), &integers));
  OK(ctx, tsr_from_const_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3), &readonly));
  FAILS(ctx, TSR_EAXIS, tsr_softmax(ctx, &x, 2, &out));
  MESSAGE_HAS(ctx, "softmax: axis 2 is out of range for rank 2");
  FAILS(ctx, TSR_EDTYPE, tsr_softmax(ctx, &integers, 1, &out));
  MESSAGE_HAS(ctx, "softmax: x is i32 [2,3]; softmax takes floats");
  FAILS(ctx, TSR_EARG, tsr_log_softmax(ctx, NULL, 1, &out));
  MESSAGE_HAS(ctx, "log_softmax: x is NULL");
  FAILS(ctx, TSR_ESTATE, tsr_softmax(ctx, &wrong, 1, &out));
  FAILS(ctx, TSR_EREADONLY, tsr_softmax(ctx, &x, 1, &readonly));
  FAILS(ctx, TSR_EDTYPE, tsr_softmax(ctx, &x, 1, &integers));
  FAILS(ctx, TSR_EARG, tsr_softmax(ctx, &x, 1, NULL));
  FAILS(ctx, TSR_EAXIS, tsr_log_softmax(ctx, &x, -3, &out));
  CHECK(tsr_is_none(&out));
  CHECK(test_live() == 0);
}

/* ---- against PyTorch ---- */

#if TSR_HAVE_MALLOC
typedef struct golden {
  bool log_too;
  int axis, ndim;
  tsr_index shape[3];
  _Alignas(8) double x[24];
  double y[24];
} golden;

static const golden goldens[] = {
#include "golden/nn_softmax.inc"
};

TEST(golden_values) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(goldens); i++) {
    const golden *const g = &goldens[i];
    tsr_tensor x = {0}, single = {0};
    OK(ctx, tsr_from_const_memory(ctx, g->x, TSR_F64, g->ndim, g->shape, &x));
    OK(ctx, tsr_cast(ctx, &x, TSR_F32, &single));
    OK(ctx, g->log_too ? tsr_log_softmax(ctx, &single, g->axis, &single) : tsr_softmax(ctx, &single, g->axis, &single));
    for (tsr_index k = 0; k < tsr_size(&single); k++)
      CHECK(nn_close((double)((float *)single.data)[k], g->y[k], 8e-6 * fabs(g->y[k]) + (g->log_too ? 2e-7 : 1e-37)));
    tsr_release(&single);
  }
}
#else
TEST(golden_values) { SKIP("needs f64"); }
TEST(nan_anywhere) { SKIP("needs more memory"); }
TEST(same_bits_for_threads_strides_and_isas) { SKIP("no threads"); }
TEST(columns_have_the_bits_of_rows) { SKIP("no columns here"); }
#endif

TEST_MAIN(RUN(every_dtype_axis_and_way_to_lie), RUN(edges), RUN(nan_anywhere),
          RUN(same_bits_for_threads_strides_and_isas), RUN(columns_have_the_bits_of_rows), RUN(overlap_is_as_if_copied),
          RUN(scratch_is_enough_and_nothing_is_allocated), RUN(bad_calls), RUN(golden_values))
