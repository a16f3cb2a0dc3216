/* The ops of the family. */
#ifndef TSR_NN_SOFTMAX_OPS_H
#define TSR_NN_SOFTMAX_OPS_H

#include <tessera/softmax.h>

#include "tsr_ops/nn/softmax.h" /* written by the build from ops.def */

#endif
