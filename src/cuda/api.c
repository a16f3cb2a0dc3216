#define _GNU_SOURCE /* secure_getenv */
#include "cuda/api.h"

#include "core/text.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

static void *load_from(const char *folder, const char *name) {
  char path[1024];
  tsr__text text;
  tsr__text_init(&text, path, sizeof path);
  tsr__text_format(&text, "%s/%s", folder, name);
  return text.length < sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static const char *chosen_folder(void) {
#if defined(__GLIBC__)
  return secure_getenv("TSR_CUDA_LIBRARIES");
#else
  return getenv("TSR_CUDA_LIBRARIES");
#endif
}

void *tsr__cuda_library(const char *const *names) {
  static const char *const usual[] = {"/usr/local/cuda/lib64", "/opt/cuda/lib64", NULL};
  const char *const chosen = chosen_folder();
  void *library = NULL;
  for (int i = 0; names[i] != NULL && library == NULL && chosen != NULL; i++) library = load_from(chosen, names[i]);
  if (chosen != NULL) return library; /* half of it from elsewhere would not fit */
  for (int i = 0; names[i] != NULL && library == NULL; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  for (int k = 0; usual[k] != NULL && library == NULL; k++)
    for (int i = 0; names[i] != NULL && library == NULL; i++) library = load_from(usual[k], names[i]);
  return library;
}

/* ---- symbols ---- */

#define NAME_(x) #x
#define NAME(x) NAME_(x) /* after the renaming of cuda.h */

/* A symbol as whatever pointer to a function is at slot. */
static bool find_symbol(void *library, const char *name, void *slot) {
  void *const symbol = dlsym(library, name);
  memcpy(slot, &symbol, sizeof symbol);
  return symbol != NULL;
}

/* The first symbol that is missing, or NULL. */
static const char *find_driver(void *library, tsr__cuda_driver *driver) {
#define X(f) \
  if (!find_symbol(library, NAME(f), &driver->f)) return NAME(f);
#include "cuda/driver.def"
#undef X
  return NULL;
}

static const char *find_compiler(void *library, tsr__cuda_compiler *compiler) {
#define X(f) \
  if (!find_symbol(library, NAME(f), &compiler->f)) return NAME(f);
#include "cuda/compiler.def"
#undef X
  return NULL;
}

/* ---- opening ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static tsr_status open_driver(tsr_ctx *ctx, const char *op, tsr__cuda_driver *driver) {
  static const char *const names[] = {"libcuda.so.1", NULL};
  void *const library = tsr__cuda_library(names);
  if (library == NULL)
    return TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "there is no libcuda.so.1: NVIDIA's driver is not installed");
  const char *const missing = find_driver(library, driver);
  if (missing != NULL)
    return TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "NVIDIA's driver is too old: its libcuda.so.1 has no %s", missing);
  const CUresult r = driver->cuInit(0);
  if (r == CUDA_SUCCESS) return TSR_OK;
  const char *text = NULL;
  (void)driver->cuGetErrorString(r, &text);
  if (r == CUDA_ERROR_NO_DEVICE)
    return TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "NVIDIA's driver is installed, and finds no GPU");
  return TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "NVIDIA's driver does not start: %s (error %d)",
                   text != NULL ? text : "unknown", (int)r);
}

const tsr__cuda_driver *tsr__cuda_driver_open(tsr_ctx *ctx, const char *op) {
  static tsr__cuda_driver driver;
  static bool opened;
  (void)pthread_mutex_lock(&lock);
  if (!opened) opened = open_driver(ctx, op, &driver) == TSR_OK;
  const bool good = opened;
  (void)pthread_mutex_unlock(&lock);
  return good ? &driver : NULL;
}

static tsr_status open_compiler(tsr_ctx *ctx, const char *op, tsr__cuda_compiler *compiler) {
  static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", NULL};
  void *const library = tsr__cuda_library(names);
  int major = 0, minor = 0;
  if (library == NULL)
    return TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "there is no libnvrtc.so.13 or .12: kernels cannot be compiled");
  const char *const missing = find_compiler(library, compiler);
  if (missing != NULL) return TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "libnvrtc is too old: it has no %s", missing);
  if (compiler->nvrtcVersion(&major, &minor) != NVRTC_SUCCESS)
    return TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "libnvrtc does not tell its version");
  compiler->version = 100 * major + minor;
  return TSR_OK;
}

const tsr__cuda_compiler *tsr__cuda_compiler_open(tsr_ctx *ctx, const char *op) {
  static tsr__cuda_compiler compiler;
  static bool opened;
  (void)pthread_mutex_lock(&lock);
  if (!opened) opened = open_compiler(ctx, op, &compiler) == TSR_OK;
  const bool good = opened;
  (void)pthread_mutex_unlock(&lock);
  return good ? &compiler : NULL;
}
