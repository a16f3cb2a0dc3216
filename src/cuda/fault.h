/* What kernels found in data: a bad index is no error of the call that enqueued them, but of the one that waits. */
#ifndef TSR_CUDA_FAULT_H
#define TSR_CUDA_FAULT_H

#include "cuda/api.h"
#include "cuda/cuda.h"

enum { TSR__CUDA_FAULTS = 256 };

/* A call that may leave a fault. */
typedef struct tsr__cuda_fault {
  const char *op, *argument, *what;
  tsr_status status;
  uint64_t ticket; /* 0: free */
} tsr__cuda_fault;

typedef struct tsr__cuda_faults {
  volatile uint32_t *marks; /* pinned, one a slot; NULL: no call was enqueued that needs them */
  CUdeviceptr marks_device; /* the same as the device sees it */
  CUdeviceptr positions;    /* 8 bytes a slot, of the device: the least bad position, all bits 1: none */
  uint32_t next;
  tsr__cuda_fault slots[TSR__CUDA_FAULTS];
} tsr__cuda_faults;

/* What a kernel gets: see kernels/fault.cuh. */
typedef struct tsr__cuda_fault_args {
  CUdeviceptr position, mark;
} tsr__cuda_fault_args;

/* A slot for a call with this ticket. The queue's lock is held. */
tsr_status tsr__cuda_fault_take(tsr__cuda_queue *queue, tsr_ctx *ctx, const tsr__cuda_fault *fault,
                                tsr__cuda_fault_args *args);

/* The first fault of calls up to ticket, which are done; their slots are free again. */
tsr_status tsr__cuda_faults_report(tsr__cuda_queue *queue, tsr_ctx *ctx, uint64_t ticket);

/* Memory for the slots, where a queue has none yet. */
tsr_status tsr__cuda_faults_begin(tsr__cuda_queue *queue, tsr_ctx *ctx, const char *op);
void tsr__cuda_faults_end(tsr__cuda_queue *queue);

/* The first fault of all slots, which stay taken: those of a graph. What uses them is done. */
tsr_status tsr__cuda_faults_look(tsr__cuda_queue *queue, tsr_ctx *ctx);

/* The same of the graphs that a queue launched (graph.c). */
tsr_status tsr__cuda_graphs_report(tsr__cuda_queue *queue, tsr_ctx *ctx);

#endif
