#include "ops/reduce/ops.h"

static const tsr__reduce_op norm_inf_op = {&tsr__op_norm_inf,
                                           TSR__REDUCE_REALS,
                                           TSR__NEUTRAL_ZERO,
                                           false,
                                           .pass = {{TSR__KERNELS_OF(max_abs), NULL}},
                                           .complex_way = TSR__COMPLEX_SIZES};
TSR__REDUCE_FUNCTION(norm_inf) /* tsr_norm_inf */
