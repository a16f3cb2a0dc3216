/* A driver of no GPU. Whatever is asked of it is done, and nothing happens: memory is addresses that nobody touches, kernels are loaded
 * and launched nowhere, queues are always empty. A GPU that is opened with it plans and compiles as any other does. Its number is the
 * compute capability that it pretends to have. */
#include "cuda/gpu.h"

#include <stdlib.h>
#include <string.h>

static char something; /* what handles point to */

/* ---- what it is ---- */

/* Of a typical GPU of each kind; bytes of shared memory in KB. */
static const struct {
  int capability, multiprocessors, threads, shared_block, shared_all, l2_mb;
} kinds[] = {{70, 80, 2048, 96, 96, 6},    {75, 40, 1024, 64, 64, 4},     {80, 108, 2048, 163, 164, 40},
             {86, 84, 1536, 99, 100, 6},   {90, 132, 2048, 227, 228, 50}, {100, 148, 2048, 227, 228, 126},
             {120, 170, 1536, 99, 100, 96}};
enum { KINDS = sizeof kinds / sizeof kinds[0], MOST_SHARED = 227 << 10 };

static CUresult get_device(CUdevice *device, int number) {
  *device = number;
  return CUDA_SUCCESS;
}

static CUresult get_name(char *name, int bytes, CUdevice device) {
  static const char text[] = "no GPU";
  (void)device;
  if (bytes >= (int)sizeof text) memcpy(name, text, sizeof text);
  return CUDA_SUCCESS;
}

static CUresult get_attribute(int *value, CUdevice_attribute which, CUdevice device) {
  int k = 0;
  while (k + 1 < KINDS && kinds[k + 1].capability <= device) k++;
  switch (which) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = device / 10; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = device % 10; break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = kinds[k].multiprocessors; break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *value = kinds[k].threads; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *value = kinds[k].shared_block << 10; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: *value = kinds[k].shared_all << 10; break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *value = kinds[k].l2_mb << 20; break;
    default: *value = 0; break;
  }
  return CUDA_SUCCESS;
}

static const size_t all_memory = (size_t)1 << 40;

static CUresult get_total(size_t *bytes, CUdevice device) {
  (void)device;
  *bytes = all_memory;
  return CUDA_SUCCESS;
}

static CUresult get_version(int *version) {
  *version = 0;
  return CUDA_SUCCESS;
}

/* The one thing that it refuses. */
static CUresult get_text(CUresult result, const char **text) {
  *text = result == CUDA_ERROR_NOT_SUPPORTED ? "it prepares calls, and computes nothing" : "a wrong argument";
  return CUDA_SUCCESS;
}

/* ---- contexts, streams, events ---- */

static CUresult retain(CUcontext *context, CUdevice device) {
  (void)device;
  *context = (CUcontext)(void *)&something;
  return CUDA_SUCCESS;
}

static CUresult get_current(CUcontext *context) { return retain(context, 0); }
static CUresult pop_current(CUcontext *context) { return retain(context, 0); }

static CUresult push_current(CUcontext context) {
  (void)context;
  return CUDA_SUCCESS;
}

static CUresult finish_context(void) { return CUDA_SUCCESS; }

static CUresult make_stream(CUstream *stream, unsigned flags) {
  (void)flags;
  *stream = (CUstream)(void *)&something;
  return CUDA_SUCCESS;
}

static CUresult use_stream(CUstream stream) {
  (void)stream;
  return CUDA_SUCCESS;
}

static CUresult wait_event(CUstream stream, CUevent event, unsigned flags) {
  (void)stream, (void)event, (void)flags;
  return CUDA_SUCCESS;
}

static CUresult make_event(CUevent *event, unsigned flags) {
  (void)flags;
  *event = (CUevent)(void *)&something;
  return CUDA_SUCCESS;
}

static CUresult use_event(CUevent event) {
  (void)event;
  return CUDA_SUCCESS;
}

static CUresult record_event(CUevent event, CUstream stream) {
  (void)event, (void)stream;
  return CUDA_SUCCESS;
}

static CUresult get_elapsed(float *ms, CUevent from, CUevent to) {
  (void)from, (void)to;
  *ms = 0;
  return CUDA_SUCCESS;
}

/* ---- memory ---- */

/* Addresses are not used twice: there are enough. */
static CUresult take_memory(CUdeviceptr *address, size_t bytes) {
  static uint64_t next = (uint64_t)1 << 40;
  enum { PAGE = 2 << 20 };
  *address = (CUdeviceptr)__atomic_fetch_add(&next, (bytes + PAGE - 1) / PAGE * PAGE, __ATOMIC_RELAXED);
  return CUDA_SUCCESS;
}

static CUresult give_memory(CUdeviceptr address) {
  (void)address;
  return CUDA_SUCCESS;
}

static CUresult get_memory(size_t *left, size_t *total) {
  *left = *total = all_memory;
  return CUDA_SUCCESS;
}

/* The host reads and writes it. */
static CUresult take_pinned(void **at, size_t bytes, unsigned flags) {
  enum { PAGE = 4096 };
  (void)flags;
  *at = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
  return *at != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult give_pinned(void *at) {
  free(at);
  return CUDA_SUCCESS;
}

static CUresult get_address(CUdeviceptr *address, void *host, unsigned flags) {
  (void)flags;
  *address = (CUdeviceptr)(uintptr_t)host;
  return CUDA_SUCCESS;
}

static CUresult ask_pointer(unsigned count, CUpointer_attribute *which, void **values, CUdeviceptr address) {
  (void)which, (void)address;
  for (unsigned i = 0; i < count; i++) *(unsigned *)values[i] = 0;
  return CUDA_SUCCESS;
}

static CUresult to_device(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  (void)to, (void)from, (void)bytes, (void)stream;
  return CUDA_SUCCESS;
}

static CUresult from_device(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  (void)to, (void)from, (void)bytes, (void)stream;
  return CUDA_ERROR_NOT_SUPPORTED;
}

static CUresult within_device(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  (void)to, (void)from, (void)bytes, (void)stream;
  return CUDA_SUCCESS;
}

static CUresult between_devices(CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here, size_t bytes,
                                CUstream stream) {
  (void)to, (void)there, (void)from, (void)here, (void)bytes, (void)stream;
  return CUDA_ERROR_NOT_SUPPORTED;
}

static CUresult set_bytes(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  (void)to, (void)value, (void)count, (void)stream;
  return CUDA_SUCCESS;
}

static CUresult set_pairs(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  (void)to, (void)value, (void)count, (void)stream;
  return CUDA_SUCCESS;
}

static CUresult set_words(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  (void)to, (void)value, (void)count, (void)stream;
  return CUDA_SUCCESS;
}

/* ---- kernels ---- */

static CUresult load_module(CUmodule *module, const void *image) {
  (void)image;
  *module = (CUmodule)(void *)&something;
  return CUDA_SUCCESS;
}

static CUresult unload_module(CUmodule module) {
  (void)module;
  return CUDA_SUCCESS;
}

static CUresult get_function(CUfunction *function, CUmodule module, const char *name) {
  (void)module, (void)name;
  *function = (CUfunction)(void *)&something;
  return CUDA_SUCCESS;
}

static CUresult ask_function(int *value, CUfunction_attribute which, CUfunction function) {
  (void)function;
  *value = which == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : 0;
  return CUDA_SUCCESS;
}

static CUresult tell_function(CUfunction function, CUfunction_attribute which, int value) {
  (void)function, (void)which, (void)value;
  return CUDA_SUCCESS;
}

/* What every driver looks at. */
static CUresult launch(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned threads_y,
                       unsigned threads_z, unsigned shared, CUstream stream, void **args, void **more) {
  (void)function, (void)threads_y, (void)threads_z, (void)stream, (void)args, (void)more;
  const bool good = x > 0 && x <= INT32_MAX && y > 0 && y <= UINT16_MAX && z > 0 && z <= UINT16_MAX && threads > 0 &&
                    threads <= 1024 && shared <= MOST_SHARED;
  return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult count_blocks(int *blocks, CUfunction function, int threads, size_t shared) {
  (void)function, (void)threads, (void)shared;
  *blocks = 2;
  return CUDA_SUCCESS;
}

/* ---- graphs ---- */

static CUresult begin_capture(CUstream stream, CUstreamCaptureMode mode) {
  (void)stream, (void)mode;
  return CUDA_SUCCESS;
}

static CUresult end_capture(CUstream stream, CUgraph *graph) {
  (void)stream;
  *graph = (CUgraph)(void *)&something;
  return CUDA_SUCCESS;
}

static CUresult make_graph(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
  (void)graph, (void)flags;
  *exec = (CUgraphExec)(void *)&something;
  return CUDA_SUCCESS;
}

static CUresult launch_graph(CUgraphExec exec, CUstream stream) {
  (void)exec, (void)stream;
  return CUDA_SUCCESS;
}

static CUresult end_graph(CUgraph graph) {
  (void)graph;
  return CUDA_SUCCESS;
}

static CUresult end_exec(CUgraphExec exec) {
  (void)exec;
  return CUDA_SUCCESS;
}

static CUresult start(unsigned flags) {
  (void)flags;
  return CUDA_SUCCESS;
}

static CUresult get_count(int *count) {
  *count = 0;
  return CUDA_SUCCESS;
}

const tsr__cuda_driver tsr__cuda_ahead = {
    .cuInit = start,
    .cuDriverGetVersion = get_version,
    .cuGetErrorString = get_text,
    .cuDeviceGetCount = get_count,
    .cuDeviceGet = get_device,
    .cuDeviceGetName = get_name,
    .cuDeviceGetAttribute = get_attribute,
    .cuDeviceTotalMem = get_total,
    .cuDevicePrimaryCtxRetain = retain,
    .cuCtxGetCurrent = get_current,
    .cuCtxPushCurrent = push_current,
    .cuCtxPopCurrent = pop_current,
    .cuCtxSynchronize = finish_context,
    .cuStreamCreate = make_stream,
    .cuStreamDestroy = use_stream,
    .cuStreamSynchronize = use_stream,
    .cuStreamWaitEvent = wait_event,
    .cuStreamBeginCapture = begin_capture,
    .cuStreamEndCapture = end_capture,
    .cuEventCreate = make_event,
    .cuEventDestroy = use_event,
    .cuEventRecord = record_event,
    .cuEventQuery = use_event,
    .cuEventSynchronize = use_event,
    .cuEventElapsedTime = get_elapsed,
    .cuMemAlloc = take_memory,
    .cuMemFree = give_memory,
    .cuMemGetInfo = get_memory,
    .cuMemHostAlloc = take_pinned,
    .cuMemFreeHost = give_pinned,
    .cuMemHostGetDevicePointer = get_address,
    .cuPointerGetAttributes = ask_pointer,
    .cuMemcpyHtoDAsync = to_device,
    .cuMemcpyDtoHAsync = from_device,
    .cuMemcpyDtoDAsync = within_device,
    .cuMemcpyPeerAsync = between_devices,
    .cuMemsetD8Async = set_bytes,
    .cuMemsetD16Async = set_pairs,
    .cuMemsetD32Async = set_words,
    .cuModuleLoadData = load_module,
    .cuModuleUnload = unload_module,
    .cuModuleGetFunction = get_function,
    .cuFuncGetAttribute = ask_function,
    .cuFuncSetAttribute = tell_function,
    .cuLaunchKernel = launch,
    .cuOccupancyMaxActiveBlocksPerMultiprocessor = count_blocks,
    .cuGraphInstantiate = make_graph,
    .cuGraphLaunch = launch_graph,
    .cuGraphDestroy = end_graph,
    .cuGraphExecDestroy = end_exec,
};
