#include "naive.h"

static float output(const naive_conv *s, const float *x, const float *w, int row, int column) {
  float sum = 0;
  for (int c = 0; c < s->c; c++)
    for (int i = 0; i < s->k; i++)
      for (int j = 0; j < s->k; j++) {
        const int y = row + i - s->pad, z = column + j - s->pad;
        if (y >= 0 && y < s->h && z >= 0 && z < s->w)
          sum += x[(c * s->h + y) * s->w + z] * w[(c * s->k + i) * s->k + j];
      }
  return sum;
}

void naive_conv_f32(const naive_conv *s, const float *x, const float *filters, const float *bias, float *y) {
  const int oh = s->h + 2 * s->pad - s->k + 1, ow = s->w + 2 * s->pad - s->k + 1;
  for (int o = 0; o < s->o; o++)
    for (int i = 0; i < oh; i++)
      for (int j = 0; j < ow; j++)
        y[(o * oh + i) * ow + j] = bias[o] + output(s, x, filters + o * s->c * s->k * s->k, i, j);
}

static int32_t sum_i8(const naive_conv *s, const int8_t *x, const int8_t *w, int row, int column) {
  int32_t sum = 0;
  for (int i = 0; i < s->k; i++)
    for (int j = 0; j < s->k; j++) {
      const int y = row + i - s->pad, z = column + j - s->pad;
      if (y >= 0 && y < s->h && z >= 0 && z < s->w)
        for (int c = 0; c < s->c; c++) sum += x[(y * s->w + z) * s->c + c] * w[(i * s->k + j) * s->c + c];
    }
  return sum;
}

static int8_t clamped(int32_t v) { return (int8_t)(v < -128 ? -128 : v > 127 ? 127 : v); }

void naive_conv_i8(const naive_conv *s, const int8_t *x, const int8_t *filters, const int32_t *bias, int32_t multiplier,
                   int8_t *y) {
  const int oh = s->h + 2 * s->pad - s->k + 1, ow = s->w + 2 * s->pad - s->k + 1;
  for (int i = 0; i < oh; i++)
    for (int j = 0; j < ow; j++)
      for (int o = 0; o < s->o; o++) {
        const int32_t sum = bias[o] + sum_i8(s, x, filters + o * s->c * s->k * s->k, i, j);
        y[(i * ow + j) * s->o + o] = clamped((int32_t)(((int64_t)sum * multiplier) >> 31));
      }
}

void naive_dense_f32(int n, int o, const float *x, const float *w, const float *bias, float *y) {
  for (int j = 0; j < o; j++) {
    float sum = bias[j];
    for (int i = 0; i < n; i++) sum += x[i] * w[j * n + i];
    y[j] = sum;
  }
}
