#include "ops/reduce/ops.h"
#include "ops/reduce/real.h"

static void finish_norm2(const tsr__reduce_terms *terms, tsr_index n, void *values, const void *param) {
  tsr__reduce_real *const v = values;
  (void)terms, (void)param;
  for (tsr_index i = 0; i < n; i++) v[i] = tsr__reduce_root(v[i] + (tsr__reduce_real)0);
}

/* Of one part. */
static const tsr__reduce_op squares_op = {&tsr__op_norm2, TSR__REDUCE_REALS, TSR__NEUTRAL_ZERO, false,
                                          .pass = {{TSR__KERNELS_OF(sum_square), NULL}}};

static const tsr__reduce_op norm2_op = {&tsr__op_norm2,
                                        TSR__REDUCE_REALS,
                                        TSR__NEUTRAL_ZERO,
                                        false,
                                        .pass = {{TSR__KERNELS_OF(sum_square), finish_norm2}},
                                        .complex_way = TSR__COMPLEX_ROOT,
                                        .of_parts = &squares_op};
TSR__REDUCE_FUNCTION(norm2) /* tsr_norm2 */
