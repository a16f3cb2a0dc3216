/* Parts of the plain kernels of quantised layers. */
#ifndef TSR_NN_QUANT_PLAIN_H
#define TSR_NN_QUANT_PLAIN_H

#include "nn/quant/layer.h"

/* Results of n channels from first on, of one output; _any: whatever the dtype and the shifts. */
void tsr__q_end(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out);
void tsr__q_end_any(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out);

/* Runs whose filters have one channel each. */
size_t tsr__q_plain_depthwise_scratch(const tsr__q_run *q);
void tsr__q_plain_depthwise(const tsr_ctx *ctx, const tsr__q_run *q);

#endif
