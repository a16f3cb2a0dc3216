/* C source in files, by their path; as a format of bundles it can only be saved. */
#include "io/formats.h"

#if TSR_HAVE_STDIO

#include "io/file.h"

#include <tessera/carray.h>

typedef struct contents {
  const tsr_bundle *bundle;
  const tsr_carray_options *options;
} contents;

static tsr_status write_contents(tsr_ctx *ctx, void *user, const tsr_sink *sink) {
  const contents *c = user;
  return tsr_carray_write(ctx, c->bundle, c->options, sink);
}

tsr_status tsr_carray_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle,
                           const tsr_carray_options *options) {
  static const char op[] = "carray_save";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  contents c = {.bundle = bundle, .options = options};
  return tsr__file_save(ctx, op, path, bundle->count, bundle->tensors, write_contents, &c);
}

/* ---- as a format ---- */

static bool probe(const uint8_t *start, size_t n, uint64_t size) {
  (void)start, (void)n, (void)size;
  return false; /* a compiler reads it */
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                       const tsr_producer *producer) {
  (void)metadata, (void)producer;
  return tsr_carray_save(ctx, path, bundle, NULL);
}

const tsr__file_format tsr__format_c = {.id = TSR_FORMAT_C, .extension = ".h", .probe = probe, .save = save};

#endif
