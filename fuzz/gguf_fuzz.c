/* Any bytes as a GGUF file: from memory and from a reader it is read alike, and listed alike; what is decoded while it
 * is read is what blocks become when they are decoded afterwards. Memory is capped: a size that the bytes do not bear
 * out must not be asked for. */
#include <stdlib.h>
#include <tessera/gguf.h>

#include "bytes.h"

static capped_memory memory = {.cap = (size_t)64 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

static bool same_bundle(const tsr_bundle *a, const tsr_bundle *b) {
  if (a->count != b->count) return false;
  for (tsr_index i = 0; i < a->count; i++)
    if (strcmp(a->tensors[i].name, b->tensors[i].name) != 0 || !same_tensor(&a->tensors[i], &b->tensors[i]))
      return false;
  return true;
}

static bool same_metadata(const tsr_metadata *a, const tsr_metadata *b) {
  if (a->count != b->count) return false;
  for (tsr_index i = 0; i < a->count; i++)
    if (strcmp(a->pairs[i].key, b->pairs[i].key) != 0 || strcmp(a->pairs[i].value, b->pairs[i].value) != 0)
      return false;
  return true;
}

/* ---- what is listed ---- */

typedef struct listing {
  tsr_ctx *ctx;
  const tsr_bundle *opaque, *decoded; /* NULL: not loaded */
  tsr_index count;
  uint64_t size;
} listing;

static tsr_status see(void *user, const tsr_gguf_entry *e) {
  listing *l = user;
  must(e->type_name != NULL && e->ndim <= 4 && e->bytes <= l->size);
  must(e->bytes == 0 || e->offset <= l->size - e->bytes);
  if (l->opaque != NULL) {
    const tsr_tensor *t = &l->opaque->tensors[l->count];
    must(strcmp(t->name, e->name) == 0 && tsr_nbytes(t) == e->bytes && t->ndim == e->ndim);
    must(t->dtype == (e->dtype != TSR_NONE ? e->dtype : TSR_U8));
    if (e->type == TSR_GGUF_Q8_0 || e->type == TSR_GGUF_Q4_0) {
      const tsr_tensor *numbers = l->decoded != NULL ? &l->decoded->tensors[l->count] : NULL;
      tsr_tensor again = {0};
      must(tsr_gguf_dequantize(l->ctx, t, e->type, &again) == TSR_OK && again.dtype == TSR_F32);
      if (numbers != NULL && numbers->dtype == TSR_F32) must(same_tensor(numbers, &again));
      tsr_release(&again);
    }
  }
  l->count++;
  return TSR_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* The first byte chooses the options. */
  const uint8_t choice = size > 0 ? data[0] : 0;
  const tsr_gguf_options options = {.access = choice & 1 ? TSR_ACCESS_COPY : TSR_ACCESS_READ,
                                    .dequantize = choice & 2   ? TSR_F32
                                                  : choice & 4 ? TSR_BF16
                                                               : TSR_NONE,
                                    .opaque = (choice & 8) != 0,
                                    .max_items = choice & 32 ? 1 : 0};
  const tsr_io_limits limits = {.tensors = choice & 16 ? 2 : 0, .header = choice & 64 ? 200 : 0};
  tsr_gguf_options plain = options;
  plain.dequantize = TSR_NONE;
  plain.opaque = true;
  tsr_ctx ctx;
  tsr_bundle decoded = {0}, read = {0}, opaque = {0};
  tsr_metadata meta = {0}, other = {0};
  if (size > 0) data++, size--;
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  must(tsr_context_set_io_limits(&ctx, &limits) == TSR_OK);
  buffer state = {.at = (uint8_t *)(uintptr_t)data, .n = size};
  const tsr_reader reader = {.size = sizeof(tsr_reader), .read = read_at, .self = &state, .bytes = size};
  const tsr_status from_memory = tsr_gguf_decode(&ctx, data, size, &options, &decoded, &meta);
  must(tsr_gguf_read(&ctx, &reader, &options, &read, &other) == from_memory);
  const tsr_status whole = tsr_gguf_decode(&ctx, data, size, &plain, &opaque, NULL);
  listing l = {.ctx = &ctx, .size = size};
  if (whole == TSR_OK) l.opaque = &opaque;
  if (from_memory == TSR_OK) l.decoded = &decoded;
  must((tsr_gguf_list(&ctx, &reader, &options, see, &l) == TSR_OK) == (whole == TSR_OK));
  if (from_memory == TSR_OK) {
    must(whole == TSR_OK && l.count == decoded.count);
    must(same_bundle(&decoded, &read) && same_metadata(&meta, &other));
  } else {
    must(decoded.count == 0 && read.count == 0 && meta.count == 0 && other.count == 0);
  }
  tsr_bundle_release(&decoded);
  tsr_bundle_release(&read);
  tsr_bundle_release(&opaque);
  tsr_metadata_release(&meta);
  tsr_metadata_release(&other);
  must(memory.in_use == 0);
  return 0;
}
