/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_COPY_OPS_H
#define TSR_OPS_COPY_OPS_H

#include <tessera/ops.h>

#define TSR__ROWS "ops/copy/ops.def"
#include "core/op.tmpl.h"

#endif
