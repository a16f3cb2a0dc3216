/** @file conv.h
 *  Convolutions over one and two axes, with bias and activation, and weights packed ahead.
 *
 *  As neural networks mean it: the filter is not flipped. Shapes: x [N,C,H,W] (or tagged TSR_NHWC: [N,H,W,C]), filters
 * w [O,C/groups,KH,KW] (or tagged TSR_OHWI, TSR_HWIO), bias [O], out [N,O,OH,OW] with the axes and the tag of x. A
 * plain tensor counts as NCHW and OIHW. In one axis
 *
 *      OH = (H + before + after - (dilation·(KH - 1) + 1)) / stride + 1, rounded down.
 *
 *  Outside x everything is 0. With no channels, or none that a filter meets, an output is its bias.
 *
 *  Dtypes. x, w and bias have one dtype, and out has it too. f32 and f64 add up in themselves; f16, bf16 and f8 in f32,
 *  rounded once; integers are exact modulo 2^bits. Bool and complex numbers are refused (TSR_EDTYPE).
 *
 *  Algorithms. Which one is used follows from the shapes alone. Winograd's (3×3, stride 1, f32) multiplies a quarter as
 *  often; its error is a few units in the last place of the largest outputs (measured: under 5e-6 of the largest),
 * where the others have that of a plain sum. The same bits for any number of threads on one machine and instruction set
 * (class C).
 *
 *  Memory. Outputs as in ops.h: allocated or given, any strides; they must not overlap an input (TSR_EOVERLAP). Scratch
 *  comes from the context, or its allocator. */
#ifndef TESSERA_CONV_H
#define TESSERA_CONV_H

#include <tessera/activation.h>
#include <tessera/isa.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How much an axis is padded. */
typedef enum tsr_conv_padding {
  TSR_PADDING_EXPLICIT = 0,  /**< by pad_before and pad_after */
  TSR_PADDING_VALID = 1,     /**< not at all */
  TSR_PADDING_SAME = 2,      /**< so that OH = H / stride, rounded up; what is odd goes after */
  TSR_PADDING_SAME_LOWER = 3 /**< the same; what is odd goes before */
} tsr_conv_padding;

/** How it is computed. */
typedef enum tsr_conv_algorithm {
  TSR_CONV_AUTO = 0,    /**< what is fastest for the shape */
  TSR_CONV_DIRECT = 1,  /**< plain loops; what microcontrollers always do, and dtypes other than f32, f16, bf16, f8 */
  TSR_CONV_GEMM = 2,    /**< a matrix product; depthwise filters by loops of their own */
  TSR_CONV_WINOGRAD = 3 /**< F(4×4, 3×3); TSR_EUNSUPPORTED where filters or strides do not allow it */
} tsr_conv_algorithm;

/** Attributes; all zero is stride 1, no padding, one group. Entry 0 belongs to the height (or the one axis of
 * tsr_conv1d, which leaves the others 0), entry 1 to the width. */
typedef struct tsr_conv_options {
  tsr_index stride[2];           /**< 0: 1 */
  tsr_index dilation[2];         /**< 0: 1 */
  tsr_index pad_before[2];       /**< zeros above and to the left */
  tsr_index pad_after[2];        /**< zeros below and to the right */
  tsr_index groups;              /**< 0: 1. As many as channels: depthwise */
  tsr_activation activation;     /**< of the result; integers take relu only */
  uint8_t padding;               /**< a tsr_conv_padding; pads are 0 unless it is explicit */
  uint8_t algorithm;             /**< a tsr_conv_algorithm */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_conv_options;

/** Filters and bias in the order that the kernels read, Winograd's transformed. Made for one instruction set (the
 *  context's), for x of one layout and about one size. A plain struct; all zero is empty. */
typedef struct tsr_conv_packed {
  tsr_tensor panels;        /**< the numbers, 1-D f32; empty: tsr_conv_pack allocates them */
  tsr_conv_options options; /**< what they were packed with */
  tsr_index filter[4];      /**< O, C/groups, KH, KW */
  uint8_t dtype;            /**< of the filters, and of x */
  uint8_t rank;             /**< of x: 4, or 3 for tsr_conv1d */
  uint8_t channels_last;
  uint8_t kernel; /**< which kernel reads it, and how wide its vectors are: the library's own number */
  uint8_t isa;    /**< a tsr_isa_id; one that is not here is refused with TSR_EUNSUPPORTED: pack again */
} tsr_conv_packed;

/** The convolution of x [N,C,H,W] with w; bias may be NULL, options may be NULL (all zero). */
TSR_API TSR_MUST_USE tsr_status tsr_conv2d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w,
                                           const tsr_tensor *bias, const tsr_conv_options *options, tsr_tensor *out);

/** tsr_conv2d over one axis: x [N,C,L] (or tagged TSR_NLC), w [O,C/groups,K] (or tagged TSR_NLC: [O,K,C/groups]). */
TSR_API TSR_MUST_USE tsr_status tsr_conv1d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w,
                                           const tsr_tensor *bias, const tsr_conv_options *options, tsr_tensor *out);

/* ---- packed weights: f32, f16, bf16, f8 ---- */

/** Packs filters and bias for x of the shape, dtype and layout of like, which may be described only; batches and images
 * of other sizes are as right, and as fast unless they are much smaller. *packed is empty and is allocated, or its
 * panels are given: 1-D f32 of the length that tsr_conv_pack_size says. Rank 3: for tsr_conv1d. */
TSR_API TSR_MUST_USE tsr_status tsr_conv_pack(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *bias,
                                              const tsr_conv_options *options, const tsr_tensor *like,
                                              tsr_conv_packed *packed);

/** How many numbers the panels hold. */
TSR_API TSR_MUST_USE tsr_status tsr_conv_pack_size(tsr_ctx *ctx, const tsr_tensor *w, const tsr_conv_options *options,
                                                   const tsr_tensor *like, tsr_index *count);

/** Gives the memory back and leaves *packed empty. Fine on empty ones and NULL. */
TSR_API void tsr_conv_packed_release(tsr_conv_packed *packed);

/** The convolution of x with packed filters. */
TSR_API TSR_MUST_USE tsr_status tsr_conv2d_packed(tsr_ctx *ctx, const tsr_tensor *x, const tsr_conv_packed *packed,
                                                  tsr_tensor *out);
/** The same over one axis. */
TSR_API TSR_MUST_USE tsr_status tsr_conv1d_packed(tsr_ctx *ctx, const tsr_tensor *x, const tsr_conv_packed *packed,
                                                  tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
