/* The ops of the family. */
#ifndef TSR_OPS_UNARY_OPS_H
#define TSR_OPS_UNARY_OPS_H

#include "ops/unary/unary.h"

#include "tsr_ops/ops/unary.h" /* written by the build from ops.def */

#endif
