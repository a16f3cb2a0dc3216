#include "ops/reduce/ops.h"
#include "ops/reduce/real.h"

static const tsr__reduce_op mean_op = {&tsr__op_mean,
                                       TSR__REDUCE_REALS,
                                       TSR__NEUTRAL_ZERO,
                                       false,
                                       .pass = {{TSR__KERNELS_OF(total), tsr__reduce_finish_mean}},
                                       .complex_way = TSR__COMPLEX_BY_PARTS};
TSR__REDUCE_FUNCTION(mean) /* tsr_mean */
