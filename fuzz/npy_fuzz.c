/* Any bytes as a .npy file: from memory and from a source in pieces it is read alike, and what was read is written
 * and read again to the same elements. Memory is capped: a size that the bytes do not bear out must not be asked for.
 */
#include <stdlib.h>
#include <tessera/io.h>

#include "bytes.h"

static capped_memory memory = {.cap = (size_t)8 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

/* ---- the promises ---- */

static void write_and_read_again(tsr_ctx *ctx, const tsr_npy_options *options, const tsr_tensor *t) {
  buffer b = {.capacity = tsr_nbytes(t) + 1024};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = append, .self = &b};
  tsr_tensor again = {0};
  size_t used = 0;
  b.at = malloc(b.capacity);
  if (b.at == NULL) return;
  must(tsr_npy_write(ctx, t, &sink) == TSR_OK);
  must(tsr_npy_decode(ctx, b.at, b.n, options, &used, &again) == TSR_OK);
  must(used == b.n && same_tensor(t, &again));
  tsr_release(&again);
  free(b.at);
}

/* Into an output whose elements lie the other way round. */
static void read_reversed(tsr_ctx *ctx, const uint8_t *data, size_t size, const tsr_npy_options *options,
                          const tsr_tensor *t) {
  const tsr_order order = tsr_is_contiguous(t, TSR_ROW_MAJOR) ? TSR_FORTRAN : TSR_ROW_MAJOR;
  tsr_tensor other = {0};
  must(tsr_desc_init_ordered(ctx, t->dtype, t->ndim, t->shape, order, &other) == TSR_OK);
  must(tsr_npy_decode(ctx, data, size, options, NULL, &other) == TSR_OK);
  write_and_read_again(ctx, options, &other);
  tsr_release(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* The first byte chooses what V1 is, and how the source is cut. */
  static const int void_dtypes[] = {0, TSR_F8_E4M3, TSR_F8_E5M2, TSR_BF16};
  const uint8_t choice = size > 0 ? data[0] : 0;
  const tsr_npy_options options = {.void_dtype = void_dtypes[choice & 3]};
  const tsr_io_limits limits = {.header = choice & 4 ? 200 : 0};
  tsr_ctx ctx;
  tsr_tensor decoded = {0}, streamed = {0};
  size_t used = 0;
  if (size > 0) data++, size--;
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  must(tsr_context_set_io_limits(&ctx, &limits) == TSR_OK);
  pieces state = {.at = data, .left = size, .state = choice};
  const tsr_source source = {.size = sizeof(tsr_source), .read = read_piece, .self = &state};
  const tsr_status from_memory = tsr_npy_decode(&ctx, data, size, &options, &used, &decoded);
  const tsr_status from_source = tsr_npy_read(&ctx, &source, &options, &streamed);
  /* From memory a header past the end is seen first; a source may come upon something else before its end. */
  must(from_memory == from_source || (from_memory == TSR_EFORMAT && from_source != TSR_OK));
  if (from_memory == TSR_OK) {
    must(used == size - state.left && same_tensor(&decoded, &streamed));
    must(tsr_context_set_io_limits(&ctx, NULL) == TSR_OK); /* what is written may be larger */
    write_and_read_again(&ctx, &options, &decoded);
    if (tsr_size(&decoded) > 0) read_reversed(&ctx, data, size, &options, &decoded);
  } else {
    must(tsr_is_none(&decoded) && tsr_is_none(&streamed));
  }
  tsr_release(&decoded);
  tsr_release(&streamed);
  must(memory.in_use == 0);
  return 0;
}
