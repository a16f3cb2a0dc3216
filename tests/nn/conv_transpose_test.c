/* Transposed convolutions: against the definition in f64, element of x by element, over random shapes and attributes in
 * every float dtype, layout, instruction set and way to lie; long rows; threads; outputs; failures. */
#include "support/test.h"

#include "nn/all_floats.h"

enum { MOST = TSR_HAVE_MALLOC ? 4096 : 512 };

typedef struct call {
  int spatial;
  bool last;
  tsr_tensor x, w, bias;
  bool biased;
  tsr_conv_transpose_options a;
} call;

static tsr_index or_one(tsr_index value) { return value == 0 ? 1 : value; }

static tsr_status run(tsr_ctx *ctx, const call *c, tsr_tensor *out) {
  return (c->spatial == 1 ? tsr_conv_transpose1d : tsr_conv_transpose2d)(ctx, &c->x, &c->w, c->biased ? &c->bias : NULL,
                                                                         &c->a, out);
}

/* All sums, and how large they could be: each element of x and of a filter to where they meet. */
static void scatter(tsr_ctx *ctx, const call *c, const tsr_tensor *out, double *sums, double *sizes) {
  const int channel = c->last ? c->spatial + 1 : 1, first = c->last ? 1 : 2;
  const tsr_index groups = or_one(c->a.groups), each = c->x.shape[channel] / groups, made = c->w.shape[1];
  tsr_index at[4] = {0}, tap[4] = {0}, to[4];
  if (tsr_size(&c->x) == 0) return;
  do {
    memset(tap, 0, sizeof tap);
    tap[0] = at[channel];
    do {
      bool inside = tap[0] == at[channel];
      memcpy(to, at, sizeof to);
      to[channel] = at[channel] / each * made + tap[1];
      for (int k = 0; k < c->spatial; k++) {
        to[first + k] =
            at[first + k] * or_one(c->a.stride[k]) + tap[2 + k] * or_one(c->a.dilation[k]) - c->a.pad_before[k];
        inside = inside && to[first + k] >= 0 && to[first + k] < out->shape[first + k];
      }
      if (!inside) continue;
      const double product = nn_get(ctx, &c->x, at) * nn_get(ctx, &c->w, tap);
      sums[test_flat(out->ndim, out->shape, to)] += product;
      sizes[test_flat(out->ndim, out->shape, to)] += fabs(product);
    } while (test_next_index(c->w.ndim, c->w.shape, tap));
  } while (test_next_index(c->x.ndim, c->x.shape, at));
}

static void compare(tsr_ctx *ctx, const call *c, const tsr_tensor *out) {
  static double sums[MOST], sizes[MOST];
  tsr_index index[4] = {0}, k = 0;
  REQUIRE(tsr_size(out) <= MOST);
  memset(sums, 0, sizeof sums), memset(sizes, 0, sizeof sizes);
  scatter(ctx, c, out, sums, sizes);
  do {
    const tsr_index filter = index[c->last ? c->spatial + 1 : 1];
    const double want = sums[k] + (c->biased ? nn_get(ctx, &c->bias, &filter) : 0);
    float_check("conv_transpose", out->dtype, nn_get(ctx, out, index), want,
                float_allowed(out->dtype, want, sizes[k] + fabs(want), 40));
    k++;
  } while (test_next_index(out->ndim, out->shape, index));
}

static void check_call(tsr_ctx *ctx, const call *c, int way) {
  tsr_tensor fresh = {0}, owner = {0}, given = {0};
  OK(ctx, run(ctx, c, &fresh));
  REQUIRE(fresh.ndim == c->x.ndim && fresh.layout == c->x.layout);
  CHECK(fresh.shape[c->last ? c->spatial + 1 : 1] == c->w.shape[1] * or_one(c->a.groups));
  for (int k = 0; k < c->spatial; k++) {
    const int axis = (c->last ? 1 : 2) + k;
    CHECK(fresh.shape[axis] == (c->x.shape[axis] - 1) * or_one(c->a.stride[k]) - c->a.pad_before[k] -
                                   c->a.pad_after[k] + or_one(c->a.dilation[k]) * (c->w.shape[2 + k] - 1) + 1 +
                                   c->a.output_padding[k]);
  }
  compare(ctx, c, &fresh);
  OK(ctx, nn_make(ctx, fresh.dtype, fresh.ndim, fresh.shape, way, &owner, &given));
  OK(ctx, run(ctx, c, &given));
  CHECK(test_same_elements(&given, &fresh));
  tsr_release(&owner), tsr_release(&fresh);
}

static void random_attrs(test_rng *rng, call *c, tsr_index *shape, tsr_index *filter) {
  const int first = c->last ? 1 : 2;
  c->a.groups = test_between(rng, 0, 2);
  shape[0] = test_between(rng, 1, 2);
  filter[0] = shape[c->last ? c->spatial + 1 : 1] = or_one(c->a.groups) * test_between(rng, 1, 3);
  filter[1] = test_between(rng, 1, 3);
  for (int k = 0; k < c->spatial; k++) {
    shape[first + k] = test_between(rng, 1, 5);
    filter[2 + k] = test_between(rng, 1, 4);
    c->a.stride[k] = test_between(rng, 0, 3);
    c->a.dilation[k] = test_between(rng, 0, 2);
    const tsr_index s = or_one(c->a.stride[k]), d = or_one(c->a.dilation[k]);
    c->a.output_padding[k] = test_between(rng, 0, (s > d ? s : d) - 1);
    const tsr_index whole = (shape[first + k] - 1) * s + d * (filter[2 + k] - 1) + 1 + c->a.output_padding[k];
    c->a.pad_before[k] = test_between(rng, 0, whole > 4 ? 3 : 0);
    c->a.pad_after[k] = test_between(rng, 0, whole - c->a.pad_before[k] > 3 ? 2 : 0);
  }
}

TEST(random_shapes_and_attributes) {
  test_rng rng = {81};
  const int rounds = TSR_HAVE_MALLOC ? 240 : 48;
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int round = 0; round < rounds; round++) {
      tsr_ctx *const ctx = nn_context(isa);
      call c = {.spatial = 1 + round % 2, .last = round / 2 % 2 != 0, .biased = round % 3 != 0};
      const int dtype = all_floats[round % COUNT_OF(all_floats)];
      tsr_index shape[4] = {1}, filter[4] = {1};
      tsr_tensor owner[3] = {{0}};
      if (!nn_has(dtype)) continue;
      random_attrs(&rng, &c, shape, filter);
      const tsr_index made = filter[1] * or_one(c.a.groups);
      OK(ctx, nn_make(ctx, dtype, c.spatial + 2, shape, round / 3 % NN_WAYS, &owner[0], &c.x));
      OK(ctx, nn_make(ctx, dtype, c.spatial + 2, filter, round / 5 % NN_WAYS, &owner[1], &c.w));
      OK(ctx, nn_make(ctx, dtype, 1, &made, round / 7 % NN_WAYS, &owner[2], &c.bias));
      if (c.last) c.x.layout = c.spatial == 1 ? TSR_NLC : TSR_NHWC;
      nn_fill(ctx, &c.x, &rng, 0, 1), nn_fill(ctx, &c.w, &rng, 0, 1), nn_fill(ctx, &c.bias, &rng, 0, 1);
      check_call(ctx, &c, round / 11 % NN_WAYS);
      for (int i = 0; i < 3; i++) tsr_release(&owner[i]);
      CHECK(test_live() == 0);
    }
}

/* Rows of more outputs than the sums of one chunk. */
TEST(long_rows) {
#if TSR_HAVE_MALLOC
  test_rng rng = {82};
  for (tsr_index stride = 1; stride <= 3; stride++) {
    tsr_ctx *const ctx = test_context();
    call c = {.spatial = 1, .a = {.stride = {stride}, .dilation = {2}, .pad_before = {3}}};
    tsr_tensor owner[2] = {{0}};
    OK(ctx, nn_make(ctx, TSR_F32, 3, (const tsr_index[]){1, 2, 700}, NN_PLAIN, &owner[0], &c.x));
    OK(ctx, nn_make(ctx, TSR_F32, 3, (const tsr_index[]){2, 1, 5}, NN_PLAIN, &owner[1], &c.w));
    nn_fill(ctx, &c.x, &rng, 0, 1), nn_fill(ctx, &c.w, &rng, 0, 1);
    check_call(ctx, &c, NN_GAPS);
    tsr_release(&owner[0]), tsr_release(&owner[1]);
  }
#else
  SKIP("needs more memory");
#endif
}

/* The gradient of a convolution: <conv(a), b> = <a, transposed(b)>, exact with whole numbers. */
TEST(it_is_the_transpose_of_a_convolution) {
  tsr_ctx *const ctx = test_context();
  const tsr_conv_options a = {.stride = {2, 1}, .pad_before = {1, 0}, .pad_after = {0, 1}, .groups = 2};
  const tsr_conv_transpose_options b = {.stride = {2, 1}, .pad_before = {1, 0}, .pad_after = {0, 1}, .groups = 2};
  tsr_tensor x = {0}, w = {0}, y = {0}, g = {0}, back = {0};
  test_rng rng = {83};
  double left = 0, right = 0;
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 4, 6, 5), &x));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(6, 2, 3, 2), &w));
  for (tsr_index i = 0; i < tsr_size(&x); i++) ((float *)x.data)[i] = (float)test_between(&rng, -3, 3);
  for (tsr_index i = 0; i < tsr_size(&w); i++) ((float *)w.data)[i] = (float)test_between(&rng, -3, 3);
  OK(ctx, tsr_conv2d(ctx, &x, &w, NULL, &a, &y));
  OK(ctx, tsr_zeros_like(ctx, &y, &g));
  for (tsr_index i = 0; i < tsr_size(&g); i++) ((float *)g.data)[i] = (float)test_between(&rng, -3, 3);
  OK(ctx, tsr_conv_transpose2d(ctx, &g, &w, NULL, &b, &back));
  REQUIRE(tsr_same_shape(&back, &x));
  for (tsr_index i = 0; i < tsr_size(&y); i++) left += (double)((float *)y.data)[i] * (double)((float *)g.data)[i];
  for (tsr_index i = 0; i < tsr_size(&x); i++) right += (double)((float *)x.data)[i] * (double)((float *)back.data)[i];
  CHECK(left == right && left != 0);
  tsr_release(&x), tsr_release(&w), tsr_release(&y), tsr_release(&g), tsr_release(&back);
}

static void make(tsr_ctx *ctx, int which, tsr_tensor *out) {
  const tsr_conv_transpose_options a = {.stride = {which, 2}};
  tsr_tensor x = {0}, w = {0};
  float_random(ctx, TSR_SHAPE(2, 8, 20, 20), 7, &x);
  float_random(ctx, TSR_SHAPE(8, 6, 3, 3), 8, &w);
  OK(ctx, tsr_conv_transpose2d(ctx, &x, &w, NULL, &a, out));
  tsr_release(&x), tsr_release(&w);
}

TEST(same_bits_for_threads_and_isas) { check_same_bits(make, 1), check_same_bits(make, 2); }

TEST(outputs_and_memory) {
  tsr_ctx *const ctx = test_context();
  float memory[16], filters[4] = {1, 2, 3, 4}, bias[1] = {1};
  call c = {.spatial = 1, .biased = true};
  tsr_tensor out = {0}, want = {0}, none = {0};
  for (int i = 0; i < 16; i++) memory[i] = (float)i;
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 2, 3), &c.x));
  OK(ctx, tsr_from_memory(ctx, filters, TSR_F32, TSR_SHAPE(2, 1, 2), &c.w));
  OK(ctx, tsr_from_memory(ctx, bias, TSR_F32, TSR_SHAPE(1), &c.bias));
  OK(ctx, tsr_from_memory(ctx, memory + 2, TSR_F32, TSR_SHAPE(1, 1, 4), &out));
  OK(ctx, run(ctx, &c, &want));
  const size_t calls = test_failing()->calls;
  OK(ctx, run(ctx, &c, &want));
  CHECK(test_failing()->calls == calls);
#if TSR_HAVE_MALLOC
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, run(ctx, &c, &out));
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, run(ctx, &c, &none));
  for (int i = 0; i < 16; i++) CHECK(memory[i] == (float)i);
#endif
  OK(ctx, run(ctx, &c, &out));
  CHECK(test_same_elements(&out, &want) && tsr_is_none(&none));
  tsr_release(&want);
  /* no channels: the bias; no samples: nothing */
  c.x.shape[1] = c.w.shape[0] = 0;
  OK(ctx, run(ctx, &c, &none));
  for (int i = 0; i < 4; i++) CHECK(((float *)none.data)[i] == 1);
  tsr_release(&none);
  c.x.shape[1] = c.w.shape[0] = 2, c.x.shape[0] = 0;
  OK(ctx, run(ctx, &c, &none));
  CHECK(none.shape[0] == 0 && none.shape[2] == 4 && test_live() == 0);
}

typedef struct bad_row {
  tsr_conv_transpose_options a;
  tsr_status status;
  const char *message;
} bad_row;

static const bad_row bad_rows[] = {
    {{.stride = {-1}}, TSR_EARG, "conv_transpose2d: stride [-1,0] has a negative number"},
    {{.dilation = {0, -1}}, TSR_EARG, "dilation"},
    {{.pad_before = {-1}}, TSR_EARG, "pad_before"},
    {{.pad_after = {-1}}, TSR_EARG, "pad_after"},
    {{.output_padding = {-1}}, TSR_EARG, "output_padding"},
    {{.output_padding = {0, 1}}, TSR_EARG, "output_padding is 1 along axis 3 of x: less than stride or dilation"},
    {{.groups = -1}, TSR_EARG, "groups is -1, which is negative"},
    {{.groups = 3}, TSR_ESHAPE, "with 3 groups that does not fit x f32 [1,2,3,4], which has 2 channels"},
    {{.pad_before = {3}, .pad_after = {1}}, TSR_ESHAPE, "along axis 2 of x, a span of 2 leaves no output"},
    {{.stride = {TSR_INDEX_MAX}}, TSR_EOVERFLOW, "its axis 2"},
    {{.dilation = {1, TSR_INDEX_MAX}}, TSR_EOVERFLOW, "its axis 3"},
};

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  static float memory[24];
  static int32_t integers[24];
  tsr_tensor x = {0}, w = {0}, line = {0}, bias = {0}, other = {0}, out = {0}, tagged = {0}, empty = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 2, 3, 4), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3, 2, 2), &w));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3, 2), &line));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2), &bias));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3, 0, 2), &empty));
  OK(ctx, tsr_from_memory(ctx, integers, TSR_I32, TSR_SHAPE(2, 3, 2, 2), &other));
  for (int i = 0; i < COUNT_OF(bad_rows); i++) {
    FAILS(ctx, bad_rows[i].status, tsr_conv_transpose2d(ctx, &x, &w, NULL, &bad_rows[i].a, &out));
    MESSAGE_HAS(ctx, bad_rows[i].message);
  }
  FAILS(ctx, TSR_ESHAPE, tsr_conv_transpose2d(ctx, &x, &w, &bias, NULL, &out));
  MESSAGE_HAS(ctx, "conv_transpose2d: bias is f32 [2], there are 3 filters");
  FAILS(ctx, TSR_EDTYPE, tsr_conv_transpose2d(ctx, &x, &other, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "conv_transpose2d: w is i32 [2,3,2,2], x is f32 [1,2,3,4]: they have one dtype");
  FAILS(ctx, TSR_EDTYPE, tsr_conv_transpose2d(ctx, &other, &other, NULL, NULL, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_conv_transpose2d(ctx, &x, &line, NULL, NULL, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_conv_transpose2d(ctx, &x, &empty, NULL, NULL, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_conv_transpose1d(ctx, &x, &w, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "conv_transpose1d: x is f32 [1,2,3,4]; conv_transpose1d takes [N,C,L]");
  const tsr_conv_transpose_options two = {.stride = {1, 1}};
  FAILS(ctx, TSR_EARG, tsr_conv_transpose1d(ctx, &line, &line, NULL, &two, &out));
  MESSAGE_HAS(ctx, "conv_transpose1d: stride [1,1]: with one axis the second number is 0");
  tagged = w;
  tagged.layout = TSR_OIHW;
  FAILS(ctx, TSR_ELAYOUT, tsr_conv_transpose2d(ctx, &x, &tagged, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "conv_transpose2d: w is f32 [2,3,2,2] with the layout OIHW: only plain");
  FAILS(ctx, TSR_EARG, tsr_conv_transpose2d(ctx, NULL, &w, NULL, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_conv_transpose2d(ctx, &x, NULL, NULL, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_conv_transpose2d(ctx, &x, &w, NULL, NULL, NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_conv_transpose2d(ctx, &x, &w, NULL, NULL, &x));
  CHECK(tsr_is_none(&out) && test_live() == 0);
}

TEST_MAIN(RUN(random_shapes_and_attributes), RUN(long_rows), RUN(it_is_the_transpose_of_a_convolution),
          RUN(same_bits_for_threads_and_isas), RUN(outputs_and_memory), RUN(bad_calls))
