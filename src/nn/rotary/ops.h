/* The ops of the family. */
#ifndef TSR_NN_ROTARY_OPS_H
#define TSR_NN_ROTARY_OPS_H

#include <tessera/rotary.h>

#include "tsr_ops/nn/rotary.h" /* written by the build from ops.def */

#endif
