/* tsr_sum_where, tsr_prod_where. */
#include "ops/reduce/where.h"

TSR__WHERE_FUNCTION(sum, tsr__selected)
TSR__WHERE_FUNCTION(prod, tsr__selected)
