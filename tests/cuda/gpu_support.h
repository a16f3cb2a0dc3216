/* What tests of the GPU share: the device, real where the driver is, else emulated; and the emulator's own functions. */
#ifndef TEST_CUDA_GPU_SUPPORT_H
#define TEST_CUDA_GPU_SUPPORT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv, RTLD_NOLOAD */
#endif
#include "cuda/emulator/emulator.h"
#include "cuda/gpu.h"
#include "support/test.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

/* NULL, or why there is no GPU to test with. The emulated driver has two. */
static inline const char *gpu_missing(void) {
  (void)setenv("TSR_EMULATOR_DEVICES", "2", 0);
  (void)setenv("TSR_EMULATOR_QUIET", "1", 0);
  return TSR_PLUGIN_FOLDER[0] != 0 ? gpu_prepare() : "this build has no plug-in for GPUs";
}

/* The device by its name, opened. */
static inline const tsr_device *gpu_named(const char *name) {
  const tsr_device *device = NULL;
  OK(NULL, tsr_device_open(NULL, name, &device));
  return device;
}

/* The one under test. */
static inline const tsr_device *gpu_tested(void) {
  return gpu_named(gpu_is_real() ? getenv("TSR_TEST_DEVICE") : "cuda:0");
}

/* A function of the emulated driver goes to the pointer at slot: false, and NULL: it is the real one. */
static inline bool gpu_emulator(const char *name, void *slot) {
  char path[1024];
  const char *const folder = getenv("TSR_CUDA_LIBRARIES");
  (void)snprintf(path, sizeof path, "%s/libcuda.so.1", folder != NULL ? folder : "");
  void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  void *const symbol = library != NULL ? dlsym(library, name) : NULL;
  memcpy(slot, &symbol, sizeof symbol);
  return symbol != NULL;
}

#define GPU_OR_SKIP(device)                      \
  const char *const gpu_why = gpu_missing();     \
  if (gpu_why != NULL) SKIP(gpu_why);            \
  const tsr_device *const device = gpu_tested(); \
  REQUIRE((device) != NULL)

/* Bits in class B are those of hosts that multiply and add in one rounding: base on x86-64 does not. */
static inline bool gpu_host_fuses(void) {
#if defined(__x86_64__)
  return strcmp(tsr_context_isa(NULL), "base") != 0;
#else
  return true;
#endif
}

#define HOST_FUSES_OR_SKIP() \
  if (!gpu_host_fuses()) SKIP("the host's instruction set does not fuse products: other bits in class B")

/* A second one: a machine may have one alone. */
static inline int gpu_count(void) {
  int n = 0;
  OK(NULL, tsr_device_count(NULL, "cuda", &n));
  return n;
}

#define GPU_SECOND_OR_SKIP(device)                      \
  if (gpu_count() < 2) SKIP("there is one GPU");        \
  const tsr_device *const device = gpu_named("cuda:1"); \
  REQUIRE((device) != NULL)

/* The numbers 0 … n - 1 on a device. */
static inline tsr_tensor gpu_numbers(tsr_ctx *ctx, const tsr_device *device, tsr_index n) {
  tsr_tensor host = {0}, there = {0};
  OK(ctx, tsr_arange(NULL, TSR_F32, 0, (double)n, 1, &host));
  OK(ctx, tsr_to_device(ctx, &host, device, &there));
  tsr_release(&host);
  return there;
}

/* Element i of a vector of f32 on a device, by way of the host: a call that waits. */
static inline float gpu_element(tsr_ctx *ctx, const tsr_tensor *t, tsr_index i) {
  tsr_tensor host = {0};
  float value = -1;
  OK(ctx, tsr_to_device(ctx, t, NULL, &host));
  if (host.data != NULL) value = ((const float *)host.data)[i];
  tsr_release(&host);
  return value;
}

#endif
