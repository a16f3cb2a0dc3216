/* Functions with one formula for numbers in range and another beyond: every number of 16 bits, and f32 of all sizes, by packs that are in range,
 * beyond it and mixed. TSR_EVERY_FLOAT=gelu tries each f32 there is with that function. */
#include "gpu_support.h"

#include <math.h>

typedef tsr_status unary(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

static const struct {
  const char *name;
  unary *call;
} functions[] = {{"gelu", tsr_gelu},   {"gelu_tanh", tsr_gelu_tanh},
                 {"silu", tsr_silu},   {"sigmoid", tsr_sigmoid},
                 {"tanh", tsr_tanh},   {"exp", tsr_exp},
                 {"log", tsr_log},     {"log2", tsr_log2},
                 {"log10", tsr_log10}, {"sin", tsr_sin},
                 {"cos", tsr_cos},     {"tan", tsr_tan},
                 {"rsqrt", tsr_rsqrt}, {"sqrt", tsr_sqrt}};

/* How many results differ; of two NaN the bits are nobody's promise. The first one that does is told. */
static tsr_index differences(const char *name, const tsr_tensor *x, const tsr_tensor *want, const tsr_tensor *got) {
  const size_t item = tsr_dtype_size(x->dtype);
  const bool bf16 = x->dtype == TSR_BF16;
  tsr_index count = 0;
  for (tsr_index i = 0; i < tsr_size(x); i++) {
    uint32_t in = 0, a = 0, b = 0;
    memcpy(&in, (const char *)x->data + (size_t)i * item, item);
    memcpy(&a, (const char *)want->data + (size_t)i * item, item);
    memcpy(&b, (const char *)got->data + (size_t)i * item, item);
    const uint32_t infinity = item == 4 ? 0x7f800000u
                              : bf16    ? 0x7f80u
                                        : 0x7c00u,
                   size = item == 4 ? 0x7fffffffu : 0x7fffu;
    if (a == b || ((a & size) > infinity && (b & size) > infinity)) continue;
    if (count++ == 0)
      printf("  %s of %s %08x: the host has %08x, the device %08x\n", name, tsr_dtype_name(x->dtype), (unsigned)in,
             (unsigned)a, (unsigned)b);
  }
  return count;
}

static void compare_all(const tsr_device *gpu, const tsr_tensor *x, const char *only) {
  tsr_tensor there = {0}, y = {0}, want = {0}, got = {0};
  OK(NULL, tsr_to_device(NULL, x, gpu, &there));
  for (int k = 0; k < COUNT_OF(functions); k++) {
    if (only != NULL && strcmp(only, functions[k].name) != 0) continue;
    OK(NULL, functions[k].call(NULL, x, &want));
    OK(NULL, functions[k].call(NULL, &there, &y));
    OK(NULL, tsr_to_device(NULL, &y, NULL, &got));
    CHECK(differences(functions[k].name, x, &want, &got) == 0);
  }
  tsr_tensor *const all[] = {&there, &y, &want, &got};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(every_number_of_16_bits) {
  GPU_OR_SKIP(gpu);
  HOST_FUSES_OR_SKIP();
  static const int dtypes[] = {TSR_BF16, TSR_F16};
  for (int d = 0; d < COUNT_OF(dtypes); d++)
    for (uint32_t factor = 1; factor < 1000;
         factor += 776) { /* neighbours together, and numbers of all sizes together */
      tsr_tensor x = {0};
      OK(NULL, tsr_empty(NULL, dtypes[d], TSR_SHAPE(65536), &x));
      for (uint32_t i = 0; i < 65536; i++) ((uint16_t *)x.data)[i] = (uint16_t)(i * factor);
      compare_all(gpu, &x, NULL);
      tsr_release(&x);
    }
}

/* So many that results are computed once for each value, and looked up. */
TEST(more_numbers_of_16_bits_than_there_are) {
  GPU_OR_SKIP(gpu);
  HOST_FUSES_OR_SKIP();
  const tsr_index n = (!gpu_is_real() ? (tsr_index)4 << 18 : (tsr_index)36 << 20) + 13;
  tsr_tensor x = {0};
  OK(NULL, tsr_empty(NULL, TSR_BF16, TSR_SHAPE(n), &x));
  for (tsr_index i = 0; i < n; i++) ((uint16_t *)x.data)[i] = (uint16_t)(i * 777);
  compare_all(gpu, &x, "gelu");
  tsr_release(&x);
}

TEST(numbers_of_32_bits) {
  GPU_OR_SKIP(gpu);
  HOST_FUSES_OR_SKIP();
  const char *const every = getenv("TSR_EVERY_FLOAT");
  const uint64_t piece = every != NULL ? 1u << 26 : 1u << 17, pieces = every != NULL ? 64 : 4;
  const uint32_t step = every != NULL ? 1 : 8191; /* 4 * 2^17 * 8191 is all of them */
  for (uint64_t p = 0; p < pieces; p++) {
    tsr_tensor x = {0};
    OK(NULL, tsr_empty(NULL, TSR_F32, TSR_SHAPE((tsr_index)piece), &x));
    for (uint64_t i = 0; i < piece; i++) ((uint32_t *)x.data)[i] = (uint32_t)((p * piece + i) * step);
    compare_all(gpu, &x, every);
    tsr_release(&x);
  }
}

/* In range but for one number in each pack, which is at any place of it. */
TEST(packs_with_one_number_beyond) {
  GPU_OR_SKIP(gpu);
  HOST_FUSES_OR_SKIP();
  static const float beyond[] = {7.5f, -200.0f, 1e30f, -0.0f, 1e-40f, NAN, -INFINITY, 1e-33f};
  tsr_tensor x = {0};
  OK(NULL, tsr_empty(NULL, TSR_F32, TSR_SHAPE(8 * 8 * 9), &x));
  for (int i = 0; i < 8 * 8 * 9; i++) ((float *)x.data)[i] = i % 9 == 0 ? beyond[i / 9 % 8] : 0.01f * (float)i - 2.5f;
  compare_all(gpu, &x, NULL);
  tsr_release(&x);
}

/* Their logarithm, root, cosine and sine are the host's. */
TEST(normal_numbers) {
  GPU_OR_SKIP(gpu);
  HOST_FUSES_OR_SKIP();
  const tsr_index n = gpu_is_real() ? 1 << 26 : 1 << 17;
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(NULL, tsr_context_set_device(&ctx, gpu));
  for (int skipped = 0; skipped < 2; skipped++) { /* the second time in the middle of a block of four */
    tsr_rng here = tsr_rng_seed(11), there = here;
    tsr_tensor want = {0}, made = {0}, got = {0};
    here.counter = there.counter = (uint64_t)skipped * 3;
    OK(NULL, tsr_rand_normal(NULL, &here, TSR_F32, TSR_SHAPE(n), &want));
    OK(&ctx, tsr_rand_normal(&ctx, &there, TSR_F32, TSR_SHAPE(n), &made));
    OK(NULL, tsr_to_device(NULL, &made, NULL, &got));
    CHECK(here.counter == there.counter && differences("normal", &want, &want, &got) == 0);
    tsr_release(&want);
    tsr_release(&made);
    tsr_release(&got);
  }
}

TEST_MAIN(RUN(every_number_of_16_bits), RUN(more_numbers_of_16_bits_than_there_are), RUN(numbers_of_32_bits),
          RUN(packs_with_one_number_beyond), RUN(normal_numbers))
