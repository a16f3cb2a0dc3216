/* The loops that one would write without a library, for one image, stride 1: a yardstick. */
#ifndef TSR_BENCH_NAIVE_H
#define TSR_BENCH_NAIVE_H

#include <stdint.h>

typedef struct naive_conv {
  int c, h, w, o, k, pad; /* k x k filters */
} naive_conv;

/* x (C, H, W), filters (O, C, K, K), y (O, H, W). */
void naive_conv_f32(const naive_conv *s, const float *x, const float *filters, const float *bias, float *y);

/* The same in 8 bits: x (H, W, C), filters (O, K, K, C), y (O, H, W) sums scaled by multiplier / 2^31. */
void naive_conv_i8(const naive_conv *s, const int8_t *x, const int8_t *filters, const int32_t *bias, int32_t multiplier,
                   int8_t *y);

/* x (N), w (O, N), y (O). */
void naive_dense_f32(int n, int o, const float *x, const float *w, const float *bias, float *y);

#endif
