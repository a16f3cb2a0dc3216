/* Kernels that are loaded, and how text becomes one. */
#ifndef TSR_CUDA_KERNEL_H
#define TSR_CUDA_KERNEL_H

#include "cuda/api.h"
#include "cuda/cuda.h"
#include "cuda/hash.h"

#include <pthread.h>

typedef struct tsr__cuda_loaded tsr__cuda_loaded; /* kernel.c */

/* Slots of kernels by key; never more than half of them are taken, so that a search ends soon. Few enough for a GPU's struct to stay
 * below 64 KB, from where on memory is mapped pages, in which a leak sanitizer does not look. */
enum { TSR__CUDA_KEYS = 4096 };
typedef struct tsr__cuda_keyed tsr__cuda_keyed;

typedef struct tsr__cuda_kernels {
  tsr__cuda_keyed *keyed[TSR__CUDA_KEYS]; /* atomic; read without a lock */
  pthread_mutex_t lock;                   /* of what follows, and of writing to keyed */
  size_t keys;
  tsr__cuda_loaded *loaded;
  size_t count, compiled;
  int compiler; /* its version, once it was opened */
} tsr__cuda_kernels;

void tsr__cuda_kernels_init(tsr__cuda_kernels *kernels);

/* ---- compiling (compile.c) ---- */

/* A compiled kernel, from tsr__cuda_host_new. */
typedef struct tsr__cuda_image {
  void *bytes;
  size_t count;
} tsr__cuda_image;

/* The options that every kernel is compiled with. */
enum { TSR__CUDA_OPTIONS = 8 };
int tsr__cuda_options(int capability, const char *extra, char *arch, const char **options);

tsr_status tsr__cuda_compile(const tsr__cuda_compiler *compiler, tsr_ctx *ctx, int capability,
                             const tsr__cuda_source *source, tsr__cuda_image *image);

/* ---- the folder (folder.c) ---- */

/* Reads the image of a hash; false: there is none, or it is broken. Writes one; false: there is no folder that can be written. */
bool tsr__cuda_folder_read(tsr__cuda_hash hash, tsr__cuda_image *image);
bool tsr__cuda_folder_write(tsr__cuda_hash hash, const tsr__cuda_image *image);

/* The same of those that came with the plug-in. */
bool tsr__cuda_shipped_read(tsr__cuda_hash hash, tsr__cuda_image *image);

#endif
