/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_NN_ROTARY_OPS_H
#define TSR_NN_ROTARY_OPS_H

#include <tessera/rotary.h>

#define TSR__ROWS "nn/rotary/ops.def"
#include "core/op.tmpl.h"

#endif
