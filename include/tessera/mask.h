/** @file mask.h
 *  Masks: which elements are meant, as bools. Filling them, picking them, and where they are.
 *
 *  mask is bool (TSR_EDTYPE; compare with 0 for another dtype) and broadcasts to in's shape: TSR_ESHAPE. Elements are
 *  counted in row-major order, whatever the strides. Outputs are as in ops.h and may overlap every input; where in and
 *  out are the same view, elements that are not meant keep their values. Every dtype can be moved.
 *
 *  Temporary memory is a bit for each element (tsr_masked_fill needs none), and a copy of what is not contiguous in
 *  row-major order. */
#ifndef TESSERA_MASK_H
#define TESSERA_MASK_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** in, with value where mask is true: NumPy's in[mask] = value. TSR_ERANGE when value does not fit the dtype. */
TSR_API TSR_MUST_USE tsr_status tsr_masked_fill(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *mask,
                                                tsr_real value, tsr_tensor *out);

/** in, with the elements of src one after another where mask is true: NumPy's in[mask] = src. src has in's dtype, any
 *  shape, and at least as many elements as mask has true ones (TSR_ESHAPE); those past them are not used. */
TSR_API TSR_MUST_USE tsr_status tsr_masked_scatter(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *mask,
                                                   const tsr_tensor *src, tsr_tensor *out);

/** The elements where mask is true, as a vector: NumPy's in[mask], a copy. */
TSR_API TSR_MUST_USE tsr_status tsr_masked_select(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *mask,
                                                  tsr_tensor *out);

/** Where x is not 0 (NaN is not): [n, rank], the indices of one element a row, i64 (i32 where tsr_index has 32 bits).
 *  The columns are what NumPy's nonzero gives, one by one; how many there are is tsr_count_nonzero. */
TSR_API TSR_MUST_USE tsr_status tsr_nonzero(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

/** tsr_nonzero with room for capacity rows, so that its size does not depend on data: it can be recorded, and on a device
 *  it does not wait. Where x has fewer elements that are not 0, the rows behind them are -1; where it has more, those
 *  behind the first capacity are left out. count (0-D, of out's dtype; NULL: not wanted) is how many x has. capacity is
 *  not negative (TSR_EARG). */
TSR_API TSR_MUST_USE tsr_status tsr_nonzero_within(tsr_ctx *ctx, const tsr_tensor *x, tsr_index capacity,
                                                   tsr_tensor *out, tsr_tensor *count);

/** tsr_masked_select with room for capacity elements, as tsr_nonzero_within; the elements behind those that are there are 0. */
TSR_API TSR_MUST_USE tsr_status tsr_masked_select_within(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *mask,
                                                         tsr_index capacity, tsr_tensor *out, tsr_tensor *count);

#ifdef __cplusplus
}
#endif

#endif
