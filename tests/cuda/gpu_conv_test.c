/* Convolutions and pools on a GPU, as large as their kernels' tiles: every tile, sums in parts, groups, layouts, what follows a sum; the bits of
 * plain loops where weights are infinite or a bias is -0; windows that are read as packs. */
#include "gpu_support.h"

#include <math.h>

typedef struct conv_case {
  const char *what;
  int dtype;
  tsr_index n, c, h, w, o, kh, kw;
  tsr_conv_options options;
  bool last, biased;
} conv_case;

static tsr_tensor numbers(int dtype, int ndim, const tsr_index *shape, uint64_t seed) {
  tsr_rng rng = tsr_rng_seed(seed);
  tsr_tensor wide = {0}, t = {0};
  const bool is_float = tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT;
  if (is_float)
    OK(NULL, tsr_rand_normal(NULL, &rng, TSR_F32, ndim, shape, &wide));
  else
    OK(NULL, tsr_rand_integers(NULL, &rng, TSR_I32, ndim, shape, -100, 100, &wide));
  OK(NULL, tsr_cast(NULL, &wide, dtype, &t));
  tsr_release(&wide);
  return t;
}

/* t in another layout. */
static void lay(tsr_tensor *t, int tag, int layout) {
  tsr_tensor to = {0};
  OK(NULL, tsr_set_layout(NULL, t, tag, t));
  OK(NULL, tsr_to_layout(NULL, t, layout, 0, &to));
  tsr_release(t);
  *t = to;
}

/* The greatest difference to the host's, beside the greatest number there is, or size. */
static void check_near(const char *what, const tsr_tensor *want, const tsr_tensor *got, double most, double size) {
  tsr_tensor host = {0}, a = {0}, b = {0};
  double worst = 0;
  OK(NULL, tsr_to_device(NULL, got, NULL, &host));
  CHECK(host.dtype == want->dtype && tsr_same_shape(want, &host) && host.layout == want->layout);
  OK(NULL, tsr_cast(NULL, want, TSR_F64, &a));
  OK(NULL, tsr_cast(NULL, &host, TSR_F64, &b));
  for (tsr_index i = 0; i < tsr_size(&a); i++) {
    const double x = ((const double *)a.data)[i], d = fabs(x - ((const double *)b.data)[i]);
    if (fabs(x) > size) size = fabs(x);
    if (!(d <= worst)) worst = d;
  }
  CHECK(worst <= most * size);
  if (!(worst <= most * size)) printf("  %s: the worst is %g beside %g\n", what, worst, size);
  tsr_tensor *const all[] = {&host, &a, &b};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

static void check_bits(const char *what, const tsr_tensor *want, const tsr_tensor *got) {
  tsr_tensor host = {0};
  OK(NULL, tsr_to_device(NULL, got, NULL, &host));
  CHECK(host.dtype == want->dtype && tsr_same_shape(want, &host));
  const size_t item = tsr_dtype_size(want->dtype);
  long differ = 0;
  for (tsr_index i = 0; i < tsr_size(want); i++) {
    const char *const a = (const char *)want->data + (size_t)i * item, *const b =
                                                                           (const char *)host.data + (size_t)i * item;
    float x = 0, y = 0;
    if (want->dtype == TSR_F32) memcpy(&x, a, sizeof x), memcpy(&y, b, sizeof y);
    differ += memcmp(a, b, item) != 0 && !(isnan(x) && isnan(y));
  }
  CHECK(differ == 0);
  if (differ > 0) printf("  %s: %ld of %ld differ\n", what, differ, (long)tsr_size(want));
  tsr_release(&host);
}

static double bound_of(int dtype) {
  return dtype == TSR_F64 ? 1e-13 : dtype == TSR_F32 ? 1e-5 : dtype == TSR_F16 ? 2e-3 : dtype == TSR_BF16 ? 1.6e-2 : 0;
}

static void convolve(const tsr_device *gpu, const conv_case *k) {
  const tsr_index groups = k->options.groups > 0 ? k->options.groups : 1;
  tsr_tensor x = numbers(k->dtype, TSR_SHAPE(k->n, k->c, k->h, k->w), 1);
  tsr_tensor w = numbers(k->dtype, TSR_SHAPE(k->o, k->c / groups, k->kh, k->kw), 2),
             bias = numbers(k->dtype, TSR_SHAPE(k->o), 3);
  tsr_tensor on[3] = {{0}}, want = {0}, got = {0};
  if (k->last) lay(&x, TSR_NCHW, TSR_NHWC);
  OK(NULL, tsr_to_device(NULL, &x, gpu, &on[0]));
  OK(NULL, tsr_to_device(NULL, &w, gpu, &on[1]));
  OK(NULL, tsr_to_device(NULL, &bias, gpu, &on[2]));
  OK(NULL, tsr_conv2d(NULL, &x, &w, k->biased ? &bias : NULL, &k->options, &want));
  OK(NULL, tsr_conv2d(NULL, &on[0], &on[1], k->biased ? &on[2] : NULL, &k->options, &got));
  check_near(k->what, &want, &got, bound_of(k->dtype), sqrt((double)(k->c / groups * k->kh * k->kw)));
  tsr_tensor *const all[] = {&x, &w, &bias, &on[0], &on[1], &on[2], &want, &got};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

#define PADDED .pad_before = {1, 1}, .pad_after = {1, 1}

TEST(tiles_of_all_sizes) {
  GPU_OR_SKIP(gpu);
  static const conv_case cases[] = {
      {"large", TSR_F32, 1, 3, 30, 36, 70, 3, 3, {PADDED}, false, true},
      {"large, odd", TSR_F32, 2, 2, 21, 25, 131, 3, 3, {PADDED, .activation = {TSR_RELU, 0, 0}}, false, true},
      {"middle", TSR_F32, 1, 4, 32, 33, 40, 3, 3, {.stride = {1, 1}}, false, false},
      {"low", TSR_F32, 1, 5, 20, 19, 20, 3, 2, {.dilation = {2, 3}}, false, true},
      {"flat", TSR_F32, 2, 3, 16, 16, 12, 3, 3, {PADDED, .activation = {TSR_GELU, 0, 0}}, false, true},
      {"thin", TSR_F32, 1, 6, 17, 18, 3, 5, 5, {.stride = {2, 2}}, false, true},
      {"in parts", TSR_F32, 1, 64, 6, 6, 33, 3, 3, {PADDED, .activation = {TSR_CLIP, 0, 2}}, false, true},
      {"in parts, last", TSR_F32, 1, 64, 6, 6, 33, 3, 3, {PADDED}, true, true},
      {"small", TSR_F32, 1, 5, 9, 9, 70, 1, 1, {.stride = {2, 2}}, false, true},
      {"more than 32 taps", TSR_F32, 1, 2, 16, 20, 8, 7, 7, {.pad_before = {3, 3}, .pad_after = {3, 3}}, false, true},
      {"groups", TSR_F32, 2, 12, 11, 13, 24, 3, 3, {PADDED, .groups = 4}, false, true},
      {"depthwise", TSR_F32, 2, 12, 11, 13, 12, 3, 3, {PADDED, .groups = 12}, false, true},
      {"depthwise, by 2", TSR_F32, 2, 6, 11, 13, 12, 3, 3, {PADDED, .groups = 6, .stride = {2, 2}}, false, true},
      {"depthwise, last", TSR_F32, 2, 12, 11, 13, 12, 3, 3, {PADDED, .groups = 12}, true, true},
      {"depthwise, packs",
       TSR_F32,
       2,
       12,
       11,
       16,
       12,
       3,
       3,
       {PADDED, .groups = 12, .activation = {TSR_RELU, 0, 0}},
       false,
       true},
      {"depthwise, packs by 2",
       TSR_F32,
       2,
       12,
       10,
       16,
       12,
       5,
       3,
       {PADDED, .groups = 12, .stride = {2, 2}},
       false,
       true},
      {"depthwise, pairs",
       TSR_F32,
       1,
       6,
       14,
       14,
       12,
       7,
       7,
       {.pad_before = {3, 3}, .pad_after = {3, 3}, .groups = 6},
       false,
       false},
      {"depthwise, last by 2", TSR_F32, 2, 12, 11, 13, 12, 3, 3, {PADDED, .groups = 12, .stride = {2, 2}}, true, true},
      {"depthwise, apart", TSR_F32, 2, 12, 11, 13, 12, 3, 3, {PADDED, .groups = 12, .dilation = {2, 2}}, true, true},
      {"depthwise of i8", TSR_I8, 2, 12, 11, 16, 12, 3, 3, {PADDED, .groups = 12}, true, true},
      {"depthwise of f64", TSR_F64, 2, 12, 11, 16, 12, 3, 3, {PADDED, .groups = 12}, false, true},
      {"product", TSR_F32, 2, 12, 7, 9, 20, 1, 1, {.groups = 1}, false, false},
      {"product, last", TSR_F32, 2, 12, 7, 9, 20, 1, 1, {.groups = 1}, true, true},
      {"f64", TSR_F64, 1, 6, 20, 20, 40, 3, 3, {PADDED}, false, true},
      {"i8", TSR_I8, 1, 6, 12, 12, 40, 3, 3, {PADDED, .activation = {TSR_RELU, 0, 0}}, false, true},
      {"i64", TSR_I64, 1, 6, 12, 12, 10, 3, 3, {PADDED}, false, true},
  };
  for (int i = 0; i < COUNT_OF(cases); i++) convolve(gpu, &cases[i]);
}

TEST(halves) {
  GPU_OR_SKIP(gpu);
  static const conv_case cases[] = {
      {"first", TSR_BF16, 1, 16, 13, 14, 40, 3, 3, {PADDED}, false, true},
      {"last", TSR_BF16, 1, 32, 13, 14, 72, 3, 3, {PADDED, .activation = {TSR_RELU, 0, 0}}, true, true},
      {"last, wide", TSR_F16, 2, 64, 12, 12, 136, 3, 3, {PADDED}, true, true},
      {"last, odd channels",
       TSR_F16,
       1,
       3,
       20,
       21,
       33,
       7,
       7,
       {.stride = {2, 2}, .pad_before = {3, 3}, .pad_after = {3, 3}},
       true,
       true},
      {"first, odd channels", TSR_BF16, 2, 19, 9, 9, 33, 3, 3, {.dilation = {2, 2}}, false, false},
      {"last, groups", TSR_BF16, 1, 64, 9, 9, 64, 3, 3, {PADDED, .groups = 2}, true, true},
      {"last, few positions", TSR_BF16, 1, 128, 4, 4, 64, 3, 3, {PADDED}, true, true},
      {"last, near", TSR_BF16, 2, 128, 20, 20, 72, 3, 3, {PADDED}, true, true},
      {"last, near, 4 taps", TSR_F16, 1, 128, 27, 40, 72, 2, 2, {.pad_after = {1, 1}}, true, false},
      {"product, last", TSR_BF16, 1, 64, 9, 9, 64, 1, 1, {.groups = 1, .activation = {TSR_SILU, 0, 0}}, true, true},
      {"product, last, by 2", TSR_F16, 1, 64, 9, 9, 64, 1, 1, {.stride = {2, 2}}, true, true},
      {"depthwise", TSR_F16, 2, 16, 11, 16, 16, 3, 3, {PADDED, .groups = 16}, false, true},
      {"depthwise, last", TSR_BF16, 2, 16, 11, 13, 16, 5, 5, {PADDED, .groups = 16}, true, true},
      {"depthwise, last, 3", TSR_BF16, 2, 16, 11, 13, 16, 3, 3, {PADDED, .groups = 16}, true, true},
  };
  for (int i = 0; i < COUNT_OF(cases); i++) convolve(gpu, &cases[i]);
}

/* ---- the bits of plain loops ---- */

static void transpose(const tsr_device *gpu, int dtype, const tsr_index *k, const tsr_conv_transpose_options *options,
                      float weight, float first) {
  const tsr_index groups = options->groups > 0 ? options->groups : 1;
  tsr_tensor x = numbers(dtype, TSR_SHAPE(k[0], k[1], k[2], k[3]), 1),
             w = numbers(dtype, TSR_SHAPE(k[1], k[4], k[5], k[6]), 2);
  tsr_tensor bias = numbers(dtype, TSR_SHAPE(k[4] * groups), 3), on[3] = {{0}}, want = {0}, got = {0};
  if (weight != 0) ((float *)w.data)[3] = weight;
  if (first != 1) ((float *)bias.data)[1] = first;
  const tsr_tensor *const from[3] = {&x, &w, &bias};
  for (int i = 0; i < 3; i++) OK(NULL, tsr_to_device(NULL, from[i], gpu, &on[i]));
  OK(NULL, tsr_conv_transpose2d(NULL, &x, &w, &bias, options, &want));
  OK(NULL, tsr_conv_transpose2d(NULL, &on[0], &on[1], &on[2], options, &got));
  check_bits("transposed", &want, &got);
  tsr_tensor *const all[] = {&x, &w, &bias, &on[0], &on[1], &on[2], &want, &got};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(transposed_ones_have_the_bits_of_loops) {
  GPU_OR_SKIP(gpu);
  const tsr_conv_transpose_options by_2 = {
      .stride = {2, 2}, .pad_before = {1, 1}, .pad_after = {1, 1}, .output_padding = {1, 0}};
  const tsr_conv_transpose_options uneven = {.stride = {3, 2}, .dilation = {2, 3}, .pad_before = {0, 2}, .groups = 2};
  const tsr_conv_transpose_options apart = {.stride = {4, 4}}; /* some outputs meet no tap */
  for (int dtype = TSR_F16; dtype <= TSR_F64; dtype++) {
    transpose(gpu, dtype, (const tsr_index[]){2, 6, 9, 7, 20, 3, 3}, &by_2, 0, 1);
    transpose(gpu, dtype, (const tsr_index[]){1, 6, 5, 6, 3, 3, 4}, &uneven, 0, 1);
    transpose(gpu, dtype, (const tsr_index[]){1, 3, 4, 5, 2, 2, 3}, &apart, 0, 1);
  }
  transpose(gpu, TSR_F32, (const tsr_index[]){2, 6, 9, 7, 20, 3, 3}, &by_2, INFINITY, -0.0f);
  transpose(gpu, TSR_F32, (const tsr_index[]){2, 6, 9, 7, 20, 3, 3}, &by_2, NAN, 1);
}

static void convolve_volume(const tsr_device *gpu, int layout, tsr_index o, const tsr_conv3d_options *options,
                            float weight, float first) {
  tsr_tensor x = numbers(TSR_F32, TSR_SHAPE(2, 4, 6, 7, 8), 1), w = numbers(TSR_F32, TSR_SHAPE(o, 4, 3, 2, 3), 2);
  tsr_tensor bias = numbers(TSR_F32, TSR_SHAPE(o), 3), on[3] = {{0}}, want = {0}, got = {0};
  if (weight != 0) ((float *)w.data)[5] = weight;
  if (first != 1) { /* what is below it in size are products that are all 0 */
    OK(NULL, tsr_fill(NULL, 0, &x));
    ((float *)bias.data)[0] = first;
  }
  lay(&x, TSR_NCDHW, layout);
  const tsr_tensor *const from[3] = {&x, &w, &bias};
  for (int i = 0; i < 3; i++) OK(NULL, tsr_to_device(NULL, from[i], gpu, &on[i]));
  OK(NULL, tsr_conv3d(NULL, &x, &w, &bias, options, &want));
  OK(NULL, tsr_conv3d(NULL, &on[0], &on[1], &on[2], options, &got));
  check_bits("volume", &want, &got);
  tsr_tensor *const all[] = {&x, &w, &bias, &on[0], &on[1], &on[2], &want, &got};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(volumes_have_the_bits_of_loops) {
  GPU_OR_SKIP(gpu);
  const tsr_conv3d_options plain = {.pad_before = {1, 1, 1}, .pad_after = {1, 0, 1}},
                           uneven = {.stride = {1, 2, 1}, .dilation = {2, 1, 2}};
  convolve_volume(gpu, TSR_NCDHW, 40, &plain, 0, 1);
  convolve_volume(gpu, TSR_NDHWC, 40, &plain, 0, 1);
  convolve_volume(gpu, TSR_NCDHW, 5, &uneven, 0, 1);
  convolve_volume(gpu, TSR_NCDHW, 18, &plain, INFINITY, 1);
  convolve_volume(gpu, TSR_NCDHW, 18, &plain, 0, -0.0f);
}

/* ---- windows ---- */

static void pool(const tsr_device *gpu, int dtype, const tsr_index *shape, const tsr_index *kernel,
                 const tsr_pool_options *options, int layout) {
  tsr_tensor x = numbers(dtype, 4, shape, 1), on = {0}, want = {0}, got = {0};
  lay(&x, TSR_NCHW, layout);
  OK(NULL, tsr_to_device(NULL, &x, gpu, &on));
  OK(NULL, tsr_max_pool(NULL, &x, 2, kernel, options, &want));
  OK(NULL, tsr_max_pool(NULL, &on, 2, kernel, options, &got));
  check_bits("max_pool", &want, &got);
  tsr_release(&want);
  tsr_release(&got);
  OK(NULL, tsr_avg_pool(NULL, &x, 2, kernel, options, &want));
  OK(NULL, tsr_avg_pool(NULL, &on, 2, kernel, options, &got));
  check_bits("avg_pool", &want, &got);
  tsr_tensor *const all[] = {&x, &on, &want, &got};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(windows_that_are_read_as_packs) {
  GPU_OR_SKIP(gpu);
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_F16, TSR_BF16};
  const tsr_pool_options two = {.stride = {2, 2}, .pad_before = {1, 1}, .pad_after = {1, 1}},
                         one = {.stride = {1, 1}, .pad_before = {1, 1}, .pad_after = {1, 1}};
  const tsr_pool_options included = {
      .stride = {1, 1}, .pad_before = {1, 1}, .pad_after = {1, 1}, .count_include_pad = true};
  const tsr_pool_options open = {.stride = {2, 2}, .ceil_mode = true};
  for (int k = 0; k < COUNT_OF(dtypes); k++)
    for (int layout = 0; layout < 2; layout++) {
      const int tag = layout == 0 ? TSR_NCHW : TSR_NHWC;
      const tsr_index shape[] = {2, 8, 10, 16}, odd[] = {2, 3, 9, 13};
      pool(gpu, dtypes[k], shape, (const tsr_index[]){2, 2}, NULL, tag);
      pool(gpu, dtypes[k], shape, (const tsr_index[]){3, 3}, &two, tag);
      pool(gpu, dtypes[k], shape, (const tsr_index[]){3, 3}, &one, tag);
      pool(gpu, dtypes[k], shape, (const tsr_index[]){3, 3}, &included, tag);
      pool(gpu, dtypes[k], odd, (const tsr_index[]){3, 3}, &two, tag);
      pool(gpu, dtypes[k], odd, (const tsr_index[]){2, 3}, &open, tag);
    }
}

TEST_MAIN(RUN(tiles_of_all_sizes), RUN(halves), RUN(transposed_ones_have_the_bits_of_loops),
          RUN(volumes_have_the_bits_of_loops), RUN(windows_that_are_read_as_packs))
