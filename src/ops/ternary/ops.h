/* The ops of the family. */
#ifndef TSR_OPS_TERNARY_OPS_H
#define TSR_OPS_TERNARY_OPS_H

#include "ops/ternary/ternary.h"

#include "tsr_ops/ops/ternary.h" /* written by the build from ops.def */

#endif
