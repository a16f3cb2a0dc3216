/* Tensors of integers that number something: rows of a table, positions. */
#ifndef TSR_NN_NUMBER_H
#define TSR_NN_NUMBER_H

#include "core/check.h"
#include "nn/loss/loss.h"

/* One number; one that an int64_t does not hold is INT64_MAX, which no axis has. */
static inline int64_t tsr__number_at(int dtype, const char *at) { return tsr__loss_class(dtype, at); }

/* Whether t, a checked input, holds integers: TSR_EDTYPE. */
tsr_status tsr__number_check_dtype(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t);

/* Whether every number of t is in 0 … count - 1: TSR_EINDEX, and the message names the first that is not. what is
 * counted: "rows of the table". */
tsr_status tsr__number_check(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t, tsr_index count,
                             const char *what);

#endif
