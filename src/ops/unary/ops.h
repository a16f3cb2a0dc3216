/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_UNARY_OPS_H
#define TSR_OPS_UNARY_OPS_H

#include "ops/unary/unary.h"

#define TSR__ROWS "ops/unary/ops.def"
#include "core/op.tmpl.h"

#endif
