/* Outputs whose size depends on data, histograms and searches of more elements than a block has: the host's results. */
#include "gpu_support.h"

#include <math.h>

/* Whether the device gave what the host did; both are released. */
static void check_same(const char *what, tsr_tensor *want, tsr_tensor *got) {
  tsr_tensor back = {0}, theirs = {0};
  OK(NULL, tsr_to_device(NULL, got, NULL, &back));
  OK(NULL, tsr_contiguous(NULL, &back, &theirs));
  const bool alike = tsr_same_shape(want, &theirs) && want->dtype == theirs.dtype;
  CHECK(alike);
  const bool same = alike && (tsr_size(want) == 0 || memcmp(want->data, theirs.data, tsr_nbytes(want)) == 0);
  CHECK(same);
  if (!same) printf("  %s of %ld elements\n", what, (long)tsr_size(want));
  tsr_tensor *const all[] = {want, got, &back, &theirs};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

/* n numbers, of which about share are above 0. */
static void make_numbers(tsr_index n, double share, tsr_tensor *x) {
  tsr_rng rng = tsr_rng_seed((uint64_t)n);
  OK(NULL, tsr_rand_uniform(NULL, &rng, TSR_F32, TSR_SHAPE(n), (tsr_real)(share - 1), (tsr_real)share, x));
}

static void try_masks(const tsr_device *gpu, tsr_index rows, tsr_index columns, double share, int dtype) {
  tsr_tensor numbers = {0}, x = {0}, mask = {0}, src = {0}, x_there = {0}, mask_there = {0}, src_there = {0};
  tsr_tensor want = {0}, got = {0};
  make_numbers(rows * columns, share, &numbers);
  OK(NULL, tsr_reshape_view(NULL, &numbers, TSR_SHAPE(rows, columns), &x));
  OK(NULL, tsr_gt_scalar(NULL, &x, 0, &mask));
  OK(NULL, tsr_cast(NULL, &x, dtype, &src));
  OK(NULL, tsr_to_device(NULL, &mask, gpu, &mask_there));
  OK(NULL, tsr_to_device(NULL, &src, gpu, &src_there));
  OK(NULL, tsr_nonzero(NULL, &mask, &want));
  OK(NULL, tsr_nonzero(NULL, &mask_there, &got));
  check_same("nonzero", &want, &got);
  OK(NULL, tsr_nonzero(NULL, &src, &want));
  OK(NULL, tsr_nonzero(NULL, &src_there, &got));
  check_same("nonzero of numbers", &want, &got);
  OK(NULL, tsr_masked_select(NULL, &src, &mask, &want));
  OK(NULL, tsr_masked_select(NULL, &src_there, &mask_there, &got));
  check_same("masked_select", &want, &got);
  OK(NULL, tsr_add(NULL, &src, &src, &x_there)); /* on the host still */
  OK(NULL, tsr_masked_scatter(NULL, &src, &mask, &x_there, &want));
  tsr_tensor twice = {0};
  OK(NULL, tsr_to_device(NULL, &x_there, gpu, &twice));
  OK(NULL, tsr_masked_scatter(NULL, &src_there, &mask_there, &twice, &got));
  check_same("masked_scatter", &want, &got);
  tsr_tensor *const all[] = {&numbers, &x, &mask, &src, &x_there, &mask_there, &src_there, &twice};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(elements_under_masks) {
  GPU_OR_SKIP(gpu);
  static const double shares[] = {0, 0.001, 0.5, 1};
  for (int i = 0; i < COUNT_OF(shares); i++) {
    try_masks(gpu, 1, 70001, shares[i], TSR_F32);
    try_masks(gpu, 300, 123, shares[i], i % 2 == 0 ? TSR_F64 : TSR_F16);
    try_masks(gpu, 8192, 3, shares[i], TSR_I8);
  }
}

/* A given output has to be of the size that is found, and keeps its bytes where it is not. */
TEST(given_outputs) {
  GPU_OR_SKIP(gpu);
  tsr_tensor x = {0}, there = {0}, out = {0}, back = {0};
  OK(NULL, tsr_arange(NULL, TSR_I32, 0, 10, 1, &x));
  OK(NULL, tsr_to_device(NULL, &x, gpu, &there));
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(NULL, tsr_context_set_device(&ctx, gpu));
  OK(&ctx, tsr_ones(&ctx, TSR_I64, TSR_SHAPE(9, 1), &out));
  OK(&ctx, tsr_nonzero(&ctx, &there, &out));
  OK(NULL, tsr_to_device(NULL, &out, NULL, &back));
  for (int i = 0; i < 9; i++) CHECK(((const int64_t *)back.data)[i] == i + 1);
  tsr_release(&out);
  tsr_release(&back);
  OK(&ctx, tsr_ones(&ctx, TSR_I64, TSR_SHAPE(8, 1), &out));
  FAILS(&ctx, TSR_ESHAPE, tsr_nonzero(&ctx, &there, &out));
  OK(NULL, tsr_to_device(NULL, &out, NULL, &back));
  for (int i = 0; i < 8; i++) CHECK(((const int64_t *)back.data)[i] == 1);
  tsr_release(&out);
  OK(&ctx, tsr_ones(&ctx, TSR_I32, TSR_SHAPE(9, 1), &out));
  FAILS(&ctx, TSR_EDTYPE, tsr_nonzero(&ctx, &there, &out));
  tsr_tensor *const all[] = {&x, &there, &out, &back};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

/* A size that depends on data has no place in a recording. */
TEST(recordings_refuse) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  tsr_program *program = NULL;
  tsr_tensor x = {0}, there = {0}, out = {0};
  OK(NULL, tsr_arange(NULL, TSR_I32, 0, 10, 1, &x));
  OK(NULL, tsr_to_device(NULL, &x, gpu, &there));
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(NULL, tsr_context_set_device(&ctx, gpu));
  OK(NULL, tsr_program_new(NULL, &program));
  OK(&ctx, tsr_program_begin(&ctx, program));
  FAILS(&ctx, TSR_EUNSUPPORTED, tsr_nonzero(&ctx, &there, &out));
  (void)!tsr_program_end(&ctx, program);
  tsr_program_free(program);
  tsr_release(&x);
  tsr_release(&there);
}

/* With a capacity there is nothing to wait for: recorded once, run with other numbers. */
TEST(recordings_of_a_given_capacity) {
  GPU_OR_SKIP(gpu);
  enum { N = 20000, ROOM = 9000 };
  tsr_ctx ctx;
  tsr_program *program = NULL;
  tsr_tensor x = {0}, mask = {0}, there[2] = {{0}}, out[3] = {{0}};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(NULL, tsr_context_set_device(&ctx, gpu));
  make_numbers(N, 0.5, &x);
  OK(NULL, tsr_gt_scalar(NULL, &x, 0, &mask));
  OK(NULL, tsr_to_device(NULL, &x, gpu, &there[0]));
  OK(NULL, tsr_to_device(NULL, &mask, gpu, &there[1]));
  OK(NULL, tsr_program_new(NULL, &program));
  OK(&ctx, tsr_program_begin(&ctx, program));
  tsr_tensor in[2] = {{0}}, count = {0}, elements = {0}, places = {0};
  for (int i = 0; i < 2; i++) OK(&ctx, tsr_program_input(&ctx, program, i == 0 ? "x" : "mask", &there[i], &in[i]));
  OK(&ctx, tsr_masked_select_within(&ctx, &in[0], &in[1], ROOM, &elements, &count));
  OK(&ctx, tsr_nonzero_within(&ctx, &in[1], ROOM, &places, NULL));
  OK(&ctx, tsr_program_output(&ctx, program, "elements", &elements));
  OK(&ctx, tsr_program_output(&ctx, program, "count", &count));
  OK(&ctx, tsr_program_output(&ctx, program, "places", &places));
  tsr_tensor *const values[] = {&in[0], &in[1], &count, &elements, &places};
  for (int i = 0; i < COUNT_OF(values); i++) tsr_release(values[i]);
  OK(&ctx, tsr_program_end(&ctx, program));
  for (int round = 0; round < 3; round++) {
    tsr_tensor want[3] = {{0}}, back = {0};
    const tsr_tensor *const inputs[] = {&there[0], &there[1]};
    tsr_tensor *const outputs[] = {&out[0], &out[1], &out[2]};
    for (tsr_index i = 0; i < N; i++) ((bool *)mask.data)[i] = i % (round + 1) == 0;
    OK(NULL, tsr_to_device(NULL, &mask, gpu, &back));
    OK(&ctx, tsr_copy(&ctx, &back, &there[1]));
    OK(&ctx, tsr_program_run(&ctx, program, 2, inputs, 3, outputs));
    OK(NULL, tsr_masked_select_within(NULL, &x, &mask, ROOM, &want[0], &want[1]));
    OK(NULL, tsr_nonzero_within(NULL, &mask, ROOM, &want[2], NULL));
    tsr_release(&back);
    for (int i = 0; i < 3; i++) {
      tsr_tensor got = {0};
      OK(&ctx, tsr_share(&ctx, &out[i], &got));
      check_same("a replay", &want[i], &got);
    }
  }
  tsr_program_free(program);
  tsr_tensor *const all[] = {&x, &mask, &there[0], &there[1], &out[0], &out[1], &out[2]};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

/* Fewer elements than the mask has places: told by the call that waits. */
TEST(too_few_elements) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  tsr_tensor x = {0}, mask = {0}, src = {0}, out = {0}, back = {0};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(NULL, tsr_context_set_device(&ctx, gpu));
  OK(&ctx, tsr_zeros(&ctx, TSR_F32, TSR_SHAPE(20000), &x));
  OK(&ctx, tsr_ones(&ctx, TSR_BOOL, TSR_SHAPE(20000), &mask));
  OK(&ctx, tsr_ones(&ctx, TSR_F32, TSR_SHAPE(15000), &src));
  OK(&ctx, tsr_masked_scatter(&ctx, &x, &mask, &src, &out));
  FAILS(NULL, TSR_ESHAPE, tsr_to_device(NULL, &out, NULL, &back));
  CHECK(strstr(tsr_error(NULL), "number 15000") != NULL);
  tsr_tensor *const all[] = {&x, &mask, &src, &out, &back};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

static void try_histogram(const tsr_device *gpu, const tsr_tensor *x, tsr_index bins, const tsr_real *range) {
  tsr_tensor there = {0}, counts = {0}, edges = {0}, counts_there = {0}, edges_there = {0};
  OK(NULL, tsr_to_device(NULL, x, gpu, &there));
  OK(NULL, tsr_histogram(NULL, x, bins, range, &counts, &edges));
  OK(NULL, tsr_histogram(NULL, &there, bins, range, &counts_there, &edges_there));
  check_same("edges", &edges, &edges_there);
  check_same("counts", &counts, &counts_there);
  tsr_release(&there);
}

TEST(histograms) {
  GPU_OR_SKIP(gpu);
  static const tsr_index bins[] = {1, 10, 256, 1000, 3000, 20000};
  static const tsr_real ranges[][2] = {{-2, 2}, {0, 0}, {1000000, 1000001}, {(tsr_real)1e-30, (tsr_real)2e-30}};
  tsr_rng rng = tsr_rng_seed(3);
  tsr_tensor normal = {0}, wide = {0}, half = {0}, same = {0};
  OK(NULL, tsr_rand_normal(NULL, &rng, TSR_F32, TSR_SHAPE(20011), &normal));
  OK(NULL, tsr_mul_scalar(NULL, &normal, 1000000, &wide));
  OK(NULL, tsr_cast(NULL, &normal, TSR_F16, &half));
  OK(NULL, tsr_ones(NULL, TSR_I32, TSR_SHAPE(40, 300), &same));
  for (int i = 0; i < COUNT_OF(bins); i++) {
    try_histogram(gpu, &normal, bins[i], NULL);
    try_histogram(gpu, &normal, bins[i], ranges[i % COUNT_OF(ranges)]);
    try_histogram(gpu, &wide, bins[i], ranges[2]);
    try_histogram(gpu, &half, bins[i], NULL);
    try_histogram(gpu, &same, bins[i], NULL);
  }
  /* On the edges, beside them, beyond, and no numbers at all. */
  float *const v = normal.data;
  for (int i = 0; i < 4000; i++) {
    const float edge = -2.0f + 4.0f * (float)(i % 257) / 256;
    v[i] = i % 3 == 0 ? edge : nextafterf(edge, i % 3 == 1 ? 9.0f : -9.0f);
  }
  v[5000] = NAN, v[5001] = INFINITY, v[5002] = -INFINITY, v[5003] = 1e30f;
  for (int i = 0; i < COUNT_OF(bins); i++) try_histogram(gpu, &normal, bins[i], ranges[0]);
  tsr_tensor *const all[] = {&normal, &wide, &half, &same};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(counts_of_numbers) {
  GPU_OR_SKIP(gpu);
  static const int most[] = {1, 10, 300, 5000, 40000};
  for (int i = 0; i < COUNT_OF(most); i++) {
    tsr_rng rng = tsr_rng_seed((uint64_t)i);
    tsr_tensor x = {0}, weights = {0}, there = {0}, weights_there = {0}, want = {0}, got = {0};
    OK(NULL, tsr_rand_integers(NULL, &rng, i % 2 == 0 ? TSR_I32 : TSR_U16, TSR_SHAPE(100, 150), 0, most[i], &x));
    OK(NULL, tsr_rand_normal(NULL, &rng, TSR_F32, TSR_SHAPE(100, 150), &weights));
    OK(NULL, tsr_to_device(NULL, &x, gpu, &there));
    OK(NULL, tsr_to_device(NULL, &weights, gpu, &weights_there));
    OK(NULL, tsr_bincount(NULL, &x, NULL, 20, &want));
    OK(NULL, tsr_bincount(NULL, &there, NULL, 20, &got));
    check_same("bincount", &want, &got);
    OK(NULL, tsr_bincount(NULL, &x, &weights, 0, &want));
    OK(NULL, tsr_bincount(NULL, &there, &weights_there, 0, &got));
    check_same("bincount with weights", &want, &got);
    tsr_tensor *const all[] = {&x, &weights, &there, &weights_there};
    for (int k = 0; k < COUNT_OF(all); k++) tsr_release(all[k]);
  }
  tsr_tensor x = {0}, there = {0}, got = {0};
  OK(NULL, tsr_full(NULL, TSR_I32, TSR_SHAPE(9), -3, &x));
  OK(NULL, tsr_to_device(NULL, &x, gpu, &there));
  FAILS(NULL, TSR_EINDEX, tsr_bincount(NULL, &there, NULL, 0, &got));
  CHECK(strstr(tsr_error(NULL), "holds -3") != NULL && tsr_is_none(&got));
  tsr_release(&x);
  tsr_release(&there);
}

TEST(searches_of_many) {
  GPU_OR_SKIP(gpu);
  static const tsr_index lengths[] = {1, 2, 1000, 4097};
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_I16};
  for (int i = 0; i < COUNT_OF(lengths) * COUNT_OF(dtypes); i++) {
    tsr_rng rng = tsr_rng_seed((uint64_t)i);
    const int dtype = dtypes[i / COUNT_OF(lengths)];
    tsr_tensor numbers = {0}, x = {0}, sorted = {0}, there = {0}, sorted_there = {0}, want = {0}, got = {0};
    OK(NULL, tsr_rand_normal_scaled(NULL, &rng, TSR_F32, TSR_SHAPE(170, 101), 0, 100, &numbers));
    OK(NULL, tsr_cast(NULL, &numbers, dtype, &x));
    tsr_release(&numbers);
    OK(NULL, tsr_linspace(NULL, TSR_F32, -150, 150, lengths[i % COUNT_OF(lengths)], &numbers));
    OK(NULL, tsr_cast(NULL, &numbers, dtype, &sorted));
    OK(NULL, tsr_to_device(NULL, &x, gpu, &there));
    OK(NULL, tsr_to_device(NULL, &sorted, gpu, &sorted_there));
    OK(NULL, tsr_searchsorted(NULL, &sorted, &x, i % 2 == 0, NULL, &want));
    OK(NULL, tsr_searchsorted(NULL, &sorted_there, &there, i % 2 == 0, NULL, &got));
    check_same("searchsorted", &want, &got);
    tsr_tensor *const all[] = {&numbers, &x, &sorted, &there, &sorted_there};
    for (int k = 0; k < COUNT_OF(all); k++) tsr_release(all[k]);
  }
}

TEST(convolutions_of_many_taps) {
  GPU_OR_SKIP(gpu);
  static const tsr_index lengths[][2] = {{5000, 3}, {3000, 1031}, {700, 2050}, {2000, 512}};
  for (int i = 0; i < COUNT_OF(lengths); i++)
    for (int mode = 0; mode < 3; mode++) {
      tsr_rng rng = tsr_rng_seed((uint64_t)i);
      tsr_tensor a = {0}, v = {0}, a_there = {0}, v_there = {0}, want = {0}, got = {0};
      OK(NULL, tsr_rand_normal(NULL, &rng, mode == 1 ? TSR_F64 : TSR_F32, TSR_SHAPE(lengths[i][0]), &a));
      OK(NULL, tsr_rand_normal(NULL, &rng, TSR_F32, TSR_SHAPE(lengths[i][1]), &v));
      OK(NULL, tsr_to_device(NULL, &a, gpu, &a_there));
      OK(NULL, tsr_to_device(NULL, &v, gpu, &v_there));
      OK(NULL, tsr_convolve(NULL, &a, &v, (tsr_convolve_mode)mode, &want));
      OK(NULL, tsr_convolve(NULL, &a_there, &v_there, (tsr_convolve_mode)mode, &got));
      check_same("convolve", &want, &got);
      OK(NULL, tsr_correlate(NULL, &a, &v, (tsr_convolve_mode)mode, &want));
      OK(NULL, tsr_correlate(NULL, &a_there, &v_there, (tsr_convolve_mode)mode, &got));
      check_same("correlate", &want, &got);
      tsr_tensor *const all[] = {&a, &v, &a_there, &v_there};
      for (int k = 0; k < COUNT_OF(all); k++) tsr_release(all[k]);
    }
}

TEST(points_that_fall) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  tsr_tensor x = {0}, xp = {0}, fp = {0}, out = {0}, back = {0};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(NULL, tsr_context_set_device(&ctx, gpu));
  OK(&ctx, tsr_linspace(&ctx, TSR_F64, 0, 1, 9000, &x));
  OK(&ctx, tsr_linspace(&ctx, TSR_F64, 1, 0, 700, &xp));
  OK(&ctx, tsr_linspace(&ctx, TSR_F64, 0, 1, 700, &fp));
  OK(&ctx, tsr_interp(&ctx, &x, &xp, &fp, NULL, NULL, &out));
  FAILS(NULL, TSR_EARG, tsr_to_device(NULL, &out, NULL, &back));
  CHECK(strstr(tsr_error(NULL), "number 1 ") != NULL);
  tsr_tensor *const all[] = {&x, &xp, &fp, &out, &back};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST_MAIN(RUN(elements_under_masks), RUN(given_outputs), RUN(recordings_refuse), RUN(recordings_of_a_given_capacity),
          RUN(too_few_elements), RUN(histograms), RUN(counts_of_numbers), RUN(searches_of_many),
          RUN(convolutions_of_many_taps), RUN(points_that_fall))
