/** @file resize.h
 *  Images of another size: the nearest pixel, or between the nearest ones.
 *
 *  x is [N,C,L] or [N,C,H,W] (PLAIN, NCL, NCHW) or channels last (NLC, NHWC), of any strides; out has its dtype, its
 *  tag, N and C, and the size that is asked for: one number or two, for L or for H and W.
 *
 *  Where a pixel lies. Pixel i of the n of an output axis lies at s of the m of x's; the names are ONNX's Resize's:
 *
 *  | coordinates | s | the same elsewhere |
 *  |---|---|---|
 *  | HALF_PIXEL (0) | (i + 1/2)·m/n - 1/2 | PyTorch's bilinear with align_corners false; OpenCV; TensorFlow 2 |
 *  | ASYMMETRIC | i·m/n | PyTorch's nearest (with rounding FLOOR) |
 *  | ALIGN_CORNERS | i·(m - 1)/(n - 1), 0 for n = 1 | PyTorch's bilinear with align_corners true |
 *  | PYTORCH_HALF_PIXEL | as HALF_PIXEL, but 0 for n = 1 | ONNX's name for PyTorch before 1.6 |
 *
 *  and what lies outside x counts as its edge. m/n is exact, by integers, unless a scale is given, which then stands
 *  for n/m (ONNX's scales where n is not m·scale, PyTorch's scale_factor with recompute_scale_factor false). In
 *  ALIGN_CORNERS n is then m·scale, whole or not, as in ONNX's reference: i·(m - 1)/(m·scale - 1), 0 for m·scale = 1.
 *
 *  Same bits on every machine, for any strides and number of threads (class A). An output that overlaps x works as if
 *  that had been copied first, in temporary memory; else none is needed. */
#ifndef TESSERA_RESIZE_H
#define TESSERA_RESIZE_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where a pixel lies. */
typedef enum tsr_coordinates {
  TSR_COORDINATES_HALF_PIXEL = 0,
  TSR_COORDINATES_ASYMMETRIC = 1,
  TSR_COORDINATES_ALIGN_CORNERS = 2,
  TSR_COORDINATES_PYTORCH_HALF_PIXEL = 3
} tsr_coordinates;

/** Which pixel is the nearest of one that lies between two: ONNX's nearest_mode. PyTorch's nearest-exact is HALF_PIXEL
 *  with PREFER_CEIL. */
typedef enum tsr_nearest {
  TSR_NEAREST_PREFER_FLOOR = 0, /**< the nearer one; from the middle, the lower */
  TSR_NEAREST_PREFER_CEIL = 1,  /**< the nearer one; from the middle, the upper */
  TSR_NEAREST_FLOOR = 2,
  TSR_NEAREST_CEIL = 3
} tsr_nearest;

/** Attributes; all zero is ONNX's default. */
typedef struct tsr_resize_options {
  tsr_real scale[2];             /**< of each axis; 0: the output's length over x's. Finite and above 0 */
  uint8_t coordinates;           /**< a tsr_coordinates */
  uint8_t nearest;               /**< a tsr_nearest; 0 for tsr_resize_linear */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_resize_options;

/** The nearest pixel; any dtype. `tsr_resize_nearest(ctx, &x, TSR_SHAPE(2 * h, 2 * w), NULL, &y)`; options may be NULL.
 *
 *  A size that is not 1 or more, of another count of axes, or attributes out of range: TSR_EARG. An axis of x without
 *  pixels: TSR_ESHAPE. */
TSR_API TSR_MUST_USE tsr_status tsr_resize_nearest(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *size,
                                                   const tsr_resize_options *options, tsr_tensor *out);

/** Between the nearest two pixels of one axis (linear), or four of two (bilinear): (1 - t)·low + t·high along the
 *  width, then along the height. Floats of any dtype; f16, bf16 and f8 are computed in f32 and rounded once. A weight
 *  of 0 does not bring in its pixel, be it infinite. No low-pass filter: PyTorch's antialias false. Failures as
 *  above. */
TSR_API TSR_MUST_USE tsr_status tsr_resize_linear(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *size,
                                                  const tsr_resize_options *options, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
