/** @file pool.h
 *  Pooling: the greatest or the mean of windows.
 *
 *  x is [N,C,L] or [N,C,H,W] (PLAIN, NCL, NCHW) or channels last (NLC, NHWC), of any float dtype and any strides; out
 * has its dtype, its tag, and N and C. kernel has one number or two: its count, 1 or 2, goes with the rank of x.
 *
 *  The length of an axis is floor((length + before + after - reach) / stride) + 1, reach = (kernel - 1)·dilation + 1.
 *  With ceil_mode it is rounded up, but a window that would begin behind the input and its padding before it is left
 * out: the rule of PyTorch and of ONNX. Elements outside the input are no elements: -inf for the greatest; the mean is
 * over the elements of the window that are inside, or with count_include_pad over those that are inside or in the
 * padding (but not beyond it, where ceil_mode reaches), as 0. A window without any: -inf, and 0 as the mean.
 *
 *  NaN in a window gives NaN. f16, bf16 and f8 are computed in f32 and rounded once. Sums go through a window's rows,
 *  then its columns: the same bits on every machine, for any strides and number of threads.
 *
 *  Temporary memory is needed where a row is not contiguous in its compute type. */
#ifndef TESSERA_POOL_H
#define TESSERA_POOL_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How windows lie. 0 everywhere is the default. Index 0 is the first axis that is pooled: L, or H. */
typedef struct tsr_pool_options {
  tsr_index stride[2];           /**< 0: the kernel's length, so that windows do not overlap */
  tsr_index dilation[2];         /**< 0: 1 */
  tsr_index pad_before[2];       /**< less than the reach of the kernel */
  tsr_index pad_after[2];        /**< less than the reach of the kernel */
  bool ceil_mode;                /**< windows that begin inside but reach out count too */
  bool count_include_pad;        /**< padding counts as zeros in means */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_pool_options;

/** The greatest of each window. options NULL: the defaults. `tsr_max_pool(ctx, &x, TSR_SHAPE(2, 2), NULL, &y)`. */
TSR_API TSR_MUST_USE tsr_status tsr_max_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *kernel,
                                             const tsr_pool_options *options, tsr_tensor *out);

/** The mean of each window. */
TSR_API TSR_MUST_USE tsr_status tsr_avg_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *kernel,
                                             const tsr_pool_options *options, tsr_tensor *out);

/** The greatest element of every channel of every sample: tsr_max over the axes that are neither N nor C. keepdims
 * leaves them as axes of length 1. PLAIN is channels first; rank 2 or more. */
TSR_API TSR_MUST_USE tsr_status tsr_global_max_pool(tsr_ctx *ctx, const tsr_tensor *x, bool keepdims, tsr_tensor *out);

/** The mean of every channel of every sample: tsr_mean over these axes. [B,T,F] with the tag NLC gives [B,F]; without a
 *  tag [B,T,F] is [N,C,L], as conv1d takes it, and gives [B,T]: the mean over F. */
TSR_API TSR_MUST_USE tsr_status tsr_global_avg_pool(tsr_ctx *ctx, const tsr_tensor *x, bool keepdims, tsr_tensor *out);

/** (Σ |x|^p)^(1/p) of each window, elements outside the input as 0: ONNX's LpPool. p is finite and above 0 (TSR_EARG).
 *  Windows as for tsr_avg_pool; count_include_pad makes no difference. |x|^p and its sum are of the compute type, and
 *  overflow where that does. With p of 1 and 2 the same bits on every machine (class A); any other p is within the C
 *  library's pow (class B). Needs no temporary memory unless out overlaps x. */
TSR_API TSR_MUST_USE tsr_status tsr_lp_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *kernel,
                                            tsr_real p, const tsr_pool_options *options, tsr_tensor *out);

/** The mean of windows that make an output of the given size, as PyTorch's adaptive_avg_pool: window i of n along an
 *  axis of length m begins at i·m/n, rounded down, and ends before (i + 1)·m/n, rounded up. size has as many numbers as
 *  axes are pooled, each 1 or more (TSR_EARG). An axis of length 0: TSR_ESHAPE. Needs no temporary memory unless out
 *  overlaps x. */
TSR_API TSR_MUST_USE tsr_status tsr_adaptive_avg_pool(tsr_ctx *ctx, const tsr_tensor *x, int count,
                                                      const tsr_index *size, tsr_tensor *out);

/** The greatest of the windows of tsr_adaptive_avg_pool. */
TSR_API TSR_MUST_USE tsr_status tsr_adaptive_max_pool(tsr_ctx *ctx, const tsr_tensor *x, int count,
                                                      const tsr_index *size, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
