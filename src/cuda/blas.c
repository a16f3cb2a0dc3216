/* cuBLASLt, opened when the first product wants it. */
#include "cuda/gpu.h"

#include <cublasLt.h>
#include <dlfcn.h>
#include <string.h>

void *tsr__cuda_blas_symbol(tsr__cuda *gpu, const char *name) {
  return gpu->blas_library != NULL ? dlsym(gpu->blas_library, name) : NULL;
}

/* Once: where it is missing or does not start, it is not looked for again. */
void *tsr__cuda_blas(tsr__cuda *gpu) {
  static const char *const names[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so", NULL};
  __typeof__(cublasLtCreate) *create = NULL;
  cublasLtHandle_t handle = NULL;
  if (gpu->blas_tried) return gpu->blas_handle;
  gpu->blas_tried = true;
  gpu->blas_library = tsr__cuda_library(names);
  void *const symbol = tsr__cuda_blas_symbol(gpu, "cublasLtCreate");
  memcpy(&create, &symbol, sizeof create);
  if (create != NULL && create(&handle) == CUBLAS_STATUS_SUCCESS) gpu->blas_handle = handle;
  return gpu->blas_handle;
}
