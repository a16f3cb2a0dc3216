/* The device of the tests in this folder: an emulated one (emulator/), or the one that TSR_TEST_DEVICE=cuda:0 names. */
#ifndef TEST_CUDA_GPU_H
#define TEST_CUDA_GPU_H

#include <stdlib.h>
#include <string.h>

#include "support/helpers.h"

/* Whether there is a real one to test. */
static inline bool gpu_is_real(void) {
  const char *const name = getenv("TSR_TEST_DEVICE");
  return name != NULL && strncmp(name, "cuda", 4) == 0;
}

/* Before anything of CUDA is called: where the plug-in and the libraries are. The plug-in's own folder of kernels stays out of
 * it; the emulator has one. NULL, or why there is no device to test. */
static inline const char *gpu_prepare(void) {
  (void)setenv("TSR_PLUGINS", TSR_PLUGIN_FOLDER, 0);
  if (gpu_is_real()) return NULL;
  if (TSR_EMULATOR_FOLDER[0] == 0) return "this build has no emulated CUDA driver";
  if (system("${TSR_EMULATOR_CXX:-g++} --version >/dev/null 2>&1") != 0)
    return "there is no g++ to compile kernels with";
  (void)setenv("TSR_CUDA_LIBRARIES", TSR_EMULATOR_FOLDER, 0);
  (void)setenv("TSR_CUDA_CACHE", "0", 0);
  (void)setenv("TSR_EMULATOR_CACHE", TSR_EMULATOR_FOLDER "/kernels", 0);
  return NULL;
}

#if TSR_HAVE_OPS
/* The device under test, once a process; NULL and why it cannot be opened. */
static inline const char *gpu_open(const tsr_device **device) {
  static const char *why = "";
  static const tsr_device *opened;
  if (opened == NULL && why != NULL && why[0] == 0) {
    why = gpu_prepare();
    if (why == NULL && tsr_device_open(NULL, gpu_is_real() ? getenv("TSR_TEST_DEVICE") : "cuda:0", &opened) != TSR_OK)
      why = tsr_error(NULL);
  }
  *device = opened;
  return why;
}
#endif

#endif
