/* Local response normalisation: against the definition in f64, over random shapes and attributes in every float dtype,
 * layout, instruction set and way to lie; in place with scratch and without; threads; failures. */
#include "support/test.h"

#include "nn/all_floats.h"
#include "support/scratch.h"

typedef struct call {
  tsr_index size;
  double alpha, beta, bias;
} call;

static double wanted(tsr_ctx *ctx, const call *c, const tsr_tensor *x, int channel, const tsr_index *index) {
  tsr_index at[4];
  double sum = 0;
  memcpy(at, index, sizeof at);
  for (tsr_index k = 0; k < x->shape[channel]; k++) {
    const double low = (double)index[channel] - floor((double)(c->size - 1) / 2);
    const double high = (double)index[channel] + ceil((double)(c->size - 1) / 2);
    at[channel] = k;
    if ((double)k >= low && (double)k <= high) sum += pow(nn_get(ctx, x, at), 2);
  }
  return nn_get(ctx, x, index) / pow(c->bias + c->alpha / (double)c->size * sum, c->beta);
}

static tsr_status run(tsr_ctx *ctx, const call *c, const tsr_tensor *x, tsr_tensor *out) {
  return tsr_lrn(ctx, x, c->size, (tsr_real)c->alpha, (tsr_real)c->beta, (tsr_real)c->bias, out);
}

static void check_call(tsr_ctx *ctx, const call *c, const tsr_tensor *x, int channel, int way) {
  tsr_tensor fresh = {0}, owner = {0}, given = {0}, mine = *x;
  tsr_index index[TSR_MAX_DIMS] = {0};
  OK(ctx, run(ctx, c, x, &fresh));
  REQUIRE(tsr_same_shape(&fresh, x) && fresh.layout == x->layout && fresh.dtype == x->dtype);
  do {
    const double want = wanted(ctx, c, x, channel, index);
    const double steps = (double)c->size + (TSR_REAL_BITS == 32 ? 40 : 8);
    float_check("lrn", x->dtype, nn_get(ctx, &fresh, index), want, float_allowed(x->dtype, want, fabs(want), steps));
  } while (test_next_index(fresh.ndim, fresh.shape, index));
  OK(ctx, nn_make(ctx, x->dtype, x->ndim, fresh.shape, way, &owner, &given));
  OK(ctx, run(ctx, c, x, &given));
  CHECK(test_same_elements(&given, &fresh));
  OK(ctx, run(ctx, c, x, &mine));
  CHECK(test_same_elements(&mine, &fresh));
  tsr_release(&owner), tsr_release(&fresh);
}

TEST(random_shapes_and_attributes) {
  test_rng rng = {71};
  const int rounds = TSR_HAVE_MALLOC ? 144 : 48;
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int round = 0; round < rounds; round++) {
      tsr_ctx *const ctx = nn_context(isa);
      const bool last = round % 2 != 0;
      const int spatial = 1 + round / 2 % 2, dtype = all_floats[round % COUNT_OF(all_floats)];
      const call c = {test_between(&rng, 1, 8), (double)test_between(&rng, 0, 8) / 8,
                      (double)test_between(&rng, 0, 8) / 8, (double)test_between(&rng, 1, 8) / 4};
      tsr_index shape[4] = {1};
      tsr_tensor owner = {0}, x = {0};
      if (!nn_has(dtype)) continue;
      for (int k = 0; k < spatial + 2; k++) shape[k] = test_between(&rng, 1, 4);
      shape[last ? spatial + 1 : 1] = test_between(&rng, 1, 9);
      OK(ctx, nn_make(ctx, dtype, spatial + 2, shape, round / 5 % NN_WAYS, &owner, &x));
      x.layout = (uint8_t)(last ? (spatial == 1 ? TSR_NLC : TSR_NHWC) : TSR_PLAIN);
      nn_fill(ctx, &x, &rng, 0, 3);
      check_call(ctx, &c, &x, last ? spatial + 1 : 1, round / 7 % NN_WAYS);
      tsr_release(&owner);
      CHECK(test_live() == 0);
    }
}

static void make(tsr_ctx *ctx, int which, tsr_tensor *out) {
  tsr_tensor x = {0};
  float_random(ctx, TSR_SHAPE(4, 16, 13, 12), 7, &x);
  x.layout = (uint8_t)which;
  OK(ctx, tsr_lrn(ctx, &x, 5, 1, (tsr_real)0.75, 1, out));
  tsr_release(&x);
}

TEST(same_bits_for_threads_and_isas) { check_same_bits(make, TSR_NCHW), check_same_bits(make, TSR_NHWC); }

#if TSR_HAVE_MALLOC
static tsr_status call_in_place(tsr_ctx *ctx, void *arg) { return tsr_lrn(ctx, arg, 5, 1, 1, 1, arg); }
#endif

TEST(memory_in_place) {
#if TSR_HAVE_MALLOC
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(2, 9, 8), &x));
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_lrn(ctx, &x, 5, 1, 1, 1, &x));
  CHECK(*(float *)x.data == 1);
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_lrn(ctx, &x, 5, 1, 1, 1, &out));
  CHECK(tsr_is_none(&out));
  CHECK(test_scratch(ctx, call_in_place, &x) == tsr_nbytes(&x) + TSR_DATA_ALIGN - 1);
  tsr_release(&x);
  CHECK(test_live() == 0);
#else
  SKIP("no allocator that counts");
#endif
}

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  static float memory[24];
  static int32_t integers[24];
  tsr_tensor x = {0}, flat = {0}, other = {0}, out = {0}, none = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 2, 4, 3), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(8, 3), &flat));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(0, 2, 3), &none));
  OK(ctx, tsr_from_memory(ctx, integers, TSR_I32, TSR_SHAPE(1, 2, 4, 3), &other));
  FAILS(ctx, TSR_EARG, tsr_lrn(ctx, &x, 0, 1, 1, 1, &out));
  MESSAGE_HAS(ctx, "lrn: size is 0, which is not 1 or more");
  FAILS(ctx, TSR_EARG, tsr_lrn(ctx, &x, 3, (tsr_real)NAN, 1, 1, &out));
  FAILS(ctx, TSR_EARG, tsr_lrn(ctx, &x, 3, 1, (tsr_real)INFINITY, 1, &out));
  MESSAGE_HAS(ctx, "lrn: beta is inf, which is not finite");
  FAILS(ctx, TSR_EARG, tsr_lrn(ctx, &x, 3, 1, 1, (tsr_real)NAN, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_lrn(ctx, &flat, 3, 1, 1, 1, &out));
  MESSAGE_HAS(ctx, "lrn: x is f32 [8,3]; lrn takes [N,C,L] and [N,C,H,W]");
  FAILS(ctx, TSR_EDTYPE, tsr_lrn(ctx, &other, 3, 1, 1, 1, &out));
  FAILS(ctx, TSR_EARG, tsr_lrn(ctx, NULL, 3, 1, 1, 1, &out));
  FAILS(ctx, TSR_EARG, tsr_lrn(ctx, &x, 3, 1, 1, 1, NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_lrn(ctx, &x, 3, 1, 1, 1, &flat));
  CHECK(tsr_is_none(&out));
  OK(ctx, tsr_lrn(ctx, &none, TSR_INDEX_MAX, 1, 1, 1, &out));
  CHECK(out.shape[0] == 0 && test_live() == 0);
  OK(ctx, tsr_lrn(ctx, &x, TSR_INDEX_MAX, 1, 1, 1, &x)); /* every channel, and no sum that wraps */
}

TEST_MAIN(RUN(random_shapes_and_attributes), RUN(same_bits_for_threads_and_isas), RUN(memory_in_place), RUN(bad_calls))
