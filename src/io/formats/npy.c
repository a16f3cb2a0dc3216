/* .npy as a format of bundles: one tensor, named as its file. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include "io/file/map.h"
#include "io/npy/npy.h"

#include <tessera/io.h>

static tsr_status load(tsr_ctx *ctx, const char *path, const tsr__file_format *format, tsr_tensor *out,
                       tsr_metadata *metadata) {
  (void)format, (void)metadata;
#if TSR_HAVE_MMAP
  return tsr_npy_mmap(ctx, path, TSR_ACCESS_READ, NULL, out);
#else
  return tsr_npy_load(ctx, path, out);
#endif
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr__file_format *format, const tsr_tensor *t,
                       const tsr_metadata *metadata, const tsr_producer *producer) {
  (void)format, (void)metadata;
  return tsr__npy_save(ctx, path, t, producer);
}

const tsr__file_format tsr__format_npy = {.id = TSR_FORMAT_NPY,
                                          .extension = ".npy",
                                          .streams = true,
                                          .magic = "\x93NUMPY",
                                          .load_one = load,
                                          .save_one = save};

#endif
