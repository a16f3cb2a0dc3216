/* Any bytes as an .npz archive: from memory, in place and copied, and from a reader it is read alike; what was read is
 * written, stored and deflated, and read again to the same tensors. Memory is capped: a size that the bytes do not bear
 * out must not be asked for. */
#include <stdlib.h>
#include <tessera/npz.h>

#include "bytes.h"

/* A byte deflates from 1032 at the most: inputs of 64 KB could honestly ask for 64 MB, twice. */
static capped_memory memory = {.cap = (size_t)256 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

static bool same_bundle(const tsr_bundle *a, const tsr_bundle *b) {
  if (a->count != b->count) return false;
  for (tsr_index i = 0; i < a->count; i++) {
    const tsr_tensor *x = &a->tensors[i], *y = &b->tensors[i];
    if (strcmp(x->name, y->name) != 0 || !same_tensor(x, y)) return false;
  }
  return true;
}

static void write_and_read_again(tsr_ctx *ctx, const tsr_bundle *bundle, bool deflate, int void_dtype) {
  const tsr_npz_save_options how = {.deflate = deflate, .level = 1};
  const tsr_npz_options options = {.access = TSR_ACCESS_COPY, .void_dtype = void_dtype};
  size_t bytes = 4096;
  tsr_bundle again = {0};
  for (tsr_index i = 0; i < bundle->count; i++)
    bytes += tsr_nbytes(&bundle->tensors[i]) + 1024 + 2 * strlen(bundle->tensors[i].name);
  if (bytes > 1 << 22) return; /* slow, and no news */
  buffer b = {.at = malloc(bytes), .capacity = bytes};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = append, .self = &b};
  if (b.at == NULL) return;
  must(tsr_npz_write(ctx, bundle, &how, &sink) == TSR_OK);
  must(tsr_npz_decode(ctx, b.at, b.n, &options, &again) == TSR_OK);
  must(same_bundle(bundle, &again));
  tsr_bundle_release(&again);
  free(b.at);
}

static tsr_status count_entry(void *user, const tsr_npz_entry *entry) {
  must(entry->name != NULL && entry->dtype != TSR_NONE);
  ++*(tsr_index *)user;
  return TSR_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* The first byte chooses the options. */
  const uint8_t choice = size > 0 ? data[0] : 0;
  const tsr_npz_options options = {.access = choice & 2 ? TSR_ACCESS_COPY : TSR_ACCESS_READ,
                                   .lazy = (choice & 4) != 0,
                                   .void_dtype = choice & 64 ? TSR_F8_E5M2 : 0};
  const tsr_io_limits limits = {
      .inflated = choice & 8 ? 4096 : 0, .tensors = choice & 16 ? 2 : 0, .header = choice & 32 ? 200 : 0};
  tsr_ctx ctx;
  tsr_bundle decoded = {0}, read = {0};
  tsr_index listed = 0;
  if (size > 0) data++, size--;
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  must(tsr_context_set_io_limits(&ctx, &limits) == TSR_OK);
  buffer state = {.at = (uint8_t *)(uintptr_t)data, .n = size};
  const tsr_reader reader = {.size = sizeof(tsr_reader), .read = read_at, .self = &state, .bytes = size};
  const tsr_status from_memory = tsr_npz_decode(&ctx, data, size, &options, &decoded);
  const tsr_status from_reader = tsr_npz_read(&ctx, &reader, &options, &read);
  must(from_memory == from_reader || (options.lazy && from_reader == TSR_EFORMAT)); /* a CRC that one has not seen */
  const tsr_status list = tsr_npz_list(&ctx, &reader, &options, count_entry, &listed);
  must(list == TSR_OK || from_reader != TSR_OK);
  if (from_reader == TSR_OK) {
    must(listed == read.count && (options.lazy || same_bundle(&decoded, &read)));
    must(tsr_context_set_io_limits(&ctx, NULL) == TSR_OK); /* what is written may be larger */
    write_and_read_again(&ctx, &read, (choice & 1) != 0, options.void_dtype);
  } else {
    must(read.count == 0 && (from_memory == TSR_OK || decoded.count == 0));
  }
  tsr_bundle_release(&decoded);
  tsr_bundle_release(&read);
  must(memory.in_use == 0);
  return 0;
}
