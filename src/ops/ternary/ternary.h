/* The kernels of the family of ops with three inputs; rows.def has its ops. */
#ifndef TSR_OPS_TERNARY_TERNARY_H
#define TSR_OPS_TERNARY_TERNARY_H

#include "ops/elementwise/kernels.h"

#define TERNARY_EACH(op, ...) TSR__DECLARE_KERNELS(op)
#include "ops/ternary/rows.def"

#endif
