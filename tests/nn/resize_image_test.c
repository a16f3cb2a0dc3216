/* Resizing images: against pixels looked for one by one, over random sizes and attributes in every dtype, layout,
 * instruction set and way to lie; scales; infinities; threads; outputs; failures. */
#include "support/test.h"

#include "nn/all_floats.h"

typedef struct call {
  bool linear, last;
  int spatial;
  tsr_index size[2];
  tsr_resize_options a;
} call;

/* Where pixel i of axis k lies in x. */
static double place(const call *c, int k, tsr_index i, tsr_index in) {
  const double m = (double)in, n = (double)c->size[k], at = (double)i;
  const double scale = c->a.scale[k] > 0 ? (double)c->a.scale[k] : 0;
  switch (c->a.coordinates) {
    case TSR_COORDINATES_ASYMMETRIC: return scale > 0 ? at / scale : at * m / n;
    case TSR_COORDINATES_ALIGN_CORNERS:
      if (scale > 0) return m * scale != 1 ? at * (m - 1) / (m * scale - 1) : 0;
      return n > 1 ? at * (m - 1) / (n - 1) : 0;
    case TSR_COORDINATES_PYTORCH_HALF_PIXEL:
      if (c->size[k] == 1) return 0;
      break;
    default: break;
  }
  return scale > 0 ? (at + 0.5) / scale - 0.5 : ((2 * at + 1) * m - n) / (2 * n);
}

/* The pixel by its rule: the best of all that there are. */
static tsr_index nearest(int rule, double s, tsr_index in) {
  tsr_index best = rule == TSR_NEAREST_CEIL ? in - 1 : 0;
  for (tsr_index k = 0; k < in; k++) {
    const double now = fabs((double)k - s), before = fabs((double)best - s);
    if (rule == TSR_NEAREST_FLOOR && (double)k <= s) best = k;
    if (rule == TSR_NEAREST_CEIL && (double)k >= s) return k;
    if (rule == TSR_NEAREST_PREFER_FLOOR && now < before) best = k;
    if (rule == TSR_NEAREST_PREFER_CEIL && now <= before) best = k;
  }
  return best;
}

static double wanted(tsr_ctx *ctx, const call *c, const tsr_tensor *x, const tsr_index *index) {
  const int first = c->last ? 1 : 2;
  tsr_index at[4], low[2] = {0};
  double t[2] = {0}, sum = 0;
  memcpy(at, index, sizeof at);
  for (int k = 0; k < c->spatial; k++) {
    const tsr_index in = x->shape[first + k];
    double s = place(c, k, index[first + k], in);
    if (!c->linear) at[first + k] = nearest(c->a.nearest, s, in);
    s = s < 0 ? 0 : s > (double)(in - 1) ? (double)(in - 1) : s;
    low[k] = (tsr_index)s;
    t[k] = s - (double)low[k];
  }
  if (!c->linear) return nn_get(ctx, x, at);
  for (int corner = 0; corner < 1 << c->spatial; corner++) {
    double weight = 1;
    for (int k = 0; k < c->spatial; k++) {
      weight *= (corner >> k & 1) != 0 ? t[k] : 1 - t[k];
      at[first + k] = low[k] + (corner >> k & 1);
    }
    if (weight > 0) sum += weight * nn_get(ctx, x, at);
  }
  return sum;
}

static tsr_status run(tsr_ctx *ctx, const call *c, const tsr_tensor *x, tsr_tensor *out) {
  return (c->linear ? tsr_resize_linear : tsr_resize_nearest)(ctx, x, c->spatial, c->size, &c->a, out);
}

static void check_call(tsr_ctx *ctx, const call *c, const tsr_tensor *x, int way) {
  tsr_tensor fresh = {0}, owner = {0}, given = {0};
  tsr_index index[TSR_MAX_DIMS] = {0};
  OK(ctx, run(ctx, c, x, &fresh));
  REQUIRE(fresh.ndim == x->ndim && fresh.layout == x->layout && fresh.dtype == x->dtype);
  for (int k = 0; k < c->spatial; k++) REQUIRE(fresh.shape[(c->last ? 1 : 2) + k] == c->size[k]);
  do {
    const double want = wanted(ctx, c, x, index), got = nn_get(ctx, &fresh, index);
    /* a coordinate of f32 (microcontrollers) is wrong by a few units of the length */
    const double steps = TSR_REAL_BITS == 32 ? 200 : 6;
    float_check(c->linear ? "linear" : "nearest", x->dtype, got, want,
                c->linear ? float_allowed(x->dtype, want, 3, steps) : 0);
  } while (test_next_index(fresh.ndim, fresh.shape, index));
  OK(ctx, nn_make(ctx, x->dtype, x->ndim, fresh.shape, way, &owner, &given));
  OK(ctx, run(ctx, c, x, &given));
  CHECK(test_same_elements(&given, &fresh));
  tsr_release(&owner), tsr_release(&fresh);
}

static int layout_of(const call *c, bool plain) {
  if (c->last) return c->spatial == 1 ? TSR_NLC : TSR_NHWC;
  return plain ? TSR_PLAIN : c->spatial == 1 ? TSR_NCL : TSR_NCHW;
}

TEST(random_sizes_and_attributes) {
  static const int others[] = {TSR_I8, TSR_I32, TSR_U16, TSR_I64};
  test_rng rng = {51};
  const int rounds = TSR_HAVE_MALLOC ? 320 : 96;
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int round = 0; round < rounds; round++) {
      tsr_ctx *const ctx = nn_context(isa);
      call c = {.linear = round % 2 != 0, .last = round / 2 % 2 != 0, .spatial = 1 + round / 4 % 2};
      const int floats = all_floats[round / 2 % COUNT_OF(all_floats)];
      const int dtype = !c.linear && round % 3 == 0 ? others[round / 6 % COUNT_OF(others)] : floats;
      tsr_index shape[4] = {1};
      tsr_tensor owner = {0}, x = {0};
      if (!nn_has(dtype)) continue;
      c.a.coordinates = (uint8_t)test_between(&rng, 0, 3);
      c.a.nearest = c.linear ? 0 : (uint8_t)test_between(&rng, 0, 3);
      shape[0] = test_between(&rng, 1, 2);
      shape[c.last ? c.spatial + 1 : 1] = test_between(&rng, 1, 5);
      for (int k = 0; k < c.spatial; k++) {
        shape[(c.last ? 1 : 2) + k] = test_between(&rng, 1, 9);
        c.size[k] = test_between(&rng, 1, round % 16 == 0 && TSR_HAVE_MALLOC ? 150 : 13);
        if (round % 5 == 0) c.a.scale[k] = (tsr_real)test_between(&rng, 1, 12) / 4; /* exact */
      }
      OK(ctx, nn_make(ctx, dtype, c.spatial + 2, shape, round / 3 % NN_WAYS, &owner, &x));
      x.layout = (uint8_t)layout_of(&c, round % 3 == 0);
      nn_fill(ctx, &x, &rng, 0, dtype == floats ? 3 : 100);
      check_call(ctx, &c, &x, round / 7 % NN_WAYS);
      tsr_release(&owner);
      CHECK(test_live() == 0);
    }
}

/* ONNX's reference: the output is m·scale long, which is no whole number here. */
TEST(a_scale_with_aligned_corners) {
  tsr_ctx *const ctx = test_context();
  const tsr_resize_options a = {.scale = {(tsr_real)0.6}, .coordinates = TSR_COORDINATES_ALIGN_CORNERS};
  const float values[4] = {1, 2, 3, 4};
  float got[2] = {0};
  tsr_tensor x = {0}, y = {0};
  OK(ctx, tsr_from_const_memory(ctx, values, TSR_F32, TSR_SHAPE(1, 1, 4), &x));
  OK(ctx, tsr_from_memory(ctx, got, TSR_F32, TSR_SHAPE(1, 1, 2), &y));
  OK(ctx, tsr_resize_linear(ctx, &x, TSR_SHAPE(2), &a, &y));
  CHECK(got[0] == 1 && fabsf(got[1] - 3.142857f) < 1e-5f);
  OK(ctx, tsr_resize_nearest(ctx, &x, TSR_SHAPE(2), &a, &y));
  CHECK(got[0] == 1 && got[1] == 3);
}

/* Thirds and the like must not fall below the whole numbers that they are: 49·(1/49) is less than 1 in f64. */
TEST(nearest_is_exact) {
  tsr_ctx *const ctx = test_context();
  enum { MOST = TSR_HAVE_MALLOC ? 120 : 40 };
  static int16_t values[MOST];
  const tsr_resize_options a = {.coordinates = TSR_COORDINATES_ASYMMETRIC, .nearest = TSR_NEAREST_FLOOR};
  for (int i = 0; i < MOST; i++) values[i] = (int16_t)i;
  for (tsr_index in = 1; in <= MOST; in += 7)
    for (tsr_index out = 1; out <= MOST; out++) {
      tsr_tensor x = {0}, y = {0};
      int wrong = 0;
      OK(ctx, tsr_from_memory(ctx, values, TSR_I16, TSR_SHAPE(1, 1, in), &x));
      OK(ctx, tsr_resize_nearest(ctx, &x, TSR_SHAPE(out), &a, &y));
      for (tsr_index i = 0; i < out; i++) wrong += ((int16_t *)y.data)[i] != i * in / out;
      CHECK(wrong == 0);
      tsr_release(&y);
    }
}

TEST(infinities_beside_a_weight_of_zero) {
  tsr_ctx *const ctx = test_context();
  const float values[4] = {1, (float)INFINITY, 2, (float)NAN};
  const tsr_resize_options a = {.coordinates = TSR_COORDINATES_ALIGN_CORNERS};
  tsr_tensor x = {0}, y = {0};
  OK(ctx, tsr_from_const_memory(ctx, values, TSR_F32, TSR_SHAPE(1, 1, 4), &x));
  OK(ctx, tsr_resize_linear(ctx, &x, TSR_SHAPE(7), &a, &y));
  const float *const v = y.data;
  CHECK(v[0] == 1 && v[1] == INFINITY && v[2] == INFINITY && v[4] == 2 && isnan(v[5]) && isnan(v[6]));
  tsr_release(&y);
}

static void make(tsr_ctx *ctx, int which, tsr_tensor *out) {
  tsr_tensor x = {0};
  float_random(ctx, TSR_SHAPE(2, 11, 13, 12), 7, &x);
  x.layout = (uint8_t)which;
  OK(ctx, tsr_resize_linear(ctx, &x, TSR_SHAPE(101, 77), NULL, out));
  tsr_release(&x);
}

TEST(same_bits_for_threads_and_isas) { check_same_bits(make, TSR_NCHW), check_same_bits(make, TSR_NHWC); }

TEST(overlap_memory_and_scratch) {
  tsr_ctx *const ctx = test_context();
  float memory[20];
  tsr_tensor x = {0}, out = {0}, want = {0};
  for (int i = 0; i < 20; i++) memory[i] = (float)(i * i % 13);
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 1, 3, 4), &x));
  OK(ctx, tsr_from_memory(ctx, memory + 1, TSR_F32, TSR_SHAPE(1, 1, 2, 6), &out));
  for (int linear = 0; linear < 2; linear++) {
    const call c = {.linear = linear != 0, .spatial = 2, .size = {2, 6}};
    OK(ctx, run(ctx, &c, &x, &want));
#if TSR_HAVE_MALLOC
    float before[20];
    memcpy(before, memory, sizeof before);
    test_failing()->fail_at = test_failing()->calls;
    FAILS(ctx, TSR_ENOMEM, run(ctx, &c, &x, &out));
    CHECK(memcmp(before, memory, sizeof before) == 0);
#endif
    const size_t calls = test_failing()->calls;
    OK(ctx, run(ctx, &c, &x, &want)); /* given, and no overlap: no memory */
    CHECK(test_failing()->calls == calls);
    OK(ctx, run(ctx, &c, &x, &out));
    CHECK(test_same_elements(&out, &want));
    tsr_release(&want);
  }
#if TSR_HAVE_MALLOC
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_resize_linear(ctx, &x, TSR_SHAPE(2, 2), NULL, &want));
#endif
  CHECK(tsr_is_none(&want) && test_live() == 0);
}

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  static float memory[40];
  static int32_t integers[40];
  tsr_tensor x = {0}, flat = {0}, none = {0}, other = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 2, 4, 5), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(8, 5), &flat));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 2, 0, 5), &none));
  OK(ctx, tsr_from_memory(ctx, integers, TSR_I32, TSR_SHAPE(1, 2, 4, 5), &other));
  FAILS(ctx, TSR_EARG, tsr_resize_nearest(ctx, &x, TSR_SHAPE(3), NULL, &out));
  MESSAGE_HAS(ctx, "resize_nearest: size has 1 axes, f32 [1,2,4,5] is resized along 2");
  FAILS(ctx, TSR_EARG, tsr_resize_linear(ctx, &x, TSR_SHAPE(3, 0), NULL, &out));
  MESSAGE_HAS(ctx, "resize_linear: size is 0 along axis 3 of f32 [1,2,4,5], which is not 1 or more");
  FAILS(ctx, TSR_EARG, tsr_resize_linear(ctx, &x, 2, NULL, NULL, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_resize_linear(ctx, &other, TSR_SHAPE(2, 2), NULL, &out));
  MESSAGE_HAS(ctx, "resize_linear: x is i32 [1,2,4,5]; resize_linear takes floats");
  FAILS(ctx, TSR_ESHAPE, tsr_resize_nearest(ctx, &none, TSR_SHAPE(2, 2), NULL, &out));
  MESSAGE_HAS(ctx, "resize_nearest: x is f32 [1,2,0,5]: its axis 2 has no pixels");
  FAILS(ctx, TSR_ESHAPE, tsr_resize_nearest(ctx, &flat, TSR_SHAPE(2, 2), NULL, &out));
  MESSAGE_HAS(ctx, "resize_nearest: x is f32 [8,5]; resize_nearest takes [N,C,L] and [N,C,H,W]");
  static const tsr_resize_options bad[] = {{.coordinates = 4},
                                           {.nearest = 4},
                                           {.scale = {-1, 1}},
                                           {.scale = {1, (tsr_real)INFINITY}},
                                           {.scale = {(tsr_real)NAN, 0}}};
  for (int i = 0; i < COUNT_OF(bad); i++)
    FAILS(ctx, TSR_EARG, tsr_resize_nearest(ctx, &x, TSR_SHAPE(2, 2), &bad[i], &out));
  MESSAGE_HAS(ctx, "resize_nearest: scale is nan along axis 2");
  FAILS(ctx, TSR_EARG, tsr_resize_linear(ctx, &x, TSR_SHAPE(2, 2), &(const tsr_resize_options){.nearest = 1}, &out));
  MESSAGE_HAS(ctx, "resize_linear: nearest is 1: only for resize_nearest");
#if TSR_INDEX_BITS == 64
  FAILS(ctx, TSR_EOVERFLOW, tsr_resize_nearest(ctx, &x, TSR_SHAPE(2, TSR_INDEX_MAX), NULL, &out));
#endif
  FAILS(ctx, TSR_EARG, tsr_resize_linear(ctx, NULL, TSR_SHAPE(2, 2), NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_resize_linear(ctx, &x, TSR_SHAPE(2, 2), NULL, NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_resize_linear(ctx, &x, TSR_SHAPE(2, 2), NULL, &x));
  CHECK(tsr_is_none(&out) && test_live() == 0);
}

TEST_MAIN(RUN(random_sizes_and_attributes), RUN(a_scale_with_aligned_corners), RUN(nearest_is_exact),
          RUN(infinities_beside_a_weight_of_zero), RUN(same_bits_for_threads_and_isas), RUN(overlap_memory_and_scratch),
          RUN(bad_calls))
