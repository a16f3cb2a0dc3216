/* What the emulator needs of the driver's interface, declared here so that it builds where no CUDA header is: handles,
 * numbers of errors and attributes, structs that callers pass. The values are those of <cuda.h>. */
#ifndef EMULATOR_DRIVER_H
#define EMULATOR_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct context *CUcontext;
typedef struct stream *CUstream;
typedef struct event *CUevent;
typedef struct module *CUmodule;
typedef struct kernel *CUfunction;
typedef struct graph *CUgraph;
typedef struct graph_exec *CUgraphExec;

typedef struct CUuuid {
  char bytes[16];
} CUuuid;

/* A launch with attributes (cuLaunchKernelEx), which are ignored but for their number. */
typedef struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  void *attrs;
  unsigned numAttrs;
} CUlaunchConfig;

/* NAME, number, words: cuGetErrorName gives CUDA_NAME. */
#define CUDA_ERROR_LIST(X)                                                      \
  X(SUCCESS, 0, "no error")                                                     \
  X(ERROR_INVALID_VALUE, 1, "invalid argument")                                 \
  X(ERROR_OUT_OF_MEMORY, 2, "out of memory")                                    \
  X(ERROR_NOT_INITIALIZED, 3, "initialization error")                           \
  X(ERROR_DEINITIALIZED, 4, "driver shutting down")                             \
  X(ERROR_NO_DEVICE, 100, "no CUDA-capable device is detected")                 \
  X(ERROR_INVALID_DEVICE, 101, "invalid device ordinal")                        \
  X(ERROR_INVALID_IMAGE, 200, "device kernel image is invalid")                 \
  X(ERROR_INVALID_CONTEXT, 201, "invalid device context")                       \
  X(ERROR_NO_BINARY_FOR_GPU, 209, "no kernel image is available for execution") \
  X(ERROR_INVALID_HANDLE, 400, "invalid resource handle")                       \
  X(ERROR_NOT_FOUND, 500, "named symbol not found")                             \
  X(ERROR_NOT_READY, 600, "device not ready")                                   \
  X(ERROR_ILLEGAL_ADDRESS, 700, "an illegal memory access was encountered")     \
  X(ERROR_LAUNCH_OUT_OF_RESOURCES, 701, "too many resources requested")         \
  X(ERROR_LAUNCH_TIMEOUT, 702, "the launch timed out and was terminated")       \
  X(ERROR_PEER_ACCESS_ALREADY_ENABLED, 704, "peer access is already enabled")   \
  X(ERROR_CONTEXT_IS_DESTROYED, 709, "context is destroyed")                    \
  X(ERROR_MISALIGNED_ADDRESS, 716, "misaligned address")                        \
  X(ERROR_LAUNCH_FAILED, 719, "unspecified launch failure")                     \
  X(ERROR_NOT_SUPPORTED, 801, "operation not supported")                        \
  X(ERROR_STREAM_CAPTURE_UNSUPPORTED, 900, "not permitted while capturing")     \
  X(ERROR_STREAM_CAPTURE_INVALIDATED, 901, "capture failed before")             \
  X(ERROR_STREAM_CAPTURE_UNMATCHED, 903, "capture was not begun here")          \
  X(ERROR_STREAM_CAPTURE_IMPLICIT, 906, "would depend on an ordinary stream")   \
  X(ERROR_CAPTURED_EVENT, 907, "event was recorded while capturing")            \
  X(ERROR_UNKNOWN, 999, "unknown error")

enum {
#define X(name, number, words) CUDA_##name = number,
  CUDA_ERROR_LIST(X)
#undef X
};

enum { POINTER_CONTEXT = 1, POINTER_MEMORY_TYPE, POINTER_DEVICE, POINTER_HOST, POINTER_ORDINAL = 9 };
enum { POINTER_IS_MANAGED = 8, POINTER_RANGE_START = 11, POINTER_RANGE_SIZE = 12 };
enum { FUNC_MAX_THREADS = 0, FUNC_SHARED = 1, FUNC_CONST = 2, FUNC_LOCAL = 3, FUNC_REGISTERS = 4 };
enum { FUNC_PTX_VERSION = 5, FUNC_BINARY_VERSION = 6, FUNC_MAX_DYNAMIC = 8, FUNC_CARVEOUT = 9 };
enum { STREAM_NON_BLOCKING = 1 };
enum { CAPTURE_NONE = 0, CAPTURE_ACTIVE = 1, CAPTURE_INVALIDATED = 2 };
enum { CAPTURE_MODE_GLOBAL = 0, CAPTURE_MODE_THREAD_LOCAL = 1, CAPTURE_MODE_RELAXED = 2 };

#endif
