/* GGUF as a format of bundles: only loaded. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include <tessera/gguf.h>

static tsr_status load(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata) {
  return tsr_gguf_load(ctx, path, NULL, out, metadata);
}

const tsr__file_format tsr__format_gguf = {
    .id = TSR_FORMAT_GGUF, .extension = ".gguf", .metadata = true, .magic = "GGUF", .load = load};

#endif
