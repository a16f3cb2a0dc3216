#define _GNU_SOURCE /* secure_getenv */
#include "cuda/dnn.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static bool is_wanted(void) {
#if defined(__GLIBC__)
  const char *const text = secure_getenv("TSR_CUDA_CUDNN");
#else
  const char *const text = getenv("TSR_CUDA_CUDNN");
#endif
  return text != NULL && strcmp(text, "1") == 0;
}

/* The members of the table, in their order. */
static bool find_functions(void *library, tsr__cuda_dnn *dnn) {
  static const char *const names[] = {"cudnnCreate",
                                      "cudnnSetStream",
                                      "cudnnBackendCreateDescriptor",
                                      "cudnnBackendDestroyDescriptor",
                                      "cudnnBackendFinalize",
                                      "cudnnBackendSetAttribute",
                                      "cudnnBackendGetAttribute",
                                      "cudnnBackendExecute",
                                      "cudnnGetVersion"};
  void *found[sizeof names / sizeof names[0]];
  _Static_assert(sizeof found == offsetof(tsr__cuda_dnn, handle), "a name for each function");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if ((found[i] = dlsym(library, names[i])) == NULL) return false;
  memcpy(dnn, found, sizeof found);
  return true;
}

/* Once: where it is missing or does not start, it is not looked for again. */
const tsr__cuda_dnn *tsr__cuda_dnn_open(tsr__cuda *gpu) {
  static const char *const names[] = {"libcudnn.so.9", NULL};
  if (gpu->dnn_tried) return gpu->dnn;
  gpu->dnn_tried = true;
  void *const library = is_wanted() && !gpu->is_ahead ? tsr__cuda_library(names) : NULL;
  tsr__cuda_dnn *const dnn = library != NULL ? tsr__cuda_host_new(sizeof *dnn) : NULL;
  if (dnn == NULL) return NULL;
  if (find_functions(library, dnn) && dnn->create(&dnn->handle) == 0)
    gpu->dnn = dnn;
  else
    tsr__cuda_host_free(dnn, sizeof *dnn);
  return gpu->dnn;
}

int tsr__cuda_dnn_version(tsr__cuda *gpu) {
  (void)pthread_mutex_lock(&gpu->blas_lock);
  const tsr__cuda_dnn *const dnn = tsr__cuda_dnn_open(gpu);
  const int version = dnn != NULL ? (int)dnn->version() : 0;
  (void)pthread_mutex_unlock(&gpu->blas_lock);
  return version;
}
