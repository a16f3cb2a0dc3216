/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_NN_SOFTMAX_OPS_H
#define TSR_NN_SOFTMAX_OPS_H

#include <tessera/softmax.h>

#define TSR__ROWS "nn/softmax/ops.def"
#include "core/op.tmpl.h"

#endif
