/* The ops of the family. */
#ifndef TSR_OPS_SERIES_OPS_H
#define TSR_OPS_SERIES_OPS_H

#include <tessera/series.h>

#include "tsr_ops/ops/series.h" /* written by the build from ops.def */

#endif
