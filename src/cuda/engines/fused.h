/* A group of calls, by how it ends. */
#ifndef TSR_CUDA_ENGINES_FUSED_H
#define TSR_CUDA_ENGINES_FUSED_H

#include "cuda/engines/made.h"

/* fused.c */
tsr_status tsr__cuda_plan_fused_elements(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_made *m,
                                         tsr__cuda_plan *plan);
/* reduce_ops.c: op is the reduction's, r what the host knows of it */
tsr_status tsr__cuda_plan_fused_reduction(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_made *m,
                                          tsr__cuda_plan *plan);
/* rows.c */
tsr_status tsr__cuda_plan_fused_softmax(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_made *m,
                                        tsr__cuda_plan *plan);

#endif
