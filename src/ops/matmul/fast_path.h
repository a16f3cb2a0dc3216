/* The fast path of small products. */
#ifndef TSR_OPS_MATMUL_FAST_PATH_H
#define TSR_OPS_MATMUL_FAST_PATH_H

#include <tessera/matmul.h>

/* tsr_matmul of what is not small: apart, so that a small call makes no room for a frame. */
tsr_status tsr__matmul_in_frame(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);

#endif
