/* PGM and PPM as formats of bundles: one image, named as its file. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include <string.h>
#include <tessera/pnm.h>

/* The variant is how many channels there are. */
static bool probe(const tsr__file_format *format, const uint8_t *start, size_t n) {
  const uint8_t text = format->variant == 1 ? '2' : '3', bytes = text + 3;
  return n > 2 && start[0] == 'P' && (start[1] == text || start[1] == bytes) &&
         memchr(" \t\n\v\f\r#", start[2], 7) != NULL;
}

static tsr_status load(tsr_ctx *ctx, const char *path, const tsr__file_format *format, tsr_tensor *out,
                       tsr_metadata *metadata) {
  (void)format, (void)metadata;
  return tsr_pnm_load(ctx, path, NULL, out);
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr__file_format *format, const tsr_tensor *t,
                       const tsr_metadata *metadata, const tsr_producer *producer) {
  (void)metadata, (void)producer;
  if ((t->ndim == 3 ? t->shape[2] : 1) != format->variant)
    return TSR__FAIL(ctx, TSR_ESHAPE, "bundle_save", "bundle", "%t: a %s file has %s", t, format->extension,
                     format->variant == 1 ? "[H,W]" : "[H,W,3]");
  return tsr_pnm_save(ctx, path, t, NULL);
}

const tsr__file_format tsr__format_pgm = {
    .id = TSR_FORMAT_PGM, .extension = ".pgm", .variant = 1, .probe = probe, .load_one = load, .save_one = save};
const tsr__file_format tsr__format_ppm = {
    .id = TSR_FORMAT_PPM, .extension = ".ppm", .variant = 3, .probe = probe, .load_one = load, .save_one = save};

#endif
