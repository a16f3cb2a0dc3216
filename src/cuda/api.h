/* The functions of NVIDIA's libraries that are called, found when the libraries are opened: the plug-in links none of them. */
#ifndef TSR_CUDA_API_H
#define TSR_CUDA_API_H

#include "core/fail.h"

#include <cuda.h>
#include <nvrtc.h>

/* cuda.h renames functions that changed (cuMemAlloc is cuMemAlloc_v2): the members of the tables have the names after that, and so
 * do the symbols. */
typedef struct tsr__cuda_driver {
#define X(f) __typeof__(f) *f;
#include "cuda/driver.def"
#undef X
} tsr__cuda_driver;

typedef struct tsr__cuda_compiler {
#define X(f) __typeof__(f) *f;
#include "cuda/compiler.def"
#undef X
  int version; /* 1300: 13.0 */
} tsr__cuda_compiler;

/* Each is opened once a process: from the folder that TSR_CUDA_LIBRARIES names, or where it names none from where the loader looks
 * and where CUDA is usually installed. NULL with a message in ctx that says what is missing. Any thread. */
const tsr__cuda_driver *tsr__cuda_driver_open(tsr_ctx *ctx, const char *op);
const tsr__cuda_compiler *tsr__cuda_compiler_open(tsr_ctx *ctx, const char *op);

/* The table of a driver without a GPU (ahead.c). */
extern const tsr__cuda_driver tsr__cuda_ahead;

/* A library by the names that its versions have, the newest first, NULL at the end; NULL: none is there. */
void *tsr__cuda_library(const char *const *names);

#endif
