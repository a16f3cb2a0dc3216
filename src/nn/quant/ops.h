/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_NN_QUANT_OPS_H
#define TSR_NN_QUANT_OPS_H

#include <tessera/quant.h>

#define TSR__ROWS "nn/quant/ops.def"
#include "core/op.tmpl.h"

#endif
