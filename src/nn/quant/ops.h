/* The ops of the family. */
#ifndef TSR_NN_QUANT_OPS_H
#define TSR_NN_QUANT_OPS_H

#include <tessera/quant.h>

#include "tsr_ops/nn/quant.h" /* written by the build from ops.def */

#endif
