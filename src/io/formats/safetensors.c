/* safetensors as a format of bundles. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include "io/safetensors/safetensors.h"

/* There is no magic string: a length within the format's limit, then an object. Eight characters of text are a length
 * far over it. A file that was cut short is still one: its loader says what is missing. */
static bool probe(const tsr__file_format *format, const uint8_t *start, size_t n) {
  uint64_t length = 0;
  (void)format;
  if (n < 9 || start[8] != '{') return false;
  for (int i = 7; i >= 0; i--) length = length << 8 | start[i];
  return length <= TSR__ST_MAX_HEADER;
}

static tsr_status load(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata) {
  return tsr_safetensors_load(ctx, path, NULL, out, metadata);
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                       const tsr_producer *producer) {
  return tsr__st_save(ctx, path, bundle, metadata, NULL, producer);
}

const tsr__file_format tsr__format_safetensors = {.id = TSR_FORMAT_SAFETENSORS,
                                                  .extension = ".safetensors",
                                                  .metadata = true,
                                                  .streams = true,
                                                  .probe = probe,
                                                  .load = load,
                                                  .save = save};

#endif
