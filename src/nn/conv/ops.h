/* The ops of the family. */
#ifndef TSR_NN_CONV_OPS_H
#define TSR_NN_CONV_OPS_H

#include <tessera/conv.h>
#include <tessera/conv3d.h>
#include <tessera/conv_transpose.h>

#include "tsr_ops/nn/conv.h" /* written by the build from ops.def */

#endif
