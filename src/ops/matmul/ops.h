/* The ops of the family. */
#ifndef TSR_OPS_MATMUL_OPS_H
#define TSR_OPS_MATMUL_OPS_H

#include <tessera/matmul.h>

#include "tsr_ops/ops/matmul.h" /* written by the build from ops.def */

#endif
