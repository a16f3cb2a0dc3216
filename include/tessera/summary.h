/** @file summary.h
 *  What is in a tensor, and how two differ: each in one pass over the elements, on the context's threads.
 *
 *  f16, bf16, f8, bool and integers up to 16 bits are looked at as f32, other dtypes as f64 (where there is none, as
 *  f32): 64-bit integers are rounded to it. The same bits on every instruction set, thread count and run, for a view as
 *  for its contiguous copy. No memory is taken. Complex dtypes are refused (TSR_EDTYPE): see tsr_complex_part. */
#ifndef TESSERA_SUMMARY_H
#define TESSERA_SUMMARY_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a tensor holds. */
typedef struct tsr_summary {
  int64_t count; /**< elements */
  int64_t zeros; /**< of both signs */
  int64_t nans;
  int64_t infs; /**< of both signs */
  tsr_real min; /**< of the finite elements, as the three below; NaN when there is none */
  tsr_real max;
  tsr_real mean;
  tsr_real std; /**< the population's standard deviation */
} tsr_summary;

/** Summarises a tensor. Mean and deviation come from sums around an element of each block, joined block by block, so
 *  that a mean that is large beside the deviation does not spoil it: both are within 1e-11 of the exact deviation where
 *  tsr_real is a double and the mean not more than a million times as large. */
TSR_API TSR_MUST_USE tsr_status tsr_summarize(tsr_ctx *ctx, const tsr_tensor *x, tsr_summary *summary);

/** How two tensors differ. */
typedef struct tsr_difference {
  int64_t count;    /**< pairs of elements */
  int64_t unequal;  /**< those that are not close */
  int64_t first;    /**< the number of the first of them in row-major order; -1 */
  int64_t nans;     /**< those with a NaN on one side only */
  tsr_real max_abs; /**< the greatest |a - b|; pairs with a NaN left out, here and below */
  tsr_real max_rel; /**< the greatest |a - b|/|b|; infinite where b alone is 0 */
  uint64_t max_ulp; /**< floats of one dtype: how many numbers of it lie between the two, at the most; of two dtypes:
                         numbers of f32, or of f64 where one of them is f64; 0 where one is no float */
} tsr_difference;

/** Compares two tensors of one shape (TSR_ESHAPE), whatever their dtypes. A pair is close when |a - b| ≤ atol +
 *  rtol·|b|, when both are the same infinity, and when both are NaN. Two integers of one 64-bit dtype are compared
 *  exactly. rtol and atol must be ≥ 0. */
TSR_API TSR_MUST_USE tsr_status tsr_compare(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_real rtol,
                                            tsr_real atol, tsr_difference *difference);

#ifdef __cplusplus
}
#endif

#endif
