/* What losses share: compensated sums. */
#ifndef TSR_CUDA_ENGINES_LOSS_H
#define TSR_CUDA_ENGINES_LOSS_H

#include "cuda/engines/reduce.h"

/* Text of a sum and what rounding took from it, as the host's: the order of additions hardly shows then. */
extern const char tsr__cuda_pairs[];

/* The sum of f64 values over count, into one number. */
tsr_status tsr__cuda_plan_total(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *each, double count,
                                const tsr__cuda_view *out, tsr__cuda_plan *plan);

/* x (N, C, …) at the class of each row; 0 where that is ignored: move.c. */
tsr_status tsr__cuda_plan_classes(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *x, const tsr__cuda_view *classes,
                                  int64_t ignored, const tsr__cuda_view *out, tsr__cuda_plan *plan);

#endif
