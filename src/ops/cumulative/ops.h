/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_CUMULATIVE_OPS_H
#define TSR_OPS_CUMULATIVE_OPS_H

#include "ops/cumulative/cumulative.h"

#include <tessera/cumulative.h>

#define TSR__ROWS "ops/cumulative/ops.def"
#include "core/op.tmpl.h"

#endif
