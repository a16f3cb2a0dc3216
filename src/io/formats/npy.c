/* .npy as a format of bundles: one tensor, named as its file. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include "io/file/map.h"
#include "io/npy/npy.h"

#include <string.h>
#include <tessera/io.h>

static bool probe(const uint8_t *start, size_t n, uint64_t size) {
  (void)size;
  return n >= 6 && memcmp(start, "\x93NUMPY", 6) == 0;
}

static tsr_status load(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata) {
  tsr_tensor t = {0};
  (void)metadata;
#if TSR_HAVE_MMAP
  tsr_status st = tsr_npy_mmap(ctx, path, TSR_ACCESS_READ, NULL, &t);
#else
  tsr_status st = tsr_npy_load(ctx, path, &t);
#endif
  if (st == TSR_OK) st = tsr__format_add_named(ctx, path, &tsr__format_npy, &t, out);
  tsr_release(&t);
  return st;
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                       const tsr_producer *producer) {
  const tsr_tensor *t = NULL;
  (void)metadata;
  const tsr_status st = tsr__format_only(ctx, &tsr__format_npy, bundle, &t);
  return st == TSR_OK ? tsr__npy_save(ctx, path, t, producer) : st;
}

const tsr__file_format tsr__format_npy = {
    .id = TSR_FORMAT_NPY, .extension = ".npy", .streams = true, .probe = probe, .load = load, .save = save};

#endif
