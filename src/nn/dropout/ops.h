/* The ops of the family. */
#ifndef TSR_NN_DROPOUT_OPS_H
#define TSR_NN_DROPOUT_OPS_H

#include <tessera/dropout.h>

#include "tsr_ops/nn/dropout.h" /* written by the build from ops.def */

#endif
