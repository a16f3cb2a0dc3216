/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_BINARY_OPS_H
#define TSR_OPS_BINARY_OPS_H

#include "ops/binary/binary.h"

#define TSR__ROWS "ops/binary/ops.def"
#include "core/op.tmpl.h"

#endif
