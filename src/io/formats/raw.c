/* Raw elements as a format of bundles: only saved, for nothing in the file says what they are. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include "io/raw/raw.h"

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr__file_format *format, const tsr_tensor *t,
                       const tsr_metadata *metadata, const tsr_producer *producer) {
  (void)format, (void)metadata;
  return tsr__raw_save(ctx, path, t, NULL, producer);
}

const tsr__file_format tsr__format_raw = {.id = TSR_FORMAT_RAW, .extension = ".raw", .streams = true, .save_one = save};

#endif
