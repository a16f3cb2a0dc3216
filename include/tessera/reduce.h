/** @file reduce.h
 *  Reductions: sums, means, extremes, norms, over any set of axes.
 *
 *  axes are naxes axes of x, negative ones counted from the end, none twice: TSR_EAXIS. `0, NULL` is all of them; 0
 *  axes with a pointer that is not NULL is none, and every element is its own result. keepdims leaves the reduced axes
 *  as axes of length 1; else they are gone. Outputs as in <tessera/ops.h>. Complex numbers have no extremes and
 *  no tsr_logsumexp (TSR_EDTYPE), nor sums over some of their elements. Sums and means of them are those of their parts;
 *  tsr_var and tsr_std have those of both parts, added, and give real numbers, as norms of absolute values do; a product
 *  is a tree of halves, in the order of the indices.
 *
 *  Floats are added in an order that the logical indices of the reduced axes fix, and nothing else: the same bits on
 *  every instruction set, thread count and run, for a transposed or sliced tensor as for its contiguous copy. 16 lanes
 *  take the elements of a block of 1024 in turn; lanes and then blocks are joined in pairs. The error of a sum of n
 *  numbers is at most (68 + log2(n / 1024))·u·Σ|x|, u being half an ULP of 1. f16, bf16 and f8 are added in f32 and
 *  rounded once, at the end. Which NaN comes out of several, and which zero out of zeros of both signs, is not
 *  specified.
 *
 *  Temporary memory is needed where the reduced axis is not the innermost one and the tensor is not small; never
 *  where there is no malloc. */
#ifndef TESSERA_REDUCE_H
#define TESSERA_REDUCE_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** For tsr_argmin and tsr_argmax: all axes, as if x were flat. */
#define TSR_ALL_AXES (-1000)

/** The sum. Floats give their own dtype; signed integers and bool give i64, unsigned ones u64, and wrap. Of nothing: 0;
 *  of nothing but -0: -0. */
TSR_API TSR_MUST_USE tsr_status tsr_sum(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                                        tsr_tensor *out);

/** The product, with the dtypes of tsr_sum. Of nothing: 1. */
TSR_API TSR_MUST_USE tsr_status tsr_prod(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                                         tsr_tensor *out);

/** The mean. Floats give their own dtype, integers and bool f32 up to 16 bits and else f64 (f32 where there is no f64).
 *  Everything is added in f64, in f32 where there is none, and rounded once. Of nothing: NaN. */
TSR_API TSR_MUST_USE tsr_status tsr_mean(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                                         tsr_tensor *out);

/** The variance: the sum of (x - mean)² over N - ddof, or over 0 where ddof is more than N. ddof 0 is the
 *  population's, 1 the sample's. Two passes: the mean, then the deviations. Dtypes, and the type that is computed
 *  in, of tsr_mean. */
TSR_API TSR_MUST_USE tsr_status tsr_var(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                                        int ddof, tsr_tensor *out);

/** The standard deviation: the square root of the variance. */
TSR_API TSR_MUST_USE tsr_status tsr_std(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                                        int ddof, tsr_tensor *out);

/** The least element, in x's dtype; NaN when there is one. Of nothing: TSR_ESHAPE. */
TSR_API TSR_MUST_USE tsr_status tsr_min(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                                        tsr_tensor *out);

/** The greatest element, in x's dtype; NaN when there is one. Of nothing: TSR_ESHAPE. */
TSR_API TSR_MUST_USE tsr_status tsr_max(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                                        tsr_tensor *out);

/** Whether any element is not 0 (NaN is not), as bool. Of nothing: false. */
TSR_API TSR_MUST_USE tsr_status tsr_any(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                                        tsr_tensor *out);

/** Whether no element is 0, as bool. Of nothing: true. */
TSR_API TSR_MUST_USE tsr_status tsr_all(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                                        tsr_tensor *out);

/** How many elements are not 0, as i64. */
TSR_API TSR_MUST_USE tsr_status tsr_count_nonzero(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes,
                                                  bool keepdims, tsr_tensor *out);

/** The sum of absolute values. Dtypes, and the type that is computed in, of tsr_mean. Of nothing: 0. */
TSR_API TSR_MUST_USE tsr_status tsr_norm1(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                                          tsr_tensor *out);

/** The square root of the sum of squares. Dtypes of tsr_mean. Squares of f32 do not overflow: they are f64. Those of
 *  f64, and of f32 where there is no f64, can. */
TSR_API TSR_MUST_USE tsr_status tsr_norm2(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                                          tsr_tensor *out);

/** The greatest absolute value; NaN when there is one. Dtypes of tsr_mean. Of nothing: 0. */
TSR_API TSR_MUST_USE tsr_status tsr_norm_inf(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes,
                                             bool keepdims, tsr_tensor *out);

/** The norm of order p: (Σ |x|^p)^(1/p), for every p but NaN (TSR_EARG); that of p < 1 is no norm, but asked for. p = 0
 *  counts the elements that are not 0, p = inf is tsr_norm_inf, p = -inf the least absolute value (of nothing:
 *  TSR_ESHAPE), 1 and 2 are tsr_norm1 and tsr_norm2. Powers are the C library's; a sum of them that overflows is inf,
 *  and with p < 0 an element that is 0 makes the norm 0. Dtypes, and the type that is computed in, of tsr_mean. */
TSR_API TSR_MUST_USE tsr_status tsr_norm(tsr_ctx *ctx, const tsr_tensor *x, tsr_real p, int naxes, const int *axes,
                                         bool keepdims, tsr_tensor *out);

/** log(Σ exp(x)), without overflow: the greatest element is taken out of the sum and put back. Dtypes, and the type
 *  that is computed in, of tsr_mean; within 2 ULP of the dtype plus the rounding of the sum. Same bits everywhere,
 *  like the sums. Of nothing: -inf. */
TSR_API TSR_MUST_USE tsr_status tsr_logsumexp(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes,
                                              bool keepdims, tsr_tensor *out);

/** The index of the least element along axis, or of the flat tensor in row-major order (TSR_ALL_AXES); the first one of
 *  several, and the first NaN when there is one. i64, or i32 where tsr_index has 32 bits. Of nothing: TSR_ESHAPE. */
TSR_API TSR_MUST_USE tsr_status tsr_argmin(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool keepdims, tsr_tensor *out);

/** The index of the greatest element; else as tsr_argmin. */
TSR_API TSR_MUST_USE tsr_status tsr_argmax(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool keepdims, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
