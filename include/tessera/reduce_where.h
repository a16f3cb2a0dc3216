/** @file reduce_where.h
 *  Reductions over some of the elements: those that a mask chooses, those that are not NaN, or both.
 *
 *      tsr_selection numbers = {.skip_nan = true};
 *      st = tsr_mean_where(ctx, &x, &numbers, 1, (int[]){0}, false, &mean);     // NumPy's nanmean(x, axis=0)
 *
 *      tsr_selection some = {.where = &mask};
 *      st = tsr_sum_where(ctx, &x, &some, 0, NULL, false, &sum);                // NumPy's sum(x, where=mask)
 *
 *  NumPy's nansum, nanprod, nanmean, nanvar, nanstd, nanmin, nanmax, nanargmin and nanargmax are the functions here
 *  with skip_nan; nanmedian and nanquantile are in sort.h. Axes, keepdims, dtypes, outputs and failures are those of
 *  reduce.h, and so is the order of additions: an element that is not chosen stands in its place as one that changes
 *  nothing (0 in a sum, 1 in a product), so that the bits are the same on every instruction set, thread count and run,
 *  and those of the plain function when all are chosen.
 *
 *  Temporary memory is a copy of x in the type that is computed in (f64 for tsr_var_where and tsr_std_where, f32 where
 *  there is none), and a number or two a result. */
#ifndef TESSERA_REDUCE_WHERE_H
#define TESSERA_REDUCE_WHERE_H

#include <tessera/reduce.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which elements count. {0}, or NULL in its place, is all of them. */
typedef struct tsr_selection {
  const tsr_tensor *where;       /**< bool, and broadcasts to x's shape: TSR_EDTYPE, TSR_ESHAPE; NULL: everywhere */
  bool skip_nan;                 /**< NaN do not count; integers have none */
  bool has_initial;              /**< for sums, products, least and greatest: initial counts too, once a result */
  tsr_real initial;              /**< TSR_ERANGE when it does not fit the result's dtype */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_selection;

/** The sum. Of nothing: 0. */
TSR_API TSR_MUST_USE tsr_status tsr_sum_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection,
                                              int naxes, const int *axes, bool keepdims, tsr_tensor *out);

/** The product. Of nothing: 1. */
TSR_API TSR_MUST_USE tsr_status tsr_prod_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection,
                                               int naxes, const int *axes, bool keepdims, tsr_tensor *out);

/** The mean. Of nothing: NaN. */
TSR_API TSR_MUST_USE tsr_status tsr_mean_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection,
                                               int naxes, const int *axes, bool keepdims, tsr_tensor *out);

/** The variance: over the number of elements that count, less ddof, or over 0 where ddof is more. With skip_nan, where
 *  ddof is as many or more: NaN. */
TSR_API TSR_MUST_USE tsr_status tsr_var_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection,
                                              int naxes, const int *axes, bool keepdims, int ddof, tsr_tensor *out);

/** The standard deviation: the square root of the variance. */
TSR_API TSR_MUST_USE tsr_status tsr_std_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection,
                                              int naxes, const int *axes, bool keepdims, int ddof, tsr_tensor *out);

/** The least element. A mask needs has_initial (TSR_EARG), as in NumPy: there may be no element that counts. Without a
 *  mask, where all are NaN: NaN. */
TSR_API TSR_MUST_USE tsr_status tsr_min_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection,
                                              int naxes, const int *axes, bool keepdims, tsr_tensor *out);

/** The greatest element; else as tsr_min_where. */
TSR_API TSR_MUST_USE tsr_status tsr_max_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection,
                                              int naxes, const int *axes, bool keepdims, tsr_tensor *out);

/** Whether any element that counts is not 0. */
TSR_API TSR_MUST_USE tsr_status tsr_any_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection,
                                              int naxes, const int *axes, bool keepdims, tsr_tensor *out);

/** Whether no element that counts is 0. */
TSR_API TSR_MUST_USE tsr_status tsr_all_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection,
                                              int naxes, const int *axes, bool keepdims, tsr_tensor *out);

/** How many elements that count are not 0. */
TSR_API TSR_MUST_USE tsr_status tsr_count_nonzero_where(tsr_ctx *ctx, const tsr_tensor *x,
                                                        const tsr_selection *selection, int naxes, const int *axes,
                                                        bool keepdims, tsr_tensor *out);

/** The index of the least element that counts, in x. TSR_ESHAPE names the first result for which none does. */
TSR_API TSR_MUST_USE tsr_status tsr_argmin_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection,
                                                 int axis, bool keepdims, tsr_tensor *out);

/** The index of the greatest element that counts, in x; else as tsr_argmin_where. */
TSR_API TSR_MUST_USE tsr_status tsr_argmax_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection,
                                                 int axis, bool keepdims, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
