/** @file einsum.h
 *  Sums of products by label: einsum, and what is a case of it: tensordot, inner, vdot; kron, trace, cross.
 *
 *  Dtypes. The inputs promote (tsr_dtype_promote), the result has that dtype, complex ones too. f16, bf16 and f8 are
 *  computed in f32, and rounded once, at the end; integers are exact modulo 2^bits; a product of bool is "and", a sum
 * of bool is "or". tsr_trace adds as tsr_sum does: its integers become i64 or u64.
 *
 *  Accuracy. What is summed is a matrix product (matmul.h) or a sum (reduce.h), with their bounds, for the real and the
 *  imaginary part of complex numbers alike. The same bits for any number of threads on one instruction set (class C);
 *  integers everywhere.
 *
 *  Memory. Operands are read where they lie where their strides allow it, and else copied; copies, intermediate results
 *  and what products need come from the context's scratch or its allocator. Outputs as in ops.h: allocated, given, in
 *  place, overlapping; when a function fails, no output has changed. */
#ifndef TESSERA_EINSUM_H
#define TESSERA_EINSUM_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most operands of tsr_einsum: 16, and 8 where tensors have 4 axes. */
#define TSR_EINSUM_OPERANDS (2 * TSR_MAX_DIMS)

/** Einstein's sum of n operands by an equation as NumPy writes it: `"ij,jk->ik"` is a matrix product.
 *
 *  Each operand has a label for each of its axes, a letter `A` … `Z` or `a` … `z`, and commas between operands. After
 *  `->` come the labels of the result, none twice; whatever is not named there is summed. Without `->` the result has
 *  the labels that occur once, capital letters first. A label twice in one operand is the diagonal of those axes.
 *  `...` stands for axes without labels, which broadcast as those of tsr_add do, counted from the last; without `->`
 *  they come first in the result, with it `...` says where. An axis of length 1 repeats where its label is longer
 *  elsewhere. Spaces mean nothing.
 *
 *  Labels that are in one operand only are summed first; then two operands at a time are multiplied, as matrices: of
 *  three, the pair that makes the fewest multiplications in all comes first, and of more the pair whose product is
 *  smallest against its factors. No product of two on the way may have more than TSR_MAX_DIMS labels
 *  (TSR_EUNSUPPORTED).
 *
 *  TSR_EARG when the equation is wrong, and the message names the byte; TSR_ESHAPE when it does not fit the operands:
 *  `einsum: label 'j' is 4 in operand 0 and 5 in operand 1`. */
TSR_API TSR_MUST_USE tsr_status tsr_einsum(tsr_ctx *ctx, int n, const tsr_tensor *const *in, const char *equation,
                                           tsr_tensor *out);

/** Sums of products over naxes axes of a and of b: axes_a[i] of a with axes_b[i] of b, of one length. Both lists NULL:
 *  the last naxes of a with the first of b. The result has the other axes of a, then those of b. */
TSR_API TSR_MUST_USE tsr_status tsr_tensordot(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, int naxes,
                                              const int *axes_a, const int *axes_b, tsr_tensor *out);

/** Sums of products over the last axes of both: [..., N] by [..., N] gives the other axes of a, then those of b. One of
 *  rank 0 multiplies every element of the other. */
TSR_API TSR_MUST_USE tsr_status tsr_inner(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);

/** The sum of all products of conjugated elements of a with those of b, both in row-major order: rank 0. The shapes may
 *  differ, the number of elements may not. */
TSR_API TSR_MUST_USE tsr_status tsr_vdot(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);

/** Kronecker's product: b, multiplied by every element of a, in the place of that element. [M,N] and [P,Q] give
 *  [M·P,N·Q]; the one of lower rank counts as having leading axes of length 1. Of a's and b's axes together,
 *  at most TSR_MAX_DIMS may have another length than 1 (TSR_EUNSUPPORTED). */
TSR_API TSR_MUST_USE tsr_status tsr_kron(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);

/** The sum along the diagonal of two axes that starts offset columns to the right (negative: rows down); the other axes
 *  stay. Dtypes and order of additions of tsr_sum; complex numbers too. */
TSR_API TSR_MUST_USE tsr_status tsr_trace(tsr_ctx *ctx, const tsr_tensor *x, tsr_index offset, int axis0, int axis1,
                                          tsr_tensor *out);

/** The product of vectors of 3 along axis of both, which may lie elsewhere in each; the other axes broadcast. The
 *  vectors of the result lie along the axis of the same number, counted from the end when axis is negative. Vectors of
 * 2 in both give the third component alone, without the axis. */
TSR_API TSR_MUST_USE tsr_status tsr_cross(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, int axis,
                                          tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
