/* One compute type of the functions that are called less often. */
#include "ops/unary/rows.tmpl.h"

#define UNARY_RARE(op, ...) TSR__UNARY_KERNEL(op)
#include "ops/unary/rows.def"
