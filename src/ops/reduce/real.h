/* Means, deviations, norms: reductions whose results are floats whatever the input. */
#ifndef TSR_OPS_REDUCE_REAL_H
#define TSR_OPS_REDUCE_REAL_H

#include "ops/reduce/reduce.h"

/* tsr__reduce_begin, the dtype check, and the dtypes of a real op. */
tsr_status tsr__reduce_begin_real(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int naxes, const int *axes,
                                  bool keepdims, tsr__reduce *r);

/* Sums over their count. */
static inline void tsr__reduce_finish_mean(const tsr__reduce_terms *terms, tsr_index n, void *values,
                                           const void *param) {
  tsr__reduce_real *const v = values;
  (void)param;
  for (tsr_index i = 0; i < n; i++) v[i] /= (tsr__reduce_real)terms->count;
}

/* The ddof of var and std. */
static inline tsr_status tsr__reduce_check_ddof(tsr_ctx *ctx, const char *op, int ddof) {
  return ddof >= 0 ? TSR_OK : TSR__FAIL(ctx, TSR_EARG, op, "ddof", "is %d, which is not 0 or more", ddof);
}

static inline tsr__reduce_real tsr__reduce_root(tsr__reduce_real x) {
#if TSR_HAVE_F64
  return __builtin_sqrt(x);
#else
  return __builtin_sqrtf(x);
#endif
}

#endif
