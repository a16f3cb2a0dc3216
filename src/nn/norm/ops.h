/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_NN_NORM_OPS_H
#define TSR_NN_NORM_OPS_H

#include <tessera/lrn.h>
#include <tessera/norm.h>

#define TSR__ROWS "nn/norm/ops.def"
#include "core/op.tmpl.h"

#endif
