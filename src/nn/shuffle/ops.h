/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_NN_SHUFFLE_OPS_H
#define TSR_NN_SHUFFLE_OPS_H

#include <tessera/pixel_shuffle.h>

#define TSR__ROWS "nn/shuffle/ops.def"
#include "core/op.tmpl.h"

#endif
