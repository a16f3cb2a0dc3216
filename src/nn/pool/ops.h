/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_NN_POOL_OPS_H
#define TSR_NN_POOL_OPS_H

#include <tessera/pool.h>

#define TSR__ROWS "nn/pool/ops.def"
#include "core/op.tmpl.h"

#endif
