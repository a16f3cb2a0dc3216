/* Products by cuBLASLt (an emulated one where there is no GPU, which refuses what the library would): matrices as they lie, batches,
 * alignment, a bias in the same launch, 16-bit results that are rounded once, and what is left to our own kernel. */
#include "gpu_support.h"

static tsr_tensor numbers(int dtype, int ndim, const tsr_index *shape, uint64_t seed) {
  tsr_rng rng = tsr_rng_seed(seed);
  tsr_tensor t = {0};
  OK(NULL, tsr_rand_normal(NULL, &rng, dtype, ndim, shape, &t));
  return t;
}

/* On the device, beginning `at` elements into its memory; transposed: as a view of its transpose. */
static tsr_tensor place(const tsr_device *gpu, const tsr_tensor *host, tsr_index at, bool transposed) {
  tsr_tensor there = {0}, room = {0}, view = {0};
  OK(NULL, tsr_zeros(NULL, host->dtype, TSR_SHAPE(tsr_size(host) + at), &room));
  OK(NULL, tsr_to_device(NULL, &room, gpu, &there));
  OK(NULL, tsr_narrow(NULL, &there, 0, at, tsr_size(host), &there));
  tsr_index shape[TSR_MAX_DIMS];
  for (int d = 0; d < host->ndim; d++) shape[d] = host->shape[d];
  if (transposed)
    shape[host->ndim - 1] = host->shape[host->ndim - 2], shape[host->ndim - 2] = host->shape[host->ndim - 1];
  OK(NULL, tsr_reshape_view(NULL, &there, host->ndim, shape, &there));
  if (transposed) OK(NULL, tsr_transpose(NULL, &there, -1, -2, &there));
  OK(NULL, tsr_view(NULL, &there, &view));
  OK(NULL, tsr_copy(NULL, host, &view));
  tsr_release(&room);
  return there;
}

static void check_near(const tsr_tensor *want, const tsr_tensor *got, double most) {
  tsr_tensor host = {0}, a = {0}, b = {0};
  OK(NULL, tsr_to_device(NULL, got, NULL, &host));
  CHECK(host.dtype == want->dtype && tsr_same_shape(want, &host));
  OK(NULL, tsr_cast(NULL, want, TSR_F64, &a));
  OK(NULL, tsr_cast(NULL, &host, TSR_F64, &b));
  double worst = 0;
  for (tsr_index i = 0; i < tsr_size(&a); i++) {
    const double x = ((const double *)a.data)[i], y = ((const double *)b.data)[i], d = x < y ? y - x : x - y;
    const double size = x < 0 ? -x : x, relative = d / (size > 1 ? size : 1);
    if (!(relative <= worst)) worst = relative;
  }
  CHECK(worst <= most);
  if (!(worst <= most)) printf("  the worst is %g\n", worst);
  tsr_release(&host);
  tsr_release(&a);
  tsr_release(&b);
}

static double bound_of(int dtype) {
  return dtype == TSR_F64 ? 1e-13 : dtype == TSR_F32 ? 1e-5 : dtype == TSR_F16 ? 2e-3 : 1.6e-2;
}

static void multiply(const tsr_device *gpu, int dtype, const tsr_tensor *a, const tsr_tensor *b, int how) {
  tsr_tensor want = {0}, got = {0}, x = place(gpu, a, how % 3, (how & 1) != 0),
             y = place(gpu, b, how / 3, (how & 2) != 0);
  OK(NULL, tsr_matmul(NULL, a, b, &want));
  if (how % 5 == 0) got = place(gpu, &want, how % 4, false);
  OK(NULL, tsr_matmul(NULL, &x, &y, &got));
  check_near(&want, &got, bound_of(dtype));
  tsr_tensor *const all[] = {&want, &got, &x, &y};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(matrices_as_they_lie) {
  GPU_OR_SKIP(gpu);
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_F16, TSR_BF16};
  static const tsr_index sizes[][3] = {{5, 7, 3}, {1, 9, 4}, {8, 1, 6}, {16, 32, 1}, {33, 20, 17}};
  for (int k = 0; k < COUNT_OF(dtypes); k++)
    for (int s = 0; s < COUNT_OF(sizes); s++)
      for (int how = 0; how < 8; how++) {
        tsr_tensor a = numbers(dtypes[k], TSR_SHAPE(sizes[s][0], sizes[s][1]), 1);
        tsr_tensor b = numbers(dtypes[k], TSR_SHAPE(sizes[s][1], sizes[s][2]), 2);
        multiply(gpu, dtypes[k], &a, &b, how);
        tsr_release(&a);
        tsr_release(&b);
      }
}

TEST(batches) {
  GPU_OR_SKIP(gpu);
  for (int how = 0; how < 4; how++) {
    tsr_tensor a = numbers(TSR_F32, TSR_SHAPE(3, 2, 5, 6), 1), b = numbers(TSR_F32, TSR_SHAPE(3, 2, 6, 4), 2);
    tsr_tensor shared = numbers(TSR_F32, TSR_SHAPE(6, 4), 3), some = numbers(TSR_F32, TSR_SHAPE(2, 6, 4), 4);
    multiply(gpu, TSR_F32, &a, &b, how);
    multiply(gpu, TSR_F32, &a, &shared, how);
    multiply(gpu, TSR_F32, &a, &some, how); /* repeats along the first axis: not evenly apart */
    tsr_tensor *const all[] = {&a, &b, &shared, &some};
    for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
  }
}

static void layer(const tsr_device *gpu, int dtype, int bias_dtype, tsr_index at, const tsr_activation *activation) {
  tsr_tensor x = numbers(dtype, TSR_SHAPE(6, 20), 1), w = numbers(dtype, TSR_SHAPE(9, 20), 2);
  tsr_tensor bias = numbers(bias_dtype, TSR_SHAPE(9), 3), want = {0}, got = {0};
  tsr_tensor on[3] = {place(gpu, &x, 0, false), place(gpu, &w, 0, false), place(gpu, &bias, at, false)};
  OK(NULL, tsr_dense(NULL, &x, &w, &bias, activation, &want));
  OK(NULL, tsr_dense(NULL, &on[0], &on[1], &on[2], activation, &got));
  check_near(&want, &got, bound_of(dtype));
  tsr_tensor *const all[] = {&x, &w, &bias, &want, &got, &on[0], &on[1], &on[2]};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(a_bias_and_an_activation) {
  GPU_OR_SKIP(gpu);
  const tsr_activation gelu = {.kind = TSR_GELU};
  for (tsr_index at = 0; at < 2; at++) {
    layer(gpu, TSR_F32, TSR_F32, at, NULL);
    layer(gpu, TSR_F16, TSR_F16, at, NULL);
    layer(gpu, TSR_BF16, TSR_BF16, 8 * at, NULL);
    layer(gpu, TSR_F64, TSR_F64, at, NULL);
    layer(gpu, TSR_F32, TSR_F32, at, &gelu);
  }
}

/* A result in f16 is the sum in f32, rounded once: sums that overflow f16 on their way do not matter. */
TEST(sums_of_small_floats_are_wide) {
  GPU_OR_SKIP(gpu);
  tsr_tensor a = {0}, b = {0}, out = {0};
  OK(NULL, tsr_full(NULL, TSR_F16, TSR_SHAPE(2, 64), 200, &a));
  OK(NULL, tsr_full(NULL, TSR_F16, TSR_SHAPE(64, 2), 300, &b));
  tsr_tensor half = {0};
  OK(NULL, tsr_narrow(NULL, &b, 0, 32, 31, &half));
  OK(NULL, tsr_neg(NULL, &half, &half)); /* up to 1920000 and back to 120000 - 60000 */
  OK(NULL, tsr_narrow(NULL, &b, 0, 0, 1, &half));
  OK(NULL, tsr_neg(NULL, &half, &half));
  tsr_tensor want = {0}, x = place(gpu, &a, 0, false), y = place(gpu, &b, 0, false);
  OK(NULL, tsr_matmul(NULL, &a, &b, &want));
  OK(NULL, tsr_matmul(NULL, &x, &y, &out));
  check_near(&want, &out, bound_of(TSR_F16));
  tsr_tensor *const all[] = {&a, &b, &out, &want, &x, &y};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST_MAIN(RUN(matrices_as_they_lie), RUN(batches), RUN(a_bias_and_an_activation), RUN(sums_of_small_floats_are_wide))
