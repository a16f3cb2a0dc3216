#include "ops/reduce/ops.h"

static const tsr__reduce_op min_op = {&tsr__op_min, TSR__REDUCE_OWN, TSR__NEUTRAL_MAX, true,
                                      .pass = {{TSR__KERNELS_OF(min), NULL}}};
TSR__REDUCE_FUNCTION(min) /* tsr_min */
