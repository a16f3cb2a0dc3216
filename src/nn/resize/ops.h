/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_NN_RESIZE_OPS_H
#define TSR_NN_RESIZE_OPS_H

#include <tessera/resize.h>

#define TSR__ROWS "nn/resize/ops.def"
#include "core/op.tmpl.h"

#endif
