/* The ops of the family. */
#ifndef TSR_OPS_SCATTER_OPS_H
#define TSR_OPS_SCATTER_OPS_H

#include <tessera/scatter.h>

#include "tsr_ops/ops/scatter.h" /* written by the build from ops.def */

#endif
