/* Summaries: blocks of elements, each in lanes; blocks are joined in order. */
#ifndef TSR_OPS_SUMMARY_SUMMARY_H
#define TSR_OPS_SUMMARY_SUMMARY_H

#include <tessera/tensor.h>
#include "cpu/isa.h"

/* Lanes of a block, its elements, and those that are read at a time where they do not lie as they are wanted: on the
 * stack, as many bytes as it may hold. */
enum { TSR__SUMMARY_LANES = 16, TSR__SUMMARY_BLOCK = 4096, TSR__SUMMARY_ROOM = TSR_HAVE_MALLOC ? 4096 : 256 };

/* What is known of some elements: counts, and of the finite ones extremes, mean, and the sum of (x - mean)². */
typedef struct tsr__summary_part {
  int64_t finite, zeros, nans, infs;
  tsr_real min, max, mean, square;
} tsr__summary_part;

/* A block on its way. Sums are those of x - shift, with shift one of the block's elements. */
typedef struct tsr__summary_block {
  tsr_index count;
  int32_t finite, zeros, nans;
  bool shifted; /* a finite element was seen */
  tsr_real shift;
  tsr_real min, max;
  tsr_real sum[TSR__SUMMARY_LANES], square[TSR__SUMMARY_LANES];
} tsr__summary_block;

/* Adds n contiguous elements to a block; all calls but the last take whole groups of lanes. */
typedef void tsr__summary_fn(tsr__summary_block *block, tsr_index n, const void *x);

/* By compute dtype: f32 and f64. */
typedef tsr__summary_fn *const tsr__summary_table[TSR_DTYPE_COUNT];

TSR__DECLARE_FOR_ISAS(tsr__summary_table, tsr__summarize)

#endif
