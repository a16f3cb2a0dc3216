/* The inside of an opened GPU. */
#ifndef TSR_CUDA_GPU_H
#define TSR_CUDA_GPU_H

#include "cuda/api.h"
#include "cuda/cuda.h"
#include "cuda/kernel.h"
#include "cuda/memory.h"
#include "cuda/plan.h"
#include "cuda/queue.h"

#include <pthread.h>

struct tsr__cuda {
  tsr__cuda_traits traits; /* first: tsr__cuda_traits_of */
  const tsr__cuda_driver *api;
  tsr_device device;
  tsr_device_queues queues;
  char name[16];      /* "cuda:0" */
  char product[64];   /* "NVIDIA H200" */
  int index, version; /* of the driver */
  bool is_ahead;      /* no GPU: kernels are compiled and kept for one, by the driver in ahead.c */
  CUdevice handle;
  CUcontext context;    /* the primary one, which other libraries in the process use too */
  int lost;             /* the error after which nothing works any more; atomic */
  pthread_mutex_t lock; /* of memory and of who used it, and of the list of queues. After a queue's lock */
  tsr__cuda_memory memory, pinned;
  tsr_allocator host;                /* pinned as an allocator */
  struct tsr__cuda_stage *stage;     /* atomic: buffers of large copies, while none is made (stage.c) */
  tsr__cuda_queue *first, *standard; /* all queues; the default one */
  uint32_t queue_ids;
  tsr__cuda_kernels kernels;
  tsr__cuda_plans plans;
  pthread_mutex_t blas_lock; /* of what follows, and of the calls of cuBLASLt */
  void *blas_library, *blas_handle, *blas_functions;
  struct blas_product *blas_products;   /* engines/blas.c */
  const struct tsr__cuda_dnn *dnn;      /* dnn.h; the same lock */
  struct tsr__cuda_dnn_plan *dnn_plans; /* engines/conv_dnn.c */
  void *fourier_functions;              /* fourier.c; the same lock */
  struct fourier_plan *fourier_plans;
  bool blas_tried, dnn_tried, fourier_tried;
};

/* Opens number index of a driver, which is there. */
tsr_status tsr__cuda_open(tsr_ctx *ctx, const tsr__cuda_driver *api, int index, tsr__cuda *gpu);

/* Around every call of the driver: the primary context is current in between, and what was current before is so again after. TSR_EDEVICE:
 * the device is lost, or this is a forked child. */
typedef struct tsr__cuda_scope {
  bool pushed;
} tsr__cuda_scope;
tsr_status tsr__cuda_enter(tsr__cuda *gpu, tsr_ctx *ctx, const char *op, tsr__cuda_scope *scope);
void tsr__cuda_leave(tsr__cuda *gpu, tsr__cuda_scope scope);

/* Whether anything can still be asked of the driver: not in a forked child, nor once it is lost or shut down. */
bool tsr__cuda_is_alive(const tsr__cuda *gpu);

/* A forked child: locks may be held by threads that it does not have, so that not even books are kept. */
bool tsr__cuda_is_child(void);

/* TSR_OK, or a status with a message: "op: cuda:0 cannot <what>: <why>". What leaves the context unusable makes the GPU lost. */
tsr_status tsr__cuda_check(tsr__cuda *gpu, tsr_ctx *ctx, const char *op, CUresult result, const char *what);

/* Memory of the host for the plug-in's own books. */
void *tsr__cuda_host_new(size_t bytes); /* zeros; NULL: none */
void tsr__cuda_host_free(void *ptr, size_t bytes);

#endif
