/* The ops of the family. */
#ifndef TSR_OPS_CREATE_OPS_H
#define TSR_OPS_CREATE_OPS_H

#include <tessera/ops.h>

#include "tsr_ops/ops/create.h" /* written by the build from ops.def */

#endif
