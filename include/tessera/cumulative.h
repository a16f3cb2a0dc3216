/** @file cumulative.h
 *  Cumulative sums, products and extremes along an axis: every element becomes the op over it and all before it.
 *
 *  axis is one of x's, a negative one counted from the end: TSR_EAXIS. The result has x's shape; for a flat one,
 *  tsr_reshape x before. Outputs as in <tessera/ops.h>: any strides, in place too. Complex numbers have
 *  no extremes (TSR_EDTYPE).
 *
 *  Floats are added and multiplied in an order that the index along the axis fixes, and nothing else: the same bits on
 *  every instruction set, thread count and run, for a transposed or sliced tensor as for its contiguous copy. 16
 *  elements are a run and 1024 runs a chunk; inside a run, runs and chunks go one after another, and an element is
 *  (chunks before + runs before) + its run so far. The error at index i is at most (1040 + i / 16384)·u·Σ|x|, u being
 *  half an ULP of 1. f16, bf16 and f8 are computed in f32, and every element rounded once.
 *
 *  Temporary memory is needed where axis is not the innermost one, for a long row on several threads, and where the
 *  output overlaps x without being it; else never. */
#ifndef TESSERA_CUMULATIVE_H
#define TESSERA_CUMULATIVE_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Sums so far: element i is x₀ + … + xᵢ. Floats give their own dtype; signed integers and bool give i64, unsigned ones
 *  u64, and wrap. */
TSR_API TSR_MUST_USE tsr_status tsr_cumsum(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out);

/** Products so far, with the dtypes of tsr_cumsum. */
TSR_API TSR_MUST_USE tsr_status tsr_cumprod(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out);

/** The least so far, in x's dtype; NaN from the first NaN on. */
TSR_API TSR_MUST_USE tsr_status tsr_cummin(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out);

/** The greatest so far, in x's dtype; NaN from the first NaN on. */
TSR_API TSR_MUST_USE tsr_status tsr_cummax(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
