/* The ops of the family. */
#ifndef TSR_NN_NORM_OPS_H
#define TSR_NN_NORM_OPS_H

#include <tessera/lrn.h>
#include <tessera/norm.h>

#include "tsr_ops/nn/norm.h" /* written by the build from ops.def */

#endif
