/* The rows of convolutions, pools and resizing. Their operands are the first elements of the matrices. */
#ifndef BENCH_GPU_IMAGES_H
#define BENCH_GPU_IMAGES_H

#include "bench.h"

/* The first elements of t as n images of c channels, in a layout. */
static inline tsr_status first_images(bench *b, const tsr_tensor *t, const tsr_index *shape, int layout,
                                      tsr_tensor *x) {
  tsr_status st = tsr_reshape_view(&b->ctx, t, TSR_SHAPE(b->side * b->side), x);
  if (st == TSR_OK) st = tsr_narrow(&b->ctx, x, 0, 0, shape[0] * shape[1] * shape[2] * shape[3], x);
  if (st == TSR_OK) st = tsr_reshape_view(&b->ctx, x, 4, shape, x);
  return st == TSR_OK ? tsr_set_layout(&b->ctx, x, layout, x) : st;
}

/* c channels of side × side to o, by filters of k × k, or k = 1; 64 images, c of 0: one channel a group. t is of x and of the filters. */
static inline tsr_status convolve(bench *b, const tsr_tensor *t, tsr_index c, tsr_index o, tsr_index k, bool last,
                                  const tsr_activation_kind *kind) {
  const bool depthwise = c == 0;
  const tsr_index n = b->tiny ? 2 : 64, h = b->tiny ? 8 : 56,
                  in = b->tiny     ? 16
                       : depthwise ? o
                                   : c,
                  out = b->tiny ? 16 : o;
  const tsr_index first[] = {n, in, h, h}, channels_last[] = {n, h, h, in};
  const tsr_index each = depthwise ? 1 : in, filters[] = {out, each, k, k}, filters_last[] = {out, k, k, each};
  const tsr_conv_options options = {.pad_before = {k / 2, k / 2},
                                    .pad_after = {k / 2, k / 2},
                                    .groups = depthwise ? in : 1,
                                    .activation = {kind, 0, 0}};
  tsr_tensor x = {0}, w = {0};
  tsr_status st = first_images(b, t, last ? channels_last : first, last ? TSR_NHWC : TSR_NCHW, &x);
  if (st == TSR_OK) st = first_images(b, t, last ? filters_last : filters, last ? TSR_OHWI : TSR_OIHW, &w);
  return st == TSR_OK ? tsr_conv2d(&b->ctx, &x, &w, NULL, &options, &b->out) : st;
}

static inline tsr_status row_conv_f32(bench *b) { return convolve(b, &b->a, 64, 64, 3, false, NULL); }
static inline tsr_status row_conv_bf16(bench *b) { return convolve(b, &b->half[2], 256, 256, 3, true, NULL); }
static inline tsr_status row_conv_narrow(bench *b) { return convolve(b, &b->half[2], 64, 64, 3, true, TSR_RELU); }
static inline tsr_status row_conv_1(bench *b) { return convolve(b, &b->half[2], 256, 64, 1, true, TSR_RELU); }
static inline tsr_status row_conv_1_f32(bench *b) { return convolve(b, &b->a, 256, 64, 1, false, TSR_RELU); }
static inline tsr_status row_depthwise(bench *b) { return convolve(b, &b->a, 0, 256, 3, false, NULL); }
static inline tsr_status row_depthwise_last(bench *b) { return convolve(b, &b->half[2], 0, 256, 3, true, NULL); }

/* (64, 256, 128, 128): a whole matrix; and the same with channels last. */
static inline tsr_status whole_images(bench *b, bool last, tsr_tensor *x) {
  const tsr_index n = b->tiny ? 2 : 64, c = b->tiny ? 8 : 256, h = b->tiny ? 16 : 128,
                  w = b->side * b->side / (n * c * h);
  const tsr_index first[] = {n, c, h, w}, channels_last[] = {n, h, w, c};
  return first_images(b, &b->a, last ? channels_last : first, last ? TSR_NHWC : TSR_NCHW, x);
}

static inline tsr_status row_max_pool(bench *b) {
  tsr_tensor x = {0};
  const tsr_status st = whole_images(b, false, &x);
  return st == TSR_OK ? tsr_max_pool(&b->ctx, &x, 2, (const tsr_index[]){2, 2}, NULL, &b->out) : st;
}
static inline tsr_status row_max_pool_3(bench *b) {
  const tsr_pool_options options = {.stride = {2, 2}, .pad_before = {1, 1}, .pad_after = {1, 1}};
  tsr_tensor x = {0};
  const tsr_status st = whole_images(b, false, &x);
  return st == TSR_OK ? tsr_max_pool(&b->ctx, &x, 2, (const tsr_index[]){3, 3}, &options, &b->out) : st;
}
static inline tsr_status row_avg_pool_last(bench *b) {
  tsr_tensor x = {0};
  const tsr_status st = whole_images(b, true, &x);
  return st == TSR_OK ? tsr_avg_pool(&b->ctx, &x, 2, (const tsr_index[]){2, 2}, NULL, &b->out) : st;
}
static inline tsr_status row_global_mean(bench *b) {
  tsr_tensor x = {0};
  const tsr_status st = whole_images(b, false, &x);
  return st == TSR_OK ? tsr_global_avg_pool(&b->ctx, &x, false, &b->out) : st;
}

/* (64, 64, 128, 128) to twice the size. */
static inline tsr_status resized(bench *b, bool linear) {
  const tsr_index n = b->tiny ? 2 : 64, c = b->tiny ? 8 : 64, h = b->tiny ? 8 : 128, shape[] = {n, c, h, h},
                  size[] = {2 * h, 2 * h};
  tsr_tensor x = {0};
  const tsr_status st = first_images(b, &b->a, shape, TSR_NCHW, &x);
  if (st != TSR_OK) return st;
  return linear ? tsr_resize_linear(&b->ctx, &x, 2, size, NULL, &b->out)
                : tsr_resize_nearest(&b->ctx, &x, 2, size, NULL, &b->out);
}
static inline tsr_status row_resize_linear(bench *b) { return resized(b, true); }
static inline tsr_status row_resize_nearest(bench *b) { return resized(b, false); }

static inline tsr_status row_pixel_shuffle(bench *b) {
  tsr_tensor x = {0};
  const tsr_status st = whole_images(b, false, &x);
  return st == TSR_OK ? tsr_pixel_shuffle(&b->ctx, &x, 2, TSR_PIXELS_INNER, &b->out) : st;
}

/* (16, 64, 28, 28) to 64 channels of 56 × 56; (4, 32, 32, 32, 32) to 32. */
static inline tsr_status row_transposed(bench *b) {
  const tsr_index n = b->tiny ? 2 : 16, c = b->tiny ? 8 : 64, h = b->tiny ? 6 : 28, shape[] = {n, c, h, h},
                  filters[] = {c, c, 4, 4};
  const tsr_conv_transpose_options options = {.stride = {2, 2}, .pad_before = {1, 1}, .pad_after = {1, 1}};
  tsr_tensor x = {0}, w = {0};
  tsr_status st = first_images(b, &b->a, shape, TSR_NCHW, &x);
  if (st == TSR_OK) st = first_images(b, &b->b, filters, TSR_PLAIN, &w);
  return st == TSR_OK ? tsr_conv_transpose2d(&b->ctx, &x, &w, NULL, &options, &b->out) : st;
}
static inline tsr_status row_conv3d(bench *b) {
  const tsr_index n = b->tiny ? 1 : 4, c = b->tiny ? 4 : 32, h = b->tiny ? 6 : 32;
  const tsr_conv3d_options options = {.pad_before = {1, 1, 1}, .pad_after = {1, 1, 1}};
  tsr_tensor x = {0}, w = {0};
  tsr_status st = first_images(b, &b->a, (const tsr_index[]){n * c, h, h, h}, TSR_PLAIN, &x);
  if (st == TSR_OK) st = tsr_reshape_view(&b->ctx, &x, TSR_SHAPE(n, c, h, h, h), &x);
  if (st == TSR_OK) st = first_images(b, &b->b, (const tsr_index[]){c * c, 3, 3, 3}, TSR_PLAIN, &w);
  if (st == TSR_OK) st = tsr_reshape_view(&b->ctx, &w, TSR_SHAPE(c, c, 3, 3, 3), &w);
  return st == TSR_OK ? tsr_conv3d(&b->ctx, &x, &w, NULL, &options, &b->out) : st;
}

#endif
