/* C source as a format of bundles: saved, never loaded; a compiler reads it. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include <tessera/carray.h>

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                       const tsr_producer *producer) {
  (void)metadata, (void)producer;
  return tsr_carray_save(ctx, path, bundle, NULL);
}

const tsr__file_format tsr__format_c = {.id = TSR_FORMAT_C, .extension = ".h", .save = save};

#endif
