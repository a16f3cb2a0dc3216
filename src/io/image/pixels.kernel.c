/* Rows of pixels, channels beside each other or apart. Three channels have loops of their own, which become vectors. */
#include "io/image/pixels.h"

#if TSR_HAVE_STDIO

#define SPREAD(name, type)                                                                                        \
  static void name(const type *pixels, size_t n, int channels, float *const *planes, const float *scale,          \
                   const float *shift) {                                                                          \
    if (channels == 3) {                                                                                          \
      float *restrict const red = planes[0], *restrict const green = planes[1], *restrict const blue = planes[2]; \
      const float a0 = scale[0], a1 = scale[1], a2 = scale[2], b0 = shift[0], b1 = shift[1], b2 = shift[2];       \
      for (size_t i = 0; i < n; i++) {                                                                            \
        red[i] = (float)pixels[3 * i] * a0 + b0;                                                                  \
        green[i] = (float)pixels[3 * i + 1] * a1 + b1;                                                            \
        blue[i] = (float)pixels[3 * i + 2] * a2 + b2;                                                             \
      }                                                                                                           \
      return;                                                                                                     \
    }                                                                                                             \
    for (int c = 0; c < channels; c++) {                                                                          \
      float *restrict const plane = planes[c];                                                                    \
      const float a = scale[c], b = shift[c];                                                                     \
      if (channels == 1)                                                                                          \
        for (size_t i = 0; i < n; i++) plane[i] = (float)pixels[i] * a + b;                                       \
      else                                                                                                        \
        for (size_t i = 0; i < n; i++) plane[i] = (float)pixels[i * (size_t)channels + (size_t)c] * a + b;        \
    }                                                                                                             \
  }
SPREAD(spread_u8, uint8_t)
SPREAD(spread_u16, uint16_t)

/* To even, by the sum with 2^23, which has no place for fractions; NaN compares false and becomes 0. */
static inline float whole_of(float x, float most) {
  const float clipped = x > 0.0f ? (x < most ? x : most) : 0.0f;
  return (clipped + 8388608.0f) - 8388608.0f;
}

#define GATHER(name, type, most)                                                                               \
  static void name(const float *const *planes, size_t n, int channels, const float *scale, const float *shift, \
                   type *pixels) {                                                                             \
    type *restrict const to = pixels;                                                                          \
    if (channels == 3) {                                                                                       \
      const float *const red = planes[0], *const green = planes[1], *const blue = planes[2];                   \
      const float a0 = scale[0], a1 = scale[1], a2 = scale[2], b0 = shift[0], b1 = shift[1], b2 = shift[2];    \
      for (size_t i = 0; i < n; i++) {                                                                         \
        to[3 * i] = (type)(int32_t)whole_of(red[i] * a0 + b0, most);                                           \
        to[3 * i + 1] = (type)(int32_t)whole_of(green[i] * a1 + b1, most);                                     \
        to[3 * i + 2] = (type)(int32_t)whole_of(blue[i] * a2 + b2, most);                                      \
      }                                                                                                        \
      return;                                                                                                  \
    }                                                                                                          \
    for (int c = 0; c < channels; c++) {                                                                       \
      const float *const plane = planes[c];                                                                    \
      const float a = scale[c], b = shift[c];                                                                  \
      for (size_t i = 0; i < n; i++)                                                                           \
        to[i * (size_t)channels + (size_t)c] = (type)(int32_t)whole_of(plane[i] * a + b, most);                \
    }                                                                                                          \
  }
GATHER(gather_u8, uint8_t, 255.0f)
GATHER(gather_u16, uint16_t, 65535.0f)

enum { BLOCK = 512 };

static void mix_u8(const uint8_t *rows, size_t step, int count, const int32_t *weights, size_t n, uint8_t *out) {
  int32_t sums[BLOCK];
  for (size_t at = 0; at < n; at += BLOCK) {
    const size_t m = n - at < BLOCK ? n - at : BLOCK;
    for (size_t i = 0; i < m; i++) sums[i] = 1 << (TSR__WEIGHT_BITS - 1);
    for (int k = 0; k < count; k++) {
      const uint8_t *const row = rows + (size_t)k * step + at;
      const int32_t weight = weights[k];
      for (size_t i = 0; i < m; i++) sums[i] += row[i] * weight;
    }
    for (size_t i = 0; i < m; i++) out[at + i] = tsr__clip_byte(sums[i]);
  }
}

const tsr__pixel_kernels TSR__ISA_NAME(tsr__pixels_by) = {spread_u8, spread_u16, gather_u8, gather_u16, mix_u8};

#endif
