/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_CREATE_OPS_H
#define TSR_OPS_CREATE_OPS_H

#include <tessera/ops.h>

#define TSR__ROWS "ops/create/ops.def"
#include "core/op.tmpl.h"

#endif
