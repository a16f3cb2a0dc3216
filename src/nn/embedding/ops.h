/* The ops of the family. */
#ifndef TSR_NN_EMBEDDING_OPS_H
#define TSR_NN_EMBEDDING_OPS_H

#include <tessera/embedding.h>

#include "tsr_ops/nn/embedding.h" /* written by the build from ops.def */

#endif
