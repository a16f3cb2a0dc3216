/* The ops of the family. */
#ifndef TSR_NN_RESIZE_OPS_H
#define TSR_NN_RESIZE_OPS_H

#include <tessera/resize.h>

#include "tsr_ops/nn/resize.h" /* written by the build from ops.def */

#endif
