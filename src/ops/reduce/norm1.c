#include "ops/reduce/ops.h"

/* A sum of absolute values has no sign, not even that of nothing. */
static void finish_norm1(const tsr__reduce_terms *terms, tsr_index n, void *values, const void *param) {
  tsr__reduce_real *const v = values;
  (void)terms, (void)param;
  for (tsr_index i = 0; i < n; i++) v[i] += (tsr__reduce_real)0;
}

static const tsr__reduce_op norm1_op = {&tsr__op_norm1,
                                        TSR__REDUCE_REALS,
                                        TSR__NEUTRAL_ZERO,
                                        false,
                                        .pass = {{TSR__KERNELS_OF(magnitude), finish_norm1}},
                                        .complex_way = TSR__COMPLEX_SIZES};
TSR__REDUCE_FUNCTION(norm1) /* tsr_norm1 */
