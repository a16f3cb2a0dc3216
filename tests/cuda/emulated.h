/* For tests that call the emulated driver itself: its functions, opened from the folder where the build put them. */
#ifndef TEST_CUDA_EMULATED_H
#define TEST_CUDA_EMULATED_H

#include "cuda/emulator/driver.h"
#include "cuda/emulator/emulator.h"

/* result, name in the library, parameters */
#define EMULATED_FUNCTIONS(X)                                                                                       \
  X(CUresult, cuInit, (unsigned))                                                                                   \
  X(CUresult, cuDeviceGetCount, (int *))                                                                            \
  X(CUresult, cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))                                                    \
  X(CUresult, cuDevicePrimaryCtxRelease_v2, (CUdevice))                                                             \
  X(CUresult, cuCtxPushCurrent_v2, (CUcontext))                                                                     \
  X(CUresult, cuCtxPopCurrent_v2, (CUcontext *))                                                                    \
  X(CUresult, cuCtxGetCurrent, (CUcontext *))                                                                       \
  X(CUresult, cuCtxSynchronize, (void))                                                                             \
  X(CUresult, cuMemGetInfo_v2, (size_t *, size_t *))                                                                \
  X(CUresult, cuMemAlloc_v2, (CUdeviceptr *, size_t))                                                               \
  X(CUresult, cuMemFree_v2, (CUdeviceptr))                                                                          \
  X(CUresult, cuMemHostAlloc, (void **, size_t, unsigned))                                                          \
  X(CUresult, cuMemFreeHost, (void *))                                                                              \
  X(CUresult, cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t))                                                 \
  X(CUresult, cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t))                                                       \
  X(CUresult, cuMemcpyHtoDAsync_v2, (CUdeviceptr, const void *, size_t, CUstream))                                  \
  X(CUresult, cuMemcpyDtoHAsync_v2, (void *, CUdeviceptr, size_t, CUstream))                                        \
  X(CUresult, cuMemcpyPeer, (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t))                               \
  X(CUresult, cuMemsetD32_v2, (CUdeviceptr, unsigned, size_t))                                                      \
  X(CUresult, cuMemsetD32Async, (CUdeviceptr, unsigned, size_t, CUstream))                                          \
  X(CUresult, cuStreamCreate, (CUstream *, unsigned))                                                               \
  X(CUresult, cuStreamDestroy_v2, (CUstream))                                                                       \
  X(CUresult, cuStreamSynchronize, (CUstream))                                                                      \
  X(CUresult, cuStreamQuery, (CUstream))                                                                            \
  X(CUresult, cuStreamWaitEvent, (CUstream, CUevent, unsigned))                                                     \
  X(CUresult, cuLaunchHostFunc, (CUstream, void (*)(void *), void *))                                               \
  X(CUresult, cuEventCreate, (CUevent *, unsigned))                                                                 \
  X(CUresult, cuEventDestroy_v2, (CUevent))                                                                         \
  X(CUresult, cuEventRecord, (CUevent, CUstream))                                                                   \
  X(CUresult, cuEventQuery, (CUevent))                                                                              \
  X(CUresult, cuEventSynchronize, (CUevent))                                                                        \
  X(CUresult, cuStreamBeginCapture_v2, (CUstream, int))                                                             \
  X(CUresult, cuStreamEndCapture, (CUstream, CUgraph *))                                                            \
  X(CUresult, cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long))                            \
  X(CUresult, cuGraphLaunch, (CUgraphExec, CUstream))                                                               \
  X(CUresult, cuGraphExecDestroy, (CUgraphExec))                                                                    \
  X(CUresult, cuGraphDestroy, (CUgraph))                                                                            \
  X(CUresult, cuModuleLoadData, (CUmodule *, const void *))                                                         \
  X(CUresult, cuModuleUnload, (CUmodule))                                                                           \
  X(CUresult, cuModuleGetFunction, (CUfunction *, CUmodule, const char *))                                          \
  X(CUresult, cuFuncSetAttribute, (CUfunction, int, int))                                                           \
  X(CUresult, cuFuncGetAttribute, (int *, int, CUfunction))                                                         \
  X(CUresult, cuLaunchKernel,                                                                                       \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **)) \
  X(CUresult, cuPointerGetAttribute, (void *, int, CUdeviceptr))                                                    \
  X(CUresult, cuGetErrorString, (CUresult, const char **))                                                          \
  X(const char *, emulator_report, (void))                                                                          \
  X(void, emulator_set_memory, (int, size_t))                                                                       \
  X(size_t, emulator_live, (int))                                                                                   \
  X(void, emulator_fail, (const char *, long, int))                                                                 \
  X(long, emulator_calls, (const char *))                                                                           \
  X(void, emulator_lose, (int))                                                                                     \
  X(void, emulator_set_seed, (unsigned))                                                                            \
  X(void, emulator_set_late, (bool))

typedef void *emulated_program;
#define EMULATED_COMPILER(X)                                                                         \
  X(int, nvrtcCreateProgram,                                                                         \
    (emulated_program *, const char *, const char *, int, const char *const *, const char *const *)) \
  X(int, nvrtcCompileProgram, (emulated_program, int, const char *const *))                          \
  X(int, nvrtcGetProgramLogSize, (emulated_program, size_t *))                                       \
  X(int, nvrtcGetProgramLog, (emulated_program, char *))                                             \
  X(int, nvrtcGetCUBINSize, (emulated_program, size_t *))                                            \
  X(int, nvrtcGetCUBIN, (emulated_program, char *))                                                  \
  X(int, nvrtcDestroyProgram, (emulated_program *))

typedef struct emulated_api {
#define X(result, name, parameters) result(*name) parameters;
  EMULATED_FUNCTIONS(X) EMULATED_COMPILER(X)
#undef X
} emulated_api;

#endif
