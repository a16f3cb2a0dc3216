/* The emulated driver itself: that kernels, queues and memory behave as those of a GPU, and that mistakes are found. */
#include <dlfcn.h>
#include <stdlib.h>

#include "cuda/emulated.h"
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
  if (TSR_EMULATOR_FOLDER[0] == 0) return why = "this build has no emulated CUDA driver";
  if (system("g++ --version >/dev/null 2>&1") != 0) return why = "there is no g++";
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

TEST_MAIN(RUN(a_kernel_runs), RUN(threads_work_together), RUN(mistakes_between_threads_are_found),
          RUN(an_address_outside_is_found))
