/* Layers of f32 as a program would write them for itself: one layer each, contiguous, its sizes arguments. */
#ifndef TSR_BENCH_NAIVE_FLOATS_H
#define TSR_BENCH_NAIVE_FLOATS_H

/* c (m, n) = a (m, k) by b (k, n). */
void naive_matmul(int m, int k, int n, const float *a, const float *b, float *c);
float naive_dot(int n, const float *a, const float *b);
/* y (o) = w (o, f) by x (f). */
void naive_dense(int f, int o, const float *x, const float *w, float *y);
/* k x k filters on side x side images, padded by k / 2; channels last, filters (o, k, k, c). */
void naive_conv_last(int side, int c, int o, int k, const float *x, const float *w, float *y);
/* The same with channels first, filters (o, c, k, k). */
void naive_conv_first(int side, int c, int o, int k, const float *x, const float *w, float *y);
/* 2 x 2 windows, channels last. */
void naive_max_pool(int side, int c, const float *x, float *y);
void naive_avg_pool(int side, int c, const float *x, float *y);
void naive_softmax(int n, const float *x, float *y);
void naive_add(int n, const float *a, const float *b, float *y);
void naive_relu(int n, const float *x, float *y);

#endif
