/* Any bytes as a table: from memory and from a source in pieces it is read alike; what was read is written, and read
 * again to the same numbers. Memory is capped: it goes with the numbers that came. */
#include <stdlib.h>
#include <tessera/csv.h>

#include "bytes.h"

static capped_memory memory = {.cap = (size_t)32 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

static void write_and_read_again(tsr_ctx *ctx, int dtype, char separator, const tsr_tensor *t,
                                 const tsr_metadata *names) {
  const bool header = names->count > 0;
  const tsr_csv_options options = {
      .dtype = dtype, .separator = separator, .header = header ? TSR_CSV_HEADER_FIRST : TSR_CSV_HEADER_NONE};
  size_t bytes = (size_t)tsr_size(t) * 32 + 64;
  for (tsr_index i = 0; i < names->count; i++) bytes += 2 * strlen(names->pairs[i].value) + 4;
  buffer b = {.at = malloc(bytes), .capacity = bytes};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = append, .self = &b};
  tsr_tensor again = {0};
  tsr_metadata other = {0};
  if (b.at == NULL) return;
  must(tsr_csv_write(ctx, t, names, &options, &sink) == TSR_OK);
  if (tsr_size(t) > 0) { /* a header of empty names alone is a blank line */
    must(tsr_csv_decode(ctx, b.at, b.n, &options, &again, &other) == TSR_OK);
    must(same_tensor(t, &again));
  }
  tsr_release(&again);
  tsr_metadata_release(&other);
  free(b.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* The first two bytes choose the options. */
  static const int dtypes[] = {0, TSR_F32, TSR_F16, TSR_I64, TSR_U64, TSR_I8, TSR_BOOL, TSR_F8_E4M3};
  static const char separators[] = {0, ',', '\t', ';'};
  const uint8_t choice = size > 0 ? data[0] : 0, more = size > 1 ? data[1] : 0;
  const tsr_csv_options options = {.dtype = dtypes[choice & 7],
                                   .separator = separators[choice >> 3 & 3],
                                   .header = (choice >> 5) % 3,
                                   .whole = (more & 1) != 0,
                                   .comment = more & 2 ? '#' : 0,
                                   .max_field = more & 4 ? 20 : 0};
  const tsr_io_limits limits = {.tensors = more & 8 ? 3 : 0, .total = more & 16 ? 80 : 0};
  tsr_ctx ctx;
  tsr_tensor decoded = {0}, streamed = {0};
  tsr_metadata names = {0}, others = {0};
  data += size < 2 ? size : 2;
  size -= size < 2 ? size : 2;
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  must(tsr_context_set_io_limits(&ctx, &limits) == TSR_OK);
  pieces state = {.at = data, .left = size, .state = choice};
  const tsr_source source = {.size = sizeof(tsr_source), .read = read_piece, .self = &state};
  const tsr_status from_memory = tsr_csv_decode(&ctx, data, size, &options, &decoded, &names);
  const tsr_status from_source = tsr_csv_read(&ctx, &source, &options, &streamed, &others);
  /* Which of comma and tab separates is seen in what has come of the first row; a mark at the start in the first piece.
   */
  const bool guessed = options.separator == 0 || (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0);
  must(from_memory == from_source || guessed);
  if (from_memory == TSR_OK) {
    if (!guessed) must(same_tensor(&decoded, &streamed) && names.count == others.count);
    must(tsr_context_set_io_limits(&ctx, NULL) == TSR_OK); /* what is written may be larger */
    write_and_read_again(&ctx, options.dtype, options.separator, &decoded, &names);
  } else {
    must(tsr_is_none(&decoded) && names.count == 0);
  }
  tsr_release(&decoded);
  tsr_release(&streamed);
  tsr_metadata_release(&names);
  tsr_metadata_release(&others);
  must(memory.in_use == 0);
  return 0;
}
