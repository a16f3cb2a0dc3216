/* The ops of the family. */
#ifndef TSR_OPS_EINSUM_OPS_H
#define TSR_OPS_EINSUM_OPS_H

#include <tessera/einsum.h>

#include "tsr_ops/ops/einsum.h" /* written by the build from ops.def */

#endif
