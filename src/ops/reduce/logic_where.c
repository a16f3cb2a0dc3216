/* tsr_any_where, tsr_all_where, tsr_count_nonzero_where. */
#include "ops/reduce/where.h"

TSR__WHERE_FUNCTION(any, tsr__selected)
TSR__WHERE_FUNCTION(all, tsr__selected)
TSR__WHERE_FUNCTION(count_nonzero, tsr__selected)
