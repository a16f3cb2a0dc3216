/** @file image.h
 *  Images, as files have them, and tensors, as networks want them; images of another size.
 *
 *  An image is [H,W], [H,W,C] with 1 … 4 channels, or several of them, [N,H,W,C]; the tensor is [C,H,W], or [N,C,H,W].
 *  Inputs have any strides. Same bits on every machine and for any number of threads (class A). */
#ifndef TESSERA_IMAGE_H
#define TESSERA_IMAGE_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_STDIO
/** What becomes of the numbers; 0 is the default of each. `{.mean = {0.485f, 0.456f, 0.406f}, .std = {0.229f, 0.224f,
 *  0.225f}}` is what networks trained on ImageNet want. */
typedef struct tsr_image_options {
  float mean[4]; /**< of each channel, taken away: of numbers from 0 to 1, or with whole from 0 to 255 (u16: 65535) */
  float std[4];  /**< of each channel, divided by; all 0: by nothing. Finite, and none 0 beside one that is not */
  bool whole;    /**< the numbers of the image; else these divided by 255, of u16 by 65535 */
  uint8_t dtype; /**< of an empty output: TSR_F32 (0), or any other float; of images TSR_U8 (0) or TSR_U16 */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_image_options;

/** An image of u8 or u16 as a tensor of floats: x · a + b in f32 for each channel, a = 1 / (255 · std), b = -mean / std.
 *  options may be NULL: numbers from 0 to 1. */
TSR_API TSR_MUST_USE tsr_status tsr_image_to_tensor(tsr_ctx *ctx, const tsr_tensor *image,
                                                    const tsr_image_options *options, tsr_tensor *out);

/** The way back, with the same options: (x · std + mean) · 255, rounded to the nearest number, halves to even; what is
 *  beyond is cut off, and NaN becomes 0. x is [H,W], [C,H,W] or [N,C,H,W] of any float dtype; one channel of one image
 *  becomes [H,W]. */
TSR_API TSR_MUST_USE tsr_status tsr_tensor_to_image(tsr_ctx *ctx, const tsr_tensor *x, const tsr_image_options *options,
                                                    tsr_tensor *out);

/** How far the pixels lie that a pixel is made of: in the larger of both sizes, so that no detail is left to chance when
 *  an image becomes smaller. Numbers never change. */
typedef enum tsr_image_filter {
  TSR_FILTER_BILINEAR = 0, /**< a triangle */
  TSR_FILTER_BOX = 1,      /**< the mean */
  TSR_FILTER_BICUBIC = 2,  /**< a = -1/2 */
  TSR_FILTER_LANCZOS = 3   /**< three lobes */
} tsr_image_filter;

/** An image of another size, of u8 or f32, [H,W] or [H,W,C] with any C: along the width, then along the height, each rounded. u8
 *  has the bits of Pillow's resize, weights of 22 bits; sums of f32 are made in double. TSR_EARG where a size is not 1 or
 *  more, TSR_ESHAPE of an image without pixels. */
TSR_API TSR_MUST_USE tsr_status tsr_image_resize(tsr_ctx *ctx, const tsr_tensor *image, tsr_index height,
                                                 tsr_index width, tsr_image_filter filter, tsr_tensor *out);
#endif

#ifdef __cplusplus
}
#endif

#endif
