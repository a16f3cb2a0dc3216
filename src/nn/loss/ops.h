/* The ops of the family. */
#ifndef TSR_NN_LOSS_OPS_H
#define TSR_NN_LOSS_OPS_H

#include <tessera/loss.h>

#include "tsr_ops/nn/loss.h" /* written by the build from ops.def */

#endif
