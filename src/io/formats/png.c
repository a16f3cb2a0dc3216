/* PNG as a format of bundles: one image, named as its file. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include <tessera/png.h>

static tsr_status load(tsr_ctx *ctx, const char *path, const tsr__file_format *format, tsr_tensor *out,
                       tsr_metadata *metadata) {
  (void)format, (void)metadata;
  return tsr_png_load(ctx, path, NULL, out);
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr__file_format *format, const tsr_tensor *t,
                       const tsr_metadata *metadata, const tsr_producer *producer) {
  (void)format, (void)metadata, (void)producer;
  return tsr_png_save(ctx, path, t, NULL);
}

const tsr__file_format tsr__format_png = {
    .id = TSR_FORMAT_PNG, .extension = ".png", .magic = "\x89PNG\r\n\x1a\n", .load_one = load, .save_one = save};

#endif
