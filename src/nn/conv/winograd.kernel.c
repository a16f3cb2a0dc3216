/* The transforms of F(4×4, 3×3) with the points 0, ±3/4, ±3/2 and ∞: all constants are exact in f32, and the error is a
 * quarter of that with the usual ±1, ±2 (2.4e-6 of the largest output against 9.1e-6, 256 channels of normal numbers).
 *
 * With p = x(x² - a²)(x² - b²): a row of the input's transform is p without one of its points, the filter's is the
 * polynomial at the point over p's derivative there, the output's is the powers of the points. */
#include "nn/conv/winograd.h"

#if TSR_HAVE_MALLOC
#include "cpu/vec/vec.h"

enum { LANES = TSR__VF32_LANES };

#define A2 0.5625f /* a², a = 3/4 */
#define B2 2.25f   /* b², b = 3/2 */
#define A1 0.75f
#define B1 1.5f
#define A3 0.421875f   /* a³ */
#define B3 3.375f      /* b³ */
#define A2B2 1.265625f /* a²·b² */
#define SUM2 2.8125f   /* a² + b² */

/* ---- filters, once: in double, four at a time ---- */

typedef float four __attribute__((vector_size(16)));
typedef double four_wide __attribute__((vector_size(32)));

TSR__INLINE void filter_points(const four_wide *g, int step, four_wide *u) {
  const double over_a = 1.0 / (2.0 * A2 * (A2 - B2)), over_b = 1.0 / (2.0 * B2 * (B2 - A2));
  const four_wide even_a = (g[0] + A2 * g[2 * step]) * over_a, odd_a = g[step] * (A1 * over_a);
  const four_wide even_b = (g[0] + B2 * g[2 * step]) * over_b, odd_b = g[step] * (B1 * over_b);
  u[0] = g[0] * (1.0 / A2B2);
  u[1] = even_a + odd_a;
  u[2] = even_a - odd_a;
  u[3] = even_b + odd_b;
  u[4] = even_b - odd_b;
  u[5] = g[2 * step];
}

/* Four filters that lie apart into a row of 4 numbers in each of 36 matrices; count of them are there. */
static void transform_filters(const float *from, tsr_index stride, tsr_index count, float *to, tsr_index step) {
  four_wide g[9], t[3][6], u[6];
  for (int k = 0; k < 9; k++)
    for (int l = 0; l < 4; l++) g[k][l] = l < count ? (double)from[l * stride + k] : 0.0;
  for (int x = 0; x < 3; x++) filter_points(g + x, 3, t[x]);
  for (int y = 0; y < 6; y++) {
    const four_wide row[3] = {t[0][y], t[1][y], t[2][y]};
    filter_points(row, 1, u);
    for (int x = 0; x < 6; x++) {
      const four narrow = __builtin_convertvector(u[x], four);
      memcpy(to + (6 * y + x) * step, &narrow, sizeof narrow);
    }
  }
}

static void filters(tsr_index channels, tsr_index count, tsr_index width, const float *from, float *to) {
  for (tsr_index i = 0; i < channels; i++)
    for (tsr_index j = 0; j < width; j += 4)
      transform_filters(from + ((j < count ? j : 0) * channels + i) * 9, channels * 9, count - j, to + i * width + j,
                        channels * width);
}

/* ---- input ---- */

TSR__INLINE void input_points(const tsr__vf32 *d, tsr__vf32 *v) {
  const tsr__vf32 a2 = tsr__vf32_all(-A2), b2 = tsr__vf32_all(-B2), sum = tsr__vf32_all(-SUM2),
                  both = tsr__vf32_all(A2B2);
  const tsr__vf32 a = tsr__vf32_all(A1), minus_a = tsr__vf32_all(-A1), b = tsr__vf32_all(B1),
                  minus_b = tsr__vf32_all(-B1);
  const tsr__vf32 even_a = tsr__vf32_madd(b2, d[2], d[4]), odd_a = tsr__vf32_madd(b2, d[1], d[3]);
  const tsr__vf32 even_b = tsr__vf32_madd(a2, d[2], d[4]), odd_b = tsr__vf32_madd(a2, d[1], d[3]);
  v[0] = tsr__vf32_madd(both, d[0], tsr__vf32_madd(sum, d[2], d[4]));
  v[1] = tsr__vf32_madd(a, odd_a, even_a);
  v[2] = tsr__vf32_madd(minus_a, odd_a, even_a);
  v[3] = tsr__vf32_madd(b, odd_b, even_b);
  v[4] = tsr__vf32_madd(minus_b, odd_b, even_b);
  v[5] = tsr__vf32_madd(both, d[1], tsr__vf32_madd(sum, d[3], d[5]));
}

static void input(const float *x, tsr_index row, tsr_index pixel, tsr_index channels, float *to, tsr_index step) {
  for (tsr_index c = 0; c < channels; c += LANES) {
    tsr__vf32 t[6][6], d[6], v[6]; /* t: (x, y) */
    for (int i = 0; i < 6; i++) {
      TSR__UNROLL(32)
      for (int y = 0; y < 6; y++) d[y] = tsr__vf32_load(x + y * row + i * pixel + c);
      input_points(d, t[i]);
    }
    for (int y = 0; y < 6; y++) {
      TSR__UNROLL(32)
      for (int i = 0; i < 6; i++) d[i] = t[i][y];
      input_points(d, v);
      TSR__UNROLL(32)
      for (int i = 0; i < 6; i++) tsr__vf32_store(to + (6 * y + i) * step + c, v[i]);
    }
  }
}

/* ---- output ---- */

TSR__INLINE void output_points(const tsr__vf32 *m, tsr__vf32 *y) {
  const tsr__vf32 one = tsr__vf32_all(1), minus = tsr__vf32_all(-1);
  const tsr__vf32 even_a = tsr__vf32_madd(one, m[1], m[2]), odd_a = tsr__vf32_madd(minus, m[2], m[1]);
  const tsr__vf32 even_b = tsr__vf32_madd(one, m[3], m[4]), odd_b = tsr__vf32_madd(minus, m[4], m[3]);
  y[0] = tsr__vf32_madd(one, m[0], tsr__vf32_madd(one, even_a, even_b));
  y[1] = tsr__vf32_madd(tsr__vf32_all(A1), odd_a, tsr__vf32_madd(tsr__vf32_all(B1), odd_b, (tsr__vf32){0}));
  y[2] = tsr__vf32_madd(tsr__vf32_all(A2), even_a, tsr__vf32_madd(tsr__vf32_all(B2), even_b, (tsr__vf32){0}));
  y[3] = tsr__vf32_madd(tsr__vf32_all(A3), odd_a, tsr__vf32_madd(tsr__vf32_all(B3), odd_b, m[5]));
}

/* 16 pixels (y, x) of one vector of channels. */
TSR__INLINE void output_tile(const float *from, tsr_index step, const float *bias, tsr__vf32 out[4][4]) {
  tsr__vf32 t[6][4], m[6];
  for (int i = 0; i < 6; i++) {
    TSR__UNROLL(32)
    for (int y = 0; y < 6; y++) m[y] = tsr__vf32_load(from + (6 * y + i) * step);
    output_points(m, t[i]);
  }
  const tsr__vf32 b = tsr__vf32_load(bias), one = tsr__vf32_all(1);
  for (int y = 0; y < 4; y++) {
    TSR__UNROLL(32)
    for (int i = 0; i < 6; i++) m[i] = t[i][y];
    output_points(m, out[y]);
    TSR__UNROLL(32)
    for (int i = 0; i < 4; i++) out[y][i] = tsr__vf32_madd(one, out[y][i], b);
  }
}

TSR__INLINE void store_last(const tsr__winograd_out *o, tsr_index first, tsr_index count, tsr__vf32 out[4][4]) {
  for (tsr_index y = 0; y < o->rows; y++)
    for (tsr_index i = 0; i < o->pixels; i++)
      tsr__vf32_store_some(o->out + y * o->row + i * o->pixel + first, out[y][i], count);
}

/* Four pixels of four channels become four channels of four pixels. */
TSR__INLINE void transpose_tile(const float *from, tsr_index pixel, float *to, tsr_index channel) {
  four p[4], t[4];
  for (int i = 0; i < 4; i++) memcpy(&p[i], from + i * pixel, sizeof p[i]);
  t[0] = __builtin_shufflevector(p[0], p[1], 0, 4, 1, 5);
  t[1] = __builtin_shufflevector(p[2], p[3], 0, 4, 1, 5);
  t[2] = __builtin_shufflevector(p[0], p[1], 2, 6, 3, 7);
  t[3] = __builtin_shufflevector(p[2], p[3], 2, 6, 3, 7);
  p[0] = __builtin_shufflevector(t[0], t[1], 0, 1, 4, 5);
  p[1] = __builtin_shufflevector(t[0], t[1], 2, 3, 6, 7);
  p[2] = __builtin_shufflevector(t[2], t[3], 0, 1, 4, 5);
  p[3] = __builtin_shufflevector(t[2], t[3], 2, 3, 6, 7);
  for (int i = 0; i < 4; i++) memcpy(to + i * channel, &p[i], sizeof p[i]);
}

static void store_first(const tsr__winograd_out *o, tsr_index first, tsr_index count, tsr__vf32 out[4][4]) {
  float all[16 * LANES];
  float *const at = o->out + first * o->channel;
  for (int k = 0; k < 16; k++) tsr__vf32_store(all + k * LANES, out[k / 4][k % 4]);
  tsr_index done = 0;
  if (o->pixels == 4)
    for (; done + 4 <= count; done += 4)
      for (tsr_index y = 0; y < o->rows; y++)
        transpose_tile(all + y * 4 * LANES + done, LANES, at + done * o->channel + y * o->row, o->channel);
  for (; done < count; done++)
    for (tsr_index y = 0; y < o->rows; y++)
      for (tsr_index i = 0; i < o->pixels; i++)
        at[done * o->channel + y * o->row + i] = all[(4 * y + i) * LANES + done];
}

static void output(const float *from, tsr_index step, const tsr__winograd_out *o) {
  for (tsr_index c = 0; c < o->channels; c += LANES) {
    const tsr_index count = o->channels - c < LANES ? o->channels - c : LANES;
    tsr__vf32 out[4][4];
    output_tile(from + c, step, o->bias + c, out);
    if (o->limits != NULL)
      for (int k = 0; k < 16; k++)
        out[k / 4][k % 4] =
            tsr__vf32_clamp(out[k / 4][k % 4], tsr__vf32_all(o->limits[0]), tsr__vf32_all(o->limits[1]));
    if (o->channel == 1)
      store_last(o, c, count, out);
    else
      store_first(o, c, count, out);
  }
}

const tsr__winograd TSR__ISA_NAME(tsr__winograd) = {filters, input, output};
#else
typedef int tsr__winograd_none; /* a file has to declare something */
#endif
