/* The ops of the family. */
#ifndef TSR_LINALG_OPS_H
#define TSR_LINALG_OPS_H

#include <tessera/linalg.h>

#include "tsr_ops/linalg.h" /* written by the build from ops.def */

#endif
