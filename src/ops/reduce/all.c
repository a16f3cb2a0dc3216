#include "ops/reduce/ops.h"

static const tsr__reduce_op all_op = {&tsr__op_all, TSR__REDUCE_TRUTH, TSR__NEUTRAL_ONE, false,
                                      .pass = {{TSR__KERNELS_OF(all), NULL}}};
TSR__REDUCE_FUNCTION(all) /* tsr_all */
