/* Convolution over three axes: against the definition in f64, over random shapes and attributes in every float dtype,
 * layout, instruction set and way to lie; one layer of it is tsr_conv2d; outputs; failures. */
#include "support/test.h"

#include "nn/all_floats.h"

#if TSR_MAX_DIMS >= 5
typedef struct call {
  bool last, biased;
  tsr_tensor x, w, bias;
  tsr_conv3d_options a;
} call;

static tsr_index or_one(tsr_index value) { return value == 0 ? 1 : value; }

static tsr_status run(tsr_ctx *ctx, const call *c, tsr_tensor *out) {
  return tsr_conv3d(ctx, &c->x, &c->w, c->biased ? &c->bias : NULL, &c->a, out);
}

static double wanted(tsr_ctx *ctx, const call *c, const tsr_index *index, double *size) {
  const int channel = c->last ? 4 : 1, first = c->last ? 1 : 2;
  const tsr_index made = c->w.shape[0] / or_one(c->a.groups), o = index[channel];
  tsr_index tap[5] = {0}, at[5];
  double sum = c->biased ? nn_get(ctx, &c->bias, &o) : 0;
  *size = fabs(sum);
  do {
    bool inside = tap[0] == 0;
    memcpy(at, index, sizeof at);
    at[channel] = o / made * c->w.shape[1] + tap[1];
    for (int k = 0; k < 3; k++) {
      at[first + k] = index[first + k] * or_one(c->a.stride[k]) + tap[2 + k] * or_one(c->a.dilation[k]);
      at[first + k] -= c->a.pad_before[k];
      inside = inside && at[first + k] >= 0 && at[first + k] < c->x.shape[first + k];
    }
    if (!inside) continue;
    const tsr_index filter[5] = {o, tap[1], tap[2], tap[3], tap[4]};
    const double product = nn_get(ctx, &c->x, at) * nn_get(ctx, &c->w, filter);
    sum += product;
    *size += fabs(product);
  } while (test_next_index(5, c->w.shape, tap) && tap[0] == 0);
  return sum;
}

static void check_call(tsr_ctx *ctx, const call *c, int way) {
  tsr_tensor fresh = {0}, owner = {0}, given = {0};
  tsr_index index[TSR_MAX_DIMS] = {0};
  OK(ctx, run(ctx, c, &fresh));
  REQUIRE(fresh.ndim == 5 && fresh.layout == c->x.layout && fresh.shape[c->last ? 4 : 1] == c->w.shape[0]);
  for (int k = 0; k < 3; k++) {
    const int axis = (c->last ? 1 : 2) + k;
    const tsr_index span = or_one(c->a.dilation[k]) * (c->w.shape[2 + k] - 1) + 1;
    const tsr_index whole = c->x.shape[axis] + c->a.pad_before[k] + c->a.pad_after[k];
    CHECK(fresh.shape[axis] == (whole - span) / or_one(c->a.stride[k]) + 1);
  }
  do {
    double size = 0;
    const double want = wanted(ctx, c, index, &size);
    float_check("conv3d", fresh.dtype, nn_get(ctx, &fresh, index), want, float_allowed(fresh.dtype, want, size, 60));
  } while (test_next_index(5, fresh.shape, index));
  OK(ctx, nn_make(ctx, fresh.dtype, 5, fresh.shape, way, &owner, &given));
  OK(ctx, run(ctx, c, &given));
  CHECK(test_same_elements(&given, &fresh));
  tsr_release(&owner), tsr_release(&fresh);
}

TEST(random_shapes_and_attributes) {
  test_rng rng = {91};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int round = 0; round < 96; round++) {
      tsr_ctx *const ctx = nn_context(isa);
      call c = {.last = round % 2 != 0, .biased = round % 3 != 0};
      const int dtype = all_floats[round % COUNT_OF(all_floats)];
      tsr_index shape[5], filter[5];
      tsr_tensor owner[3] = {{0}};
      c.a.groups = test_between(&rng, 0, 2);
      filter[0] = or_one(c.a.groups) * test_between(&rng, 1, 2);
      filter[1] = test_between(&rng, 1, 3);
      shape[0] = test_between(&rng, 1, 2);
      shape[c.last ? 4 : 1] = filter[1] * or_one(c.a.groups);
      for (int k = 0; k < 3; k++) {
        filter[2 + k] = test_between(&rng, 1, 3);
        c.a.stride[k] = test_between(&rng, 0, 3);
        c.a.dilation[k] = test_between(&rng, 0, 2);
        c.a.pad_before[k] = test_between(&rng, 0, 2);
        c.a.pad_after[k] = test_between(&rng, 0, 2);
        const tsr_index span = or_one(c.a.dilation[k]) * (filter[2 + k] - 1) + 1;
        const tsr_index pads = c.a.pad_before[k] + c.a.pad_after[k];
        shape[(c.last ? 1 : 2) + k] = test_between(&rng, span > pads ? span - pads : 1, 6);
      }
      OK(ctx, nn_make(ctx, dtype, 5, shape, round / 3 % NN_WAYS, &owner[0], &c.x));
      OK(ctx, nn_make(ctx, dtype, 5, filter, round / 5 % NN_WAYS, &owner[1], &c.w));
      OK(ctx, nn_make(ctx, dtype, 1, filter, round / 7 % NN_WAYS, &owner[2], &c.bias));
      c.x.layout = c.last ? TSR_NDHWC : round % 4 == 0 ? TSR_NCDHW : TSR_PLAIN;
      nn_fill(ctx, &c.x, &rng, 0, 1), nn_fill(ctx, &c.w, &rng, 0, 1), nn_fill(ctx, &c.bias, &rng, 0, 1);
      check_call(ctx, &c, round / 11 % NN_WAYS);
      for (int i = 0; i < 3; i++) tsr_release(&owner[i]);
      CHECK(test_live() == 0);
    }
}

/* One layer: tsr_conv2d of whole numbers, and rows longer than a chunk; the same bits for any threads and set. */
TEST(one_layer_is_a_convolution_of_two_axes) {
  tsr_threads *pool = NULL;
  OK(NULL, tsr_threads_new(4, &pool));
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    tsr_ctx *const ctx = nn_context(isa);
    const tsr_conv_options flat = {.stride = {1, 2}, .pad_before = {1, 1}, .pad_after = {1, 0}};
    const tsr_conv3d_options deep = {.stride = {1, 1, 2}, .pad_before = {0, 1, 1}, .pad_after = {0, 1, 0}};
    tsr_tensor x = {0}, w = {0}, x3 = {0}, w3 = {0}, y = {0}, y3 = {0};
    test_rng rng = {92};
    OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 3, 5, 900), &x));
    OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(4, 3, 3, 4), &w));
    for (tsr_index i = 0; i < tsr_size(&x); i++) ((float *)x.data)[i] = (float)test_between(&rng, -3, 3);
    for (tsr_index i = 0; i < tsr_size(&w); i++) ((float *)w.data)[i] = (float)test_between(&rng, -3, 3);
    OK(ctx, tsr_conv2d(ctx, &x, &w, NULL, &flat, &y));
    OK(ctx, tsr_reshape(ctx, &x, TSR_SHAPE(1, 3, 1, 5, 900), &x3));
    OK(ctx, tsr_reshape(ctx, &w, TSR_SHAPE(4, 3, 1, 3, 4), &w3));
    ctx->parallel = tsr_threads_parallel(pool);
    OK(ctx, tsr_conv3d(ctx, &x3, &w3, NULL, &deep, &y3));
    CHECK(tsr_size(&y) == tsr_size(&y3) && memcmp(y.data, y3.data, tsr_nbytes(&y)) == 0);
    tsr_release(&x), tsr_release(&w), tsr_release(&x3), tsr_release(&w3), tsr_release(&y), tsr_release(&y3);
    CHECK(test_live() == 0);
  }
  tsr_threads_release(pool);
}

TEST(outputs_and_memory) {
  tsr_ctx *const ctx = test_context();
  float memory[20], filters[2] = {1, 2};
  call c = {.biased = false};
  tsr_tensor out = {0}, want = {0}, none = {0};
  for (int i = 0; i < 20; i++) memory[i] = (float)i;
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 1, 2, 2, 3), &c.x));
  OK(ctx, tsr_from_memory(ctx, filters, TSR_F32, TSR_SHAPE(1, 1, 2, 1, 1), &c.w));
  OK(ctx, tsr_from_memory(ctx, memory + 2, TSR_F32, TSR_SHAPE(1, 1, 1, 2, 3), &out));
  OK(ctx, run(ctx, &c, &want));
  const size_t calls = test_failing()->calls;
  OK(ctx, run(ctx, &c, &want));
  CHECK(test_failing()->calls == calls);
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, run(ctx, &c, &out));
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, run(ctx, &c, &none));
  for (int i = 0; i < 20; i++) CHECK(memory[i] == (float)i);
  OK(ctx, run(ctx, &c, &out));
  CHECK(test_same_elements(&out, &want) && tsr_is_none(&none));
  tsr_release(&want);
  CHECK(test_live() == 0);
}

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  static float memory[24];
  tsr_tensor x = {0}, w = {0}, flat = {0}, bias = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 2, 2, 2, 3), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 2, 1, 2, 2), &w));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 2, 2, 3), &flat));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(3), &bias));
  FAILS(ctx, TSR_ESHAPE, tsr_conv3d(ctx, &flat, &w, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "conv3d: x is f32 [2,2,2,3]; conv3d takes [N,C,D,H,W]");
  FAILS(ctx, TSR_ESHAPE, tsr_conv3d(ctx, &x, &flat, NULL, NULL, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_conv3d(ctx, &x, &w, &bias, NULL, &out));
  MESSAGE_HAS(ctx, "conv3d: bias is f32 [3], there are 2 filters");
  FAILS(ctx, TSR_ESHAPE, tsr_conv3d(ctx, &x, &w, NULL, &(const tsr_conv3d_options){.groups = 2}, &out));
  MESSAGE_HAS(ctx, "conv3d: w is f32 [2,2,1,2,2]: with 2 groups that does not fit x f32 [1,2,2,2,3]");
  FAILS(ctx, TSR_EARG, tsr_conv3d(ctx, &x, &w, NULL, &(const tsr_conv3d_options){.stride = {0, 0, -1}}, &out));
  MESSAGE_HAS(ctx, "conv3d: stride [0,0,-1] has a negative number");
  FAILS(ctx, TSR_ESHAPE, tsr_conv3d(ctx, &x, &w, NULL, &(const tsr_conv3d_options){.dilation = {1, 2, 1}}, &out));
  MESSAGE_HAS(ctx, "along axis 3 of x, a span of 3 leaves no output");
  FAILS(ctx, TSR_EOVERFLOW,
        tsr_conv3d(ctx, &x, &w, NULL, &(const tsr_conv3d_options){.pad_before = {TSR_INDEX_MAX}}, &out));
  x.layout = TSR_NDCHW;
  FAILS(ctx, TSR_ELAYOUT, tsr_conv3d(ctx, &x, &w, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "conv3d: x is f32 [1,2,2,2,3] with the layout NDCHW; conv3d takes NCDHW and NDHWC");
  x.layout = TSR_PLAIN;
  FAILS(ctx, TSR_EARG, tsr_conv3d(ctx, NULL, &w, NULL, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_conv3d(ctx, &x, &w, NULL, NULL, NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_conv3d(ctx, &x, &w, NULL, NULL, &x));
  CHECK(tsr_is_none(&out) && test_live() == 0);
}
#else
TEST(four_axes_are_not_enough) {
  tsr_ctx *const ctx = test_context();
  float memory[4] = {0};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 1, 2, 2), &x));
  FAILS(ctx, TSR_ESHAPE, tsr_conv3d(ctx, &x, &x, NULL, NULL, &out));
  CHECK(tsr_is_none(&out));
}
#endif

#if TSR_MAX_DIMS >= 5
TEST_MAIN(RUN(random_shapes_and_attributes), RUN(one_layer_is_a_convolution_of_two_axes), RUN(outputs_and_memory),
          RUN(bad_calls))
#else
TEST_MAIN(RUN(four_axes_are_not_enough))
#endif
