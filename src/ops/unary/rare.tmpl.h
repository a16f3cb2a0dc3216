/* One compute type of the functions that are called less often. */
#include "ops/unary/rows.tmpl.h"

TSR__UNARY_RARE(TSR__UNARY_KERNEL)
