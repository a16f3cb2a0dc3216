/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_NN_EMBEDDING_OPS_H
#define TSR_NN_EMBEDDING_OPS_H

#include <tessera/embedding.h>

#define TSR__ROWS "nn/embedding/ops.def"
#include "core/op.tmpl.h"

#endif
