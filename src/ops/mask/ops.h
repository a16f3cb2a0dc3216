/* The ops of the family. */
#ifndef TSR_OPS_MASK_OPS_H
#define TSR_OPS_MASK_OPS_H

#include <tessera/mask.h>

#include "tsr_ops/ops/mask.h" /* written by the build from ops.def */

#endif
