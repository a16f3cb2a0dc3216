/** @file softmax.h
 *  Softmax and its logarithm along an axis.
 *
 *  Floats of any dtype and any strides; out has x's dtype and shape, and may be x. f16, bf16 and f8 are computed in f32
 *  and rounded once. The greatest element is taken out of every exponent, so that nothing overflows.
 *
 *  Edges. A row with a NaN or with +inf, and a row of nothing but -inf, gives NaN in every element, as the definition
 *  (and NumPy's and PyTorch's arithmetic) has it: mask with a large negative number where a row may be masked whole.
 * -inf beside numbers is probability 0. What is 87 (f64: 708) or more below the greatest element of its row counts as
 *  probability 0: less than the least normal number. An axis of length 0 gives an output without elements.
 *
 *  Same bits for any number of threads, any strides, and on all machines with fused multiply-add.
 *
 *  Temporary memory is needed where a row is not contiguous in its compute type: an axis that is not the
 *  innermost, or a dtype smaller than f32. */
#ifndef TESSERA_SOFTMAX_H
#define TESSERA_SOFTMAX_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** e^x / Σ e^x along axis. An element that is d below the greatest of its row is within 4 + d/2 ULP (f32), beside the
 *  rounding of the sum. */
TSR_API TSR_MUST_USE tsr_status tsr_softmax(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out);

/** log(softmax(x)) along axis, without the underflow: x - max - log Σ e^(x - max). */
TSR_API TSR_MUST_USE tsr_status tsr_log_softmax(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
