/** @file view.h
 *  Views: other tensors over the same memory. None of them allocates or copies, and none touches an element.
 *
 *  Each rebinds *out, which may be the input; then it keeps the input's count. Any other *out must hold no count
 *  (TSR_ESTATE), so that none is lost. A view keeps TSR_READONLY, has no name, and keeps its layout tag only where said.
 *  A view of a described tensor is a described one, with those strides. Axes may be negative: -1 is the last. Where a function fails, *out is untouched. */
#ifndef TESSERA_VIEW_H
#define TESSERA_VIEW_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A bound left out: Python's x[:stop], x[start:], x[::-1]. */
#define TSR_OMIT TSR_INDEX_MIN

/** The whole tensor, borrowed. Keeps the layout. */
TSR_API TSR_MUST_USE tsr_status tsr_view(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out);

/** Every step-th index of one axis, start ≤ i < stop as in Python: negative bounds count from the end, bounds out of range
 *  are clipped, TSR_OMIT leaves one out, a negative step runs backwards. step 0 is refused. Keeps the layout, unless the
 *  axis is the block of a blocked one. */
TSR_API TSR_MUST_USE tsr_status tsr_slice(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_index start, tsr_index stop,
                                          tsr_index step, tsr_tensor *out);

/** length indices of one axis from start on, all of which must exist. Keeps the layout. */
TSR_API TSR_MUST_USE tsr_status tsr_narrow(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_index start,
                                           tsr_index length, tsr_tensor *out);

/** One index of an axis, which goes away. A negative index counts from the end. */
TSR_API TSR_MUST_USE tsr_status tsr_select(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_index index,
                                           tsr_tensor *out);

/** The axes in another order: axis i of the result is axis axes[i] of the input. */
TSR_API TSR_MUST_USE tsr_status tsr_permute(tsr_ctx *ctx, const tsr_tensor *in, const int *axes, tsr_tensor *out);

/** Two axes swapped. */
TSR_API TSR_MUST_USE tsr_status tsr_transpose(tsr_ctx *ctx, const tsr_tensor *in, int axis0, int axis1,
                                              tsr_tensor *out);

/** Repeats axes of length 1, and adds leading ones, until the shape is shape: NumPy's broadcasting, stride 0. Keeps the
 *  layout when the rank stays. */
TSR_API TSR_MUST_USE tsr_status tsr_broadcast_to(tsr_ctx *ctx, const tsr_tensor *in, int ndim, const tsr_index *shape,
                                                 tsr_tensor *out);

/** Drops an axis of length 1. */
TSR_API TSR_MUST_USE tsr_status tsr_squeeze(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_tensor *out);

/** Drops every axis of length 1. */
TSR_API TSR_MUST_USE tsr_status tsr_squeeze_all(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out);

/** Drops leading axes of length 1 while more than keep axes are left: [1,1,c] with keep 1 is [c]. */
TSR_API TSR_MUST_USE tsr_status tsr_squeeze_leading(tsr_ctx *ctx, const tsr_tensor *in, int keep, tsr_tensor *out);

/** Puts an axis of length 1 before axis; -1 puts it last. */
TSR_API TSR_MUST_USE tsr_status tsr_unsqueeze(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_tensor *out);

/** One axis backwards. Keeps the layout. */
TSR_API TSR_MUST_USE tsr_status tsr_flip(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_tensor *out);

/** The diagonal of two axes, offset columns to the right (negative: rows down), as a new last axis. An offset outside the
 *  matrix gives length 0. */
TSR_API TSR_MUST_USE tsr_status tsr_diagonal(tsr_ctx *ctx, const tsr_tensor *in, tsr_index offset, int axis0, int axis1,
                                             tsr_tensor *out);

/** Any shape and strides over the same memory, offset elements after the first. TSR_ECAPACITY when an index could leave
 *  the storage, or the present extent of borrowed memory. */
TSR_API TSR_MUST_USE tsr_status tsr_as_strided(tsr_ctx *ctx, const tsr_tensor *in, int ndim, const tsr_index *shape,
                                               const tsr_index *stride, tsr_index offset, tsr_tensor *out);

/** All windows of size indices of one axis, step apart, as a new last axis: [.., L, ..] gives [.., (L-size)/step+1, .., size]. */
TSR_API TSR_MUST_USE tsr_status tsr_sliding_window(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_index size,
                                                   tsr_index step, tsr_tensor *out);

/** The same bytes as another dtype. Between item sizes the last axis changes its length, and must have stride 1. Keeps the
 *  layout when the item sizes agree. */
TSR_API TSR_MUST_USE tsr_status tsr_bitcast(tsr_ctx *ctx, const tsr_tensor *in, int dtype, tsr_tensor *out);

/** The real (part 0) or imaginary (part 1) numbers of a complex tensor. Keeps the layout. */
TSR_API TSR_MUST_USE tsr_status tsr_complex_part(tsr_ctx *ctx, const tsr_tensor *in, int part, tsr_tensor *out);

/** Another shape of the same elements in row-major order, one dimension may be -1; TSR_ESTRIDE when that needs a copy. */
TSR_API TSR_MUST_USE tsr_status tsr_reshape_view(tsr_ctx *ctx, const tsr_tensor *in, int ndim, const tsr_index *shape,
                                                 tsr_tensor *out);

/** tsr_reshape_view with the elements counted in order, of the input and of the result alike: TSR_FORTRAN as NumPy's
 *  order='F', TSR_MEMORY without moving anything, the result row-major over the memory. */
TSR_API TSR_MUST_USE tsr_status tsr_reshape_view_ordered(tsr_ctx *ctx, const tsr_tensor *in, int ndim,
                                                         const tsr_index *shape, tsr_order order, tsr_tensor *out);

/** All elements as one axis, in row-major order; TSR_ESTRIDE when that needs a copy. */
TSR_API TSR_MUST_USE tsr_status tsr_flatten_view(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out);

/** The matrix of the last two axes at the given index of the ones before: n numbers, n = rank - 2. */
TSR_API TSR_MUST_USE tsr_status tsr_mat(tsr_ctx *ctx, const tsr_tensor *in, int n, const tsr_index *index,
                                        tsr_tensor *out);

/** The same memory with a layout tag on it (TSR_AUTO: by the rank). TSR_ELAYOUT when the rank does not fit. */
TSR_API TSR_MUST_USE tsr_status tsr_set_layout(tsr_ctx *ctx, const tsr_tensor *in, int layout, tsr_tensor *out);

/** The axes permuted to the order of another tag: strides change, bytes stay. A plain tensor counts as N, NC, NCL, NCHW or
 *  NCDHW. TSR_ELAYOUT when the tags do not have the same axes, or one is blocked. */
TSR_API TSR_MUST_USE tsr_status tsr_to_layout_view(tsr_ctx *ctx, const tsr_tensor *in, int layout, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
