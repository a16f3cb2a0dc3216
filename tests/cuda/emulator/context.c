#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "state.h"
#include "stream.h"

static _Thread_local struct {
  struct context *stack[MAX_CONTEXT_DEPTH];
  int depth;
} contexts;

struct context *current_context(void) {
  return contexts.depth > 0 ? contexts.stack[contexts.depth - 1] : NULL;
}

CUresult context_state(const struct context *c) {
  if (c == NULL) return CUDA_ERROR_INVALID_CONTEXT;
  if (c->retained == 0) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  if (emulator.device[c->device].lost) return CUDA_ERROR_LAUNCH_FAILED;
  return c->sticky;
}

/* ---- the primary context: one a device, counted ---- */

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *found, CUdevice number) {
  ENTER();
  if (number < 0 || number >= emulator.devices) return leave(CUDA_ERROR_INVALID_DEVICE);
  device *const d = &emulator.device[number];
  if (d->lost) return leave(CUDA_ERROR_LAUNCH_FAILED);
  d->primary.retained++;
  *found = &d->primary;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice number) {
  ENTER();
  if (number < 0 || number >= emulator.devices) return leave(CUDA_ERROR_INVALID_DEVICE);
  struct context *const c = &emulator.device[number].primary;
  if (c->retained == 0) return leave(CUDA_ERROR_INVALID_CONTEXT);
  if (c->retained == 1) {
    streams_drain(c);
    memory_free_all(number);
    c->sticky = CUDA_SUCCESS;
  }
  c->retained--;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice number, unsigned *flags, int *active) {
  ENTER();
  if (number < 0 || number >= emulator.devices) return leave(CUDA_ERROR_INVALID_DEVICE);
  *flags = 0;
  *active = emulator.device[number].primary.retained > 0;
  return leave(CUDA_SUCCESS);
}

/* ---- the context of a thread ---- */

EXPORT CUresult cuCtxPushCurrent_v2(CUcontext c) {
  ENTER();
  if (contexts.depth == MAX_CONTEXT_DEPTH) return leave(CUDA_ERROR_INVALID_VALUE);
  contexts.stack[contexts.depth++] = c;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *popped) {
  ENTER();
  if (contexts.depth == 0) return leave(CUDA_ERROR_INVALID_CONTEXT);
  struct context *const top = contexts.stack[--contexts.depth];
  if (popped != NULL) *popped = top;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuCtxSetCurrent(CUcontext c) {
  ENTER();
  if (contexts.depth > 0) contexts.depth--;
  if (c != NULL) contexts.stack[contexts.depth++] = c;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuCtxGetCurrent(CUcontext *found) {
  ENTER();
  *found = current_context();
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuCtxGetDevice(CUdevice *found) {
  ENTER();
  const struct context *const c = current_context();
  if (c == NULL) return leave(CUDA_ERROR_INVALID_CONTEXT);
  *found = c->device;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuCtxSynchronize(void) {
  ENTER_CONTEXT(c);
  if (emulator.captures > 0) return leave(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  streams_drain(c);
  return leave(context_state(c));
}

EXPORT CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  ENTER_CONTEXT(c);
  if (least != NULL) *least = 0;
  if (greatest != NULL) *greatest = -5;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  ENTER_CONTEXT(c);
  if (peer == NULL || peer == c || flags != 0) return leave(CUDA_ERROR_INVALID_VALUE);
  if (c->peers[peer->device]) return leave(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  c->peers[peer->device] = true;
  return leave(CUDA_SUCCESS);
}

/* ---- errors, and functions by their names ---- */

static const struct {
  int number;
  const char *name, *words;
} errors[] = {
#define X(name, number, words) {number, "CUDA_" #name, words},
    CUDA_ERROR_LIST(X)
#undef X
};

EXPORT CUresult cuGetErrorName(CUresult error, const char **name) {
  for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
    if (errors[i].number == error) return *name = errors[i].name, CUDA_SUCCESS;
  return *name = NULL, CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuGetErrorString(CUresult error, const char **words) {
  for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
    if (errors[i].number == error) return *words = errors[i].words, CUDA_SUCCESS;
  return *words = NULL, CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuGetProcAddress_v2(const char *symbol, void **found, int version, uint64_t flags, int *status) {
  static const char *const suffixes[] = {"_v3", "_v2", ""};
  Dl_info self;
  (void)version, (void)flags;
  *found = NULL;
  void *const library = dladdr((void *)&emulator, &self) != 0 ? dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD) : NULL;
  for (size_t i = 0; library != NULL && *found == NULL && i < 3; i++) {
    char name[128];
    (void)snprintf(name, sizeof name, "%s%s", symbol, suffixes[i]);
    *found = dlsym(library, name);
  }
  if (library != NULL) (void)dlclose(library);
  if (status != NULL) *status = *found != NULL ? 0 : 1;
  return *found != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
