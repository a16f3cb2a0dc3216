/* The driver's own cost of a small launch: a kernel that does nothing but add, launched by cuLaunchKernel and nothing around it, in the
 * stream of the default queue. Libraries are opened as the plug-in opens them; no header of CUDA is needed. */
#ifndef BENCH_GPU_LAUNCH_H
#define BENCH_GPU_LAUNCH_H

#include "bench.h"

#include <dlfcn.h>

typedef struct driver {
  int (*init)(unsigned);
  int (*device)(int *, int);
  int (*retain)(void **, int);
  int (*push)(void *);
  int (*pop)(void **);
  int (*load)(void **, const void *);
  int (*function)(void **, void *, const char *);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
  int (*host_new)(void **, size_t, unsigned);
  int (*host_free)(void *);
  int (*copy)(uint64_t, const void *, size_t, void *); /* to the device */
  int (*create)(void **, const char *, const char *, int, const char *const *, const char *const *);
  int (*compile)(void *, int, const char *const *);
  int (*size)(void *, size_t *);
  int (*image)(void *, char *);
} driver;

static void *open_library(const char *name) {
  const char *const folder = getenv("TSR_CUDA_LIBRARIES");
  static const char *const usual[] = {"", "/usr/local/cuda/lib64/", "/opt/cuda/lib64/"};
  char path[1024];
  void *library = NULL;
  for (int i = 0; i < 3 && library == NULL; i++) {
    (void)snprintf(path, sizeof path, "%s%s%s", folder != NULL ? folder : usual[i], folder != NULL ? "/" : "", name);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  return library;
}

enum { OF_DRIVER = 11 }; /* members of it, and the compiler's behind them */

/* With the compiler's functions, or without. */
static bool open_driver(driver *d, bool compiles) {
  static const char *const names[] = {"cuInit",
                                      "cuDeviceGet",
                                      "cuDevicePrimaryCtxRetain",
                                      "cuCtxPushCurrent_v2",
                                      "cuCtxPopCurrent_v2",
                                      "cuModuleLoadData",
                                      "cuModuleGetFunction",
                                      "cuLaunchKernel",
                                      "cuMemHostAlloc",
                                      "cuMemFreeHost",
                                      "cuMemcpyHtoDAsync_v2",
                                      "nvrtcCreateProgram",
                                      "nvrtcCompileProgram",
                                      "nvrtcGetCUBINSize",
                                      "nvrtcGetCUBIN"};
  void *const cuda = open_library("libcuda.so.1");
  void *rtc = compiles ? open_library("libnvrtc.so.13") : NULL;
  void *found[sizeof names / sizeof names[0]] = {NULL};
  _Static_assert(sizeof found == sizeof *d, "a function for each name");
  if (compiles && rtc == NULL) rtc = open_library("libnvrtc.so.12");
  for (size_t i = 0; i < (compiles ? sizeof names / sizeof names[0] : (size_t)OF_DRIVER); i++) {
    void *const library = i < OF_DRIVER ? cuda : rtc;
    if (library == NULL || (found[i] = dlsym(library, names[i])) == NULL) return false;
  }
  memcpy(d, found, sizeof *d);
  return true;
}

/* As long as the arguments of our contiguous kernels. */
typedef struct plain_args {
  uint64_t n, x[8], rest[16];
} plain_args;

static const char plain_text[] =
    "struct args { unsigned long long n; float *x[8]; unsigned long long rest[16]; };\n"
    "extern \"C\" __global__ void __launch_bounds__(128) plain(const args a) {\n"
    "  const unsigned i = blockIdx.x * 128 + threadIdx.x;\n  if (i < a.n) a.x[0][i] = a.x[1][i] + a.x[2][i];\n}\n";

static void *plain_kernel(const driver *d, int capability) {
  char arch[32];
  const char *const options[] = {arch, "-default-device"};
  void *program = NULL, *module = NULL, *function = NULL;
  size_t bytes = 0;
  (void)snprintf(arch, sizeof arch, "-arch=sm_%d", capability);
  if (d->create(&program, plain_text, "plain", 0, NULL, NULL) != 0 || d->compile(program, 2, options) != 0) return NULL;
  if (d->size(program, &bytes) != 0) return NULL;
  char *const image = malloc(bytes);
  if (image == NULL) return NULL;
  if (d->image(program, image) == 0 && d->load(&module, image) == 0) (void)d->function(&function, module, "plain");
  free(image);
  return function;
}

/* Microseconds of a launch, enqueued: the least of some rounds. A negative number: there is no driver to ask. */
static double plain_launch_us(bench *b, int calls) {
  driver d;
  tsr_device_details details = {.size = sizeof details};
  void *context = NULL, *kernel = NULL, *stream = tsr_queue_native(b->gpu, NULL);
  double best = -1;
  int device = 0;
  plain_args args = {.n = 1024};
  void *parameters[] = {&args};
  if (!open_driver(&d, true) || tsr_device_info(&b->ctx, b->gpu, &details) != TSR_OK) return -1;
  if (d.device(&device, b->gpu->index) != 0 || d.retain(&context, device) != 0 || d.push(context) != 0) return -1;
  kernel = plain_kernel(&d, details.capability);
  args.x[0] = args.x[1] = args.x[2] = (uint64_t)(uintptr_t)b->out.data;
  for (int round = 0; round < 8 && kernel != NULL; round++) {
    const double begun = now_ms();
    for (int i = 0; i < calls; i++) (void)d.launch(kernel, 2, 1, 1, 128, 1, 1, 0, stream, parameters, NULL);
    const double us = (now_ms() - begun) * 1e3 / calls;
    if (best < 0 || us < best) best = us;
    if (tsr_device_sync(&b->ctx, b->gpu) != TSR_OK) best = -1;
  }
  (void)d.pop(&context);
  return best;
}

#endif
