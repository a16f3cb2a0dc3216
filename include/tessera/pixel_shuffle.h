/** @file pixel_shuffle.h
 *  Pixel shuffle: channels become pixels, and back.
 *
 *  x is [N,C,H,W] (PLAIN, NCHW) or [N,H,W,C] (NHWC), of any dtype and any strides; out has its dtype and its tag.
 *  Elements are moved, not computed (class A). An output that overlaps x works as if that had been copied first, in
 *  temporary memory; else none is needed. */
#ifndef TESSERA_PIXEL_SHUFFLE_H
#define TESSERA_PIXEL_SHUFFLE_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which channel is which pixel (i, j) of a block of factor × factor, for channel c of the C that have the pixels. */
typedef enum tsr_pixel_order {
  TSR_PIXELS_INNER = 0, /**< (c·factor + i)·factor + j: PyTorch's pixel_shuffle, ONNX's DepthToSpace in mode CRD */
  TSR_PIXELS_OUTER = 1  /**< (i·factor + j)·C + c: ONNX's DepthToSpace in mode DCR (its default), and TensorFlow's */
} tsr_pixel_order;

/** [N,C·factor²,H,W] to [N,C,H·factor,W·factor]. Channels that factor² does not divide: TSR_ESHAPE; a factor below 1,
 *  an order that is none: TSR_EARG. */
TSR_API TSR_MUST_USE tsr_status tsr_pixel_shuffle(tsr_ctx *ctx, const tsr_tensor *x, tsr_index factor,
                                                  tsr_pixel_order order, tsr_tensor *out);

/** The way back of tsr_pixel_shuffle: [N,C,H·factor,W·factor] to [N,C·factor²,H,W]; with TSR_PIXELS_OUTER ONNX's
 *  SpaceToDepth. A height or width that factor does not divide: TSR_ESHAPE. */
TSR_API TSR_MUST_USE tsr_status tsr_pixel_unshuffle(tsr_ctx *ctx, const tsr_tensor *x, tsr_index factor,
                                                    tsr_pixel_order order, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
