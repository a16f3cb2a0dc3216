/* Any bytes as sound: what is read as it is stored is written, and read again to the same samples; 24 bits become 32. */
#include <stdlib.h>
#include <tessera/wav.h>

#include "bytes.h"

static capped_memory memory = {.cap = (size_t)32 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

static void write_and_read_again(tsr_ctx *ctx, const tsr_tensor *t, const tsr_wav_info *info) {
  const tsr_wav_options as_stored = {.as_stored = true};
  buffer b = {.capacity = tsr_nbytes(t) + 64};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = append, .self = &b};
  tsr_tensor again = {0};
  tsr_wav_info said;
  b.at = malloc(b.capacity);
  if (b.at == NULL) return;
  const tsr_status st = tsr_wav_write(ctx, t, info->rate, &sink);
  must(st == TSR_OK || st == TSR_EARG || st == TSR_ESHAPE); /* a rate of 0, wide frames */
  if (st == TSR_OK && tsr_size(t) > 0) {
    must(tsr_wav_decode(ctx, b.at, b.n, &as_stored, &again, &said) == TSR_OK);
    must(same_tensor(t, &again) && said.rate == info->rate);
    tsr_release(&again);
  }
  free(b.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const tsr_wav_options as_stored = {.as_stored = true};
  tsr_ctx ctx;
  tsr_tensor stored = {0}, scaled = {0};
  tsr_wav_info info;
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  const tsr_status st = tsr_wav_decode(&ctx, data, size, &as_stored, &stored, &info);
  must(tsr_wav_decode(&ctx, data, size, NULL, &scaled, NULL) == st);
  if (st == TSR_OK) {
    must(tsr_same_shape(&stored, &scaled));
    write_and_read_again(&ctx, &stored, &info);
  } else {
    must(tsr_is_none(&stored) && tsr_is_none(&scaled));
  }
  tsr_release(&stored);
  tsr_release(&scaled);
  must(memory.in_use == 0);
  return 0;
}
