/* The public functions: one row each, and only its own kernels are linked with it. */
#include "ops/unary/ops.h"

#include <tessera/unary.h>

TSR__UNARY_LIST(TSR__UNARY_FUNCTION)
