/* A checkpoint of several safetensors files as one format of bundles: its index is JSON. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include <string.h>
#include <tessera/safetensors.h>

/* An object whose weight_map begins within what is seen. */
static bool probe(const tsr__file_format *format, const uint8_t *start, size_t n) {
  static const char key[] = "\"weight_map\"";
  size_t at = 0;
  (void)format;
  while (at < n && strchr(" \n\r\t", start[at]) != NULL && start[at] != 0) at++;
  if (at == n || start[at] != '{') return false;
  for (; at + sizeof key - 1 <= n; at++)
    if (memcmp(start + at, key, sizeof key - 1) == 0) return true;
  return false;
}

static tsr_status load(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata) {
  return tsr_safetensors_load_sharded(ctx, path, NULL, out, metadata);
}

const tsr__file_format tsr__format_shards = {
    .id = TSR_FORMAT_SHARDS, .extension = ".safetensors.index.json", .probe = probe, .load = load};

#endif
