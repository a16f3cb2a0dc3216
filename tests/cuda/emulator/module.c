#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid.h"
#include "image.h"
#include "memory.h"
#include "stream.h"

struct kernel {
  struct module *module;
  const struct emulated_kernel *info;
  int max_dynamic;
};

struct module {
  struct module *next;
  grid_module loaded;
  struct context *context;
  struct kernel *kernels;
  int count;
};

static struct module *modules; /* all that are loaded: what a program never unloads is the driver's to the end */

/* ---- loading ---- */

static size_t thread_local_bytes(const char *object) {
  const ElfW(Ehdr) *const head = (const void *)object;
  const ElfW(Phdr) *const segments = (const void *)(object + head->e_phoff);
  for (int i = 0; i < head->e_phnum; i++)
    if (segments[i].p_type == PT_TLS) return segments[i].p_memsz;
  return 0;
}

/* From its first byte in memory to its last. */
static void find_place(grid_module *m) {
  const struct link_map *map = NULL;
  if (dlinfo(m->library, RTLD_DI_LINKMAP, &map) != 0) return;
  const ElfW(Ehdr) *const head = (const void *)m->object;
  const ElfW(Phdr) *const segments = (const void *)(m->object + head->e_phoff);
  m->first = map->l_addr;
  for (int i = 0; i < head->e_phnum; i++)
    if (segments[i].p_type == PT_LOAD && map->l_addr + segments[i].p_vaddr + segments[i].p_memsz > m->last)
      m->last = map->l_addr + segments[i].p_vaddr + segments[i].p_memsz;
}

/* The loader takes files alone, and one of each name. */
static void *open_object(const char *object, size_t bytes) {
  char path[512];
  const char *const base = getenv("TMPDIR");
  (void)snprintf(path, sizeof path, "%s/kernelXXXXXX", base != NULL && strlen(base) < 400 ? base : "/tmp");
  const int file = mkstemp(path);
  if (file < 0) return NULL;
  size_t written = 0;
  while (written < bytes) {
    const ssize_t n = write(file, object + written, bytes - written);
    if (n <= 0) break;
    written += (size_t)n;
  }
  (void)close(file);
  void *const library = written == bytes ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) report("a kernel cannot be loaded: %s", dlerror());
  (void)unlink(path);
  return library;
}

static CUresult load(struct context *c, const void *image, struct module **made) {
  image_head head;
  memcpy(&head, image, sizeof head);
  if (memcmp(head.magic, IMAGE_MAGIC, sizeof head.magic) != 0) return CUDA_ERROR_INVALID_IMAGE;
  const char *const object = (const char *)image + sizeof head;
  if (image_hash(object, head.bytes) != head.hash) return CUDA_ERROR_INVALID_IMAGE;
  char *const copy = malloc(head.bytes); /* aligned, for the headers in it */
  if (copy == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(copy, object, head.bytes);
  void *const library = open_object(copy, head.bytes);
  const struct emulated_module *const info = library != NULL ? dlsym(library, "emulated_module") : NULL;
  if (info == NULL || info->version != EMULATED_VERSION) {
    free(copy);
    return CUDA_ERROR_INVALID_IMAGE;
  }
  struct module *const m = calloc(1, sizeof *m);
  struct kernel *const kernels = calloc((size_t)info->count + 1, sizeof *kernels);
  if (m == NULL || kernels == NULL) abort();
  *info->hooks = grid_hooks;
  *m = (struct module){.context = c, .kernels = kernels, .count = info->count};
  m->loaded = (grid_module){.info = info,
                            .library = library,
                            .object = copy,
                            .object_bytes = head.bytes,
                            .shared_bytes = thread_local_bytes(copy)};
  find_place(&m->loaded);
  for (int i = 0; i < m->count; i++) kernels[i] = (struct kernel){m, &info->kernels[i], 49152};
  m->next = modules;
  modules = m;
  *made = m;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleLoadDataEx(CUmodule *made, const void *image, unsigned count, int *options, void **values) {
  ENTER_CONTEXT(c);
  (void)count, (void)options, (void)values;
  if (image == NULL || made == NULL) return leave(CUDA_ERROR_INVALID_VALUE);
  if (disturbs_capture(NULL)) return leave(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  return leave(load(c, image, made));
}

EXPORT CUresult cuModuleLoadData(CUmodule *made, const void *image) {
  return cuModuleLoadDataEx(made, image, 0, NULL, NULL);
}

EXPORT CUresult cuModuleUnload(CUmodule m) {
  ENTER_CONTEXT(c);
  if (m == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  streams_drain(c);
  for (struct module **at = &modules; *at != NULL; at = &(*at)->next)
    if (*at == m) {
      *at = m->next;
      break;
    }
  (void)dlclose(m->loaded.library);
  free((void *)(uintptr_t)m->loaded.object);
  free(m->kernels);
  free(m);
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuModuleGetFunction(CUfunction *found, CUmodule m, const char *name) {
  ENTER_CONTEXT(c);
  if (m == NULL || name == NULL) return leave(CUDA_ERROR_INVALID_VALUE);
  for (int i = 0; i < m->count; i++)
    if (strcmp(m->kernels[i].info->name, name) == 0) return *found = &m->kernels[i], leave(CUDA_SUCCESS);
  return leave(CUDA_ERROR_NOT_FOUND);
}

/* ---- attributes ---- */

static int static_shared(const struct kernel *k) {
  const grid_module *const m = &k->module->loaded;
  return (int)(m->shared_bytes - (m->info->dynamic != NULL ? EMULATED_DYNAMIC : 0));
}

static int max_threads(const struct kernel *k) { return k->info->max_threads > 0 ? k->info->max_threads : 1024; }

EXPORT CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction k) {
  ENTER_CONTEXT(c);
  if (k == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  switch (attribute) {
    case FUNC_MAX_THREADS: *value = max_threads(k); break;
    case FUNC_SHARED: *value = static_shared(k); break;
    case FUNC_REGISTERS: *value = 32; break;
    case FUNC_PTX_VERSION:
    case FUNC_BINARY_VERSION: *value = 90; break;
    case FUNC_MAX_DYNAMIC: *value = k->max_dynamic; break;
    case FUNC_CARVEOUT: *value = -1; break;
    default: *value = 0;
  }
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuFuncSetAttribute(CUfunction k, int attribute, int value) {
  ENTER_CONTEXT(c);
  if (k == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  if (attribute != FUNC_MAX_DYNAMIC) return leave(CUDA_SUCCESS);
  if (value < 0 || value + static_shared(k) > SHARED_LIMIT) return leave(CUDA_ERROR_INVALID_VALUE);
  k->max_dynamic = value;
  return leave(CUDA_SUCCESS);
}

static int blocks_at_once(const struct kernel *k, int threads, size_t dynamic) {
  if (threads <= 0 || threads > max_threads(k)) return 0;
  const int warps = (threads + 31) / 32, by_threads = 64 / warps;
  const int by_shared = (int)(233472 / (dynamic + (size_t)static_shared(k) + 1024));
  const int least = by_threads < by_shared ? by_threads : by_shared;
  return least < 32 ? least : 32;
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction k, int threads, size_t dynamic) {
  ENTER_CONTEXT(c);
  if (k == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  *blocks = blocks_at_once(k, threads, dynamic);
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction k, int threads,
                                                                     size_t dynamic, unsigned flags) {
  (void)flags;
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, k, threads, dynamic);
}

/* ---- launches ---- */

/* The arguments as they were at the call. */
typedef struct launch_operation {
  operation op;
  struct kernel *kernel;
  unsigned grid[3], block[3];
  size_t dynamic;
  unsigned seed;
  char arguments[];
} launch_operation;

static size_t place(size_t at, const struct emulated_kernel *k, int i) {
  return (at + k->aligns[i] - 1) / k->aligns[i] * k->aligns[i];
}

static size_t argument_bytes(const struct emulated_kernel *k) {
  size_t at = 0;
  for (int i = 0; i < k->count; i++) at = place(at, k, i) + k->sizes[i];
  return at;
}

static CUresult run_launch(operation *op) {
  launch_operation *const l = (launch_operation *)(void *)op;
  const struct emulated_kernel *const k = l->kernel->info;
  const size_t bytes = argument_bytes(k);
  char *const values = aligned_alloc(64, (bytes + 64) / 64 * 64);
  void **const arguments = malloc(((size_t)k->count + 1) * sizeof *arguments);
  if (values == NULL || arguments == NULL) abort();
  memcpy(values, l->arguments, bytes);
  size_t at = 0;
  for (int i = 0; i < k->count; i++) {
    at = place(at, k, i);
    arguments[i] = values + at;
    at += k->sizes[i];
  }
  grid_launch launch = {.module = &l->kernel->module->loaded,
                        .kernel = k,
                        .dynamic = l->dynamic,
                        .arguments = arguments,
                        .argument_first = (uintptr_t)values,
                        .argument_last = (uintptr_t)values + bytes,
                        .seed = l->seed};
  memcpy(launch.grid, l->grid, sizeof launch.grid);
  memcpy(launch.block, l->block, sizeof launch.block);
  const CUresult result = grid_run(&launch);
  free(arguments);
  free(values);
  return result;
}

/* extra: a list of 1 (the bytes of all arguments follow), 2 (their number follows), ended by 0. */
static const void *packed_arguments(void **extra, size_t wanted) {
  const void *bytes = NULL;
  size_t count = 0;
  for (int i = 0; extra != NULL && extra[i] != NULL; i += 2) {
    if (extra[i] == (void *)1) bytes = extra[i + 1];
    if (extra[i] == (void *)2) count = *(const size_t *)extra[i + 1];
  }
  return count >= wanted ? bytes : NULL;
}

static CUresult check_size(const struct kernel *k, const unsigned *grid, const unsigned *block, size_t dynamic) {
  const unsigned long threads = (unsigned long)block[0] * block[1] * block[2];
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0 || threads == 0) return CUDA_ERROR_INVALID_VALUE;
  if (grid[0] > 2147483647u || grid[1] > 65535 || grid[2] > 65535) return CUDA_ERROR_INVALID_VALUE;
  if (block[0] > 1024 || block[1] > 1024 || block[2] > 64) return CUDA_ERROR_INVALID_VALUE;
  if (threads > (unsigned long)max_threads(k)) return CUDA_ERROR_INVALID_VALUE;
  return dynamic > (size_t)k->max_dynamic ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static void pack(char *to, const struct emulated_kernel *k, void **arguments) {
  size_t at = 0;
  for (int i = 0; i < k->count; i++) {
    at = place(at, k, i);
    memcpy(to + at, arguments[i], k->sizes[i]);
    at += k->sizes[i];
  }
}

EXPORT CUresult cuLaunchKernel(CUfunction k, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                               unsigned bz, unsigned dynamic, CUstream handle, void **arguments, void **extra) {
  ENTER_CONTEXT(c);
  struct stream *const s = stream_of(handle);
  if (k == NULL || s == NULL || s->context != c || k->module->context != c) return leave(CUDA_ERROR_INVALID_HANDLE);
  const unsigned grid[3] = {gx, gy, gz}, block[3] = {bx, by, bz};
  const CUresult fits = check_size(k, grid, block, dynamic);
  if (fits != CUDA_SUCCESS) return leave(fits);
  const size_t bytes = argument_bytes(k->info);
  const void *const packed = packed_arguments(extra, bytes);
  if (bytes > 0 && arguments == NULL && packed == NULL) return leave(CUDA_ERROR_INVALID_VALUE);
  launch_operation *const l = (launch_operation *)(void *)operation_new(sizeof *l + bytes, run_launch, true);
  l->kernel = k;
  l->dynamic = dynamic;
  l->seed = emulator.seed;
  memcpy(l->grid, grid, sizeof grid);
  memcpy(l->block, block, sizeof block);
  if (packed != NULL && arguments == NULL)
    memcpy(l->arguments, packed, bytes);
  else
    pack(l->arguments, k->info, arguments);
  (void)stream_put(s, &l->op);
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *how, CUfunction k, void **arguments, void **extra) {
  return cuLaunchKernel(k, how->gridDimX, how->gridDimY, how->gridDimZ, how->blockDimX, how->blockDimY, how->blockDimZ,
                        how->sharedMemBytes, how->hStream, arguments, extra);
}

EXPORT CUresult cuLaunchCooperativeKernel(CUfunction k, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                          unsigned bz, unsigned dynamic, CUstream handle, void **arguments) {
  return cuLaunchKernel(k, gx, gy, gz, bx, by, bz, dynamic, handle, arguments, NULL);
}
