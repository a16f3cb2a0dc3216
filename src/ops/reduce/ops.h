/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_REDUCE_OPS_H
#define TSR_OPS_REDUCE_OPS_H

#include "ops/reduce/reduce.h"

#include <tessera/reduce_where.h>

#define TSR__ROWS "ops/reduce/ops.def"
#include "core/op.tmpl.h"

#endif
