/* PGM and PPM as formats of bundles: one image, named as its file. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include <string.h>
#include <tessera/pnm.h>

static bool is_one(const uint8_t *start, size_t n, uint8_t text, uint8_t bytes) {
  return n > 2 && start[0] == 'P' && (start[1] == text || start[1] == bytes) &&
         memchr(" \t\n\v\f\r#", start[2], 7) != NULL;
}

static bool probe_pgm(const uint8_t *start, size_t n, uint64_t size) {
  (void)size;
  return is_one(start, n, '2', '5');
}

static bool probe_ppm(const uint8_t *start, size_t n, uint64_t size) {
  (void)size;
  return is_one(start, n, '3', '6');
}

static tsr_status load(tsr_ctx *ctx, const char *path, const tsr__file_format *format, tsr_bundle *out) {
  tsr_tensor t = {0};
  tsr_status st = tsr_pnm_load(ctx, path, NULL, &t);
  if (st == TSR_OK) st = tsr__format_add_named(ctx, path, format, &t, out);
  tsr_release(&t);
  return st;
}

static tsr_status load_pgm(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata) {
  (void)metadata;
  return load(ctx, path, &tsr__format_pgm, out);
}

static tsr_status load_ppm(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata) {
  (void)metadata;
  return load(ctx, path, &tsr__format_ppm, out);
}

/* The name says how many channels there are. */
static tsr_status save(tsr_ctx *ctx, const char *path, const tsr__file_format *format, tsr_index channels,
                       const tsr_bundle *bundle) {
  const tsr_tensor *image = NULL;
  const tsr_status st = tsr__format_only(ctx, format, bundle, &image);
  if (st != TSR_OK) return st;
  if ((image->ndim == 3 ? image->shape[2] : 1) != channels)
    return TSR__FAIL(ctx, TSR_ESHAPE, "bundle_save", "bundle", "%t: a %s file has %s", image, format->extension,
                     channels == 1 ? "[H,W]" : "[H,W,3]");
  return tsr_pnm_save(ctx, path, image, NULL);
}

static tsr_status save_pgm(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                           const tsr_producer *producer) {
  (void)metadata, (void)producer;
  return save(ctx, path, &tsr__format_pgm, 1, bundle);
}

static tsr_status save_ppm(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                           const tsr_producer *producer) {
  (void)metadata, (void)producer;
  return save(ctx, path, &tsr__format_ppm, 3, bundle);
}

const tsr__file_format tsr__format_pgm = {
    .id = TSR_FORMAT_PGM, .extension = ".pgm", .probe = probe_pgm, .load = load_pgm, .save = save_pgm};
const tsr__file_format tsr__format_ppm = {
    .id = TSR_FORMAT_PPM, .extension = ".ppm", .probe = probe_ppm, .load = load_ppm, .save = save_ppm};

#endif
