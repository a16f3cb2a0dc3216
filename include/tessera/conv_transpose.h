/** @file conv_transpose.h
 *  Transposed convolutions over one and two axes: what turns the output's size of a convolution back into its input's.
 *
 *  As PyTorch and ONNX define ConvTranspose: each element of x adds the filter, times itself, to the output. Shapes:
 *  x [N,C,H,W] (or tagged TSR_NHWC: [N,H,W,C]), filters w [C,O/groups,KH,KW] (plain), bias [O], out [N,O,OH,OW] with
 *  the axes and the tag of x. In one axis
 *
 *      OH = (H - 1)·stride - before - after + dilation·(KH - 1) + 1 + output_padding.
 *
 *  x, w and bias are floats of one dtype, and out has it. f32 and f64 add up in themselves, f16, bf16 and f8 in f32,
 *  rounded once; the channels of x in order, and the filter's elements in each. Plain loops with products and sums
 *  alone: the same bits on every machine, for any strides and number of threads (class A).
 *
 *  No temporary memory, unless out overlaps an input: that works as if the input had been copied first. */
#ifndef TESSERA_CONV_TRANSPOSE_H
#define TESSERA_CONV_TRANSPOSE_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Attributes; all zero is stride 1, no padding, one group. Entry 0 belongs to the height (or the one axis of
 *  tsr_conv_transpose1d, which leaves the others 0), entry 1 to the width. */
typedef struct tsr_conv_transpose_options {
  tsr_index stride[2];           /**< 0: 1 */
  tsr_index dilation[2];         /**< 0: 1 */
  tsr_index pad_before[2];       /**< rows and columns that are left out of the output, above and to the left */
  tsr_index pad_after[2];        /**< below and to the right */
  tsr_index output_padding[2];   /**< more of them below and to the right: less than stride or than dilation */
  tsr_index groups;              /**< 0: 1 */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_conv_transpose_options;

/** The transposed convolution of x [N,C,H,W] with w; bias may be NULL, options may be NULL (all zero).
 *
 *  Attributes out of range: TSR_EARG. Filters, groups and bias that do not fit x, or an output without elements:
 *  TSR_ESHAPE. Dtypes that differ, or are no floats: TSR_EDTYPE. A tag that says another order: TSR_ELAYOUT. */
TSR_API TSR_MUST_USE tsr_status tsr_conv_transpose2d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w,
                                                     const tsr_tensor *bias, const tsr_conv_transpose_options *options,
                                                     tsr_tensor *out);

/** tsr_conv_transpose2d over one axis: x [N,C,L] (or tagged TSR_NLC), w [C,O/groups,K]. */
TSR_API TSR_MUST_USE tsr_status tsr_conv_transpose1d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w,
                                                     const tsr_tensor *bias, const tsr_conv_transpose_options *options,
                                                     tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
