/* The ops of the family. */
#ifndef TSR_NN_SHUFFLE_OPS_H
#define TSR_NN_SHUFFLE_OPS_H

#include <tessera/pixel_shuffle.h>

#include "tsr_ops/nn/shuffle.h" /* written by the build from ops.def */

#endif
