/* Differences of two rows: kernels by compute dtype. */
#ifndef TSR_OPS_SUMMARY_DIFFERENCE_H
#define TSR_OPS_SUMMARY_DIFFERENCE_H

#include <tessera/tensor.h>
#include "cpu/isa.h"

typedef struct tsr__tolerance {
  tsr_real relative, absolute;
} tsr__tolerance;

/* What is known of some pairs. */
typedef struct tsr__difference_part {
  int64_t unequal, nans;
  tsr_real max_abs, max_rel;
  uint64_t max_ulp;
} tsr__difference_part;

typedef struct tsr__difference_kernel {
  /* Adds n contiguous pairs, at most 2^20 of them. */
  void (*add)(tsr__difference_part *part, const tsr__tolerance *within, tsr_index n, const void *a, const void *b);
  /* The number of the first pair that is not close; n when all are. */
  tsr_index (*first)(const tsr__tolerance *within, tsr_index n, const void *a, const void *b);
} tsr__difference_kernel;

/* By compute dtype: f32, f64, i64, u64. */
typedef const tsr__difference_kernel *const tsr__difference_table[TSR_DTYPE_COUNT];

/* The greatest distance of n pairs of floats of one or two bytes, by their bits, contiguous; NaN left out. */
typedef uint64_t tsr__distance_fn(tsr_index n, const void *a, const void *b, uint32_t infinity);

TSR__DECLARE_FOR_ISAS(tsr__difference_table, tsr__compare)
TSR__DECLARE_FOR_ISAS(tsr__distance_fn, tsr__distance8)
TSR__DECLARE_FOR_ISAS(tsr__distance_fn, tsr__distance16)

#endif
