/* The ops of the family. */
#ifndef TSR_OPS_BINARY_OPS_H
#define TSR_OPS_BINARY_OPS_H

#include "ops/binary/binary.h"

#include "tsr_ops/ops/binary.h" /* written by the build from ops.def */

#endif
