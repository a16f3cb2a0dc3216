/* Element orders as views. */
#ifndef TSR_CORE_ORDER_H
#define TSR_CORE_ORDER_H

#include "core/check.h"

/* Whether number is an order: TSR_EARG. */
tsr_status tsr__check_order(tsr_ctx *ctx, const char *op, tsr_order order);

/* A borrow of a well-formed tensor whose row-major order is the given order of t: axes permuted, and for TSR_MEMORY axes
 * that run backwards turned. axes (may be NULL) gets the axis of t behind each axis of the view. */
tsr_tensor tsr__in_order(const tsr_tensor *t, tsr_order order, int *axes);

#endif
