#include "naive_layers.h"

#include <math.h>

static int8_t result(int32_t sum, int32_t multiplier, int shift, int32_t zero) {
  const int32_t y = (int32_t)(((int64_t)sum * multiplier + ((int64_t)1 << (shift - 1))) >> shift) + zero;
  return (int8_t)(y < -128 ? -128 : y > 127 ? 127 : y);
}

void naive_qconv(const naive_layer *s, const int8_t *x, const int8_t *w, int8_t *y) {
  for (int i = 0; i < s->side; i++)
    for (int j = 0; j < s->side; j++)
      for (int o = 0; o < s->o; o++) {
        int32_t sum = 0;
        for (int ky = 0; ky < s->k; ky++)
          for (int kx = 0; kx < s->k; kx++) {
            const int iy = i + ky - s->k / 2, ix = j + kx - s->k / 2;
            if (iy < 0 || iy >= s->side || ix < 0 || ix >= s->side) continue;
            for (int c = 0; c < s->c; c++)
              sum += (x[(iy * s->side + ix) * s->c + c] - s->zero) * w[((o * s->k + ky) * s->k + kx) * s->c + c];
          }
        y[(i * s->side + j) * s->o + o] = result(sum, s->multiplier[o], s->shift[o], 0);
      }
}

void naive_qdepthwise(const naive_layer *s, const int8_t *x, const int8_t *w, int8_t *y) {
  for (int i = 0; i < s->side; i++)
    for (int j = 0; j < s->side; j++)
      for (int c = 0; c < s->c; c++) {
        int32_t sum = 0;
        for (int ky = 0; ky < 3; ky++)
          for (int kx = 0; kx < 3; kx++) {
            const int iy = i + ky - 1, ix = j + kx - 1;
            if (iy < 0 || iy >= s->side || ix < 0 || ix >= s->side) continue;
            sum += (x[(iy * s->side + ix) * s->c + c] - s->zero) * w[(ky * 3 + kx) * s->c + c];
          }
        y[(i * s->side + j) * s->c + c] = result(sum, s->multiplier[c], s->shift[c], 0);
      }
}

void naive_qdense(const naive_layer *s, const int8_t *x, const int8_t *w, int8_t *y) {
  for (int o = 0; o < s->o; o++) {
    int32_t sum = 0;
    for (int c = 0; c < s->c; c++) sum += (x[c] - s->zero) * w[o * s->c + c];
    y[o] = result(sum, s->multiplier[o], s->shift[o], 0);
  }
}

void naive_qconv_transpose(const naive_layer *s, const int8_t *x, const int8_t *w, int8_t *y) {
  const int half = s->side / 2;
  for (int i = 0; i < s->side; i++)
    for (int j = 0; j < s->side; j++)
      for (int o = 0; o < s->o; o++) {
        int32_t sum = 0;
        for (int ky = (i + 1) % 2; ky < s->k; ky += 2)
          for (int kx = (j + 1) % 2; kx < s->k; kx += 2) {
            const int iy = (i + 1 - ky) / 2, ix = (j + 1 - kx) / 2;
            if (i + 1 < ky || iy >= half || j + 1 < kx || ix >= half) continue;
            for (int c = 0; c < s->c; c++)
              sum += (x[(iy * half + ix) * s->c + c] - s->zero) * w[((o * s->k + ky) * s->k + kx) * s->c + c];
          }
        y[(i * s->side + j) * s->o + o] = result(sum, s->multiplier[o], s->shift[o], 0);
      }
}

static int32_t nibble(const uint8_t *w, int i) {
  const int8_t both = (int8_t)w[i / 2];
  return i % 2 == 0 ? (int8_t)(both * 16) >> 4 : both >> 4;
}

void naive_qconv_i4(const naive_layer *s, const int8_t *x, const uint8_t *w, int8_t *y) {
  for (int i = 0; i < s->side; i++)
    for (int j = 0; j < s->side; j++)
      for (int o = 0; o < s->o; o++) {
        int32_t sum = 0;
        for (int ky = 0; ky < s->k; ky++)
          for (int kx = 0; kx < s->k; kx++) {
            const int iy = i + ky - s->k / 2, ix = j + kx - s->k / 2;
            if (iy < 0 || iy >= s->side || ix < 0 || ix >= s->side) continue;
            for (int c = 0; c < s->c; c++)
              sum +=
                  (x[(iy * s->side + ix) * s->c + c] - s->zero) * nibble(w, ((o * s->k + ky) * s->k + kx) * s->c + c);
          }
        y[(i * s->side + j) * s->o + o] = result(sum, s->multiplier[o], s->shift[o], 0);
      }
}

void naive_qdense_i4(const naive_layer *s, const int8_t *x, const uint8_t *w, int8_t *y) {
  for (int o = 0; o < s->o; o++) {
    int32_t sum = 0;
    for (int c = 0; c < s->c; c++) sum += (x[c] - s->zero) * nibble(w, o * s->c + c);
    y[o] = result(sum, s->multiplier[o], s->shift[o], 0);
  }
}

static int16_t word(int32_t sum, int32_t multiplier, int shift) {
  const int32_t y = (int32_t)(((int64_t)sum * multiplier + ((int64_t)1 << (shift - 1))) >> shift);
  return (int16_t)(y < -32768 ? -32768 : y > 32767 ? 32767 : y);
}

void naive_wconv(const naive_layer *s, const int16_t *x, const int8_t *w, int16_t *y) {
  for (int i = 0; i < s->side; i++)
    for (int j = 0; j < s->side; j++)
      for (int o = 0; o < s->o; o++) {
        int32_t sum = 0;
        for (int ky = 0; ky < s->k; ky++)
          for (int kx = 0; kx < s->k; kx++) {
            const int iy = i + ky - s->k / 2, ix = j + kx - s->k / 2;
            if (iy < 0 || iy >= s->side || ix < 0 || ix >= s->side) continue;
            for (int c = 0; c < s->c; c++)
              sum += x[(iy * s->side + ix) * s->c + c] * w[((o * s->k + ky) * s->k + kx) * s->c + c];
          }
        y[(i * s->side + j) * s->o + o] = word(sum, s->multiplier[o], s->shift[o]);
      }
}

void naive_wdepthwise(const naive_layer *s, const int16_t *x, const int8_t *w, int16_t *y) {
  for (int i = 0; i < s->side; i++)
    for (int j = 0; j < s->side; j++)
      for (int c = 0; c < s->c; c++) {
        int32_t sum = 0;
        for (int ky = 0; ky < 3; ky++)
          for (int kx = 0; kx < 3; kx++) {
            const int iy = i + ky - 1, ix = j + kx - 1;
            if (iy < 0 || iy >= s->side || ix < 0 || ix >= s->side) continue;
            sum += x[(iy * s->side + ix) * s->c + c] * w[(ky * 3 + kx) * s->c + c];
          }
        y[(i * s->side + j) * s->c + c] = word(sum, s->multiplier[c], s->shift[c]);
      }
}

void naive_wdense(const naive_layer *s, const int16_t *x, const int8_t *w, int16_t *y) {
  for (int o = 0; o < s->o; o++) {
    int32_t sum = 0;
    for (int c = 0; c < s->c; c++) sum += x[c] * w[o * s->c + c];
    y[o] = word(sum, s->multiplier[o], s->shift[o]);
  }
}

void naive_qmax_pool(const naive_layer *s, const int8_t *x, int8_t *y) {
  for (int i = 0; i < s->side / 2; i++)
    for (int j = 0; j < s->side / 2; j++)
      for (int c = 0; c < s->c; c++) {
        int8_t best = -128;
        for (int k = 0; k < 4; k++) {
          const int8_t v = x[((2 * i + k / 2) * s->side + 2 * j + k % 2) * s->c + c];
          if (v > best) best = v;
        }
        y[(i * (s->side / 2) + j) * s->c + c] = best;
      }
}

void naive_qavg_pool(const naive_layer *s, const int8_t *x, int8_t *y) {
  for (int i = 0; i < s->side / 2; i++)
    for (int j = 0; j < s->side / 2; j++)
      for (int c = 0; c < s->c; c++) {
        int32_t sum = 0;
        for (int k = 0; k < 4; k++) sum += x[((2 * i + k / 2) * s->side + 2 * j + k % 2) * s->c + c];
        y[(i * (s->side / 2) + j) * s->c + c] = (int8_t)((sum + 2) >> 2);
      }
}

void naive_qadd(int n, const int8_t *a, const int8_t *b, int8_t *y) {
  for (int i = 0; i < n; i++) {
    const int64_t sum = (int64_t)(a[i] - 3) * 1952257862 + (int64_t)b[i] * 1210399874;
    const int32_t v = (int32_t)((sum + ((int64_t)1 << 31)) >> 32) - 7;
    y[i] = (int8_t)(v < -128 ? -128 : v > 127 ? 127 : v);
  }
}

void naive_qmul(int n, const int8_t *a, const int8_t *b, int8_t *y) {
  for (int i = 0; i < n; i++) y[i] = result((a[i] - 3) * b[i], 1936946036, 37, -7);
}

void naive_qmean(int rows, int channels, const int8_t *x, int8_t *y) {
  for (int c = 0; c < channels; c++) {
    int32_t sum = 0;
    for (int r = 0; r < rows; r++) sum += x[r * channels + c];
    y[c] = result(sum - 3 * rows, 1952257862, 40, -7);
  }
}

void naive_qmean_rows(int rows, int columns, const int8_t *x, int8_t *y) {
  for (int r = 0; r < rows; r++) {
    int32_t sum = 0;
    for (int c = 0; c < columns; c++) sum += x[r * columns + c];
    y[r] = result(sum - 3 * columns, 1952257862, 39, -7);
  }
}

/* By floats: the way that comes to mind. */
void naive_qsoftmax(int n, const int8_t *x, int8_t *y) {
  int most = -128;
  float sum = 0;
  for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
  for (int i = 0; i < n; i++) sum += expf(0.05f * (float)(x[i] - most));
  for (int i = 0; i < n; i++) {
    const int v = (int)(256 * expf(0.05f * (float)(x[i] - most)) / sum + 0.5f);
    y[i] = (int8_t)((v > 255 ? 255 : v) - 128);
  }
}

/* Rank 2. */
void naive_qsvdf(int features, int times, const int16_t *x, const int8_t *w, const int32_t *bias, int16_t *state,
                 int8_t *y) {
  for (int u = 0; u < features / 2; u++) {
    int32_t sum = bias[u];
    for (int f = 2 * u; f < 2 * u + 2; f++) {
      for (int t = 0; t < times - 1; t++) state[f * times + t] = state[f * times + t + 1];
      state[f * times + times - 1] = x[f];
      for (int t = 0; t < times; t++) sum += state[f * times + t] * w[f * times + t];
    }
    y[u] = result(sum, 1561806289, 44, -7);
  }
}

/* By floats. */
void naive_qlstm(int units, const int16_t *gates, int16_t *cell, int8_t *y) {
  for (int u = 0; u < units; u++) {
    const float unit = 1.0f / 4096, in = 1 / (1 + expf(-unit * (float)gates[u]));
    const float forget = 1 / (1 + expf(-unit * (float)gates[units + u])),
                more = tanhf(unit * (float)gates[2 * units + u]);
    const float out = 1 / (1 + expf(-unit * (float)gates[3 * units + u]));
    const float c = forget * (float)cell[u] * (1.0f / 2048) + in * more, v = c * 2048;
    cell[u] = (int16_t)(v > 32767 ? 32767 : v < -32768 ? -32768 : v);
    const float h = out * tanhf(c) / 0.11f - 7;
    y[u] = (int8_t)(h < -128 ? -128 : h > 127 ? 127 : h);
  }
}
