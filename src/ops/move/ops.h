/* The ops of the family. */
#ifndef TSR_OPS_MOVE_OPS_H
#define TSR_OPS_MOVE_OPS_H

#include <tessera/move.h>

#include "tsr_ops/ops/move.h" /* written by the build from ops.def */

#endif
