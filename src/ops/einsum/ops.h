/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_EINSUM_OPS_H
#define TSR_OPS_EINSUM_OPS_H

#include <tessera/einsum.h>

#define TSR__ROWS "ops/einsum/ops.def"
#include "core/op.tmpl.h"

#endif
