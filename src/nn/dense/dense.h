/* Dense layers under another op's name. */
#ifndef TSR_NN_DENSE_DENSE_H
#define TSR_NN_DENSE_DENSE_H

#include <tessera/dense.h>
#include "core/check.h"

/* tsr_dense for other ops. Arguments other than out are named as x, w and bias in messages. */
tsr_status tsr__dense(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                      const tsr_activation *activation, tsr_tensor *out);

#endif
