/* Pooling of quantised numbers. */
#ifndef TSR_NN_QUANT_POOL_H
#define TSR_NN_QUANT_POOL_H

#include "nn/quant/quant.h"

typedef struct tsr__q_pool {
  const char *op;
  bool max;     /* else the mean */
  int32_t zero; /* what padding counts as in means */
} tsr__q_pool;

tsr_status tsr__q_pool_run(tsr_ctx *ctx, const tsr__q_pool *q, const tsr_tensor *x, int count, const tsr_index *kernel,
                           const tsr_pool_options *options, tsr_tensor *out);

#endif
