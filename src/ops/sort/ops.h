/* The ops of the family, and those that search. */
#ifndef TSR_OPS_SORT_OPS_H
#define TSR_OPS_SORT_OPS_H

#include <tessera/sort.h>

#include "tsr_ops/ops/sort.h" /* written by the build from ops.def */

#endif
