/** @file matmul.h
 *  Matrix products: any strides and transposes as they lie, batches, fused additions and activations, packed weights.
 *
 *  Shapes by NumPy's rules. The last two axes are matrices, [..., M, K] by [..., K, N] gives [..., M, N]; the axes
 * before them broadcast. A 1-D a counts as one row and a 1-D b as one column, and that axis is not in the result. Rank
 * 0 is refused (TSR_ESHAPE). With K = 0 the products are 0. Transposes are views: tsr_matmul takes them, and tsr_mat's,
 * as they are.
 *
 *  Dtypes. The inputs promote (tsr_dtype_promote), the result has that dtype. f32 and f64 add up in themselves; f16,
 * bf16 and f8 in f32, rounded once at the end; integers are exact modulo 2^bits; c64 adds up in c64, c128 in c128, four products of
 *  parts for one. Bool is refused (TSR_EDTYPE), and complex numbers by builds without malloc, packed weights and activations.
 *  tsr_gemm can give another dtype of the same kind: i32 of i8 by i8 or u8 by i8, f32 of bf16, c128 of c64.
 *
 *  Narrow weights. f32 by f16, bf16 or i8 gives f32, and so does the reverse. Weights become f32 in registers: they are read, and packed,
 *  as narrow as they are. Sums are those of the converted weights to the bit. Weights of 8 bits with a scale for each output:
 *
 *      st = tsr_gemm(ctx, 1, &x, &w, 0, NULL, &(tsr_gemm_options){.scale = &scales, .bias = &bias}, &y);
 *
 *  Accuracy. For floats each element is a sum of K products, with or without fused multiply-add, in an order that
 * shapes, dtypes, the instruction set, the strides of the inputs and of the output, and whether weights are packed
 * decide: a transposed view and its copy, or an output with gaps, can give other last bits. |error| ≤ K·u·Σ|a·b| / (1 - K·u), u = 2^-24 for f32 and smaller floats, 2^-53
 * for f64; then one rounding to the result's dtype. bf16 by the processor's dot instruction also takes subnormal inputs
 * and results for 0. NaN and infinities go through: 0·NaN is NaN, also where the other factor is 0 throughout.
 *
 *  The same bits for the same call with any number of threads on one machine and instruction set (class C); integers
 *  everywhere, however they lie.
 *
 *  Memory. Beyond small blocks, operands are copied only into blocks for the caches, from the context's scratch or its
 *  allocator: a dry run says how many bytes (tsr_context_init_dry). Outputs as in ops.h: allocated, given, in place,
 *  overlapping. */
#ifndef TESSERA_MATMUL_H
#define TESSERA_MATMUL_H

#include <tessera/activation.h>
#include <tessera/isa.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What tsr_gemm does besides: a bias, an activation, another dtype. All zero is none of it. */
typedef struct tsr_gemm_options {
  const tsr_tensor *bias;    /**< NULL: none. Broadcasts to the result: [N] belongs to columns, [M,1] to rows */
  tsr_activation activation; /**< {0}: none; integers take relu only */
  uint8_t dtype;             /**< of the result; TSR_NONE: what the inputs promote to. Of the same kind: integers of
                                  integers, floats of floats, complex ones of complex ones */
  const tsr_tensor
      *scale; /**< NULL: none. Multiplies sums of floats, before c and bias are added: [N] is a number for each
                                  column, as weights of 8 bits have them. Broadcasts to the result */
  size_t reserved[TSR_RESERVED - 1]; /**< 0: room for what later versions add */
} tsr_gemm_options;

/** A matrix (b of a product) in the order that the kernels read: for multiplying by it again and again. It is made for
 * one instruction set (the context's) and is read by any context on a machine that has it. A plain struct, so that it
 * can lie in constant memory; all zero is empty. Builds without malloc multiply without packing: there tsr_pack and
 * what takes its result return TSR_EUNSUPPORTED. */
typedef struct tsr_packed {
  tsr_tensor panels; /**< the bytes, 1-D u8; empty: tsr_pack allocates them */
  tsr_index rows;    /**< K */
  tsr_index cols;    /**< N */
  uint8_t dtype;     /**< of the matrix */
  uint8_t a_dtype;   /**< of the a that it was packed for */
  uint8_t kernel;    /**< which kernel reads it, and how wide its panels are: the library's own number */
  uint8_t isa;       /**< a tsr_isa_id; one that is not here is refused with TSR_EUNSUPPORTED: pack again */
} tsr_packed;

/** a·b. */
TSR_API TSR_MUST_USE tsr_status tsr_matmul(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);

/** activation(scale·alpha·a·b + beta·c + bias); options may be NULL. c broadcasts to the result; it is not read where beta is 0,
 *  and NULL stands for what out holds, which must then be given. c and bias are computed with in the type that the product
 *  is summed in. Integers take 1 for alpha, and 0 or 1 for beta. */
TSR_API TSR_MUST_USE tsr_status tsr_gemm(tsr_ctx *ctx, tsr_real alpha, const tsr_tensor *a, const tsr_tensor *b,
                                         tsr_real beta, const tsr_tensor *c, const tsr_gemm_options *options,
                                         tsr_tensor *out);

/** The sum of products of two 1-D tensors of one length: rank 0. */
TSR_API TSR_MUST_USE tsr_status tsr_dot(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);

/** All products of two 1-D tensors: [M] by [N] gives [M,N]. Each is one tsr_mul, and what that takes, bool too, this does. */
TSR_API TSR_MUST_USE tsr_status tsr_outer(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);

/** Matrices by vectors: [..., M, N] by [..., N] gives [..., M]; the leading axes broadcast. */
TSR_API TSR_MUST_USE tsr_status tsr_matvec(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *x, tsr_tensor *out);

/* ---- packed weights ---- */

/** Packs a matrix b of [K,N] (any strides: pack a transposed view to multiply by the transpose) for products with an a
 * of a_dtype (TSR_NONE: b's own). *packed is empty and is allocated, or its panels are given: 1-D u8 of
 *  tsr_pack_size bytes, aligned to TSR_DATA_ALIGN. */
TSR_API TSR_MUST_USE tsr_status tsr_pack(tsr_ctx *ctx, const tsr_tensor *b, int a_dtype, tsr_packed *packed);

/** The bytes that the panels of b take. */
TSR_API TSR_MUST_USE tsr_status tsr_pack_size(tsr_ctx *ctx, const tsr_tensor *b, int a_dtype, size_t *bytes);

/** Gives the memory back and leaves *packed empty. Fine on empty ones and NULL. */
TSR_API void tsr_packed_release(tsr_packed *packed);

/** a·b with a packed b: a is [..., M, K] or [K], of the dtype that b was packed for. options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_matmul_packed(tsr_ctx *ctx, const tsr_tensor *a, const tsr_packed *b,
                                                  const tsr_gemm_options *options, tsr_tensor *out);

/** tsr_gemm with a packed b. */
TSR_API TSR_MUST_USE tsr_status tsr_gemm_packed(tsr_ctx *ctx, tsr_real alpha, const tsr_tensor *a, const tsr_packed *b,
                                                tsr_real beta, const tsr_tensor *c, const tsr_gemm_options *options,
                                                tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
