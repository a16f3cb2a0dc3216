#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "stream.h"

/* A copy, or a fill with a pattern. What the host gives in ordinary memory is taken at the time of the call (it lies in
 * staged): the caller may change it as soon as the call is back. */
typedef struct copy_operation {
  operation op;
  char *dst;
  const char *src; /* NULL: staged */
  size_t bytes, unit;
  uint32_t pattern;
  char staged[];
} copy_operation;

static CUresult run_copy(operation *op) {
  const copy_operation *const c = (const copy_operation *)(const void *)op;
  memmove(c->dst, c->src != NULL ? c->src : c->staged, c->bytes);
  return CUDA_SUCCESS;
}

static CUresult run_fill(operation *op) {
  const copy_operation *const c = (const copy_operation *)(const void *)op;
  for (size_t i = 0; i < c->bytes; i += c->unit) memcpy(c->dst + i, &c->pattern, c->unit);
  return CUDA_SUCCESS;
}

enum { STAGED_MAX = 1 << 16 };

/* side: whether a pointer must be of a device ('d'), may be anything ('h'), or is either ('?'). */
static bool is_valid(const void *p, size_t bytes, char side) {
  const range *const r = memory_find(p, bytes);
  if (side == 'd') return r != NULL;
  return r != NULL || memory_near(p) == NULL; /* memory that the driver knows nothing of is the host's */
}

static bool is_pageable(const void *p, size_t bytes) { return memory_find(p, bytes) == NULL; }

/* wait: the call returns when it is done. Copies that read or write ordinary memory do so anyway, as far as the caller can see. */
static CUresult put_copy(CUstream handle, void *dst, char to, const void *src, char from, size_t bytes, bool wait) {
  struct stream *const s = stream_of(handle);
  if (s == NULL) return CUDA_ERROR_INVALID_HANDLE;
  if (bytes == 0) return CUDA_SUCCESS;
  if (!is_valid(dst, bytes, to) || !is_valid(src, bytes, from)) return CUDA_ERROR_INVALID_VALUE;
  if (wait && disturbs_capture(s)) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  const bool staged = is_pageable(src, bytes) && bytes <= STAGED_MAX;
  if (is_pageable(dst, bytes) || (is_pageable(src, bytes) && !staged)) wait = true;
  if (wait && s->graph != NULL) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  copy_operation *const c = (copy_operation *)(void *)operation_new(sizeof *c + (staged ? bytes : 0), run_copy, true);
  c->dst = dst;
  c->src = staged ? NULL : src;
  c->bytes = bytes;
  if (staged) memcpy(c->staged, src, bytes);
  const uint64_t ticket = stream_put(s, &c->op);
  if (wait) stream_wait(s, ticket);
  return wait ? context_state(s->context) : CUDA_SUCCESS;
}

static CUresult put_fill(CUstream handle, CUdeviceptr dst, uint32_t pattern, size_t unit, size_t count, bool wait) {
  struct stream *const s = stream_of(handle);
  if (s == NULL) return CUDA_ERROR_INVALID_HANDLE;
  if (count == 0) return CUDA_SUCCESS;
  if (dst % unit != 0 || count > SIZE_MAX / unit) return CUDA_ERROR_INVALID_VALUE;
  if (memory_find((void *)(uintptr_t)dst, count * unit) == NULL) return CUDA_ERROR_INVALID_VALUE;
  if (wait && disturbs_capture(s)) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  copy_operation *const c = (copy_operation *)(void *)operation_new(sizeof *c, run_fill, true);
  c->dst = (char *)(uintptr_t)dst;
  c->bytes = count * unit;
  c->unit = unit;
  c->pattern = pattern;
  const uint64_t ticket = stream_put(s, &c->op);
  if (wait) stream_wait(s, ticket);
  return wait ? context_state(s->context) : CUDA_SUCCESS;
}

/* Each in two forms: one that waits, on the null stream, and one for a stream. */
#define COPY(name, async_name, TO, to, FROM, from)                                                                \
  EXPORT CUresult name(TO dst, FROM src, size_t bytes) {                                                          \
    ENTER_CONTEXT(c);                                                                                             \
    return leave(put_copy(NULL, (void *)(uintptr_t)dst, to, (const void *)(uintptr_t)src, from, bytes, true));    \
  }                                                                                                               \
  EXPORT CUresult async_name(TO dst, FROM src, size_t bytes, CUstream stream) {                                   \
    ENTER_CONTEXT(c);                                                                                             \
    return leave(put_copy(stream, (void *)(uintptr_t)dst, to, (const void *)(uintptr_t)src, from, bytes, false)); \
  }

COPY(cuMemcpyHtoD_v2, cuMemcpyHtoDAsync_v2, CUdeviceptr, 'd', const void *, 'h')
COPY(cuMemcpyDtoH_v2, cuMemcpyDtoHAsync_v2, void *, 'h', CUdeviceptr, 'd')
COPY(cuMemcpyDtoD_v2, cuMemcpyDtoDAsync_v2, CUdeviceptr, 'd', CUdeviceptr, 'd')
COPY(cuMemcpy, cuMemcpyAsync, CUdeviceptr, '?', CUdeviceptr, '?')

EXPORT CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes) {
  ENTER_CONTEXT(c);
  if (to == NULL || from == NULL) return leave(CUDA_ERROR_INVALID_CONTEXT);
  return leave(put_copy(NULL, (void *)(uintptr_t)dst, 'd', (const void *)(uintptr_t)src, 'd', bytes, true));
}

EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes,
                                  CUstream stream) {
  ENTER_CONTEXT(c);
  if (to == NULL || from == NULL) return leave(CUDA_ERROR_INVALID_CONTEXT);
  return leave(put_copy(stream, (void *)(uintptr_t)dst, 'd', (const void *)(uintptr_t)src, 'd', bytes, false));
}

#define FILL(name, async_name, type)                                                       \
  EXPORT CUresult name(CUdeviceptr dst, type value, size_t count) {                        \
    ENTER_CONTEXT(c);                                                                      \
    return leave(put_fill(NULL, dst, value, sizeof(type), count, true));                   \
  }                                                                                        \
  EXPORT CUresult async_name(CUdeviceptr dst, type value, size_t count, CUstream stream) { \
    ENTER_CONTEXT(c);                                                                      \
    return leave(put_fill(stream, dst, value, sizeof(type), count, false));                \
  }

FILL(cuMemsetD8_v2, cuMemsetD8Async, unsigned char)
FILL(cuMemsetD16_v2, cuMemsetD16Async, unsigned short)
FILL(cuMemsetD32_v2, cuMemsetD32Async, unsigned)
