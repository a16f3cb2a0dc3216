/* Opening a GPU, the context around calls, and what errors mean. */
#include "cuda/gpu.h"

#include "core/text.h"

#include <string.h>
#include <tessera/memory.h>

_Static_assert(sizeof(tsr__cuda) < (60 << 10), "see TSR__CUDA_KEYS");

/* ---- books ---- */

void *tsr__cuda_host_new(size_t bytes) {
  const tsr_allocator *const a = tsr_allocator_system();
  void *const ptr = a->alloc(a->self, bytes, 64, TSR_HINT_DEFAULT);
  if (ptr != NULL) memset(ptr, 0, bytes);
  return ptr;
}

void tsr__cuda_host_free(void *ptr, size_t bytes) {
  const tsr_allocator *const a = tsr_allocator_system();
  if (ptr != NULL) a->free(a->self, ptr, bytes);
}

/* ---- a child ---- */

/* The driver's state does not survive a fork. Set in the child, and never cleared. */
static int forked;
static void note_fork(void) { __atomic_store_n(&forked, 1, __ATOMIC_RELAXED); }

__attribute__((constructor)) static void watch_forks(void) { (void)pthread_atfork(NULL, NULL, note_fork); }

/* ---- errors ---- */

bool tsr__cuda_is_child(void) { return __atomic_load_n(&forked, __ATOMIC_RELAXED) != 0; }

bool tsr__cuda_is_alive(const tsr__cuda *gpu) {
  return !tsr__cuda_is_child() && __atomic_load_n(&gpu->lost, __ATOMIC_RELAXED) == 0;
}

static const char *text_of(const tsr__cuda *gpu, CUresult result) {
  const char *text = NULL;
  (void)gpu->api->cuGetErrorString(result, &text);
  return text != NULL ? text : "unknown error";
}

/* After these the context does nothing any more but return them. */
static bool is_fatal(CUresult result) {
  switch (result) {
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_UNKNOWN: return true;
    default: return false;
  }
}

static tsr_status refuse_dead(const tsr__cuda *gpu, tsr_ctx *ctx, const char *op) {
  if (tsr__cuda_is_child())
    return TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "%s was opened before a fork: the child cannot use it", gpu->name);
  const CUresult lost = (CUresult)__atomic_load_n(&gpu->lost, __ATOMIC_RELAXED);
  return TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "%s is lost since an earlier call: %s", gpu->name, text_of(gpu, lost));
}

tsr_status tsr__cuda_check(tsr__cuda *gpu, tsr_ctx *ctx, const char *op, CUresult result, const char *what) {
  if (result == CUDA_SUCCESS) return TSR_OK;
  if (is_fatal(result)) __atomic_store_n(&gpu->lost, (int)result, __ATOMIC_RELAXED);
  const tsr_status st = result == CUDA_ERROR_OUT_OF_MEMORY ? TSR_ENOMEM : TSR_EDEVICE;
  return TSR__FAIL(ctx, st, op, NULL, "%s cannot %s: %s", gpu->name, what, text_of(gpu, result));
}

/* ---- the context ---- */

tsr_status tsr__cuda_enter(tsr__cuda *gpu, tsr_ctx *ctx, const char *op, tsr__cuda_scope *scope) {
  CUcontext current = NULL;
  scope->pushed = false;
  if (!tsr__cuda_is_alive(gpu)) return refuse_dead(gpu, ctx, op);
  CUresult r = gpu->api->cuCtxGetCurrent(&current);
  if (r == CUDA_SUCCESS && current == gpu->context) return TSR_OK;
  if (r == CUDA_SUCCESS) r = gpu->api->cuCtxPushCurrent(gpu->context);
  scope->pushed = r == CUDA_SUCCESS;
  return tsr__cuda_check(gpu, ctx, op, r, "be made current");
}

void tsr__cuda_leave(tsr__cuda *gpu, tsr__cuda_scope scope) {
  CUcontext ours;
  if (scope.pushed) (void)gpu->api->cuCtxPopCurrent(&ours);
}

/* ---- opening ---- */

static int attribute(const tsr__cuda *gpu, CUdevice_attribute which) {
  int value = 0;
  (void)gpu->api->cuDeviceGetAttribute(&value, which, gpu->handle);
  return value;
}

static void read_traits(tsr__cuda *gpu) {
  size_t total = 0;
  (void)gpu->api->cuDeviceTotalMem(&total, gpu->handle);
  gpu->traits = (tsr__cuda_traits){
      .capability = 10 * attribute(gpu, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                    attribute(gpu, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
      .multiprocessors = attribute(gpu, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
      .threads = attribute(gpu, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
      .shared_block = attribute(gpu, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
      .shared_all = attribute(gpu, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
      .l2_bytes = attribute(gpu, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
      .memory_bytes = total,
  };
}

static tsr_status open_context(tsr_ctx *ctx, tsr__cuda *gpu) {
  static const char op[] = "device_open";
  tsr_status st = tsr__cuda_check(gpu, ctx, op, gpu->api->cuDeviceGet(&gpu->handle, gpu->index), "be found");
  if (st != TSR_OK) return st;
  (void)gpu->api->cuDeviceGetName(gpu->product, (int)sizeof gpu->product, gpu->handle);
  (void)gpu->api->cuDriverGetVersion(&gpu->version);
  read_traits(gpu);
  if (gpu->traits.capability < 70)
    return TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "%s (%s) has compute capability %d.%d, kernels need 7.0", gpu->name,
                     gpu->product, gpu->traits.capability / 10, gpu->traits.capability % 10);
  return tsr__cuda_check(gpu, ctx, op, gpu->api->cuDevicePrimaryCtxRetain(&gpu->context, gpu->handle), "be opened");
}

tsr_status tsr__cuda_open(tsr_ctx *ctx, const tsr__cuda_driver *api, int index, tsr__cuda *gpu) {
  tsr__text name;
  tsr__cuda_scope scope;
  gpu->api = api;
  gpu->is_ahead = gpu->blas_tried = api == &tsr__cuda_ahead; /* products are our own kernels there */
  gpu->index = gpu->device.index = index;
  if (gpu->is_ahead) gpu->device.kind = 0;
  tsr__text_init(&name, gpu->name, sizeof gpu->name);
  tsr__text_format(&name, gpu->is_ahead ? "cuda:sm_%d" : "cuda:%d", index);
  (void)pthread_mutex_init(&gpu->lock, NULL);
  (void)pthread_mutex_init(&gpu->blas_lock, NULL);
  tsr__cuda_memory_init(&gpu->memory, gpu, false);
  tsr__cuda_memory_init(&gpu->pinned, gpu, true);
  tsr__cuda_kernels_init(&gpu->kernels);
  tsr__cuda_plans_init(&gpu->plans);
  tsr_status st = open_context(ctx, gpu);
  if (st == TSR_OK) st = tsr__cuda_enter(gpu, ctx, "device_open", &scope);
  if (st != TSR_OK) return st;
  tsr_queue *queue = NULL;
  st = tsr__cuda_queue_make(gpu, ctx, &queue);
  gpu->standard = (tsr__cuda_queue *)(void *)queue;
  tsr__cuda_leave(gpu, scope);
  return st;
}
