/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_NN_CONV_OPS_H
#define TSR_NN_CONV_OPS_H

#include <tessera/conv.h>
#include <tessera/conv3d.h>
#include <tessera/conv_transpose.h>

#define TSR__ROWS "nn/conv/ops.def"
#include "core/op.tmpl.h"

#endif
