/* Any bytes as a PNG image: from memory and from a source it is read alike; what was read is written, and read again to
 * the same pixels. CRCs are mended in every other input, so that what they guard is reached. Memory is capped: an image
 * that the bytes cannot hold must not be asked for. */
#include <stdlib.h>
#include <tessera/png.h>

#include "bytes.h"

static capped_memory memory = {.cap = (size_t)256 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

/* ---- checksums ---- */

static uint32_t crc_of(const uint8_t *at, size_t n) {
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < n; i++) {
    crc ^= at[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

static void mend(uint8_t *at, size_t n) {
  for (size_t i = 8; n >= 12 && i <= n - 12;) {
    const uint32_t length =
        (uint32_t)at[i] << 24 | (uint32_t)at[i + 1] << 16 | (uint32_t)at[i + 2] << 8 | (uint32_t)at[i + 3];
    if (length > n - 12 - i) return;
    const uint32_t crc = crc_of(at + i + 4, length + 4);
    for (int k = 0; k < 4; k++) at[i + 8 + length + (size_t)k] = (uint8_t)(crc >> (24 - 8 * k));
    i += length + 12;
  }
}

/* ---- the promises ---- */

static void write_and_read_again(tsr_ctx *ctx, const tsr_tensor *t) {
  const tsr_png_save_options how = {.level = 1};
  buffer b = {.capacity = 2 * tsr_nbytes(t) + 4096 + 64 * (size_t)t->shape[0]};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = append, .self = &b};
  tsr_tensor again = {0};
  if (b.capacity > 1 << 20) return; /* slow, and no news */
  b.at = malloc(b.capacity);
  if (b.at == NULL) return;
  must(tsr_png_write(ctx, t, &how, &sink) == TSR_OK);
  must(tsr_png_decode(ctx, b.at, b.n, NULL, &again) == TSR_OK);
  must(same_tensor(t, &again));
  tsr_release(&again);
  free(b.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* The first byte chooses. */
  const uint8_t choice = size > 0 ? data[0] : 0;
  const tsr_io_limits limits = {.pixels = choice & 2 ? 100 : 1 << 20};
  tsr_ctx ctx;
  tsr_tensor decoded = {0}, read = {0};
  if (size > 0) data++, size--;
  buffer input = {.at = malloc(size + 1), .capacity = size};
  if (input.at == NULL) return 0;
  if (size > 0) memcpy(input.at, data, size);
  if ((choice & 1) != 0) mend(input.at, size);
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  must(tsr_context_set_io_limits(&ctx, &limits) == TSR_OK);
  pieces state = {.at = input.at, .left = size, .state = choice};
  const tsr_source source = {.size = sizeof(tsr_source), .read = read_piece, .self = &state};
  const tsr_status from_memory = tsr_png_decode(&ctx, input.at, size, NULL, &decoded);
  must(tsr_png_read(&ctx, &source, NULL, &read) == from_memory);
  if (from_memory == TSR_OK) {
    must(same_tensor(&decoded, &read));
    must(tsr_context_set_io_limits(&ctx, NULL) == TSR_OK); /* what is written may be larger */
    write_and_read_again(&ctx, &decoded);
  } else {
    must(tsr_is_none(&decoded) && tsr_is_none(&read));
  }
  tsr_release(&decoded);
  tsr_release(&read);
  free(input.at);
  must(memory.in_use == 0);
  return 0;
}
