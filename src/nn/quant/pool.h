/* Pooling of quantised numbers. */
#ifndef TSR_NN_QUANT_POOL_H
#define TSR_NN_QUANT_POOL_H

#include "core/call.h"
#include "nn/quant/quant.h"

typedef struct tsr__q_pool {
  bool max;     /* else the mean */
  int32_t zero; /* what padding counts as in means */
} tsr__q_pool;

tsr_status tsr__q_pool_call(tsr__call *call, const tsr__q_pool *q, int count, const tsr_index *kernel,
                            const tsr_pool_options *options);

#endif
