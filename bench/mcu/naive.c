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

void naive_dense_f32(int n, int o, const float *x, const float *w, const float *bias, float *y) {
  for (int j = 0; j < o; j++) {
    float sum = bias[j];
    for (int i = 0; i < n; i++) sum += x[i] * w[j * n + i];
    y[j] = sum;
  }
}
