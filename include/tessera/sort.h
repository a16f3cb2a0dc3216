/** @file sort.h
 *  Sorting and searching: sort, argsort, the k greatest, partitions, quantiles, different values, positions in
 *  sorted values, counts and histograms.
 *
 *  All take bool, integers and floats (f16, bf16 and f8 too); complex dtypes are refused (TSR_EDTYPE). An order
 *  is that of the values: -0 and 0 are equal, and NaN, whatever its sign, comes last, in ascending and in
 *  descending order. Elements are moved as they are: a -0 stays one, a NaN keeps its bits. Equal elements stay in
 *  the order of their indices.
 *
 *  axis is one of x's, a negative one counted from the end: TSR_EAXIS; a tensor of rank 0 has none, as in NumPy.
 *  For all elements, tsr_reshape x before. Outputs as in <tessera/ops.h>: any strides, in place where dtype and
 *  shape allow it. Indices are i64, i32 where tsr_index has 32 bits. Results are the same bits on every instruction
 *  set and for every number of threads. The lines along an axis are spread over threads; where they are long and fewer than
 *  threads, sort, argsort and unique share the work on each.
 *
 *  Temporary memory is needed by all of them, of the order of a line for each thread: TSR_ESCRATCH, TSR_ENOMEM. */
#ifndef TESSERA_SORT_H
#define TESSERA_SORT_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- sorting ---- */

/** The elements along axis in order. Stable. */
TSR_API TSR_MUST_USE tsr_status tsr_sort(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool descending, tsr_tensor *out);

/** The indices along axis that put the elements in order: tsr_gather of x with them is tsr_sort. Stable. */
TSR_API TSR_MUST_USE tsr_status tsr_argsort(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool descending,
                                            tsr_tensor *out);

/** The k greatest elements along axis (largest), or the k least, and their indices: the first k of the sorted
 *  order, so that of equal ones the first are taken and NaN is taken last. sorted: best first; else in the order of
 *  their indices. The result is x's shape with k along axis. values or index may be NULL, not both. TSR_EARG when
 *  axis has fewer than k. */
TSR_API TSR_MUST_USE tsr_status tsr_topk(tsr_ctx *ctx, const tsr_tensor *x, tsr_index k, int axis, bool largest,
                                         bool sorted, tsr_tensor *values, tsr_tensor *index);

/** The elements along axis, with the one at place where the sorted order has it: those before it are not greater and
 *  those behind it not less. The lesser, the equal and the greater ones are each in the order of their indices. A
 *  negative place counts from the end: TSR_EINDEX. */
TSR_API TSR_MUST_USE tsr_status tsr_partition(tsr_ctx *ctx, const tsr_tensor *x, tsr_index place, int axis,
                                              tsr_tensor *out);

/** The indices that make the partition. */
TSR_API TSR_MUST_USE tsr_status tsr_argpartition(tsr_ctx *ctx, const tsr_tensor *x, tsr_index place, int axis,
                                                 tsr_tensor *out);

/* ---- quantiles ---- */

/** What a quantile is where it falls between two elements: the methods of NumPy with these names. */
typedef enum tsr_interpolation {
  TSR_INTERPOLATE_LINEAR = 0,   /**< in proportion */
  TSR_INTERPOLATE_LOWER = 1,    /**< the lesser one */
  TSR_INTERPOLATE_HIGHER = 2,   /**< the greater one */
  TSR_INTERPOLATE_MIDPOINT = 3, /**< the middle of both */
  TSR_INTERPOLATE_NEAREST = 4   /**< the nearer one; in the middle the one with the even index */
} tsr_interpolation;

/** The element at q·(n - 1) of the n sorted elements along the axes (`0, NULL`: of all), for q from 0 to 1 (else
 *  TSR_EARG). keepdims leaves the axes with length 1. NaN where there is a NaN. LOWER, HIGHER and
 *  NEAREST give x's dtype, the others floats their own and integers that of tsr_mean; these are computed as a tsr_real
 *  and rounded once. A zero may lose its sign. Of nothing: TSR_ESHAPE. */
TSR_API TSR_MUST_USE tsr_status tsr_quantile(tsr_ctx *ctx, const tsr_tensor *x, tsr_real q, int naxes, const int *axes,
                                             bool keepdims, tsr_interpolation mode, tsr_tensor *out);

/** tsr_quantile for count numbers at once, along a new first axis of the result. */
TSR_API TSR_MUST_USE tsr_status tsr_quantiles(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_real *q,
                                              int naxes, const int *axes, bool keepdims, tsr_interpolation mode,
                                              tsr_tensor *out);

/** The quantile of a half, in proportion. */
TSR_API TSR_MUST_USE tsr_status tsr_median(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                                           tsr_tensor *out);

/** tsr_quantile of the elements that are not NaN; NaN where all are. */
TSR_API TSR_MUST_USE tsr_status tsr_nanquantile(tsr_ctx *ctx, const tsr_tensor *x, tsr_real q, int naxes,
                                                const int *axes, bool keepdims, tsr_interpolation mode,
                                                tsr_tensor *out);

/** tsr_median of the elements that are not NaN; NaN where all are. */
TSR_API TSR_MUST_USE tsr_status tsr_nanmedian(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes,
                                              bool keepdims, tsr_tensor *out);

/* ---- different values ---- */

/** The different values of all of x, in ascending order, as a vector; all NaN count as one. Outputs that are NULL are
 *  not made; one at least is wanted:
 *    values   of x's dtype; of several zeros or NaN the first one in row-major order
 *    index    where each value is first in x, counted in row-major order
 *    inverse  of x's shape: which of the values each element is
 *    counts   how often each value occurs
 *  A given output must have the length of the result: TSR_ESHAPE says what that is. */
TSR_API TSR_MUST_USE tsr_status tsr_unique(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *values, tsr_tensor *index,
                                           tsr_tensor *inverse, tsr_tensor *counts);

/** tsr_unique with room for capacity values, so that its size does not depend on data: it can be recorded, and on a device it
 *  does not wait. values and counts have that length; behind the values that there are they are 0, and where there are more,
 *  those behind the first capacity are left out. inverse is that of tsr_unique: it may be capacity or more then. count (0-D, of
 *  inverse's dtype) is how many different values x has. Outputs that are NULL are not made; one at least is wanted. capacity is
 *  not negative (TSR_EARG). */
TSR_API TSR_MUST_USE tsr_status tsr_unique_within(tsr_ctx *ctx, const tsr_tensor *x, tsr_index capacity,
                                                  tsr_tensor *values, tsr_tensor *inverse, tsr_tensor *counts,
                                                  tsr_tensor *count);

/* ---- searching ---- */

/** Where each of values belongs in sorted, a vector of the same dtype in ascending order: the first place that
 *  keeps the order, or with right the last one. sorter may be NULL, or indices of any integer dtype that put sorted
 *  in order, as tsr_argsort gives them (TSR_EINDEX). The result has the shape of values. Whether sorted is in order
 *  is not checked; if it is not, the places mean nothing, but are from 0 to its length. */
TSR_API TSR_MUST_USE tsr_status tsr_searchsorted(tsr_ctx *ctx, const tsr_tensor *sorted, const tsr_tensor *values,
                                                 bool right, const tsr_tensor *sorter, tsr_tensor *out);

/* ---- counting ---- */

/** How often each number 0, 1, 2 … occurs in x, of bool or integers of any shape, none negative (TSR_EINDEX). The
 *  result has one count for each number up to the greatest, and at least minlength. With weights (x's shape; else
 *  NULL) it is the sum of the weights of each number: f64, f32 where there is none, added in row-major order. */
TSR_API TSR_MUST_USE tsr_status tsr_bincount(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *weights,
                                             tsr_index minlength, tsr_tensor *out);

/** How many elements of x lie in each of bins intervals of equal width, and the bins + 1 edges between them. range
 *  is the first and the last edge; NULL: the least and the greatest element, which must be finite (TSR_ERANGE).
 *  Interval i has edge i and not edge i + 1, the last one has both; elements outside, and NaN, are not counted.
 *  Edges have the dtype of tsr_mean, and decide as they are there. Elements are compared as tsr_real. counts or
 *  edges may be NULL, not both. */
TSR_API TSR_MUST_USE tsr_status tsr_histogram(tsr_ctx *ctx, const tsr_tensor *x, tsr_index bins, const tsr_real *range,
                                              tsr_tensor *counts, tsr_tensor *edges);

#ifdef __cplusplus
}
#endif

#endif
