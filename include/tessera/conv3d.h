/** @file conv3d.h
 *  Convolution over three axes.
 *
 *  As tsr_conv2d (conv.h) with one axis more, in plain loops: x [N,C,D,H,W] (or tagged TSR_NDHWC: [N,D,H,W,C]), filters
 *  w [O,C/groups,KD,KH,KW] (plain), bias [O], out [N,O,OD,OH,OW] with the axes and the tag of x. In one axis
 *
 *      OD = (D + before + after - (dilation·(KD - 1) + 1)) / stride + 1, rounded down.
 *
 *  x, w and bias are floats of one dtype, and out has it. f32 and f64 add up in themselves, f16, bf16 and f8 in f32,
 *  rounded once; the channels of x in order, and the filter's elements in each. The same bits on every machine, for any
 *  strides and number of threads (class A). Where tensors have at most four axes (TSR_MAX_DIMS) there is nothing to
 *  take.
 *
 *  No temporary memory, unless out overlaps an input: that works as if the input had been copied first. */
#ifndef TESSERA_CONV3D_H
#define TESSERA_CONV3D_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Attributes; all zero is stride 1, no padding, one group. Entries: depth, height, width. */
typedef struct tsr_conv3d_options {
  tsr_index stride[3];           /**< 0: 1 */
  tsr_index dilation[3];         /**< 0: 1 */
  tsr_index pad_before[3];       /**< zeros before the first */
  tsr_index pad_after[3];        /**< zeros behind the last */
  tsr_index groups;              /**< 0: 1. As many as channels: depthwise */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_conv3d_options;

/** The convolution of x [N,C,D,H,W] with w; bias may be NULL, options may be NULL (all zero).
 *
 *  Attributes out of range: TSR_EARG. Filters, groups and bias that do not fit x, or a filter larger than x with its
 *  padding: TSR_ESHAPE. Dtypes that differ, or are no floats: TSR_EDTYPE. A tag that says another order:
 *  TSR_ELAYOUT. */
TSR_API TSR_MUST_USE tsr_status tsr_conv3d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w,
                                           const tsr_tensor *bias, const tsr_conv3d_options *options, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
