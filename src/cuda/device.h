/* The functions of the tables of a GPU, by file. */
#ifndef TSR_CUDA_DEVICE_H
#define TSR_CUDA_DEVICE_H

#include "cuda/gpu.h"

/* Fills in gpu->device and gpu->queues. */
void tsr__cuda_device_init(tsr__cuda *gpu);

/* ---- event.c ---- */
tsr_status tsr__cuda_event_new(void *self, tsr_ctx *ctx, tsr_event **event);
void tsr__cuda_event_release(void *self, tsr_event *event);
tsr_status tsr__cuda_event_record(void *self, tsr_ctx *ctx, tsr_event *event, tsr_queue *queue);
tsr_status tsr__cuda_event_sync(void *self, tsr_ctx *ctx, const tsr_event *event);
tsr_status tsr__cuda_event_query(void *self, tsr_ctx *ctx, const tsr_event *event, bool *done);
tsr_status tsr__cuda_event_elapsed(void *self, tsr_ctx *ctx, const tsr_event *from, const tsr_event *to,
                                   double *seconds);
tsr_status tsr__cuda_queue_wait(void *self, tsr_ctx *ctx, tsr_queue *queue, const tsr_event *event);

/* ---- transfer.c ---- */
tsr_status tsr__cuda_transfer(void *self, tsr_ctx *ctx, const tsr_transfer *transfer);

/* ---- pinned.c ---- */
void *tsr__cuda_pinned_alloc(void *self, size_t bytes, size_t align, int hint);
void tsr__cuda_pinned_free(void *self, void *ptr, size_t bytes);

/* ---- graph.c ---- */
tsr_status tsr__cuda_graph_new(void *self, tsr_ctx *ctx, int count, const tsr_work *const *works, void **graph);
tsr_status tsr__cuda_graph_run(void *self, tsr_ctx *ctx, tsr_queue *queue, void *graph);
void tsr__cuda_graph_free(void *self, void *graph);

#endif
