/* Large copies of memory that is not pinned: in pieces through pinned buffers, by several threads, each of which fills one of its
 * buffers while the other is on its way. */
#ifndef TSR_CUDA_STAGE_H
#define TSR_CUDA_STAGE_H

#include "cuda/gpu.h"

/* Smaller ones the driver copies itself. */
enum { TSR__CUDA_STAGE_FROM = 4 << 20, TSR__CUDA_STAGE_BYTES = 2 << 20 };

/* The queue's lock is held. To the device: the host's memory has been read when it returns. From it: written. */
tsr_status tsr__cuda_stage_copy(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, const tsr_transfer *transfer);

/* Gives the buffers back that are kept for the next copy. The context is current. */
void tsr__cuda_stage_trim(tsr__cuda *gpu);

#endif
