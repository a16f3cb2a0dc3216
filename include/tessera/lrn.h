/** @file lrn.h
 *  Local response normalisation, across channels. */
#ifndef TESSERA_LRN_H
#define TESSERA_LRN_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** x / (bias + alpha/size · Σ x²)^beta, the sum over the size channels around each one, those that are there: from
 *  c - (size - 1)/2, rounded down, on, as ONNX's LRN defines it. PyTorch's local_response_norm is the same for odd
 *  sizes; for even ones its windows begin a channel earlier. Usual: alpha 1e-4, beta 0.75, bias 1.
 *
 *  x is [N,C,L] or [N,C,H,W] (PLAIN, NCL, NCHW) or channels last (NLC, NHWC), of any float dtype and any strides; out
 *  has its dtype, shape and tag. f16, bf16 and f8 are computed in f32 and rounded once. Accuracy: that of the C
 *  library's pow and size + 4 roundings; the same bits for any strides and number of threads (class B). A negative base
 *  gives NaN.
 *
 *  A size below 1, an attribute that is not finite: TSR_EARG. out may be x; temporary memory is needed only where they
 *  overlap, also in place. */
TSR_API TSR_MUST_USE tsr_status tsr_lrn(tsr_ctx *ctx, const tsr_tensor *x, tsr_index size, tsr_real alpha,
                                        tsr_real beta, tsr_real bias, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
