#include "ops/reduce/ops.h"

static const tsr__reduce_op prod_op = {&tsr__op_prod,
                                       TSR__REDUCE_PRODUCTS,
                                       TSR__NEUTRAL_ONE,
                                       false,
                                       .pass = {{TSR__KERNELS_OF(prod), NULL}},
                                       .complex_way = TSR__COMPLEX_PRODUCT};
TSR__REDUCE_FUNCTION(prod) /* tsr_prod */
