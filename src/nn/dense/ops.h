/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_NN_DENSE_OPS_H
#define TSR_NN_DENSE_OPS_H

#include <tessera/dense.h>

#define TSR__ROWS "nn/dense/ops.def"
#include "core/op.tmpl.h"

#endif
