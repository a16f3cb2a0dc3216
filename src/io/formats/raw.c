/* Raw elements as a format of bundles: only saved, for nothing in the file says what they are. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include "io/raw/raw.h"

static bool probe(const uint8_t *start, size_t n, uint64_t size) {
  (void)start, (void)n, (void)size;
  return false;
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                       const tsr_producer *producer) {
  const tsr_tensor *t = NULL;
  (void)metadata;
  const tsr_status st = tsr__format_only(ctx, &tsr__format_raw, bundle, &t);
  return st == TSR_OK ? tsr__raw_save(ctx, path, t, NULL, producer) : st;
}

const tsr__file_format tsr__format_raw = {
    .id = TSR_FORMAT_RAW, .extension = ".raw", .streams = true, .probe = probe, .save = save};

#endif
