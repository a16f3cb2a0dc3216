/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_MATMUL_OPS_H
#define TSR_OPS_MATMUL_OPS_H

#include <tessera/matmul.h>

#define TSR__ROWS "ops/matmul/ops.def"
#include "core/op.tmpl.h"

#endif
