/* The ops of the family, and those that search (core/op.tmpl.h). */
#ifndef TSR_OPS_SORT_OPS_H
#define TSR_OPS_SORT_OPS_H

#include <tessera/sort.h>

#define TSR__ROWS "ops/sort/ops.def"
#include "core/op.tmpl.h"

#endif
