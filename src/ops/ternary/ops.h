/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_TERNARY_OPS_H
#define TSR_OPS_TERNARY_OPS_H

#include "ops/ternary/ternary.h"

#define TSR__ROWS "ops/ternary/ops.def"
#include "core/op.tmpl.h"

#endif
