/* Kernels on rows of pixels: compiled once per instruction set. */
#ifndef TSR_IO_IMAGE_PIXELS_H
#define TSR_IO_IMAGE_PIXELS_H

#include <tessera/image.h>
#include "cpu/isa.h"

#if TSR_HAVE_STDIO

/* n pixels of some channels; plane c gets x · scale[c] + shift[c]. */
typedef struct tsr__pixel_kernels {
  void (*spread_u8)(const uint8_t *pixels, size_t n, int channels, float *const *planes, const float *scale,
                    const float *shift);
  void (*spread_u16)(const uint16_t *pixels, size_t n, int channels, float *const *planes, const float *scale,
                     const float *shift);
  /* The way back: clipped to most, rounded to even. */
  void (*gather_u8)(const float *const *planes, size_t n, int channels, const float *scale, const float *shift,
                    uint8_t *pixels);
  void (*gather_u16)(const float *const *planes, size_t n, int channels, const float *scale, const float *shift,
                     uint16_t *pixels);
  /* out[i] = Σ rows[k][i] · weights[k] for n bytes, with weights of 22 bits. */
  void (*mix_u8)(const uint8_t *rows, size_t step, int count, const int32_t *weights, size_t n, uint8_t *out);
} tsr__pixel_kernels;

TSR__DECLARE_FOR_ISAS(const tsr__pixel_kernels, tsr__pixels_by)

const tsr__pixel_kernels *tsr__pixel_kernels_of(const tsr_ctx *ctx);

enum { TSR__WEIGHT_BITS = 22 };

/* A sum of weighted bytes as a byte. */
static inline uint8_t tsr__clip_byte(int32_t sum) {
  const int32_t value = sum >> TSR__WEIGHT_BITS;
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

#endif

#endif
