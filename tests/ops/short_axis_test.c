/* Short axes: many rows of 1 … 130 elements go side by side, few rows one by one. Both have the same bits, for every op,
 * dtype, instruction set and layout, on any number of threads, in place; sums are those of the documented order. */
#include "support/test.h"

#include "ops/reduce_reference.h"

#include <stdlib.h>

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC

enum { ROWS = 203, SOME = 29, MOST = 130, PLACES = ROWS * (MOST + 2) * 2 };

static const int lengths[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,  16,  17,  18,  19,
                              23, 24, 25, 31, 32, 33, 40, 47, 48, 49, 63, 64, 65, 80, 127, 128, 129, MOST};

/* How rows lie in memory. */
enum { PLAIN, TRANSPOSED, PARTS, STEPPED, BACKWARDS, LAYOUTS };

static unsigned char memory[PLACES * 8];

static tsr_tensor numbers(tsr_ctx *ctx, int dtype, test_rng *rng) {
  static float values[PLACES];
  tsr_tensor from = {0}, to = {0};
  const bool whole = precision(dtype) == 0;
  for (int i = 0; i < PLACES; i++) {
    const int any = (int)(test_random(rng) % 2001) - 1000;
    values[i] = whole ? (float)(any % 100 + (tsr_dtype_describe(dtype)->class_ == TSR_CLASS_INT ? 0 : 100))
                      : (float)any * 0.00371f;
  }
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(PLACES), &from));
  OK(ctx, tsr_from_memory(ctx, memory, dtype, TSR_SHAPE(PLACES), &to));
  OK(ctx, tsr_cast(ctx, &from, dtype, &to));
  return to;
}

/* [ROWS,n] of it. */
static tsr_tensor laid(tsr_ctx *ctx, const tsr_tensor *flat, tsr_index n, int layout) {
  tsr_tensor t = {0};
  const tsr_index row[LAYOUTS] = {n, 1, n + 2, 2 * n, -n}, element[LAYOUTS] = {1, ROWS, 1, 2, -1};
  const tsr_index first = layout == BACKWARDS ? n * ROWS - 1 : 0;
  OK(ctx, tsr_as_strided(ctx, flat, TSR_SHAPE(ROWS, n), (const tsr_index[]){row[layout], element[layout]}, first, &t));
  return t;
}

/* ---- an op by its name, along axis 1 ---- */

static const char *const ops[] = {"sum",     "prod",      "mean",          "var",         "std",        "min",
                                  "max",     "any",       "all",           "norm1",       "norm2",      "argmin",
                                  "argmax",  "cumsum",    "cumprod",       "cummin",      "cummax",     "norm_inf",
                                  "softmax", "logsumexp", "count_nonzero", "log_softmax", "layer_norm", "rms_norm"};

static bool takes_floats_alone(const char *name) {
  return strstr(name, "softmax") != NULL || strcmp(name, "layer_norm") == 0 || strcmp(name, "rms_norm") == 0;
}

static tsr_status run_op(tsr_ctx *ctx, const char *name, const tsr_tensor *x, tsr_tensor *out) {
  const tsr_op *const named = tsr_op_find(name);
  const tsr_index one[] = {1};
  const bool list = tsr_op_param_at(named, TSR_OP_ATTRIBUTE, 0)->type == TSR_OP_AXES;
  const tsr_attr axis = list ? tsr_attr_ints("axes", 1, one) : tsr_attr_int("axis", 1);
  return tsr_op_call(ctx, named, 1, &x, 1, &axis, 1, &out);
}

/* Some rows at a time are the reference: too few to go side by side. */
static bool has_bits_of_few(tsr_ctx *ctx, const char *name, const tsr_tensor *x, const tsr_tensor *all) {
  bool same = true;
  for (tsr_index i = 0; i < ROWS; i += SOME) {
    tsr_tensor some = {0}, got = {0}, want = {0};
    OK(ctx, tsr_slice(ctx, x, 0, i, i + SOME, 1, &some));
    OK(ctx, tsr_slice(ctx, all, 0, i, i + SOME, 1, &got));
    OK(ctx, run_op(ctx, name, &some, &want));
    same = same && test_same_numbers(&got, &want);
    tsr_release(&want);
    tsr_release(&got);
    tsr_release(&some);
  }
  return same;
}

static void check_op(tsr_ctx *ctx, const char *name, const tsr_tensor *x, int layout) {
  tsr_tensor out = {0};
  OK(ctx, run_op(ctx, name, x, &out));
  const bool same = has_bits_of_few(ctx, name, x, &out);
  CHECK(same);
  if (!same) printf("  %s of %s, %d elements, layout %d\n", name, tsr_dtype_name(x->dtype), (int)x->shape[1], layout);
  tsr_release(&out);
}

static void check_dtype(tsr_ctx *ctx, int dtype, test_rng *rng) {
  tsr_tensor flat = numbers(ctx, dtype, rng);
  const bool is_float = tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT;
  for (int l = 0; l < COUNT_OF(lengths); l += dtype == TSR_F32 ? 1 : 3)
    for (int layout = 0; layout < LAYOUTS; layout++) {
      tsr_tensor x = laid(ctx, &flat, lengths[l], layout);
      for (int i = 0; i < COUNT_OF(ops); i++)
        if (is_float || !takes_floats_alone(ops[i])) check_op(ctx, ops[i], &x, layout);
      tsr_release(&x);
    }
  tsr_release(&flat);
}

TEST(many_rows_have_the_bits_of_few) {
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_F16, TSR_I8, TSR_U8, TSR_I16, TSR_I32, TSR_I64};
  test_rng rng = {17};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < COUNT_OF(dtypes); i++) {
      tsr_ctx *const ctx = test_context();
      if (tsr_context_set_isa(ctx, tsr_isa_name(isa)) != TSR_OK || !tsr_dtype_supported(dtypes[i])) continue;
      check_dtype(ctx, dtypes[i], &rng);
      CHECK(test_live() == 0);
    }
}

/* ---- the documented orders ---- */

/* Lane r % 16, from -0 on; then a pairwise tree. */
static float sum_in_order(const float *x, tsr_index n) {
  float lane[16];
  for (int l = 0; l < 16; l++) lane[l] = -0.0f;
  for (tsr_index r = 0; r < n; r++) lane[r % 16] += x[r];
  for (int half = 8; half > 0; half /= 2)
    for (int l = 0; l < half; l++) lane[l] = lane[2 * l] + lane[2 * l + 1];
  return lane[0];
}

/* Runs of 16, from -0 on; (runs before) + the run so far. */
static void cumsum_in_order(const float *x, tsr_index n, float *out) {
  float before = -0.0f, run = -0.0f;
  for (tsr_index i = 0; i < n; i++) {
    if (i > 0 && i % 16 == 0) {
      before += run;
      run = -0.0f;
    }
    run += x[i];
    out[i] = before + run;
  }
}

TEST(sums_are_in_the_documented_order) {
  test_rng rng = {5};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    tsr_ctx *const ctx = test_context();
    if (tsr_context_set_isa(ctx, tsr_isa_name(isa)) != TSR_OK) continue;
    tsr_tensor flat = numbers(ctx, TSR_F32, &rng);
    ((float *)(void *)memory)[3] = -0.0f;
    for (tsr_index n = 1; n <= MOST; n++)
      for (int layout = 0; layout < LAYOUTS; layout++) {
        tsr_tensor x = laid(ctx, &flat, n, layout), sum = {0}, run = {0};
        OK(ctx, run_op(ctx, "sum", &x, &sum));
        OK(ctx, run_op(ctx, "cumsum", &x, &run));
        int wrong = 0, wrong_runs = 0;
        for (tsr_index i = 0; i < ROWS; i++) {
          float row[MOST], want[MOST];
          for (tsr_index k = 0; k < n; k++) memcpy(&row[k], test_at(&x, (const tsr_index[]){i, k}), sizeof row[k]);
          cumsum_in_order(row, n, want);
          const float total = sum_in_order(row, n);
          wrong += memcmp(&total, test_at(&sum, &i), sizeof total) != 0;
          for (tsr_index k = 0; k < n; k++)
            wrong_runs += memcmp(&want[k], test_at(&run, (const tsr_index[]){i, k}), sizeof want[k]) != 0;
        }
        CHECK(wrong == 0);
        CHECK(wrong_runs == 0);
        if (wrong + wrong_runs > 0)
          printf("  %d sums and %d cumulative ones of %d elements, layout %d\n", wrong, wrong_runs, (int)n, layout);
        tsr_release(&run);
        tsr_release(&sum);
        tsr_release(&x);
      }
    tsr_release(&flat);
  }
}

/* ---- threads, in place, outputs with gaps ---- */

TEST(threads_do_not_show) {
  static const char *const some[] = {"sum", "var", "argmax", "cumsum", "softmax", "layer_norm"};
  enum { MANY = 40000 };
  static float values[MANY * 9];
  test_rng rng = {23};
  for (int i = 0; i < MANY * 9; i++) values[i] = (float)(int)(test_random(&rng) % 4001) / 64 - 31;
  for (int i = 0; i < COUNT_OF(some); i++)
    for (tsr_index n = 3; n <= 9; n += 3) {
      tsr_tensor x = {0}, want = {0}, got = {0};
      tsr_ctx *const ctx = test_context();
      const tsr_parallel *const own = ctx->parallel;
      OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(MANY, n), &x));
      ctx->parallel = tsr_parallel_serial();
      OK(ctx, run_op(ctx, some[i], &x, &want));
      tsr_threads *const pool = TSR_HAVE_THREADS ? test_with_threads(ctx, 16) : NULL;
      OK(ctx, run_op(ctx, some[i], &x, &got));
      CHECK(test_same_elements(&want, &got));
      ctx->parallel = own;
      tsr_threads_release(pool);
      tsr_release(&got);
      tsr_release(&want);
    }
}

TEST(in_place_and_into_parts) {
  static const char *const some[] = {"cumsum", "cummax", "softmax", "log_softmax", "layer_norm", "rms_norm"};
  test_rng rng = {29};
  for (int i = 0; i < COUNT_OF(some); i++)
    for (int l = 0; l < COUNT_OF(lengths); l++)
      for (int layout = 0; layout < LAYOUTS; layout++) {
        tsr_ctx *const ctx = test_context();
        static float target[ROWS * (MOST + 3)];
        tsr_tensor flat = numbers(ctx, TSR_F32, &rng), wide = {0}, part = {0}, want = {0};
        tsr_tensor x = laid(ctx, &flat, lengths[l], layout);
        const tsr_index n = lengths[l];
        OK(ctx, run_op(ctx, some[i], &x, &want));
        for (int k = 0; k < COUNT_OF(target); k++) target[k] = 77;
        OK(ctx, tsr_from_memory(ctx, target, TSR_F32, TSR_SHAPE(ROWS, n + 3), &wide));
        OK(ctx, tsr_slice(ctx, &wide, 1, 1, n + 1, 1, &part));
        OK(ctx, run_op(ctx, some[i], &x, &part));
        CHECK(test_same_elements(&part, &want));
        int touched = 0;
        for (tsr_index k = 0; k < ROWS * (n + 3); k++) {
          const tsr_index column = k % (n + 3);
          touched += (column < 1 || column > n) && target[k] != 77;
        }
        CHECK(touched == 0);
        OK(ctx, run_op(ctx, some[i], &x, &x));
        CHECK(test_same_elements(&x, &want));
        tsr_release(&want);
        tsr_release(&part);
        tsr_release(&wide);
        tsr_release(&x);
        tsr_release(&flat);
      }
}

/* Norms whose first element is far from the others, infinities and NaN. */
TEST(odd_rows_are_as_they_are_alone) {
  static const char *const some[] = {"layer_norm", "rms_norm", "softmax", "log_softmax",
                                     "max",        "argmax",   "cummax",  "logsumexp"};
  test_rng rng = {31};
  for (int i = 0; i < COUNT_OF(some); i++)
    for (int l = 0; l < COUNT_OF(lengths); l++) {
      tsr_ctx *const ctx = test_context();
      tsr_tensor flat = numbers(ctx, TSR_F32, &rng);
      tsr_tensor x = laid(ctx, &flat, lengths[l], PLAIN);
      float *const values = (float *)(void *)memory;
      for (int r = 0; r < ROWS; r++) {
        const int row = r * lengths[l];
        if (r % 5 == 1) values[row] = 1e6f;
        if (r % 7 == 3) values[row + lengths[l] / 2] = r % 2 == 0 ? NAN : INFINITY;
        if (r % 11 == 4) values[row + lengths[l] - 1] = -INFINITY;
      }
      check_op(ctx, some[i], &x, PLAIN);
      tsr_release(&x);
      tsr_release(&flat);
    }
}

/* Nothing is read behind the last row, whatever is left of a vector of rows: sanitizers see it. */
TEST(rows_end_where_their_memory_does) {
  static const int dtypes[] = {TSR_BOOL, TSR_I16, TSR_F32, TSR_I64};
  static const tsr_index counts[] = {17, 33, 34, 65, 66, 67, 68, 129, 130, 131, 193};
  tsr_ctx *const ctx = test_context();
  for (int d = 0; d < COUNT_OF(dtypes); d++)
    for (int c = 0; c < COUNT_OF(counts); c++)
      for (tsr_index n = 2; n < 16; n++) {
        const size_t item = tsr_dtype_size(dtypes[d]), bytes = (size_t)(counts[c] * n) * item;
        unsigned char *const exact = calloc(1, bytes);
        tsr_tensor x = {0}, out = {0};
        bool none = true;
        REQUIRE(exact != NULL);
        OK(ctx, tsr_from_memory(ctx, exact, dtypes[d], TSR_SHAPE(counts[c], n), &x));
        OK(ctx, tsr_any(ctx, &x, TSR_AXES(1), false, &out));
        for (tsr_index i = 0; i < counts[c]; i++) none = none && !TSR_AT(bool, &out, i);
        tsr_release(&out);
        OK(ctx, tsr_max(ctx, &x, TSR_AXES(1), false, &out));
        CHECK(none && tsr_size(&out) == counts[c] && memcmp(out.data, exact, (size_t)counts[c] * item) == 0);
        tsr_release(&out);
        free(exact);
      }
}

#else
TEST(rows_end_where_their_memory_does) { SKIP("ops have no names in this build"); }
TEST(many_rows_have_the_bits_of_few) { SKIP("ops have no names in this build"); }
TEST(sums_are_in_the_documented_order) { SKIP("ops have no names in this build"); }
TEST(threads_do_not_show) { SKIP("ops have no names in this build"); }
TEST(in_place_and_into_parts) { SKIP("ops have no names in this build"); }
TEST(odd_rows_are_as_they_are_alone) { SKIP("ops have no names in this build"); }
#endif

TEST_MAIN(RUN(many_rows_have_the_bits_of_few), RUN(sums_are_in_the_documented_order), RUN(threads_do_not_show),
          RUN(in_place_and_into_parts), RUN(odd_rows_are_as_they_are_alone), RUN(rows_end_where_their_memory_does))
