/* C source in files, by their path. */
#include "core/check.h"

#if TSR_HAVE_STDIO

#include "io/file/file.h"

#include <tessera/carray.h>

static tsr_status write_source(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink) {
  return tsr_carray_write(ctx, what->bundle, what->options, sink);
}

tsr_status tsr_carray_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle,
                           const tsr_carray_options *options) {
  const tsr__saving what = {
      .op = "carray_save", .path = path, .write = write_source, .bundle = bundle, .options = options};
  return tsr__file_save_bundle(ctx, &what);
}

#endif
