/* Dropout: the mask is tsr_rand_bernoulli's, for every dtype, way to lie, instruction set and number of threads; the
 * scale; rates 0 and 1; NaN; a run in parts; in place; failures. */
#include "support/test.h"

#include "nn/all_floats.h"

static const double rates[] = {0, 0.1, 0.5, 0.875, 1};

static void compare(tsr_ctx *ctx, const tsr_tensor *x, double rate, const tsr_tensor *mask, const tsr_tensor *out) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  if (tsr_size(x) == 0) return;
  do {
    const bool kept = *(const bool *)test_at(mask, index);
    const double want = kept ? nn_get(ctx, x, index) / (1 - rate) : 0;
    float_check("dropout", x->dtype, nn_get(ctx, out, index), want, float_allowed(x->dtype, want, fabs(want), 1));
  } while (test_next_index(x->ndim, x->shape, index));
}

static void check_call(tsr_ctx *ctx, const tsr_rng *start, const tsr_tensor *x, double rate, int way) {
  tsr_rng rng = *start, other = *start;
  tsr_tensor fresh = {0}, owner = {0}, given = {0}, mask = {0};
  OK(ctx, tsr_rand_bernoulli(ctx, &other, 1 - (tsr_real)rate, x->ndim, x->shape, &mask));
  OK(ctx, tsr_dropout(ctx, &rng, x, (tsr_real)rate, &fresh));
  CHECK(rng.counter == other.counter && tsr_same_shape(&fresh, x) && fresh.dtype == x->dtype);
  compare(ctx, x, rate, &mask, &fresh);
  rng = *start;
  OK(ctx, nn_make(ctx, x->dtype, x->ndim, x->shape, way, &owner, &given));
  OK(ctx, tsr_dropout(ctx, &rng, x, (tsr_real)rate, &given));
  CHECK(test_same_elements(&given, &fresh));
  tsr_tensor mine = *x; /* in place */
  rng = *start;
  OK(ctx, tsr_dropout(ctx, &rng, x, (tsr_real)rate, &mine));
  CHECK(test_same_elements(&mine, &fresh));
  tsr_release(&owner), tsr_release(&fresh), tsr_release(&mask);
}

TEST(masks_of_every_dtype_and_layout) {
  test_rng rng = {12};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int round = 0; round < 96; round++) {
      tsr_ctx *const ctx = nn_context(isa);
      const int dtype = all_floats[round % COUNT_OF(all_floats)], ndim = (int)test_between(&rng, 0, 4);
      tsr_rng start = tsr_rng_stream(77, (uint32_t)round);
      tsr_index shape[4] = {1};
      tsr_tensor owner = {0}, x = {0};
      if (!nn_has(dtype)) continue;
      start.counter = test_random(&rng);
      for (int i = 0; i < ndim; i++) shape[i] = test_between(&rng, round % 9 == 0 ? 0 : 1, 6);
      OK(ctx, nn_make(ctx, dtype, ndim, shape, round / 6 % NN_WAYS, &owner, &x));
      nn_fill(ctx, &x, &rng, 0, 3);
      check_call(ctx, &start, &x, rates[round % COUNT_OF(rates)], round / 5 % NN_WAYS);
      tsr_release(&owner);
      CHECK(test_live() == 0);
    }
}

TEST(what_is_dropped_is_zero) {
  tsr_ctx *const ctx = test_context();
  const float values[4] = {(float)NAN, (float)INFINITY, -1, -0.0f};
  tsr_rng rng = tsr_rng_seed(1);
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_const_memory(ctx, values, TSR_F32, TSR_SHAPE(4), &x));
  OK(ctx, tsr_dropout(ctx, &rng, &x, 1, &out));
  for (int i = 0; i < 4; i++) CHECK(((float *)out.data)[i] == 0 && !signbit(((float *)out.data)[i]));
  const size_t calls = test_failing()->calls;
  OK(ctx, tsr_dropout(ctx, &rng, &x, 0, &out)); /* given: no memory */
  CHECK(memcmp(out.data, values, sizeof values) == 0 && rng.counter == 8 && test_failing()->calls == calls);
  tsr_release(&out);
}

static void make(tsr_ctx *ctx, int which, tsr_tensor *out) {
  tsr_tensor x = {0}, turned = {0};
  tsr_rng rng = tsr_rng_seed(5);
  rng.counter = 3;
  float_random(ctx, TSR_SHAPE(203, 301), 7, &x);
  OK(ctx, tsr_transpose(ctx, &x, 0, 1, &turned));
  OK(ctx, tsr_dropout(ctx, &rng, which != 0 ? &turned : &x, (tsr_real)0.3, out));
  tsr_release(&x);
}

TEST(same_bits_for_threads_and_isas) { check_same_bits(make, 0), check_same_bits(make, 1); }

/* Two calls in a row are one call for both; about the right part stays. */
TEST(a_run_in_parts) {
  tsr_ctx *const ctx = test_context();
  enum { N = TSR_HAVE_MALLOC ? 20000 : 700 };
  tsr_rng rng = tsr_rng_seed(9), again = rng;
  tsr_tensor x = {0}, whole = {0}, part = {0}, a = {0}, b = {0};
  int kept = 0;
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(N), &x));
  OK(ctx, tsr_dropout(ctx, &rng, &x, (tsr_real)0.25, &whole));
  OK(ctx, tsr_narrow(ctx, &x, 0, 0, 333, &part));
  OK(ctx, tsr_dropout(ctx, &again, &part, (tsr_real)0.25, &a));
  OK(ctx, tsr_narrow(ctx, &x, 0, 333, N - 333, &part));
  OK(ctx, tsr_dropout(ctx, &again, &part, (tsr_real)0.25, &b));
  CHECK(memcmp(whole.data, a.data, 333 * sizeof(float)) == 0);
  CHECK(memcmp((float *)whole.data + 333, b.data, (N - 333) * sizeof(float)) == 0);
  for (int i = 0; i < N; i++) kept += ((float *)whole.data)[i] != 0;
  CHECK(fabs((double)kept / N - 0.75) < (TSR_HAVE_MALLOC ? 0.02 : 0.1));
  tsr_release(&x), tsr_release(&whole), tsr_release(&a), tsr_release(&b);
}

TEST(overlapping_and_bad_calls) {
  tsr_ctx *const ctx = test_context();
  float memory[9], before[9];
  int32_t integers[8] = {0};
  tsr_rng rng = tsr_rng_seed(4), again = rng;
  tsr_tensor x = {0}, shifted = {0}, want = {0}, other = {0}, out = {0}, shorter = {0};
  for (int i = 0; i < 9; i++) before[i] = memory[i] = (float)(i + 1);
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(8), &x));
  OK(ctx, tsr_from_memory(ctx, memory + 1, TSR_F32, TSR_SHAPE(8), &shifted));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(7), &shorter));
  OK(ctx, tsr_from_memory(ctx, integers, TSR_I32, TSR_SHAPE(8), &other));
  static const float bad[] = {-0.5f, 1.5f, (float)NAN};
  for (int i = 0; i < COUNT_OF(bad); i++) FAILS(ctx, TSR_EARG, tsr_dropout(ctx, &rng, &x, (tsr_real)bad[i], &out));
  MESSAGE_HAS(ctx, "dropout: rate is nan, not a number from 0 to 1");
  FAILS(ctx, TSR_EARG, tsr_dropout(ctx, NULL, &x, 0, &out));
  FAILS(ctx, TSR_EARG, tsr_dropout(ctx, &rng, NULL, 0, &out));
  FAILS(ctx, TSR_EARG, tsr_dropout(ctx, &rng, &x, 0, NULL));
  FAILS(ctx, TSR_EDTYPE, tsr_dropout(ctx, &rng, &other, 0, &out));
  MESSAGE_HAS(ctx, "dropout: x is i32 [8]; dropout takes floats");
  FAILS(ctx, TSR_ESHAPE, tsr_dropout(ctx, &rng, &x, 0, &shorter));
#if TSR_HAVE_MALLOC
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_dropout(ctx, &rng, &x, 0, &shifted));
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_dropout(ctx, &rng, &x, 0, &out));
#endif
  CHECK(rng.counter == 0 && memcmp(memory, before, sizeof before) == 0 && tsr_is_none(&out));
  OK(ctx, tsr_dropout(ctx, &again, &x, (tsr_real)0.5, &want));
  OK(ctx, tsr_dropout(ctx, &rng, &x, (tsr_real)0.5, &shifted));
  CHECK(test_same_elements(&shifted, &want));
  tsr_release(&want);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(masks_of_every_dtype_and_layout), RUN(what_is_dropped_is_zero), RUN(same_bits_for_threads_and_isas),
          RUN(a_run_in_parts), RUN(overlapping_and_bad_calls))
