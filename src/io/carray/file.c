/* C source in files, by their path. */
#include "core/check.h"

#if TSR_HAVE_STDIO

#include "io/file/file.h"

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

#endif
