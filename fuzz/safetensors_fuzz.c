/* Any bytes as a safetensors file: from memory, in place and copied, and from a reader it is read alike; what was read
 * is written and read again to the same tensors and metadata. Memory is capped: a size that the bytes do not bear out
 * must not be asked for. */
#include <stdlib.h>
#include <tessera/safetensors.h>

#include "bytes.h"

static capped_memory memory = {.cap = (size_t)64 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

/* ---- the promises ---- */

/* By name: a file that is written has another order. */
static bool same_bundle(const tsr_bundle *a, const tsr_bundle *b) {
  if (a->count != b->count) return false;
  for (tsr_index i = 0; i < a->count; i++) {
    const tsr_tensor *other = tsr_bundle_find(b, a->tensors[i].name);
    if (other == NULL || !same_tensor(&a->tensors[i], other)) return false;
  }
  return true;
}

static bool same_metadata(const tsr_metadata *a, const tsr_metadata *b) {
  if (a->count != b->count) return false;
  for (tsr_index i = 0; i < a->count; i++) {
    if (strcmp(a->pairs[i].key, b->pairs[i].key) != 0 || strcmp(a->pairs[i].value, b->pairs[i].value) != 0)
      return false;
  }
  return true;
}

static void write_and_read_again(tsr_ctx *ctx, size_t size, bool plain, const tsr_bundle *bundle,
                                 const tsr_metadata *metadata) {
  buffer b = {.capacity = 8 * size + 65536};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = append, .self = &b};
  const tsr_safetensors_save_options how = {.align = size % 2 ? 64 : 0, .plain = plain};
  const tsr_safetensors_options options = {.plain = plain};
  tsr_bundle again = {0};
  tsr_metadata meta = {0};
  b.at = malloc(b.capacity);
  if (b.at == NULL) return;
  must(tsr_safetensors_write(ctx, bundle, metadata, &how, &sink) == TSR_OK);
  must(tsr_safetensors_decode(ctx, b.at, b.n, &options, &again, &meta) == TSR_OK);
  must(same_bundle(bundle, &again) && same_metadata(metadata, &meta));
  tsr_bundle_release(&again);
  tsr_metadata_release(&meta);
  free(b.at);
}

static tsr_status count_entry(void *user, const tsr_safetensors_entry *entry) {
  must(entry->name != NULL && entry->type[0] != '\0'); /* "" is a name */
  ++*(tsr_index *)user;
  return TSR_OK;
}

/* Through a handle: the same tensors by name, the same metadata. */
static void open_and_compare(tsr_ctx *ctx, const tsr_reader *reader, const tsr_safetensors_options *options,
                             tsr_status list, tsr_index listed, const tsr_bundle *whole, const tsr_metadata *pairs) {
  tsr_safetensors_file *file = NULL;
  tsr_metadata meta = {0};
  must(tsr_safetensors_file_new(ctx, reader, options, &file) == list);
  if (list != TSR_OK) return;
  must(tsr_safetensors_file_count(file) == listed);
  for (tsr_index i = 0; i < listed; i++) {
    tsr_safetensors_entry e;
    tsr_tensor t = {0};
    must(tsr_safetensors_file_entry(ctx, file, i, &e) == TSR_OK && tsr_safetensors_file_find(file, e.name) == i);
    const tsr_status st = tsr_safetensors_file_read(ctx, file, i, &t);
    must(whole == NULL || (st == TSR_OK && same_tensor(&t, tsr_bundle_find(whole, e.name))));
    tsr_release(&t);
  }
  must(tsr_safetensors_file_metadata(ctx, file, &meta) == TSR_OK);
  must(whole == NULL || same_metadata(&meta, pairs));
  tsr_metadata_release(&meta);
  tsr_safetensors_file_release(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* The first byte chooses the options. */
  const uint8_t choice = size > 0 ? data[0] : 0;
  const tsr_safetensors_options options = {.access = choice & 1 ? TSR_ACCESS_COPY : TSR_ACCESS_READ,
                                           .lenient = (choice & 2) != 0,
                                           .opaque = (choice & 4) != 0,
                                           .plain = (choice & 8) != 0};
  const tsr_io_limits limits = {.tensors = choice & 16 ? 2 : 0};
  tsr_ctx ctx;
  tsr_bundle decoded = {0}, read = {0};
  tsr_metadata meta = {0}, other = {0};
  tsr_index listed = 0;
  if (size > 0) data++, size--;
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  must(tsr_context_set_io_limits(&ctx, &limits) == TSR_OK);
  buffer state = {.at = (uint8_t *)(uintptr_t)data, .n = size};
  const tsr_reader reader = {.size = sizeof(tsr_reader), .read = read_at, .self = &state, .bytes = size};
  const tsr_status from_memory = tsr_safetensors_decode(&ctx, data, size, &options, &decoded, &meta);
  must(tsr_safetensors_read(&ctx, &reader, &options, &read, &other) == from_memory);
  const tsr_status list = tsr_safetensors_list(&ctx, &reader, &options, count_entry, &listed);
  open_and_compare(&ctx, &reader, &options, list, listed, from_memory == TSR_OK ? &decoded : NULL, &meta);
  if (from_memory == TSR_OK) {
    must(list == TSR_OK && listed == decoded.count);
    must(same_bundle(&decoded, &read) && same_metadata(&meta, &other));
    must(tsr_context_set_io_limits(&ctx, NULL) == TSR_OK); /* what is written may be larger */
    write_and_read_again(&ctx, size, options.plain, &decoded, &meta);
  } else {
    must(decoded.count == 0 && read.count == 0 && meta.count == 0 && other.count == 0);
  }
  tsr_bundle_release(&decoded);
  tsr_bundle_release(&read);
  tsr_metadata_release(&meta);
  tsr_metadata_release(&other);
  must(memory.in_use == 0);
  return 0;
}
