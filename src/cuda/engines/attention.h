/* Attention over views: what ops are made of that have one inside. */
#ifndef TSR_CUDA_ENGINES_ATTENTION_H
#define TSR_CUDA_ENGINES_ATTENTION_H

#include "cuda/engines/elements.h"

#include <tessera/attention.h>

/* in: q, k, v and the mask, which may be NULL, as tsr_attention has them. out may lie over any of them. */
tsr_status tsr__cuda_plan_attention(tsr__cuda *gpu, tsr_ctx *ctx, const char *op, const tsr__cuda_view *const *in,
                                    const tsr_attention_options *options, const tsr__cuda_view *out,
                                    tsr__cuda_plan *plan);

#endif
