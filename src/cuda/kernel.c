#include "cuda/gpu.h"

#include <string.h>

/* A loaded kernel by its text. Lives as long as the GPU. */
struct tsr__cuda_loaded {
  tsr__cuda_kernel kernel; /* first */
  tsr__cuda_hash hash;
  unsigned shared;
  tsr__cuda_loaded *next;
  char name[64];
};

/* The same by its key. */
struct tsr__cuda_keyed {
  tsr__cuda_key key;
  const tsr__cuda_kernel *kernel;
};

void tsr__cuda_kernels_init(tsr__cuda_kernels *kernels) { (void)pthread_mutex_init(&kernels->lock, NULL); }

/* ---- by key ---- */

static uint32_t slot_of(const tsr__cuda_key *key) {
  uint64_t word[sizeof *key / sizeof(uint64_t)], h = 0;
  memcpy(word, key, sizeof *key);
  for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) h = (h ^ word[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  return (uint32_t)(h % TSR__CUDA_KEYS);
}

const tsr__cuda_kernel *tsr__cuda_kernel_find(const tsr__cuda *gpu, const tsr__cuda_key *key) {
  for (uint32_t at = slot_of(key);; at = (at + 1) % TSR__CUDA_KEYS) {
    const tsr__cuda_keyed *const keyed = __atomic_load_n(&gpu->kernels.keyed[at], __ATOMIC_ACQUIRE);
    if (keyed == NULL) return NULL;
    if (memcmp(&keyed->key, key, sizeof *key) == 0) return keyed->kernel;
  }
}

/* The lock is held. Where there is no room, the text is looked up each time. */
static void remember(tsr__cuda *gpu, const tsr__cuda_key *key, const tsr__cuda_kernel *kernel) {
  tsr__cuda_kernels *const kernels = &gpu->kernels;
  if (key == NULL || kernels->keys >= TSR__CUDA_KEYS / 2 || tsr__cuda_kernel_find(gpu, key) != NULL) return;
  tsr__cuda_keyed *const keyed = tsr__cuda_host_new(sizeof *keyed);
  if (keyed == NULL) return;
  *keyed = (tsr__cuda_keyed){*key, kernel};
  uint32_t at = slot_of(key);
  while (kernels->keyed[at] != NULL) at = (at + 1) % TSR__CUDA_KEYS;
  __atomic_store_n(&kernels->keyed[at], keyed, __ATOMIC_RELEASE);
  kernels->keys++;
}

/* ---- by text ---- */

/* All that the machine code depends on, but for the compiler and the driver. */
static tsr__cuda_hash hash_of(int capability, const tsr__cuda_source *source) {
  const char *options[TSR__CUDA_OPTIONS];
  char arch[16];
  tsr__cuda_hash hash = {0xcbf29ce484222325u, 1};
  const int n = tsr__cuda_options(capability, source->options, arch, options);
  for (int i = 0; i < n; i++) hash = tsr__cuda_hash_text(hash, options[i]);
  return tsr__cuda_hash_text(tsr__cuda_hash_text(hash, source->text), source->name);
}

static tsr__cuda_loaded *find_loaded(const tsr__cuda *gpu, tsr__cuda_hash hash) {
  tsr__cuda_loaded *at = gpu->kernels.loaded;
  while (at != NULL && (at->hash.a != hash.a || at->hash.b != hash.b)) at = at->next;
  return at;
}

/* More than 48 KB of shared memory a block has to be asked for. */
static CUresult allow_shared(const tsr__cuda *gpu, tsr__cuda_loaded *loaded, unsigned shared) {
  enum { FREE_BYTES = 48 << 10 };
  if (shared <= loaded->shared || shared <= FREE_BYTES) return CUDA_SUCCESS;
  loaded->shared = shared;
  return gpu->api->cuFuncSetAttribute(loaded->kernel.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      (int)shared);
}

static void read_attributes(const tsr__cuda *gpu, tsr__cuda_kernel *kernel) {
  const CUfunction f = kernel->function;
  (void)gpu->api->cuFuncGetAttribute(&kernel->registers, CU_FUNC_ATTRIBUTE_NUM_REGS, f);
  (void)gpu->api->cuFuncGetAttribute(&kernel->shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f);
  (void)gpu->api->cuFuncGetAttribute(&kernel->threads_block, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f);
}

/* Loads an image; TSR_OK and *out NULL where the driver does not take it. */
static tsr_status load_image(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_source *source, const tsr__cuda_image *image,
                             tsr__cuda_loaded **out) {
  CUmodule module = NULL;
  CUfunction function = NULL;
  *out = NULL;
  CUresult r = gpu->api->cuModuleLoadData(&module, image->bytes);
  if (r == CUDA_SUCCESS) r = gpu->api->cuModuleGetFunction(&function, module, source->name);
  if (r != CUDA_SUCCESS) {
    if (module != NULL) (void)gpu->api->cuModuleUnload(module);
    (void)tsr__cuda_check(gpu, ctx, source->name, r, "load the kernel");
    return tsr__cuda_is_alive(gpu) ? TSR_OK : TSR_EDEVICE;
  }
  tsr__cuda_loaded *const loaded = tsr__cuda_host_new(sizeof *loaded);
  if (loaded == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, source->name, NULL, "no memory for a kernel");
  loaded->kernel.function = function;
  loaded->kernel.name = loaded->name;
  strncpy(loaded->name, source->name, sizeof loaded->name - 1);
  read_attributes(gpu, &loaded->kernel);
  *out = loaded;
  return TSR_OK;
}

static tsr_status try_image(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_source *source, tsr__cuda_image *image,
                            tsr__cuda_loaded **out) {
  const tsr_status st = load_image(gpu, ctx, source, image, out);
  tsr__cuda_host_free(image->bytes, image->count);
  *image = (tsr__cuda_image){0};
  return st;
}

static tsr_status compile_and_load(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_compiler *compiler,
                                   const tsr__cuda_source *source, tsr__cuda_hash key, tsr__cuda_loaded **out) {
  tsr__cuda_image image = {0};
  tsr_status st = tsr__cuda_compile(compiler, ctx, gpu->traits.capability, source, &image);
  if (st != TSR_OK) return st;
  gpu->kernels.compiled++;
  if (!tsr__cuda_folder_write(key, &image) && gpu->is_ahead) {
    tsr__cuda_host_free(image.bytes, image.count);
    return TSR__FAIL(ctx, TSR_EIO, source->name, NULL, "the folder of kernels (TSR_CUDA_CACHE) cannot be written");
  }
  st = try_image(gpu, ctx, source, &image, out);
  return st == TSR_OK && *out == NULL ? TSR_EDEVICE : st; /* load_image said why */
}

/* One that was compiled ahead, by whatever compiler: beside the plug-in or in the folder. TSR_OK and *out NULL: there is none that loads. */
static tsr_status load_ahead(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_source *source, tsr__cuda_hash hash,
                             tsr__cuda_loaded **out) {
  tsr__cuda_image image = {0};
  tsr_status st = TSR_OK;
  if (!gpu->is_ahead && tsr__cuda_shipped_read(hash, &image)) st = try_image(gpu, ctx, source, &image, out);
  if (st != TSR_OK || *out != NULL || !tsr__cuda_folder_read(hash, &image)) return st;
  return try_image(gpu, ctx, source, &image, out);
}

/* From those that were compiled ahead, from the folder, or compiled. */
static tsr_status make_loaded(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_source *source, tsr__cuda_hash hash,
                              tsr__cuda_loaded **out) {
  tsr__cuda_image image = {0};
  *out = NULL;
  const int generation = gpu->traits.capability / 10 * 10; /* code for 8.0 runs on 8.6 and 8.9 */
  tsr_status st = load_ahead(gpu, ctx, source, hash, out);
  if (st == TSR_OK && *out == NULL && generation != gpu->traits.capability && !gpu->is_ahead)
    st = load_ahead(gpu, ctx, source, hash_of(generation, source), out);
  if (st != TSR_OK || *out != NULL) return st;
  const tsr__cuda_compiler *const compiler = tsr__cuda_compiler_open(ctx, source->name);
  if (compiler == NULL) return TSR_EDEVICE;
  gpu->kernels.compiler = compiler->version;
  if (gpu->is_ahead) return compile_and_load(gpu, ctx, compiler, source, hash, out);
  tsr__cuda_hash key = tsr__cuda_hash_add(hash, &compiler->version, sizeof compiler->version);
  key = tsr__cuda_hash_add(key, &gpu->version, sizeof gpu->version);
  if (tsr__cuda_folder_read(key, &image)) st = try_image(gpu, ctx, source, &image, out);
  if (st != TSR_OK || *out != NULL) return st;
  return compile_and_load(gpu, ctx, compiler, source, key, out);
}

static tsr_status get_locked(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_key *key, const tsr__cuda_source *source,
                             const tsr__cuda_kernel **kernel) {
  const tsr__cuda_hash hash = hash_of(gpu->traits.capability, source);
  tsr__cuda_loaded *loaded = find_loaded(gpu, hash);
  if (loaded == NULL) {
    const tsr_status st = make_loaded(gpu, ctx, source, hash, &loaded);
    if (st != TSR_OK) return st;
    loaded->hash = hash;
    loaded->next = gpu->kernels.loaded;
    gpu->kernels.loaded = loaded;
    gpu->kernels.count++;
  }
  const tsr_status st =
      tsr__cuda_check(gpu, ctx, source->name, allow_shared(gpu, loaded, source->shared), "give so much shared memory");
  if (st != TSR_OK) return st;
  remember(gpu, key, &loaded->kernel);
  *kernel = &loaded->kernel;
  return TSR_OK;
}

tsr_status tsr__cuda_kernel_get(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_key *key, const tsr__cuda_source *source,
                                const tsr__cuda_kernel **kernel) {
  tsr__cuda_scope scope;
  tsr_status st = tsr__cuda_enter(gpu, ctx, source->name, &scope);
  if (st != TSR_OK) return st;
  (void)pthread_mutex_lock(&gpu->kernels.lock);
  st = get_locked(gpu, ctx, key, source, kernel);
  (void)pthread_mutex_unlock(&gpu->kernels.lock);
  tsr__cuda_leave(gpu, scope);
  return st;
}

int tsr__cuda_kernel_blocks(tsr__cuda *gpu, const tsr__cuda_kernel *kernel, unsigned threads, unsigned shared) {
  tsr__cuda_scope scope;
  tsr_ctx quiet = {0};
  int blocks = 0;
  if (tsr__cuda_enter(gpu, &quiet, kernel->name, &scope) != TSR_OK) return 1;
  (void)gpu->api->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel->function, (int)threads, shared);
  tsr__cuda_leave(gpu, scope);
  return blocks > 0 ? blocks : 1;
}
