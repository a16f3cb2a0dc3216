/* Any bytes as a JPEG image: from memory and from a source it is read alike, as stored and turned; a block of EXIF is read
 * too. What was read can be written. The pixels that are asked for are limited. */
#include <stdlib.h>
#include <tessera/jpeg.h>

#include "bytes.h"

static capped_memory memory = {.cap = (size_t)64 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

static void write_it(tsr_ctx *ctx, const tsr_tensor *t) {
  const tsr_jpeg_save_options how = {.quality = 50};
  buffer b = {.capacity = 8 * tsr_nbytes(t) + (1 << 14)};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = append, .self = &b};
  tsr_tensor again = {0};
  if (tsr_nbytes(t) > 1 << 16) return; /* slow, and no news */
  b.at = malloc(b.capacity);
  if (b.at == NULL) return;
  must(tsr_jpeg_write(ctx, t, &how, &sink) == TSR_OK);
  must(tsr_jpeg_decode(ctx, b.at, b.n, NULL, &again) == TSR_OK);
  must(t->ndim == 2 ? again.ndim == 2 : again.ndim == t->ndim);
  tsr_release(&again);
  free(b.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* The first byte chooses. */
  const uint8_t choice = size > 0 ? data[0] : 0;
  const tsr_io_limits limits = {.pixels = 1 << 18};
  const tsr_jpeg_options options = {.as_stored = (choice & 1) != 0};
  tsr_ctx ctx;
  tsr_tensor decoded = {0}, read = {0};
  if (size > 0) data++, size--;
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  must(tsr_context_set_io_limits(&ctx, &limits) == TSR_OK);
  pieces state = {.at = data, .left = size, .state = choice};
  const tsr_source source = {.size = sizeof(tsr_source), .read = read_piece, .self = &state};
  const tsr_status from_memory = tsr_jpeg_decode(&ctx, data, size, &options, &decoded);
  must(tsr_jpeg_read(&ctx, &source, &options, &read) == from_memory);
  if (from_memory == TSR_OK) {
    must(same_tensor(&decoded, &read));
    write_it(&ctx, &decoded);
  } else {
    must(tsr_is_none(&decoded) && tsr_is_none(&read));
  }
  tsr_release(&decoded);
  tsr_release(&read);
  must(memory.in_use == 0);
  return 0;
}
