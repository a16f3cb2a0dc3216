/* The short way of small products. */
#ifndef TSR_OPS_MATMUL_QUICK_H
#define TSR_OPS_MATMUL_QUICK_H

#include "core/check.h"

/* tsr_matmul of small matrices, checked as far as this needs. False: not one of those, and nothing was done. */
bool tsr__matmul_quick(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out, tsr_status *status);

#endif
