/** @file dense.h
 *  Dense (linear, fully connected) layers: activation(x·wᵀ + bias).
 *
 *  x is [..., F], w [O,F] with one row an output (PyTorch's order), bias [O], out [..., O]. One dtype for all, any that
 *  tsr_matmul takes; or weights of f16, bf16 or i8 where the rest is f32, which are read as narrow as they are; what matmul.h says of sums, accuracy, threads and memory holds here. For weights that are used
 * again and again, pack the transpose once (tsr_transpose, then tsr_pack) and call tsr_matmul_packed with bias and
 * activation in its attributes: that is the same layer.
 *
 *      st = tsr_dense(ctx, &x, &w, &bias, &(tsr_activation){.kind = TSR_RELU}, &y);
 *      st = tsr_dense(ctx, &x, &w, NULL, NULL, &y);                                   // x·wᵀ alone
 *
 *  Weights of 8 bits with a scale for each output are tsr_gemm, or tsr_matmul_packed, of the transpose, with the scales in the
 *  options. */
#ifndef TESSERA_DENSE_H
#define TESSERA_DENSE_H

#include <tessera/matmul.h>

#ifdef __cplusplus
extern "C" {
#endif

/** activation(x·wᵀ + bias); bias and activation may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_dense(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w,
                                          const tsr_tensor *bias, const tsr_activation *activation, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
