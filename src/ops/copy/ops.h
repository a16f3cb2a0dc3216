/* The ops of the family. */
#ifndef TSR_OPS_COPY_OPS_H
#define TSR_OPS_COPY_OPS_H

#include <tessera/ops.h>

#include "tsr_ops/ops/copy.h" /* written by the build from ops.def */

#endif
