/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_MASK_OPS_H
#define TSR_OPS_MASK_OPS_H

#include <tessera/mask.h>

#define TSR__ROWS "ops/mask/ops.def"
#include "core/op.tmpl.h"

#endif
