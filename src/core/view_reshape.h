/* Reshaping without a copy, for functions that fall back to one. */
#ifndef TSR_CORE_VIEW_RESHAPE_H
#define TSR_CORE_VIEW_RESHAPE_H

#include "core/check.h"

/* The shape with its -1 worked out: TSR_ESHAPE when the count of elements is another. */
tsr_status tsr__resolve_shape(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int ndim, const tsr_index *shape,
                              tsr_index *resolved);

/* Makes *result (which may be in) a view of in with that shape, its elements counted in order; false, and nothing is
 * written, when the strides do not allow it. */
bool tsr__reshape_strides(const tsr_tensor *in, tsr_order order, int ndim, const tsr_index *shape, tsr_tensor *result);

#endif
