/* Layers of 8 bits as one would write them for one network: square images with channels last, stride 1, 2 x 2 pools. */
#ifndef TSR_BENCH_NAIVE_LAYERS_H
#define TSR_BENCH_NAIVE_LAYERS_H

#include <stdint.h>

typedef struct naive_layer {
  int side, c, o, k;
  int32_t zero; /* of x */
  const int32_t *multiplier, *shift;
} naive_layer;

void naive_qconv(const naive_layer *s, const int8_t *x, const int8_t *w, int8_t *y);
void naive_qdepthwise(const naive_layer *s, const int8_t *x, const int8_t *w, int8_t *y);
void naive_qdense(const naive_layer *s, const int8_t *x, const int8_t *w, int8_t *y);
void naive_qconv_transpose(const naive_layer *s, const int8_t *x, const int8_t *w,
                           int8_t *y); /* stride 2, padding 1, to side */
void naive_qconv_i4(const naive_layer *s, const int8_t *x, const uint8_t *w,
                    int8_t *y); /* two weights in a byte, in order */
void naive_qdense_i4(const naive_layer *s, const int8_t *x, const uint8_t *w, int8_t *y);
void naive_wconv(const naive_layer *s, const int16_t *x, const int8_t *w, int16_t *y);
void naive_wdepthwise(const naive_layer *s, const int16_t *x, const int8_t *w, int16_t *y);
void naive_wdense(const naive_layer *s, const int16_t *x, const int8_t *w, int16_t *y);
void naive_qmax_pool(const naive_layer *s, const int8_t *x, int8_t *y);
void naive_qavg_pool(const naive_layer *s, const int8_t *x, int8_t *y);
void naive_qadd(int n, const int8_t *a, const int8_t *b, int8_t *y);
void naive_qmul(int n, const int8_t *a, const int8_t *b, int8_t *y);
void naive_qmean(int rows, int channels, const int8_t *x, int8_t *y);
void naive_qmean_rows(int rows, int columns, const int8_t *x, int8_t *y);
void naive_qsoftmax(int n, const int8_t *x, int8_t *y);

void naive_qsvdf(int features, int times, const int16_t *x, const int8_t *w, const int32_t *bias, int16_t *state,
                 int8_t *y);
void naive_qlstm(int units, const int16_t *gates, int16_t *cell, int8_t *y);

#endif
