/* The network of examples/digits.c on a GPU, in a process that has done nothing else: from opening the device to the answers on the
 * host. */
#ifndef BENCH_GPU_DIGITS_H
#define BENCH_GPU_DIGITS_H

#include "bench.h"

#define DIGITS TSR_SOURCE_DIR "/examples/data/digits_"
enum { DIGIT_FILES = 8, FEW_DIGITS = 50 };

typedef struct digits_network {
  tsr_tensor host[DIGIT_FILES], there[DIGIT_FILES], best; /* in the order of digit_files */
} digits_network;

static const char *const digit_files[DIGIT_FILES] = {DIGITS "x.npy",       DIGITS "conv1_w.npy", DIGITS "conv1_b.npy",
                                                     DIGITS "conv2_w.npy", DIGITS "conv2_b.npy", DIGITS "dense_w.npy",
                                                     DIGITS "dense_b.npy", DIGITS "y.npy"};

static tsr_status digits_load(bench *b, digits_network *net) {
  tsr_status st = TSR_OK;
  for (int i = 0; i < DIGIT_FILES && st == TSR_OK; i++) st = tsr_npy_load(&b->ctx, digit_files[i], &net->host[i]);
  if (st == TSR_OK && b->tiny) st = tsr_narrow(&b->ctx, &net->host[0], 0, 0, FEW_DIGITS, &net->host[0]);
  for (int i = 0; i + 1 < DIGIT_FILES && st == TSR_OK; i++)
    st = tsr_to_device(&b->ctx, &net->host[i], b->gpu, &net->there[i]);
  return st;
}

/* 3 × 3 with a border of zeros, and ReLU. */
static tsr_status convolve_digits(bench *b, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                                  tsr_tensor *out) {
  const tsr_conv_options options = {.pad_before = {1, 1}, .pad_after = {1, 1}, .activation = {.kind = TSR_RELU}};
  return tsr_conv2d(&b->ctx, x, w, bias, &options, out);
}

/* What each image is read as, on the host. The scope of the context has what is made on the way. */
static tsr_status digits_run(bench *b, digits_network *net) {
  const tsr_tensor *const t = net->there;
  tsr_tensor x = {0}, one = {0}, two = {0}, pooled = {0}, features = {0}, scores = {0}, best = {0};
  tsr_status st = tsr_cast(&b->ctx, &t[0], TSR_F32, &x);
  if (st == TSR_OK) st = tsr_mul_scalar(&b->ctx, &x, 1.0 / 16, &x);
  if (st == TSR_OK) st = tsr_reshape_view(&b->ctx, &x, TSR_SHAPE(-1, 1, 8, 8), &x);
  if (st == TSR_OK) st = convolve_digits(b, &x, &t[1], &t[2], &one);
  if (st == TSR_OK) st = convolve_digits(b, &one, &t[3], &t[4], &two);
  if (st == TSR_OK) st = tsr_max_pool(&b->ctx, &two, 2, (const tsr_index[]){2, 2}, NULL, &pooled);
  if (st == TSR_OK) st = tsr_reshape(&b->ctx, &pooled, TSR_SHAPE(x.shape[0], -1), &features);
  if (st == TSR_OK) st = tsr_dense(&b->ctx, &features, &t[5], &t[6], NULL, &scores);
  if (st == TSR_OK) st = tsr_softmax(&b->ctx, &scores, -1, &scores);
  if (st == TSR_OK) st = tsr_argmax(&b->ctx, &scores, 1, false, &best);
  return st == TSR_OK ? tsr_to_device(&b->ctx, &best, NULL, &net->best) : st;
}

/* Of each five the last: examples/train_digits.py has seen the others. */
static void count_right(const digits_network *net, int *images, int *right) {
  const tsr_tensor *const y = &net->host[DIGIT_FILES - 1];
  for (tsr_index i = 4; i < net->host[0].shape[0]; i += 5) {
    *images += 1;
    *right += ((const int64_t *)net->best.data)[i] == TSR_AT(uint8_t, y, i);
  }
}

static int run_digits(const char *name, bool tiny) {
  bench b = {.side = 8, .tiny = tiny};
  digits_network net = {.best = TSR_EMPTY};
  tsr_device_details d = {.size = sizeof d};
  int images = 0, right = 0;
  const double begun = now_ms();
  tsr_status st = tsr_context_init(&b.ctx, NULL);
  if (st == TSR_OK) st = tsr_device_open(&b.ctx, name, &b.gpu);
  const double opened = now_ms();
  if (st == TSR_OK) st = digits_load(&b, &net);
  const double loaded = now_ms();
  if (st == TSR_OK) st = tsr_scope_begin(&b.ctx);
  if (st == TSR_OK) st = digits_run(&b, &net);
  const double done = now_ms();
  if (st == TSR_OK) st = tsr_device_info(&b.ctx, b.gpu, &d);
  if (st == TSR_OK) count_right(&net, &images, &right);
  if (st == TSR_OK)
    printf("%.4f %.4f %.4f %.4f %zu %zu %d %d\n", (done - begun) / 1e3, (opened - begun) / 1e3, (loaded - opened) / 1e3,
           (done - loaded) / 1e3, d.kernels, d.kernels_compiled, right, images);
  else
    printf("error %s\n", tsr_error(&b.ctx));
  tsr_release(&net.best);
  if (b.gpu != NULL) tsr_scope_end(&b.ctx);
  for (int i = 0; i < DIGIT_FILES; i++) tsr_release(&net.host[i]), tsr_release(&net.there[i]);
  return st == TSR_OK ? 0 : 1;
}

#endif
