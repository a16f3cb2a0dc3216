/* One compute type of the activations. */
#include "ops/unary/rows.tmpl.h"

#define UNARY_ACTIVATIONS(op, ...) TSR__UNARY_KERNEL(op)
#include "ops/unary/rows.def"
TSR__UNARY_KERNEL_OF(leaky_relu, FN(tsr__leaky_relu)(x, (C)*attribute))
TSR__UNARY_KERNEL_OF(elu, FN(tsr__elu)(x, (C)*attribute))
TSR__UNARY_KERNEL_OF(celu, FN(tsr__celu)(x, (C)*attribute))
