#include "ops/reduce/ops.h"

static const tsr__reduce_op any_op = {&tsr__op_any, TSR__REDUCE_TRUTH, TSR__NEUTRAL_ZERO, false,
                                      .pass = {{TSR__KERNELS_OF(any), NULL}}};
TSR__REDUCE_FUNCTION(any) /* tsr_any */
