/* .npz as a format of bundles. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include "io/npz/npz.h"

#include <string.h>

/* A local header, or the end of an archive without members. */
static bool probe(const tsr__file_format *format, const uint8_t *start, size_t n) {
  (void)format;
  return n >= 4 && (memcmp(start, "PK\3\4", 4) == 0 || memcmp(start, "PK\5\6", 4) == 0);
}

static tsr_status load(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata) {
  (void)metadata;
  return tsr_npz_load(ctx, path, NULL, out);
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                       const tsr_producer *producer) {
  (void)metadata;
  return tsr__npz_save(ctx, path, bundle, NULL, producer);
}

const tsr__file_format tsr__format_npz = {
    .id = TSR_FORMAT_NPZ, .extension = ".npz", .streams = true, .probe = probe, .load = load, .save = save};

#endif
