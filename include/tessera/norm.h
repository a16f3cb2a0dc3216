/** @file norm.h
 *  Normalisation: layer, RMS, batch (with known statistics), instance and group norm.
 *
 *  out = (x - mean) / √(variance + eps) · scale + bias. scale and bias may be NULL: 1 and 0. x is of any float dtype
 * and any strides; out has its dtype and shape, and may be x. scale, bias and statistics are floats of any dtype. f16,
 * bf16 and f8 are computed in f32 and rounded once. eps is 0 or more.
 *
 *  Which axis is the channel says the layout tag; PLAIN means [N,C], [N,C,L], [N,C,H,W] … (channels first), and NLC,
 * NHWC and NDHWC are channels last.
 *
 *  The variance is that of the population (over N, not N - 1), summed around a number near the mean, so that a large
 * mean costs no digits. A row with NaN or an infinity gives NaN. Same bits for any number of threads, any strides, and
 * on all machines with fused multiply-add.
 *
 *  Temporary memory is needed where what is normalised together is not contiguous in its compute type, and for
 *  scale and bias that do not. */
#ifndef TESSERA_NORM_H
#define TESSERA_NORM_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Normalises over the axes from axis to the last, together. scale and bias have the shape of these axes. */
TSR_API TSR_MUST_USE tsr_status tsr_layer_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale,
                                               const tsr_tensor *bias, int axis, tsr_real eps, tsr_tensor *out);

/** x / √(mean of x² + eps) · scale over the axes from axis to the last. Squares of f32 beyond 1.8e19 overflow. */
TSR_API TSR_MUST_USE tsr_status tsr_rms_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale, int axis,
                                             tsr_real eps, tsr_tensor *out);

/** Every channel with its own known mean and variance: scale, bias, mean and variance are [C]. */
TSR_API TSR_MUST_USE tsr_status tsr_batch_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale,
                                               const tsr_tensor *bias, const tsr_tensor *mean,
                                               const tsr_tensor *variance, tsr_real eps, tsr_tensor *out);

/** Every channel of every sample by itself, over its other axes; scale and bias are [C]. */
TSR_API TSR_MUST_USE tsr_status tsr_instance_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale,
                                                  const tsr_tensor *bias, tsr_real eps, tsr_tensor *out);

/** Every group of C / groups neighbouring channels of every sample together; scale and bias are [C]. */
TSR_API TSR_MUST_USE tsr_status tsr_group_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale,
                                               const tsr_tensor *bias, int groups, tsr_real eps, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
