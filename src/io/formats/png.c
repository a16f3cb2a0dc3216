/* PNG as a format of bundles: one image, named as its file. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include <string.h>
#include <tessera/png.h>

static bool probe(const uint8_t *start, size_t n, uint64_t size) {
  (void)size;
  return n >= 8 && memcmp(start, "\x89PNG\r\n\x1a\n", 8) == 0;
}

static tsr_status load(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata) {
  tsr_tensor t = {0};
  (void)metadata;
  tsr_status st = tsr_png_load(ctx, path, NULL, &t);
  if (st == TSR_OK) st = tsr__format_add_named(ctx, path, &tsr__format_png, &t, out);
  tsr_release(&t);
  return st;
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                       const tsr_producer *producer) {
  const tsr_tensor *image = NULL;
  (void)metadata, (void)producer;
  const tsr_status st = tsr__format_only(ctx, &tsr__format_png, bundle, &image);
  return st == TSR_OK ? tsr_png_save(ctx, path, image, NULL) : st;
}

const tsr__file_format tsr__format_png = {
    .id = TSR_FORMAT_PNG, .extension = ".png", .probe = probe, .load = load, .save = save};

#endif
