/* Where operands begin: parts of an output that start between two packs, outputs that are not there yet, views into the middle of
 * memory. A load or store of 16 bytes at another address ends a launch, on the emulated device as on a real one. */
#include "gpu_support.h"

#include <math.h>

/* A tensor of the host on the device, as a view that begins `at` elements into its memory. */
static tsr_tensor place(const tsr_device *gpu, const tsr_tensor *host, tsr_index at) {
  tsr_tensor room = {0}, there = {0};
  OK(NULL, tsr_zeros(NULL, host->dtype, TSR_SHAPE(tsr_size(host) + at), &room));
  OK(NULL, tsr_to_device(NULL, &room, gpu, &there));
  OK(NULL, tsr_narrow(NULL, &there, 0, at, tsr_size(host), &there));
  OK(NULL, tsr_reshape_view(NULL, &there, host->ndim, host->shape, &there));
  OK(NULL, tsr_copy(NULL, host, &there));
  tsr_release(&room);
  return there;
}

static tsr_tensor numbers(int ndim, const tsr_index *shape, uint64_t seed) {
  tsr_rng rng = tsr_rng_seed(seed);
  tsr_tensor t = {0};
  OK(NULL, tsr_rand_normal(NULL, &rng, TSR_F32, ndim, shape, &t));
  return t;
}

static void check_same(const tsr_tensor *want, const tsr_tensor *got) {
  tsr_tensor host = {0};
  OK(NULL, tsr_to_device(NULL, got, NULL, &host));
  CHECK(tsr_same_shape(want, &host));
  CHECK(tsr_is_none(&host) || memcmp(want->data, host.data, (size_t)tsr_size(want) * tsr_dtype_size(want->dtype)) == 0);
  tsr_release(&host);
}

/* Row-major, of the host, in f64. */
static tsr_tensor as_doubles(const tsr_tensor *t) {
  tsr_tensor host = {0}, whole = {0}, wide = {0};
  OK(NULL, tsr_to_device(NULL, t, NULL, &host));
  OK(NULL, tsr_contiguous(NULL, &host, &whole));
  OK(NULL, tsr_cast(NULL, &whole, TSR_F64, &wide));
  tsr_release(&host);
  tsr_release(&whole);
  return wide;
}

/* The same bits, or a NaN in both. */
static void check_same_numbers(const tsr_tensor *want, const tsr_tensor *got) {
  tsr_tensor a = as_doubles(want), b = as_doubles(got);
  const double *const x = a.data, *const y = b.data;
  tsr_index differ = tsr_same_shape(&a, &b) ? 0 : 1;
  for (tsr_index i = 0; differ == 0 && i < tsr_size(&a); i++)
    differ += memcmp(&x[i], &y[i], sizeof *x) != 0 && !(isnan(x[i]) && isnan(y[i]));
  CHECK(differ == 0);
  tsr_release(&a);
  tsr_release(&b);
}

/* Columns of so many elements beside each other: rows are whole packs, the second part starts between two. */
static void join(const tsr_device *gpu, tsr_index rows, const tsr_index *widths, int n, bool given, tsr_index at) {
  tsr_tensor host[4] = {{0}}, there[4] = {{0}}, want = {0}, got = {0};
  const tsr_tensor *of_host[4], *of_gpu[4];
  for (int i = 0; i < n; i++) {
    host[i] = numbers(TSR_SHAPE(rows, widths[i]), (uint64_t)i + 5);
    there[i] = place(gpu, &host[i], at * i);
    of_host[i] = &host[i];
    of_gpu[i] = &there[i];
  }
  OK(NULL, tsr_concat(NULL, n, of_host, 1, &want));
  if (given) got = place(gpu, &want, at);
  OK(NULL, tsr_concat(NULL, n, of_gpu, 1, &got));
  check_same(&want, &got);
  for (int i = 0; i < n; i++) tsr_release(&host[i]), tsr_release(&there[i]);
  tsr_release(&want);
  tsr_release(&got);
}

TEST(parts_of_a_join_begin_anywhere) {
  GPU_OR_SKIP(gpu);
  for (int given = 0; given < 2; given++)
    for (tsr_index at = 0; at < 4; at++) {
      join(gpu, 1, (const tsr_index[]){3, 8}, 2, given != 0, at);
      join(gpu, 5, (const tsr_index[]){3, 4, 1}, 3, given != 0, at);
      join(gpu, 4, (const tsr_index[]){2, 4, 2}, 3, given != 0, at);
      join(gpu, 70, (const tsr_index[]){33, 64, 31}, 3, given != 0, at);
    }
}

/* The output lies over an input: it is made in temporary memory, whose parts begin anywhere too. */
TEST(parts_of_temporary_memory_begin_anywhere) {
  GPU_OR_SKIP(gpu);
  tsr_tensor host = numbers(TSR_SHAPE(11), 3), there = place(gpu, &host, 0), want = {0};
  tsr_tensor a = {0}, b = {0}, ha = {0}, hb = {0};
  OK(NULL, tsr_narrow(NULL, &host, 0, 0, 3, &ha));
  OK(NULL, tsr_narrow(NULL, &host, 0, 3, 8, &hb));
  OK(NULL, tsr_narrow(NULL, &there, 0, 8, 3, &a));
  OK(NULL, tsr_narrow(NULL, &there, 0, 0, 8, &b));
  OK(NULL, tsr_copy(NULL, &ha, &a));
  OK(NULL, tsr_copy(NULL, &hb, &b));
  const tsr_tensor *const parts[] = {&a, &b}, *const host_parts[] = {&ha, &hb};
  OK(NULL, tsr_concat(NULL, 2, host_parts, 0, &want));
  OK(NULL, tsr_concat(NULL, 2, parts, 0, &there));
  check_same(&want, &there);
  tsr_tensor *const all[] = {&host, &there, &want, &a, &b, &ha, &hb};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(rolls_and_stacks_begin_anywhere) {
  GPU_OR_SKIP(gpu);
  for (tsr_index shift = 1; shift < 8; shift++) {
    tsr_tensor host = numbers(TSR_SHAPE(3, 16), 7), there = place(gpu, &host, shift % 4), want = {0}, got = {0};
    OK(NULL, tsr_roll(NULL, &host, shift, 1, &want));
    OK(NULL, tsr_roll(NULL, &there, shift, 1, &got));
    check_same(&want, &got);
    tsr_release(&want);
    tsr_release(&got);
    const tsr_tensor *const twice[] = {&host, &host}, *const there_twice[] = {&there, &there};
    OK(NULL, tsr_stack(NULL, 2, twice, (int)(shift % 3), &want));
    OK(NULL, tsr_stack(NULL, 2, there_twice, (int)(shift % 3), &got));
    check_same(&want, &got);
    tsr_tensor *const all[] = {&host, &there, &want, &got};
    for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
  }
}

/* Rows of any length and start, in place and not. */
static void rows(const tsr_device *gpu, tsr_index count, tsr_index n, tsr_index at, bool over) {
  tsr_tensor host = numbers(TSR_SHAPE(count, n), (uint64_t)(n + at)), there = place(gpu, &host, at);
  tsr_tensor want = {0}, got = over ? there : (tsr_tensor){0};
  OK(NULL, tsr_softmax(NULL, &host, -1, &want));
  OK(NULL, tsr_softmax(NULL, &there, -1, &got));
  check_same(&want, &got);
  tsr_release(&want);
  if (!over) tsr_release(&got);
  if (!over) {
    OK(NULL, tsr_log_softmax(NULL, &host, -1, &want));
    OK(NULL, tsr_log_softmax(NULL, &there, -1, &got));
    check_same(&want, &got);
    tsr_release(&want);
    tsr_release(&got);
    OK(NULL, tsr_layer_norm(NULL, &host, NULL, NULL, -1, 1e-5f, &want));
    OK(NULL, tsr_layer_norm(NULL, &there, NULL, NULL, -1, 1e-5f, &got));
    check_same(&want, &got);
    tsr_release(&want);
    tsr_release(&got);
    OK(NULL, tsr_logsumexp(NULL, &host, TSR_AXES(1), false, &want));
    OK(NULL, tsr_logsumexp(NULL, &there, TSR_AXES(1), false, &got));
    check_same(&want, &got);
    tsr_release(&want);
    tsr_release(&got);
    OK(NULL, tsr_var(NULL, &host, TSR_AXES(1), false, 1, &want));
    OK(NULL, tsr_var(NULL, &there, TSR_AXES(1), false, 1, &got));
    check_same(&want, &got);
    tsr_release(&want);
    tsr_release(&got);
  }
  tsr_release(&host);
  tsr_release(&there);
}

TEST(rows_of_any_length) {
  HOST_FUSES_OR_SKIP();
  GPU_OR_SKIP(gpu);
  static const tsr_index lengths[] = {1, 2, 7, 16, 63, 64, 100, 1000, 1024, 1027, 4096, 4100, 9001, 16384};
  for (int i = 0; i < COUNT_OF(lengths); i++)
    for (int over = 0; over < 2; over++) rows(gpu, 3, lengths[i], i % 4, over != 0);
  rows(gpu, 70, 7, 0, false);
  rows(gpu, 70, 64, 0, false);
  rows(gpu, 2, 16384, 0, false);
  rows(gpu, 2, 1000, 0, true);
  rows(gpu, 1, 60000, 0, false); /* more than shared memory holds */
  rows(gpu, 1, 70000, 0, true);
}

static tsr_status normalise(int what, const tsr_tensor *x, const tsr_tensor *row, tsr_tensor *out) {
  switch (what) {
    case 0: return tsr_softmax(NULL, x, 1, out);
    case 1: return tsr_log_softmax(NULL, x, 1, out);
    case 2: return tsr_layer_norm(NULL, x, row, row, 1, 1e-5f, out);
    default: return tsr_rms_norm(NULL, x, row, 1, 1e-5f, out);
  }
}

/* Every other row begins far from its mean, so that its sums are taken once more; one has a NaN, one an infinity, whose results are as
 * many NaN and are not compared. Scale and bias begin anywhere. */
static void uneven_rows(const tsr_device *gpu, tsr_index n, tsr_index at) {
  enum { COUNT = 7 };
  tsr_tensor host = numbers(TSR_SHAPE(COUNT, n), (uint64_t)(n + at)), row = numbers(TSR_SHAPE(n), 5);
  float *const x = host.data;
  for (tsr_index r = 0; r < COUNT; r += 2)
    for (tsr_index i = 0; i < 16 && i < n / 2; i++) x[r * n + i] += 1000.0f;
  x[2 * n + n / 2] = (float)NAN;
  x[3 * n + n - 1] = (float)INFINITY;
  tsr_tensor there = place(gpu, &host, 0), row_there = place(gpu, &row, at);
  for (int what = 0; what < 4; what++) {
    tsr_tensor want = {0}, got = {0}, of_host = {0}, of_gpu = {0};
    OK(NULL, normalise(what, &host, &row, &want));
    OK(NULL, normalise(what, &there, &row_there, &got));
    for (tsr_index r = 0; r < COUNT; r += r == 1 ? 3 : 1) {
      OK(NULL, tsr_narrow(NULL, &want, 0, r, 1, &of_host));
      OK(NULL, tsr_narrow(NULL, &got, 0, r, 1, &of_gpu));
      check_same(&of_host, &of_gpu);
    }
    tsr_tensor *const all[] = {&want, &got, &of_host, &of_gpu};
    for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
  }
  tsr_tensor *const all[] = {&host, &there, &row, &row_there};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(rows_of_any_contents) {
  HOST_FUSES_OR_SKIP();
  GPU_OR_SKIP(gpu);
  static const tsr_index lengths[] = {20,  64,  66,  100, 126,  128,  132,  200,  256,  260,
                                      500, 512, 516, 800, 1000, 1002, 1024, 1028, 8200, 70000};
  for (int i = 0; i < COUNT_OF(lengths); i++) uneven_rows(gpu, lengths[i], i % 3);
  uneven_rows(gpu, 150001, 0); /* pieces of rows */
}

/* Rows side by side: softmax along an axis that is not the fastest one, in place and not, of one dtype and another. */
static void columns(const tsr_device *gpu, int dtype, tsr_index n, tsr_index width, bool over, bool turned) {
  tsr_tensor host = {0}, there = {0}, want = {0}, got = {0};
  tsr_tensor wide = numbers(TSR_SHAPE(2, n, width), (uint64_t)(n + width));
  ((float *)wide.data)[n * width + width / 2] = (float)INFINITY;
  ((float *)wide.data)[1] = -200.0f;
  OK(NULL, tsr_cast(NULL, &wide, dtype, &host));
  there = place(gpu, &host, n % 3);
  if (turned) {
    OK(NULL, tsr_transpose(NULL, &host, 1, 2, &host));
    OK(NULL, tsr_transpose(NULL, &there, 1, 2, &there));
  }
  for (int log = 0; log < 2 - (int)over; log++) {
    const int axis = turned && n % 2 == 0 ? 2 : 1;
    if (over) got = there;
    OK(NULL, (log ? tsr_log_softmax : tsr_softmax)(NULL, &host, axis, &want));
    OK(NULL, (log ? tsr_log_softmax : tsr_softmax)(NULL, &there, axis, &got));
    check_same_numbers(&want, &got);
    tsr_release(&want);
    if (!over) tsr_release(&got);
  }
  tsr_tensor *const all[] = {&wide, &host, &there};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(rows_side_by_side) {
  HOST_FUSES_OR_SKIP();
  GPU_OR_SKIP(gpu);
  static const tsr_index lengths[] = {1, 5, 21, 32, 33, 100, 128, 129, 300, 500, 513, 4096, 4099, 9000};
  for (int i = 0; i < COUNT_OF(lengths); i++) {
    columns(gpu, TSR_F32, lengths[i], i % 2 == 0 ? 33 : 64, i % 3 == 0, false);
    if (i % 3 == 1) columns(gpu, TSR_F32, lengths[i], 40, false, true);
    if (i % 3 == 2) columns(gpu, i % 2 == 0 ? TSR_F16 : TSR_F64, lengths[i], 70, i % 2 == 0, false);
  }
}

/* Rows that are further apart than 31 bits of bytes: kernels with 64-bit steps. The memory between them is never touched. */
TEST(strides_of_more_than_31_bits) {
  GPU_OR_SKIP(gpu);
  const tsr_index far = (tsr_index)1 << 30;
  tsr_ctx ctx;
  tsr_tensor room = {0}, x = {0}, host = {0}, want = {0}, got = {0}, turned = {0};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_context_set_device(&ctx, gpu));
  if (tsr_empty(&ctx, TSR_U8, TSR_SHAPE(2 * far + 512), &room) != TSR_OK) SKIP("there is no memory for it");
  OK(&ctx, tsr_as_strided(&ctx, &room, TSR_SHAPE(3, 40), (const tsr_index[]){far, 3}, 0, &x));
  OK(NULL, tsr_arange(NULL, TSR_U8, 0, 120, 1, &host));
  OK(NULL, tsr_reshape_view(NULL, &host, TSR_SHAPE(3, 40), &host));
  OK(&ctx, tsr_copy(&ctx, &host, &x));
  check_same(&host, &x);
  OK(NULL, tsr_neg(NULL, &host, &want));
  OK(&ctx, tsr_neg(&ctx, &x, &got));
  check_same(&want, &got);
  tsr_release(&want);
  tsr_release(&got);
  OK(NULL, tsr_sum(NULL, &host, TSR_AXES(0), false, &want));
  OK(&ctx, tsr_sum(&ctx, &x, TSR_AXES(0), false, &got));
  check_same(&want, &got);
  tsr_release(&want);
  tsr_release(&got);
  OK(NULL, tsr_transpose(NULL, &host, 0, 1, &turned));
  OK(NULL, tsr_contiguous(NULL, &turned, &want));
  OK(&ctx, tsr_transpose(&ctx, &x, 0, 1, &turned));
  OK(&ctx, tsr_copy(&ctx, &turned, &got));
  check_same(&want, &got);
  tsr_tensor *const all[] = {&room, &host, &want, &got};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST_MAIN(RUN(strides_of_more_than_31_bits), RUN(parts_of_a_join_begin_anywhere),
          RUN(parts_of_temporary_memory_begin_anywhere), RUN(rolls_and_stacks_begin_anywhere), RUN(rows_of_any_length),
          RUN(rows_of_any_contents), RUN(rows_side_by_side))
