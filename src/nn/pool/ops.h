/* The ops of the family. */
#ifndef TSR_NN_POOL_OPS_H
#define TSR_NN_POOL_OPS_H

#include <tessera/pool.h>

#include "tsr_ops/nn/pool.h" /* written by the build from ops.def */

#endif
