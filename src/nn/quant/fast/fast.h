/* The kernels of quantised layers on hosts, compiled once per instruction set: not where flash is small. */
#ifndef TSR_NN_QUANT_FAST_FAST_H
#define TSR_NN_QUANT_FAST_FAST_H

#include "nn/quant/run.h"

/* Whether there are any. Where there are none, nothing below is called. */
#define TSR__Q_FAST TSR_HAVE_MALLOC

/* Runs on panels: the temporary memory of one, SIZE_MAX: too much; and the run. */
size_t tsr__q_fast_scratch(const tsr__q_run *run);
void tsr__q_fast_run(const tsr_ctx *ctx, const tsr__q_run *run);

/* Depthwise ones, whose weights lie as plain kernels read them: channels last, one output a channel. */
bool tsr__q_fast_depthwise_fits(const tsr__q_run *run);
size_t tsr__q_fast_depthwise_scratch(const tsr__q_run *run);
void tsr__q_fast_depthwise(const tsr_ctx *ctx, const tsr__q_run *run);

#endif
