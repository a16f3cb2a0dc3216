/* cuBLASLt, opened when the first product wants it. */
#include "cuda/gpu.h"

#include <cublasLt.h>
#include <dlfcn.h>
#include <string.h>

void *tsr__cuda_blas_symbol(tsr__cuda *gpu, const char *name) {
  return gpu->blas_library != NULL ? dlsym(gpu->blas_library, name) : NULL;
}

/* The lock and the context are held. */
static tsr_status open_blas(tsr__cuda *gpu, tsr_ctx *ctx) {
  static const char *const names[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so", NULL};
  __typeof__(cublasLtCreate) *create = NULL;
  cublasLtHandle_t handle = NULL;
  if (gpu->blas_library == NULL) gpu->blas_library = tsr__cuda_library(names);
  if (gpu->blas_library == NULL)
    return TSR__FAIL(ctx, TSR_EDEVICE, "cublasLt", NULL,
                     "there is no libcublasLt.so.13 or .12: %s cannot multiply matrices", gpu->name);
  void *const symbol = tsr__cuda_blas_symbol(gpu, "cublasLtCreate");
  memcpy(&create, &symbol, sizeof create);
  if (create == NULL || create(&handle) != CUBLAS_STATUS_SUCCESS)
    return TSR__FAIL(ctx, TSR_EDEVICE, "cublasLt", NULL, "libcublasLt does not start on %s", gpu->name);
  gpu->blas_handle = handle;
  return TSR_OK;
}

tsr_status tsr__cuda_blas(tsr__cuda *gpu, tsr_ctx *ctx, void **handle) {
  tsr__cuda_scope scope;
  tsr_status st = tsr__cuda_enter(gpu, ctx, "cublasLt", &scope);
  if (st != TSR_OK) return st;
  (void)pthread_mutex_lock(&gpu->blas_lock);
  if (gpu->blas_handle == NULL) st = open_blas(gpu, ctx);
  *handle = gpu->blas_handle;
  (void)pthread_mutex_unlock(&gpu->blas_lock);
  tsr__cuda_leave(gpu, scope);
  return st;
}
