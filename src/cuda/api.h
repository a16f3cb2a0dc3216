/* The functions of NVIDIA's libraries that are called, found when the libraries are opened: the plug-in links none of them. */
#ifndef TSR_CUDA_API_H
#define TSR_CUDA_API_H

#include "core/fail.h"

#include <cuda.h>
#include <nvrtc.h>

/* cuda.h renames functions that changed (cuMemAlloc is cuMemAlloc_v2): the members of the tables have the names after that, and so
 * do the symbols. */
#define TSR__CUDA_DRIVER_LIST(X)                                                                                     \
  X(cuInit)                                                                                                          \
  X(cuDriverGetVersion) X(cuGetErrorString) X(cuDeviceGetCount) X(cuDeviceGet) X(cuDeviceGetName)                    \
      X(cuDeviceGetAttribute) X(cuDeviceTotalMem) X(cuDevicePrimaryCtxRetain) X(cuCtxGetCurrent) X(cuCtxPushCurrent) \
          X(cuCtxPopCurrent) X(cuCtxSynchronize) X(cuStreamCreate) X(cuStreamDestroy) X(cuStreamSynchronize)         \
              X(cuStreamWaitEvent) X(cuStreamBeginCapture) X(cuStreamEndCapture) X(cuEventCreate) X(cuEventDestroy)  \
                  X(cuEventRecord) X(cuEventQuery) X(cuEventSynchronize) X(cuEventElapsedTime) X(cuMemAlloc)         \
                      X(cuMemFree) X(cuMemGetInfo) X(cuMemHostAlloc) X(cuMemFreeHost) X(cuMemHostGetDevicePointer)   \
                          X(cuPointerGetAttribute) X(cuMemcpyHtoDAsync) X(cuMemcpyDtoHAsync) X(cuMemcpyDtoDAsync)    \
                              X(cuMemcpyPeerAsync) X(cuMemsetD8Async) X(cuMemsetD16Async) X(cuMemsetD32Async)        \
                                  X(cuModuleLoadData) X(cuModuleUnload) X(cuModuleGetFunction) X(cuFuncGetAttribute) \
                                      X(cuFuncSetAttribute) X(cuLaunchKernel)                                        \
                                          X(cuOccupancyMaxActiveBlocksPerMultiprocessor) X(cuGraphInstantiate)       \
                                              X(cuGraphLaunch) X(cuGraphDestroy) X(cuGraphExecDestroy)

#define TSR__CUDA_COMPILER_LIST(X)                                                                                  \
  X(nvrtcVersion)                                                                                                   \
  X(nvrtcCreateProgram) X(nvrtcCompileProgram) X(nvrtcGetProgramLogSize) X(nvrtcGetProgramLog) X(nvrtcGetCUBINSize) \
      X(nvrtcGetCUBIN) X(nvrtcDestroyProgram)

typedef struct tsr__cuda_driver {
#define X(f) __typeof__(f) *f;
  TSR__CUDA_DRIVER_LIST(X)
#undef X
} tsr__cuda_driver;

typedef struct tsr__cuda_compiler {
#define X(f) __typeof__(f) *f;
  TSR__CUDA_COMPILER_LIST(X)
#undef X
  int version; /* 1300: 13.0 */
} tsr__cuda_compiler;

/* Each is opened once a process: from the folder that TSR_CUDA_LIBRARIES names, or where it names none from where the loader looks
 * and where CUDA is usually installed. NULL with a message in ctx that says what is missing. Any thread. */
const tsr__cuda_driver *tsr__cuda_driver_open(tsr_ctx *ctx, const char *op);
const tsr__cuda_compiler *tsr__cuda_compiler_open(tsr_ctx *ctx, const char *op);

/* A library by the names that its versions have, the newest first, NULL at the end; NULL: none is there. */
void *tsr__cuda_library(const char *const *names);

#endif
