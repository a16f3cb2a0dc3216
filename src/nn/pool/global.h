/* Global pooling: reductions over the axes that are neither samples nor channels. */
#ifndef TSR_NN_POOL_GLOBAL_H
#define TSR_NN_POOL_GLOBAL_H

#include "core/call.h"
#include "ops/reduce/reduce.h"

/* The kernels of an op. */
typedef struct tsr__global_kernels {
  const tsr__reduce_kernel *const *const *tables; /* by instruction set */
  tsr__reduce_finish *finish;
  bool of_none; /* there is a result where there are no elements */
} tsr__global_kernels;

tsr_status tsr__global_pool(tsr__call *call);

#endif
