/* The ops of the family. */
#ifndef TSR_NN_DENSE_OPS_H
#define TSR_NN_DENSE_OPS_H

#include <tessera/dense.h>

#include "tsr_ops/nn/dense.h" /* written by the build from ops.def */

#endif
