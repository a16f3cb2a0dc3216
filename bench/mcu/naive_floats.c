#include "naive_floats.h"

#include <math.h>

void naive_matmul(int m, int k, int n, const float *a, const float *b, float *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int p = 0; p < k; p++) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
}

float naive_dot(int n, const float *a, const float *b) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

void naive_dense(int f, int o, const float *x, const float *w, float *y) {
  for (int i = 0; i < o; i++) y[i] = naive_dot(f, x, w + i * f);
}

void naive_conv_last(int side, int c, int o, int k, const float *x, const float *w, float *y) {
  for (int r = 0; r < side; r++)
    for (int s = 0; s < side; s++)
      for (int f = 0; f < o; f++) {
        float sum = 0;
        for (int ky = 0; ky < k; ky++)
          for (int kx = 0; kx < k; kx++) {
            const int iy = r + ky - k / 2, ix = s + kx - k / 2;
            if (iy < 0 || iy >= side || ix < 0 || ix >= side) continue;
            const float *const from = x + (iy * side + ix) * c, *const with = w + ((f * k + ky) * k + kx) * c;
            for (int i = 0; i < c; i++) sum += from[i] * with[i];
          }
        y[(r * side + s) * o + f] = sum;
      }
}

void naive_conv_first(int side, int c, int o, int k, const float *x, const float *w, float *y) {
  for (int f = 0; f < o; f++)
    for (int r = 0; r < side; r++)
      for (int s = 0; s < side; s++) {
        float sum = 0;
        for (int i = 0; i < c; i++)
          for (int ky = 0; ky < k; ky++)
            for (int kx = 0; kx < k; kx++) {
              const int iy = r + ky - k / 2, ix = s + kx - k / 2;
              if (iy < 0 || iy >= side || ix < 0 || ix >= side) continue;
              sum += x[(i * side + iy) * side + ix] * w[((f * c + i) * k + ky) * k + kx];
            }
        y[(f * side + r) * side + s] = sum;
      }
}

void naive_max_pool(int side, int c, const float *x, float *y) {
  for (int r = 0; r < side / 2; r++)
    for (int s = 0; s < side / 2; s++)
      for (int i = 0; i < c; i++) {
        const float *const at = x + (2 * r * side + 2 * s) * c + i;
        float most = at[0];
        if (at[c] > most) most = at[c];
        if (at[side * c] > most) most = at[side * c];
        if (at[(side + 1) * c] > most) most = at[(side + 1) * c];
        y[(r * (side / 2) + s) * c + i] = most;
      }
}

void naive_avg_pool(int side, int c, const float *x, float *y) {
  for (int r = 0; r < side / 2; r++)
    for (int s = 0; s < side / 2; s++)
      for (int i = 0; i < c; i++) {
        const float *const at = x + (2 * r * side + 2 * s) * c + i;
        y[(r * (side / 2) + s) * c + i] = (at[0] + at[c] + at[side * c] + at[(side + 1) * c]) * 0.25f;
      }
}

void naive_softmax(int n, const float *x, float *y) {
  float most = x[0], sum = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > most) most = x[i];
  for (int i = 0; i < n; i++) sum += y[i] = expf(x[i] - most);
  for (int i = 0; i < n; i++) y[i] /= sum;
}

void naive_add(int n, const float *a, const float *b, float *y) {
  for (int i = 0; i < n; i++) y[i] = a[i] + b[i];
}

void naive_relu(int n, const float *x, float *y) {
  for (int i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : 0;
}
