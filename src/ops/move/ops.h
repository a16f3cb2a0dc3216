/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_MOVE_OPS_H
#define TSR_OPS_MOVE_OPS_H

#include <tessera/move.h>

#define TSR__ROWS "ops/move/ops.def"
#include "core/op.tmpl.h"

#endif
