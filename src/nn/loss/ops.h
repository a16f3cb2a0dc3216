/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_NN_LOSS_OPS_H
#define TSR_NN_LOSS_OPS_H

#include <tessera/loss.h>

#define TSR__ROWS "nn/loss/ops.def"
#include "core/op.tmpl.h"

#endif
