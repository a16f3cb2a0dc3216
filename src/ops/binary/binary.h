/* The kernels of the family; rows.def has its ops. */
#ifndef TSR_OPS_BINARY_BINARY_H
#define TSR_OPS_BINARY_BINARY_H

#include "ops/elementwise/kernels.h"

#define BINARY_EACH(op, ...) TSR__DECLARE_KERNELS(op)
#include "ops/binary/rows.def"

#endif
