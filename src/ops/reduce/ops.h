/* The ops of the family. */
#ifndef TSR_OPS_REDUCE_OPS_H
#define TSR_OPS_REDUCE_OPS_H

#include "ops/reduce/reduce.h"

#include <tessera/reduce_where.h>

#include "tsr_ops/ops/reduce.h" /* written by the build from ops.def */

#endif
