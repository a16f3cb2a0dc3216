/* Devices by name: the host, and those of plug-ins, which are loaded when somebody asks for one. */
#define _GNU_SOURCE /* dladdr */
#include "core/check.h"
#include "core/device.h"
#include "core/storage.h"
#include "core/text.h"

#include <string.h>

#if TSR_HAVE_OPS

#if TSR_HAVE_PLUGINS
#include "core/plugin.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define FILE_NAME "libtessera_cuda.so"
#ifndef TSR_LIBRARY_FOLDER
#define TSR_LIBRARY_FOLDER "lib"
#endif
enum { PATH_BYTES = 1024 };

/* What was found, for good or until somebody asks again. */
static struct {
  pthread_mutex_t lock;
  const tsr__plugin *plugin;
} cuda = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- where it is ---- */

/* What dlopen said of a file that is there but cannot be loaded; "": none was. */
typedef struct search {
  char why[160];
} search;

static void *load(const char *path, bool by_loader, search *s) {
  if (!by_loader && access(path, F_OK) != 0) return NULL;
  void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const char *const text = handle == NULL ? dlerror() : NULL;
  if (handle == NULL && !by_loader && text != NULL && s->why[0] == 0) {
    tsr__text why;
    tsr__text_init(&why, s->why, sizeof s->why);
    tsr__text_string(&why, text);
  }
  return handle;
}

/* length bytes of folder, then below it. */
static void *load_from(const char *folder, size_t length, const char *below, search *s) {
  char path[PATH_BYTES];
  if (length == 0 || length + strlen(below) + sizeof FILE_NAME + 2 > sizeof path) return NULL;
  tsr__text text;
  memcpy(path, folder, length);
  tsr__text_init(&text, path + length, sizeof path - length);
  tsr__text_format(&text, "/%s%s", below, FILE_NAME);
  return load(path, false, s);
}

/* Folders with : between them. Not for programs that run with another user's rights. */
static void *load_from_environment(search *s) {
#if defined(__GLIBC__)
  const char *list = secure_getenv("TSR_PLUGINS");
#else
  const char *list = getenv("TSR_PLUGINS");
#endif
  void *handle = NULL;
  while (list != NULL && handle == NULL) {
    const size_t length = strcspn(list, ":");
    handle = load_from(list, length, "", s);
    list = list[length] == ':' ? list + length + 1 : NULL;
  }
  return handle;
}

/* Beside the file that this code is in: the shared library, or the program; and where a program finds libraries, installed and in
 * a folder of a build. */
static void *load_from_beside(search *s) {
  char self[PATH_BYTES];
  Dl_info info;
  if (dladdr((const void *)&cuda, &info) == 0 || info.dli_fname == NULL) return NULL;
  const char *path = info.dli_fname;
  if (strchr(path, '/') == NULL) { /* a program that was found by its name */
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return NULL;
    self[length] = 0;
    path = self;
  }
  const char *const slash = strrchr(path, '/');
  if (slash == NULL) return NULL;
  const size_t length = (size_t)(slash - path);
  void *handle = load_from(path, length, "", s);
  if (handle == NULL) handle = load_from(path, length, "../" TSR_LIBRARY_FOLDER "/", s);
  return handle != NULL ? handle : load_from(path, length, "../", s);
}

static const tsr__plugin *find_plugin(tsr_ctx *ctx, const char *op) {
  search s = {{0}};
  void *handle = load_from_environment(&s);
  if (handle == NULL) handle = load_from_beside(&s);
  if (handle == NULL) handle = load(FILE_NAME, true, &s);
  if (handle == NULL) {
    (void)TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "%s",
                    s.why[0] != 0 ? s.why
                                  : "the plug-in " FILE_NAME
                                    " is neither beside the library, nor in TSR_PLUGINS, nor where the loader looks");
    return NULL;
  }
  union {
    void *object;
    tsr__plugin_fn *function;
  } entry = {dlsym(handle, TSR__PLUGIN_SYMBOL)};
  const tsr__plugin *const plugin = entry.object != NULL ? entry.function() : NULL;
  if (plugin == NULL || plugin->size < sizeof *plugin) {
    (void)TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "the file " FILE_NAME " is no plug-in of this library");
    return NULL;
  }
  if (strcmp(plugin->version, TSR_VERSION_STRING) == 0 && strcmp(plugin->tag, TSR_ABI_TAG) == 0) return plugin;
  (void)TSR__FAIL(ctx, TSR_EDEVICE, op, NULL, "the plug-in " FILE_NAME " is of version %s (%s), the library of %s (%s)",
                  plugin->version, plugin->tag, TSR_VERSION_STRING, TSR_ABI_TAG);
  return NULL;
}

/* The plug-in, loaded once; NULL and a message. The lock is held. */
static const tsr__plugin *cuda_plugin(tsr_ctx *ctx, const char *op) {
  if (cuda.plugin == NULL) cuda.plugin = find_plugin(ctx, op);
  return cuda.plugin;
}

static tsr_status cuda_open(tsr_ctx *ctx, const char *name, int index, const tsr_device **device) {
  tsr_status st = TSR_EDEVICE;
  (void)pthread_mutex_lock(&cuda.lock);
  const tsr__plugin *const plugin = cuda_plugin(ctx, "device_open");
  const int count = plugin != NULL ? plugin->count(tsr__ctx(ctx)) : 0;
  if (count > 0 && index >= count)
    st = TSR__FAIL(ctx, TSR_EDEVICE, "device_open", "name", "is %s, and the last GPU here is cuda:%d", name, count - 1);
  else if (count > 0)
    st = plugin->open(tsr__ctx(ctx), index, device);
  (void)pthread_mutex_unlock(&cuda.lock);
  return st;
}

static tsr_status cuda_open_ahead(tsr_ctx *ctx, const char *name, int capability, const tsr_device **device) {
  (void)name;
  (void)pthread_mutex_lock(&cuda.lock);
  const tsr__plugin *const plugin = cuda_plugin(ctx, "device_open");
  const tsr_status st = plugin != NULL ? plugin->open_ahead(tsr__ctx(ctx), capability, device) : TSR_EDEVICE;
  (void)pthread_mutex_unlock(&cuda.lock);
  return st;
}

static int cuda_count(tsr_ctx *ctx) {
  tsr_ctx quiet = {.allocator = ctx->allocator}; /* nothing is wrong without one */
  (void)pthread_mutex_lock(&cuda.lock);
  const tsr__plugin *const plugin = cuda_plugin(&quiet, "device_count");
  const int count = plugin != NULL ? plugin->count(&quiet) : 0;
  (void)pthread_mutex_unlock(&cuda.lock);
  return count;
}

#else

static tsr_status cuda_open(tsr_ctx *ctx, const char *name, int index, const tsr_device **device) {
  (void)index, (void)device;
  return TSR__FAIL(ctx, TSR_EDEVICE, "device_open", "name", "is %s: this build of the library loads no plug-ins", name);
}

static tsr_status cuda_open_ahead(tsr_ctx *ctx, const char *name, int capability, const tsr_device **device) {
  return cuda_open(ctx, name, capability, device);
}

static int cuda_count(tsr_ctx *ctx) {
  (void)ctx;
  return 0;
}

#endif

/* ---- names ---- */

/* The number that follows a prefix, to the end of the name; -1: it is something else. */
static int number_after(const char *name, const char *prefix) {
  const size_t length = strlen(prefix);
  int number = 0;
  if (strncmp(name, prefix, length) != 0 || name[length] == 0) return -1;
  for (const char *p = name + length; *p != 0; p++) {
    if (*p < '0' || *p > '9' || number > 9999) return -1;
    number = 10 * number + (*p - '0');
  }
  return number;
}

tsr_status tsr_device_open(tsr_ctx *ctx, const char *name, const tsr_device **device) {
  static const char op[] = "device_open";
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "name", "is NULL");
  if (device == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "device", "is NULL");
  const int number = strcmp(name, "cuda") == 0 ? 0 : number_after(name, "cuda:");
  const int capability = number_after(name, "cuda:sm_");
  if (number >= 0) return cuda_open(ctx, name, number, device);
  if (capability >= 0) return cuda_open_ahead(ctx, name, capability, device);
  if (strcmp(name, "cpu") != 0 && strcmp(name, "cpu:0") != 0)
    return TSR__FAIL(ctx, TSR_ENAME, op, "name", "is \"%s\"; devices are cpu, and cuda:0, cuda:1 and so on", name);
  *device = &tsr__cpu;
  return TSR_OK;
}

tsr_status tsr_device_count(tsr_ctx *ctx, const char *kind, int *count) {
  static const char op[] = "device_count";
  if (kind == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "kind", "is NULL");
  if (count == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "count", "is NULL");
  const bool is_cuda = strcmp(kind, "cuda") == 0;
  if (!is_cuda && strcmp(kind, "cpu") != 0)
    return TSR__FAIL(ctx, TSR_ENAME, op, "kind", "is \"%s\"; there are cpu and cuda", kind);
  *count = is_cuda ? cuda_count(tsr__ctx(ctx)) : 1;
  return TSR_OK;
}

/* ---- what is known of them ---- */

tsr_status tsr_device_info(tsr_ctx *ctx, const tsr_device *device, tsr_device_details *details) {
  static const char op[] = "device_info";
  if (device == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "device", "is NULL");
  if (details == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "details", "is NULL");
  const size_t size = details->size;
  if (size < offsetof(tsr_device_details, kernels_compiled) + sizeof details->kernels_compiled)
    return TSR__FAIL(ctx, TSR_EARG, op, "details", "have size %z: set it to sizeof(tsr_device_details)", size);
  tsr_device_details all = {.size = sizeof all};
  tsr_status st = TSR_OK;
  if (TSR__DEVICE_HAS(device, describe)) st = device->describe(device->self, tsr__ctx(ctx), &all);
  if (st != TSR_OK) return st;
  memset(details, 0, size);
  memcpy(details, &all, size < sizeof all ? size : sizeof all);
  details->size = size;
  return TSR_OK;
}

#endif
