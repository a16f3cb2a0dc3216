#include "ops/reduce/ops.h"

static const tsr__reduce_op max_op = {&tsr__op_max, TSR__REDUCE_OWN, TSR__NEUTRAL_MIN, true,
                                      .pass = {{TSR__KERNELS_OF(max), NULL}}};
TSR__REDUCE_FUNCTION(max) /* tsr_max */
