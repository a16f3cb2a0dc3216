/* .npy as a format of bundles: one tensor, named as its file. */
#include "io/formats.h"

#if TSR_HAVE_STDIO

#include "io/map.h"

#include <string.h>
#include <tessera/io.h>

static bool probe(const uint8_t *start, size_t n, uint64_t size) {
  (void)size;
  return n >= 6 && memcmp(start, "\x93NUMPY", 6) == 0;
}

/* The file's name without folder and extension; its whole last part where nothing else is left. */
static size_t stem(const char *path, const char **name) {
  const char *slash = strrchr(path, '/');
  *name = slash != NULL ? slash + 1 : path;
  const size_t length = strlen(*name);
  return length > 4 && strcmp(*name + length - 4, ".npy") == 0 ? length - 4 : length;
}

static tsr_status add_named(tsr_ctx *ctx, const char *path, tsr_tensor *t, tsr_bundle *out) {
  const char *from;
  const size_t length = stem(path, &from);
  tsr__scratch scratch;
  tsr_status st = tsr__scratch_get(ctx, "bundle_load", length + 1, &scratch);
  if (st != TSR_OK) return st;
  char *name = scratch.data;
  memcpy(name, from, length);
  name[length] = '\0';
  st = tsr_bundle_add(ctx, out, name, t);
  tsr__scratch_put(&scratch);
  return st;
}

static tsr_status load(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata) {
  tsr_tensor t = {0};
  (void)metadata;
#if TSR_HAVE_MMAP
  tsr_status st = tsr_npy_map(ctx, path, TSR_ACCESS_READ, NULL, &t);
#else
  tsr_status st = tsr_npy_load(ctx, path, &t);
#endif
  if (st == TSR_OK) st = add_named(ctx, path, &t, out);
  tsr_release(&t);
  return st;
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata) {
  (void)metadata;
  if (bundle->count != 1)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, "bundle_save", "bundle", "holds %l tensors, a .npy file one",
                     (int64_t)bundle->count);
  return tsr_npy_save(ctx, path, &bundle->tensors[0]);
}

const tsr__format tsr__format_npy = {
    .id = TSR_FORMAT_NPY, .extension = ".npy", .probe = probe, .load = load, .save = save};

#endif
