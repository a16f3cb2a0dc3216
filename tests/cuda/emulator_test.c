/* The emulated driver itself: that kernels, queues and memory behave as those of a GPU, and that mistakes are found. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/emulated.h"
#include "cuda/gpu.h"
#include "support/test.h"

static emulated_api cu;

static bool open_one(const char *file, void **library) {
  char path[1024];
  (void)snprintf(path, sizeof path, "%s/%s", TSR_EMULATOR_FOLDER, file);
  *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return *library != NULL;
}

static const char *why_not(void) {
  static const char *why = "?";
  void *driver = NULL, *compiler = NULL;
  if (why == NULL || strcmp(why, "?") != 0) return why;
  (void)unsetenv("TSR_TEST_DEVICE"); /* it is the emulated one that is tested here */
  why = gpu_prepare();
  if (why != NULL) return why;
  (void)setenv("TSR_EMULATOR_QUIET", "1", 0);
  (void)setenv("TSR_EMULATOR_DEVICES", "2", 1);
  if (!open_one("libcuda.so.1", &driver) || !open_one("libnvrtc.so.13", &compiler)) return why = "no libraries";
#define X(result, name, parameters) \
  if ((*(void **)&cu.name = dlsym(driver, #name)) == NULL) return why = #name " is missing";
  EMULATED_FUNCTIONS(X)
#undef X
#define X(result, name, parameters) \
  if ((*(void **)&cu.name = dlsym(compiler, #name)) == NULL) return why = #name " is missing";
  EMULATED_COMPILER(X)
#undef X
  CUcontext context;
  if (cu.cuInit(0) != 0 || cu.cuDevicePrimaryCtxRetain(&context, 0) != 0 || cu.cuCtxPushCurrent_v2(context) != 0)
    return why = "no device";
  return why = NULL;
}

#define NEEDS_EMULATOR() \
  if (why_not() != NULL) SKIP(why_not())

/* After a launch that failed: the device as it was at first. */
static void reset(void) {
  CUcontext context;
  (void)cu.cuDevicePrimaryCtxRelease_v2(0);
  (void)cu.cuDevicePrimaryCtxRetain(&context, 0);
}

static CUfunction compile(const char *text, const char *name) {
  emulated_program p = NULL;
  CUmodule module = NULL;
  CUfunction f = NULL;
  size_t bytes = 0;
  const char *const options[] = {"-arch=sm_90", "-fmad=false"};
  if (cu.nvrtcCreateProgram(&p, text, "test.cu", 0, NULL, NULL) != 0) return NULL;
  if (cu.nvrtcCompileProgram(p, 2, options) != 0) {
    (void)cu.nvrtcGetProgramLogSize(p, &bytes);
    char *const log = malloc(bytes);
    (void)cu.nvrtcGetProgramLog(p, log);
    printf("%s\n", log);
    free(log);
  } else if (cu.nvrtcGetCUBINSize(p, &bytes) == 0) {
    char *const image = malloc(bytes);
    (void)cu.nvrtcGetCUBIN(p, image);
    if (cu.cuModuleLoadData(&module, image) == 0) (void)cu.cuModuleGetFunction(&f, module, name);
    free(image);
  }
  (void)cu.nvrtcDestroyProgram(&p);
  return f;
}

static CUresult launch(CUfunction f, unsigned grid, unsigned block, unsigned shared, CUstream stream,
                       void **arguments) {
  return cu.cuLaunchKernel(f, grid, 1, 1, block, 1, 1, shared, stream, arguments, NULL);
}

TEST(a_kernel_runs) {
  NEEDS_EMULATOR();
  static const char text[] =
      "extern \"C\" __global__ void __launch_bounds__(64) k(float *x, int n, float by) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) x[i] = i * by;\n"
      "}\n";
  CUfunction const f = compile(text, "k");
  REQUIRE(f != NULL);
  CUdeviceptr x = 0;
  float host[100], by = 2;
  int n = 100;
  REQUIRE(cu.cuMemAlloc_v2(&x, sizeof host) == 0);
  void *arguments[] = {&x, &n, &by};
  CHECK(launch(f, 2, 64, 0, NULL, arguments) == 0);
  CHECK(cu.cuMemcpyDtoH_v2(host, x, sizeof host) == 0);
  for (int i = 0; i < n; i++) CHECK(host[i] == 2.0f * (float)i);
  CHECK(launch(f, 2, 128, 0, NULL, arguments) != 0); /* more than its bounds */
  CHECK(cu.cuMemFree_v2(x) == 0);
  CHECK(cu.emulator_live(0) == 0);
}

static const char sum_text[] =
    "extern __shared__ float dynamic[];\n"
    "extern \"C\" __global__ void sum(const float *x, float *y) {\n"
    "  __shared__ float part[8];\n"
    "  const int t = threadIdx.x;\n"
    "  dynamic[t] = x[blockIdx.x * 256 + t];\n"
    "  __syncthreads();\n"
    "  float v = dynamic[255 - t];\n"
    "  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);\n"
    "  if (t % 32 == 0) part[t / 32] = v;\n"
    "  __syncthreads();\n"
    "  if (t < 8) {\n"
    "    v = part[t];\n"
    "    for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(255u, v, d, 8);\n"
    "    if (t == 0) y[blockIdx.x] = v;\n"
    "  }\n"
    "}\n";

TEST(threads_work_together) {
  NEEDS_EMULATOR();
  CUfunction const f = compile(sum_text, "sum");
  REQUIRE(f != NULL);
  float host[1024], sums[4];
  CUdeviceptr x = 0, y = 0;
  for (int i = 0; i < 1024; i++) host[i] = (float)(i % 7);
  REQUIRE(cu.cuMemAlloc_v2(&x, sizeof host) == 0 && cu.cuMemAlloc_v2(&y, sizeof sums) == 0);
  CHECK(cu.cuMemcpyHtoD_v2(x, host, sizeof host) == 0);
  void *arguments[] = {&x, &y};
  for (unsigned seed = 0; seed < 4; seed++) {
    cu.emulator_set_seed(seed);
    CHECK(launch(f, 4, 256, 1024, NULL, arguments) == 0);
    CHECK(cu.cuMemcpyDtoH_v2(sums, y, sizeof sums) == 0);
    for (int b = 0; b < 4; b++) {
      float sum = 0;
      for (int i = 0; i < 256; i++) sum += host[b * 256 + i];
      CHECK(sums[b] == sum);
    }
  }
  cu.emulator_set_seed(0);
  CHECK(cu.cuMemFree_v2(x) == 0 && cu.cuMemFree_v2(y) == 0);
}

/* A launch of one block of a text's kernel k(int *x), and what is said of it. x: 256 numbers, all 0. */
static CUresult run_bad(const char *text, unsigned threads) {
  CUdeviceptr x = 0;
  CUfunction const f = compile(text, "k");
  if (f == NULL || cu.cuMemAlloc_v2(&x, 1024) != 0 || cu.cuMemsetD32_v2(x, 0, 256) != 0) return -1;
  void *arguments[] = {&x};
  if (launch(f, 1, threads, 0, NULL, arguments) != 0) return -1;
  const CUresult result = cu.cuCtxSynchronize();
  reset();
  return result;
}

static bool reports(const char *words) {
  if (strstr(cu.emulator_report(), words) != NULL) return true;
  printf("  the report is: %s\n", cu.emulator_report());
  return false;
}

TEST(mistakes_between_threads_are_found) {
  NEEDS_EMULATOR();
  CHECK(run_bad("extern \"C\" __global__ void k(int *x) {\n"
                "  if (threadIdx.x < 32)\n"
                "    __syncthreads();\n"
                "  else\n"
                "    __syncthreads();\n"
                "}\n",
                64) == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(reports("divergent barrier: it waits in line 5, others in line 3"));
  CHECK(run_bad("extern \"C\" __global__ void k(int *x) {\n"
                "  if (threadIdx.x < 16) x[threadIdx.x] = __shfl_sync(~0u, 1, 0);\n"
                "  else __syncthreads();\n"
                "}\n",
                32) == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(reports("wait for each other"));
  CHECK(run_bad("extern \"C\" __global__ void k(int *x) {\n"
                "  if (threadIdx.x < 16) x[threadIdx.x] = __shfl_sync(0xffffu, 1, 16);\n"
                "}\n",
                32) == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(reports("lane 0 reads lane 16, which takes no part in it"));
}

TEST(an_address_outside_is_found) {
  NEEDS_EMULATOR();
  CHECK(run_bad("extern \"C\" __global__ void k(int *x) { x[256 + threadIdx.x] = 1; }\n", 32) ==
        CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(reports("behind the end of an allocation of 1024 bytes"));
  CHECK(run_bad("extern \"C\" __global__ void k(int *x) { *(volatile int *)16 = 1; }\n", 32) ==
        CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST(mistakes_in_shared_memory_are_found) {
  NEEDS_EMULATOR();
  CHECK(run_bad("extern \"C\" __global__ void k(int *x) {\n"
                "  __shared__ int s[64];\n"
                "  s[threadIdx.x] = 1;\n"
                "  x[threadIdx.x] = s[63 - threadIdx.x];\n" /* no barrier */
                "}\n",
                64) == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(reports("test.cu:4: it reads what nobody has written"));
  CHECK(run_bad("extern \"C\" __global__ void k(int *x) {\n"
                "  __shared__ int s[64];\n"
                "  s[threadIdx.x] = 1;\n"
                "  __syncthreads();\n"
                "  const int y = s[63 - threadIdx.x];\n"
                "  s[threadIdx.x] = y + 1;\n" /* no barrier */
                "  x[threadIdx.x] = y;\n"
                "}\n",
                64) == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(reports("test.cu:5: it reads and another thread writes"));
  CHECK(run_bad("extern \"C\" __global__ void k(int *x) {\n"
                "  __shared__ int s[64];\n"
                "  if (threadIdx.x < 32) s[threadIdx.x] = 1;\n"
                "  __syncthreads();\n"
                "  x[threadIdx.x] = s[threadIdx.x];\n"
                "}\n",
                64) == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(reports("test.cu:5: it reads what nobody has written: byte "));
  CHECK(run_bad("extern \"C\" __global__ void k(int *x) { *(int4 *)(x + 1) = *(const int4 *)(x + 8); }\n", 1) ==
        CUDA_ERROR_MISALIGNED_ADDRESS);
  CHECK(run_bad("extern __shared__ int d[];\nextern \"C\" __global__ void k(int *x) { d[threadIdx.x] = 1; }\n", 1) ==
        CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(reports("dynamic shared memory"));
}

/* Lanes of a warp that meet in between may use each other's memory without a barrier. */
TEST(warps_are_in_order_by_themselves) {
  NEEDS_EMULATOR();
  static const char text[] =
      "extern \"C\" __global__ void k(int *x) {\n"
      "  __shared__ int s[64];\n"
      "  const int t = threadIdx.x, other = t ^ 5;\n"
      "  s[t] = t;\n"
      "  __syncwarp();\n"
      "  const int y = s[other];\n"
      "  __syncwarp();\n"
      "  s[t] = y;\n"
      "  __syncwarp();\n"
      "  x[t] = s[other] + (int)__reduce_add_sync(~0u, 1u) + (int)__ballot_sync(~0u, t % 2) +\n"
      "    __any_sync(~0u, t == 3) + __all_sync(~0u, t >= 0) + (int)__match_any_sync(~0u, t % 2);\n"
      "}\n";
  for (unsigned seed = 0; seed < 3; seed++) {
    cu.emulator_set_seed(seed);
    CHECK(run_bad(text, 64) == 0);
  }
  cu.emulator_set_seed(0);
}

/* Blocks that wait for others of their grid: the first one for all that begin after it. */
TEST(blocks_may_wait_for_each_other) {
  NEEDS_EMULATOR();
  static const char text[] =
      "extern \"C\" __global__ void k(volatile int *x) {\n"
      "  __shared__ int mine;\n"
      "  if (threadIdx.x == 0) mine = atomicAdd((int *)x + 100, 1);\n"
      "  __syncthreads();\n"
      "  const int place = mine;\n"
      "  if (threadIdx.x != 0) return;\n"
      "  if (place > 0) { x[place] = place; return; }\n"
      "  int sum = 0;\n"
      "  for (int i = 1; i < gridDim.x; i++) { while (x[i] == 0) __nanosleep(20); sum += x[i]; }\n"
      "  x[0] = sum + mine;\n"
      "}\n";
  CUfunction const f = compile(text, "k");
  CUdeviceptr x = 0;
  int sum = 0;
  REQUIRE(f != NULL && cu.cuMemAlloc_v2(&x, 1024) == 0);
  for (unsigned seed = 0; seed < 3; seed++) {
    cu.emulator_set_seed(seed);
    CHECK(cu.cuMemsetD32_v2(x, 0, 256) == 0);
    void *arguments[] = {&x};
    CHECK(launch(f, 50, 64, 0, NULL, arguments) == 0);
    CHECK(cu.cuMemcpyDtoH_v2(&sum, x, 4) == 0);
    CHECK(sum == 49 * 50 / 2);
  }
  cu.emulator_set_seed(0);
  CHECK(cu.cuMemFree_v2(x) == 0);
}

TEST(a_text_that_is_wrong_names_its_line) {
  NEEDS_EMULATOR();
  emulated_program p = NULL;
  size_t bytes = 0;
  char log[4096] = "";
  REQUIRE(cu.nvrtcCreateProgram(&p, "__device__ int f() {\n  return no_such_thing;\n}\n", "wrong.cu", 0, NULL, NULL) ==
          0);
  CHECK(cu.nvrtcCompileProgram(p, 0, NULL) == 6);
  CHECK(cu.nvrtcGetProgramLogSize(p, &bytes) == 0 && bytes < sizeof log);
  CHECK(cu.nvrtcGetProgramLog(p, log) == 0);
  CHECK(strstr(log, "wrong.cu:2") != NULL);
  CHECK(cu.nvrtcGetCUBINSize(p, &bytes) != 0);
  const char *const option = "--no-such-option";
  CHECK(cu.nvrtcCompileProgram(p, 1, &option) == 5);
  CHECK(cu.nvrtcDestroyProgram(&p) == 0);
  CUmodule module = NULL;
  CHECK(cu.cuModuleLoadData(&module, "no image at all, only some text of a sufficient length") ==
        CUDA_ERROR_INVALID_IMAGE);
}

/* ---- queues ---- */

/* x[0] = x[0] * 3 + by, so that the order shows. */
static const char step_text[] = "extern \"C\" __global__ void step(int *x, int by) { x[0] = x[0] * 3 + by; }\n";

static void step(CUfunction f, CUdeviceptr x, int by, CUstream stream) {
  void *arguments[] = {&x, &by};
  CHECK(launch(f, 1, 1, 0, stream, arguments) == 0);
}

TEST(work_runs_later_and_in_order) {
  NEEDS_EMULATOR();
  CUfunction const f = compile(step_text, "step");
  CUstream one = NULL, two = NULL;
  CUevent event = NULL;
  CUdeviceptr x = 0;
  int *pinned = NULL;
  REQUIRE(f != NULL && cu.cuMemAlloc_v2(&x, 4) == 0 && cu.cuMemHostAlloc((void **)&pinned, 4, 0) == 0);
  REQUIRE(cu.cuStreamCreate(&one, 1) == 0 && cu.cuStreamCreate(&two, 1) == 0 && cu.cuEventCreate(&event, 2) == 0);
  for (int late = 0; late < 2; late++) {
    cu.emulator_set_late(late != 0);
    *pinned = -1;
    CHECK(cu.cuMemsetD32Async(x, 0, 1, one) == 0);
    step(f, x, 1, one);
    CHECK(cu.cuEventRecord(event, one) == 0);
    CHECK(cu.cuStreamWaitEvent(two, event, 0) == 0);
    step(f, x, 2, two);
    CHECK(cu.cuMemcpyDtoHAsync_v2(pinned, x, 4, two) == 0);
    if (late) CHECK(*(volatile int *)pinned == -1); /* nobody has waited yet */
    CHECK(cu.cuStreamSynchronize(two) == 0);
    CHECK(*(volatile int *)pinned == 5);
    CHECK(cu.cuStreamQuery(two) == 0 && cu.cuEventQuery(event) == 0 && cu.cuEventSynchronize(event) == 0);
  }
  cu.emulator_set_late(false);
  CHECK(cu.cuStreamDestroy_v2(one) == 0 && cu.cuStreamDestroy_v2(two) == 0 && cu.cuEventDestroy_v2(event) == 0);
  CHECK(cu.cuMemFree_v2(x) == 0 && cu.cuMemFreeHost(pinned) == 0);
}

TEST(a_capture_is_replayed) {
  NEEDS_EMULATOR();
  CUfunction const f = compile(step_text, "step");
  CUstream one = NULL, two = NULL;
  CUevent fork = NULL, join = NULL;
  CUgraph graph = NULL;
  CUgraphExec exec = NULL;
  CUdeviceptr x = 0, other = 0;
  int got = 0;
  REQUIRE(f != NULL && cu.cuMemAlloc_v2(&x, 4) == 0 && cu.cuMemsetD32_v2(x, 0, 1) == 0);
  REQUIRE(cu.cuStreamCreate(&one, 1) == 0 && cu.cuStreamCreate(&two, 1) == 0);
  REQUIRE(cu.cuEventCreate(&fork, 2) == 0 && cu.cuEventCreate(&join, 2) == 0);
  CHECK(cu.cuStreamBeginCapture_v2(one, 0) == 0);
  step(f, x, 1, one);
  CHECK(cu.cuEventRecord(fork, one) == 0 && cu.cuStreamWaitEvent(two, fork, 0) == 0);
  step(f, x, 2, two);
  CHECK(cu.cuEventRecord(join, two) == 0 && cu.cuStreamWaitEvent(one, join, 0) == 0);
  CHECK(cu.cuMemAlloc_v2(&other, 4) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK(cu.cuStreamEndCapture(one, &graph) == 0);
  CHECK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0) == 0 && cu.cuGraphDestroy(graph) == 0);
  CHECK(cu.cuMemcpyDtoH_v2(&got, x, 4) == 0 && got == 0); /* nothing ran */
  CHECK(cu.cuGraphLaunch(exec, one) == 0 && cu.cuGraphLaunch(exec, one) == 0);
  CHECK(cu.cuStreamSynchronize(one) == 0 && cu.cuMemcpyDtoH_v2(&got, x, 4) == 0);
  CHECK(got == (5 * 3 + 1) * 3 + 2);
  CHECK(cu.cuGraphExecDestroy(exec) == 0);
  CHECK(cu.cuStreamBeginCapture_v2(one, 0) == 0);
  CHECK(cu.cuStreamSynchronize(one) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK(cu.cuStreamEndCapture(one, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  CHECK(cu.cuStreamDestroy_v2(one) == 0 && cu.cuStreamDestroy_v2(two) == 0 && cu.cuMemFree_v2(x) == 0);
  CHECK(cu.cuEventDestroy_v2(fork) == 0 && cu.cuEventDestroy_v2(join) == 0);
}

/* ---- memory ---- */

/* Whether the host can read it: the kernel looks, nothing is touched. */
static bool is_readable(const void *p) {
  int ends[2];
  if (pipe(ends) != 0) return true;
  const bool readable = write(ends[1], p, 1) == 1;
  (void)close(ends[0]);
  (void)close(ends[1]);
  return readable;
}

TEST(memory_is_the_devices_own) {
  NEEDS_EMULATOR();
  CUdeviceptr x = 0;
  REQUIRE(cu.cuMemAlloc_v2(&x, 4096) == 0);
  CHECK(!is_readable((const void *)(uintptr_t)x));
  CHECK(cu.cuMemsetD32_v2(x, 7, 1024) == 0);
  CHECK(cu.cuMemsetD32_v2(x, 7, 1025) == CUDA_ERROR_INVALID_VALUE);
  CHECK(!is_readable((const void *)(uintptr_t)x));
  int kind = 0;
  CHECK(cu.cuPointerGetAttribute(&kind, POINTER_MEMORY_TYPE, x + 5) == 0 && kind == 2);
  CHECK(cu.cuPointerGetAttribute(&kind, POINTER_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)&kind) != 0);
  CHECK(cu.cuMemFree_v2(x) == 0);
  CHECK(cu.cuMemFree_v2(x) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cu.cuMemsetD32_v2(x, 7, 1) == CUDA_ERROR_INVALID_VALUE);
}

TEST(freed_memory_and_the_hosts_are_found) {
  NEEDS_EMULATOR();
  static const char text[] = "extern \"C\" __global__ void k(int *x) { x[threadIdx.x] = 1; }\n";
  CUfunction const f = compile(text, "k");
  CUdeviceptr x = 0;
  REQUIRE(f != NULL && cu.cuMemAlloc_v2(&x, 1024) == 0 && cu.cuMemFree_v2(x) == 0);
  void *arguments[] = {&x};
  CHECK(launch(f, 1, 32, 0, NULL, arguments) == 0);
  CHECK(cu.cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(reports("a freed allocation of 1024 bytes"));
  CHECK(cu.cuMemAlloc_v2(&x, 1024) == CUDA_ERROR_ILLEGAL_ADDRESS); /* and so on: the context is lost */
  reset();
  static int host[32];
  x = (CUdeviceptr)(uintptr_t)host;
  CHECK(launch(f, 1, 32, 0, NULL, arguments) == 0);
  CHECK(cu.cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(reports("not in the device's memory"));
  reset();
  CHECK(cu.cuCtxSynchronize() == 0);
}

TEST(memory_runs_out_and_calls_fail_on_demand) {
  NEEDS_EMULATOR();
  CUdeviceptr x = 0, y = 0;
  cu.emulator_set_memory(0, 1 << 20);
  CHECK(cu.cuMemAlloc_v2(&x, 1 << 19) == 0);
  CHECK(cu.cuMemAlloc_v2(&y, (1 << 19) + 1) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(cu.emulator_live(0) == 1 << 19);
  CHECK(cu.cuMemFree_v2(x) == 0);
  cu.emulator_set_memory(0, (size_t)3 << 30);
  const long before = cu.emulator_calls("cuMemAlloc_v2");
  cu.emulator_fail("cuMemAlloc_v2", 1, CUDA_ERROR_UNKNOWN);
  CHECK(cu.cuMemAlloc_v2(&x, 8) == 0);
  CHECK(cu.cuMemAlloc_v2(&y, 8) == CUDA_ERROR_UNKNOWN);
  CHECK(cu.cuMemAlloc_v2(&y, 8) == 0);
  CHECK(cu.emulator_calls("cuMemAlloc_v2") == before + 3);
  CHECK(cu.cuMemFree_v2(x) == 0 && cu.cuMemFree_v2(y) == 0);
}

/* Device 1 is lost here: the last test that may use it. */
TEST(two_devices_and_one_is_lost) {
  NEEDS_EMULATOR();
  CUcontext first = NULL, second = NULL;
  CUdeviceptr x = 0, y = 0;
  int count = 0, value = 0;
  CHECK(cu.cuDeviceGetCount(&count) == 0 && count == 2);
  REQUIRE(cu.cuCtxGetCurrent(&first) == 0 && cu.cuDevicePrimaryCtxRetain(&second, 1) == 0);
  REQUIRE(cu.cuMemAlloc_v2(&x, 4) == 0 && cu.cuMemsetD32_v2(x, 77, 1) == 0);
  CHECK(cu.cuCtxPushCurrent_v2(second) == 0);
  CHECK(cu.cuMemAlloc_v2(&y, 4) == 0 && cu.emulator_live(1) == 4);
  CHECK(cu.cuMemcpyPeer(y, second, x, first, 4) == 0);
  CHECK(cu.cuMemcpyDtoH_v2(&value, y, 4) == 0 && value == 77);
  cu.emulator_lose(1);
  CHECK(cu.cuMemcpyDtoH_v2(&value, y, 4) == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(cu.cuCtxSynchronize() == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(cu.cuCtxPopCurrent_v2(NULL) == 0);
  CHECK(cu.cuMemFree_v2(x) == 0 && cu.cuCtxSynchronize() == 0);
}

TEST(a_child_has_no_driver) {
  NEEDS_EMULATOR();
  const pid_t child = fork();
  if (child == 0) {
    CUdeviceptr x = 0;
    _exit(cu.cuMemAlloc_v2(&x, 4) == CUDA_ERROR_NOT_INITIALIZED ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_MAIN(RUN(a_kernel_runs), RUN(threads_work_together), RUN(mistakes_between_threads_are_found),
          RUN(an_address_outside_is_found), RUN(mistakes_in_shared_memory_are_found),
          RUN(warps_are_in_order_by_themselves), RUN(blocks_may_wait_for_each_other),
          RUN(a_text_that_is_wrong_names_its_line), RUN(work_runs_later_and_in_order), RUN(a_capture_is_replayed),
          RUN(memory_is_the_devices_own), RUN(freed_memory_and_the_hosts_are_found),
          RUN(memory_runs_out_and_calls_fail_on_demand), RUN(two_devices_and_one_is_lost), RUN(a_child_has_no_driver))
