/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_NN_DROPOUT_OPS_H
#define TSR_NN_DROPOUT_OPS_H

#include <tessera/dropout.h>

#define TSR__ROWS "nn/dropout/ops.def"
#include "core/op.tmpl.h"

#endif
