/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_SCATTER_OPS_H
#define TSR_OPS_SCATTER_OPS_H

#include <tessera/scatter.h>

#define TSR__ROWS "ops/scatter/ops.def"
#include "core/op.tmpl.h"

#endif
