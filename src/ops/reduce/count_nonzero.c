#include "ops/reduce/ops.h"

static const tsr__reduce_op count_nonzero_op = {&tsr__op_count_nonzero, TSR__REDUCE_COUNTS, TSR__NEUTRAL_ZERO, false,
                                                .pass = {{TSR__KERNELS_OF(count), NULL}}};
TSR__REDUCE_FUNCTION(count_nonzero) /* tsr_count_nonzero */
