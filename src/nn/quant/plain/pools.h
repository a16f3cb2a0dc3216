/* Pooling of quantised numbers: a run as its kernels see it. */
#ifndef TSR_NN_QUANT_PLAIN_POOLS_H
#define TSR_NN_QUANT_PLAIN_POOLS_H

#include "nn/image.h"
#include "nn/pool/pool.h"

typedef struct tsr__q_pool {
  bool max;     /* else the mean */
  int32_t zero; /* what padding counts as in means */
  uint8_t dtype;
  tsr_index images;
  tsr__pool p; /* whose x is not looked at */
  const char *x;
  char *out;
  ptrdiff_t xs[TSR__IMAGE_AXES], os[TSR__IMAGE_AXES];
  tsr_index channels;
} tsr__q_pool;

/* Its plan is a tsr__q_pool. */
void tsr__q_pool_run(const tsr_ctx *ctx, const void *plan);

#endif
