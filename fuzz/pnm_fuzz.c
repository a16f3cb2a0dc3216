/* Any bytes as a PGM or PPM image: from memory and from a source it is read alike; what was read is written, as text
 * and as bytes, and read again to the same pixels. Memory is capped: an image that the bytes cannot hold must not be
 * asked for. */
#include <stdlib.h>
#include <tessera/pnm.h>

#include "bytes.h"

static capped_memory memory = {.cap = (size_t)32 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

static void write_and_read_again(tsr_ctx *ctx, const tsr_tensor *t, bool ascii) {
  const tsr_pnm_save_options how = {.ascii = ascii};
  buffer b = {.capacity = 6 * (size_t)tsr_size(t) + 64};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = append, .self = &b};
  tsr_tensor again = {0};
  b.at = malloc(b.capacity);
  if (b.at == NULL) return;
  must(tsr_pnm_write(ctx, t, &how, &sink) == TSR_OK);
  must(tsr_pnm_decode(ctx, b.at, b.n, NULL, &again) == TSR_OK);
  must(same_tensor(t, &again));
  tsr_release(&again);
  free(b.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* The first byte chooses. */
  const uint8_t choice = size > 0 ? data[0] : 0;
  const tsr_io_limits limits = {.pixels = choice & 1 ? 100 : 0};
  tsr_ctx ctx;
  tsr_tensor decoded = {0}, read = {0};
  if (size > 0) data++, size--;
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  must(tsr_context_set_io_limits(&ctx, &limits) == TSR_OK);
  pieces state = {.at = data, .left = size, .state = choice};
  const tsr_source source = {.size = sizeof(tsr_source), .read = read_piece, .self = &state};
  const tsr_status from_memory = tsr_pnm_decode(&ctx, data, size, NULL, &decoded);
  must(tsr_pnm_read(&ctx, &source, NULL, &read) == from_memory);
  if (from_memory == TSR_OK) {
    must(same_tensor(&decoded, &read));
    must(tsr_context_set_io_limits(&ctx, NULL) == TSR_OK); /* what is written may be larger */
    write_and_read_again(&ctx, &decoded, (choice & 2) != 0);
  } else {
    must(tsr_is_none(&decoded) && tsr_is_none(&read));
  }
  tsr_release(&decoded);
  tsr_release(&read);
  must(memory.in_use == 0);
  return 0;
}
