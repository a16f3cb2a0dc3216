/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_RANDOM_OPS_H
#define TSR_OPS_RANDOM_OPS_H

#include <tessera/random.h>

#define TSR__ROWS "ops/random/ops.def"
#include "core/op.tmpl.h"

#endif
