/* Convolutions by cuDNN (an emulated one where there is no GPU): shapes, layouts, strides that it takes, and what is left to our own kernels.
 * Of its configurations the first would round; nobody may take it. */
#include "gpu_support.h"

#include <math.h>

typedef struct dnn_case {
  const char *what;
  int dtype;
  tsr_index n, c, h, w, o, kh, kw;
  tsr_conv_options options;
  bool last;
} dnn_case;

static tsr_tensor numbers(int dtype, int ndim, const tsr_index *shape, uint64_t seed) {
  tsr_rng rng = tsr_rng_seed(seed);
  tsr_tensor wide = {0}, t = {0};
  OK(NULL, tsr_rand_normal(NULL, &rng, TSR_F32, ndim, shape, &wide));
  OK(NULL, tsr_cast(NULL, &wide, dtype, &t));
  tsr_release(&wide);
  return t;
}

static void check_near(const char *what, const tsr_tensor *want, const tsr_tensor *got, double most) {
  tsr_tensor host = {0}, a = {0}, b = {0};
  double worst = 0;
  OK(NULL, tsr_to_device(NULL, got, NULL, &host));
  CHECK(host.dtype == want->dtype && tsr_same_shape(want, &host));
  OK(NULL, tsr_cast(NULL, want, TSR_F64, &a));
  OK(NULL, tsr_cast(NULL, &host, TSR_F64, &b));
  for (tsr_index i = 0; i < tsr_size(&a); i++) {
    const double d = fabs(((const double *)a.data)[i] - ((const double *)b.data)[i]);
    if (!(d <= worst)) worst = d;
  }
  CHECK(worst <= most);
  if (!(worst <= most)) printf("  %s: the worst is %g\n", what, worst);
  tsr_tensor *const all[] = {&host, &a, &b};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

static void convolve(const tsr_device *gpu, const dnn_case *k) {
  const tsr_index groups = k->options.groups > 0 ? k->options.groups : 1;
  tsr_tensor x = numbers(k->dtype, TSR_SHAPE(k->n, k->c, k->h, k->w), 1), to = {0}, on[2] = {{0}}, want = {0},
             got = {0};
  tsr_tensor w = numbers(k->dtype, TSR_SHAPE(k->o, k->c / groups, k->kh, k->kw), 2);
  const double one = k->dtype == TSR_F64 ? 1e-13 : k->dtype == TSR_F32 ? 1e-5 : k->dtype == TSR_F16 ? 4e-3 : 3e-2;
  OK(NULL, tsr_set_layout(NULL, &x, TSR_NCHW, &x));
  OK(NULL, tsr_to_layout(NULL, &x, k->last ? TSR_NHWC : TSR_NCHW, 0, &to));
  OK(NULL, tsr_to_device(NULL, &to, gpu, &on[0]));
  OK(NULL, tsr_to_device(NULL, &w, gpu, &on[1]));
  OK(NULL, tsr_conv2d(NULL, &to, &w, NULL, &k->options, &want));
  for (int again = 0; again < 2; again++) { /* the second time the plan is known */
    OK(NULL, tsr_conv2d(NULL, &on[0], &on[1], NULL, &k->options, &got));
    check_near(k->what, &want, &got, one * sqrt((double)(k->c / groups * k->kh * k->kw)) * 3);
    tsr_release(&got);
  }
  tsr_tensor *const all[] = {&x, &to, &w, &on[0], &on[1], &want};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

/* How many convolutions the emulated one has done; -1: it is not that one. */
static int done(void) {
  char path[1024];
  int (*count)(void) = NULL;
  const char *const folder = getenv("TSR_CUDA_LIBRARIES");
  (void)snprintf(path, sizeof path, "%s/libcudnn.so.9", folder != NULL ? folder : "");
  void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  void *const symbol = library != NULL ? dlsym(library, "emulator_convolutions") : NULL;
  memcpy(&count, &symbol, sizeof count);
  return count != NULL ? count() : -1;
}

TEST(convolutions_by_cudnn) {
  (void)setenv("TSR_CUDA_CUDNN", "1", 1);
  GPU_OR_SKIP(gpu);
  static const dnn_case cases[] = {
      {"f32", TSR_F32, 2, 8, 9, 10, 12, 3, 3, {.pad_before = {1, 1}, .pad_after = {1, 1}}, false},
      {"f32, last", TSR_F32, 2, 8, 9, 10, 12, 3, 3, {.pad_before = {1, 1}, .pad_after = {1, 1}}, true},
      {"f64", TSR_F64, 1, 4, 9, 10, 8, 3, 3, {.groups = 1}, false},
      {"f16, last",
       TSR_F16,
       2,
       16,
       8,
       8,
       24,
       3,
       3,
       {.pad_before = {1, 1}, .pad_after = {1, 1}, .stride = {2, 2}},
       true},
      {"bf16, last", TSR_BF16, 1, 16, 8, 8, 24, 1, 1, {.groups = 1}, true},
      {"bf16", TSR_BF16, 1, 16, 8, 8, 24, 5, 3, {.dilation = {1, 2}, .pad_before = {2, 0}}, false},
      {"groups", TSR_F32, 2, 12, 7, 9, 8, 3, 3, {.groups = 4}, false},
      {"padding that is uneven",
       TSR_F32,
       1,
       4,
       8,
       8,
       4,
       3,
       3,
       {.stride = {2, 3}, .pad_before = {0, 1}, .pad_after = {2, 0}},
       false},
      {"one image of one channel", TSR_F32, 1, 1, 8, 8, 1, 3, 3, {.groups = 1}, false},
  };
  for (int i = 0; i < COUNT_OF(cases); i++) convolve(gpu, &cases[i]);
  CHECK(gpu_is_real() || done() == 2 * COUNT_OF(cases));
}

/* Replayed, by a graph. */
TEST(it_is_recorded) {
  (void)setenv("TSR_CUDA_CUDNN", "1", 1);
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  tsr_program *program = NULL;
  tsr_tensor x = numbers(TSR_F32, TSR_SHAPE(1, 4, 8, 8), 1), w = numbers(TSR_F32, TSR_SHAPE(6, 4, 3, 3), 2);
  tsr_tensor on = {0}, weights = {0}, y = {0}, out = {0}, want = {0}, input = {0};
  OK(NULL, tsr_conv2d(NULL, &x, &w, NULL, NULL, &want));
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_context_set_device(&ctx, gpu));
  OK(&ctx, tsr_to_device(&ctx, &x, gpu, &on));
  OK(&ctx, tsr_to_device(&ctx, &w, gpu, &weights));
  OK(&ctx, tsr_program_new(&ctx, &program));
  OK(&ctx, tsr_program_begin(&ctx, program));
  OK(&ctx, tsr_program_input(&ctx, program, "x", &on, &input));
  OK(&ctx, tsr_conv2d(&ctx, &input, &weights, NULL, NULL, &y));
  OK(&ctx, tsr_program_output(&ctx, program, "y", &y));
  tsr_release(&input);
  tsr_release(&y);
  OK(&ctx, tsr_program_end(&ctx, program));
  OK(&ctx, tsr_empty(&ctx, TSR_F32, want.ndim, want.shape, &out));
  for (int i = 0; i < 3; i++) {
    OK(&ctx, tsr_program_run(&ctx, program, 1, (const tsr_tensor *const[]){&on}, 1, (tsr_tensor *const[]){&out}));
    check_near("recorded", &want, &out, 1e-4);
  }
  tsr_program_free(program);
  tsr_tensor *const all[] = {&x, &w, &on, &weights, &out, &want};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST_MAIN(RUN(convolutions_by_cudnn), RUN(it_is_recorded))
