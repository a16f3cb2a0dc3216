/* The ops of the family. */
#ifndef TSR_OPS_CUMULATIVE_OPS_H
#define TSR_OPS_CUMULATIVE_OPS_H

#include "ops/cumulative/cumulative.h"

#include <tessera/cumulative.h>

#include "tsr_ops/ops/cumulative.h" /* written by the build from ops.def */

#endif
