/** @file series.h
 *  Along one axis, as NumPy has them: differences, gradients, linear interpolation, convolution and correlation.
 *
 *  Inputs promote (tsr_dtype_promote); complex dtypes are taken where nothing else is said. f16, bf16 and f8 are
 *  computed in f32 and rounded once. Outputs as in <tessera/ops.h>: any strides, in place, overlapping. Temporary
 * memory is the context's scratch or its allocator's. */
#ifndef TESSERA_SERIES_H
#define TESSERA_SERIES_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The differences of neighbours along axis, n times over: x₁ - x₀, x₂ - x₁, and so on. Each time the axis is one
 *  shorter, until nothing is left; with n = 0 it is a copy. prepend and append (NULL: none) are put before and after x
 *  first: tensors of x's rank that differ from it along that axis only, or of rank 0, which count as one element
 *  everywhere. Integers wrap; of bool: whether neighbours differ. The same bits on every instruction set. */
TSR_API TSR_MUST_USE tsr_status tsr_diff(tsr_ctx *ctx, const tsr_tensor *x, int n, int axis, const tsr_tensor *prepend,
                                         const tsr_tensor *append, tsr_tensor *out);

/** The derivative along axis, of second order inside: from both neighbours of each element, with a distance of spacing
 *  between them, or at coordinates (1-D, as long as the axis; NULL: spacing), which may be uneven. At the two ends the
 *  formula is of edge_order 1 or 2, and the axis has at least edge_order + 1 elements (TSR_ESHAPE). Integers and bool
 *  become floats, as for tsr_div; coordinates are real. The same bits on every instruction set. */
TSR_API TSR_MUST_USE tsr_status tsr_central_diff(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *coordinates,
                                                 tsr_real spacing, int axis, int edge_order, tsr_tensor *out);

/** Piecewise linear: for each element of x (any shape) the value, at that place, of the lines through the points
 *  (xp[i], fp[i]); 1-D, of one length, at least one, xp real and not falling (TSR_EARG names the place). Before the
 *  first point it is *left and after the last *right; NULL: the first and the last value. NaN gives NaN. Computed in
 *  tsr_real as fp[i] + (x - xp[i])·slope; the result is the float that all three promote to, complex where fp is. The
 *  same bits on every instruction set. */
TSR_API TSR_MUST_USE tsr_status tsr_interp(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *xp,
                                           const tsr_tensor *fp, const tsr_real *left, const tsr_real *right,
                                           tsr_tensor *out);

/** Which part of a convolution: of lengths N ≥ M, all N + M - 1 places where they meet, the N in the middle, or the
 *  N - M + 1 where all of the shorter one counts. */
typedef enum tsr_convolve_mode {
  TSR_CONVOLVE_FULL = 0, /**< wherever they meet */
  TSR_CONVOLVE_SAME = 1, /**< as long as the longer one */
  TSR_CONVOLVE_VALID = 2 /**< where neither ends */
} tsr_convolve_mode;

/** The convolution of two vectors, neither empty (TSR_ESHAPE): Σ a[k - m]·v[m]. Bool is refused. The M
 *  products of an element are added one after another, from one end of v to the other: |error| ≤ M·u·Σ|a·v|, u being
 * half an ULP of 1, and the same bits on every instruction set and for any number of threads. Integers are exact modulo
 *  2^bits. */
TSR_API TSR_MUST_USE tsr_status tsr_convolve(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *v,
                                             tsr_convolve_mode mode, tsr_tensor *out);

/** The correlation: Σ a[m + k]·conj(v[m]), from the first k at which they meet. Else as tsr_convolve. */
TSR_API TSR_MUST_USE tsr_status tsr_correlate(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *v,
                                              tsr_convolve_mode mode, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
