/* The ops of the family (core/op.tmpl.h). */
#ifndef TSR_OPS_SERIES_OPS_H
#define TSR_OPS_SERIES_OPS_H

#include <tessera/series.h>

#define TSR__ROWS "ops/series/ops.def"
#include "core/op.tmpl.h"

#endif
