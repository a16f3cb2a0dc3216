/* JPEG as a format of bundles: one image, named as its file. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include <tessera/jpeg.h>

static tsr_status load(tsr_ctx *ctx, const char *path, const tsr__file_format *format, tsr_tensor *out,
                       tsr_metadata *metadata) {
  (void)format, (void)metadata;
  return tsr_jpeg_load(ctx, path, NULL, out);
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr__file_format *format, const tsr_tensor *t,
                       const tsr_metadata *metadata, const tsr_producer *producer) {
  (void)format, (void)metadata, (void)producer;
  return tsr_jpeg_save(ctx, path, t, NULL);
}

const tsr__file_format tsr__format_jpeg = {.id = TSR_FORMAT_JPEG,
                                           .extension = ".jpg",
                                           .other = ".jpeg",
                                           .magic = "\xff\xd8\xff",
                                           .load_one = load,
                                           .save_one = save};

#endif
