/* The ops of the family. */
#ifndef TSR_OPS_RANDOM_OPS_H
#define TSR_OPS_RANDOM_OPS_H

#include <tessera/random.h>

#include "tsr_ops/ops/random.h" /* written by the build from ops.def */

#endif
