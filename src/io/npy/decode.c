/* Reading one .npy array from memory. */
#include "io/bytes/memory.h"
#include "io/npy/npy.h"

tsr_status tsr_npy_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_npy_options *options, size_t *used,
                          tsr_tensor *out) {
  if (bytes == NULL && n > 0) return TSR__FAIL(ctx, TSR_EARG, "npy_decode", "bytes", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, "npy_decode", "out", "is NULL");
  tsr__memory_bytes memory = {.at = bytes, .left = n};
  const tsr_source source = {.size = sizeof(tsr_source), .read = tsr__memory_bytes_read, .self = &memory};
  tsr__npy_reader reader = {.ctx = ctx, .op = "npy_decode", .where = "", .source = &source, .bounded = true, .left = n};
  const tsr_status st = tsr__npy_read_array(&reader, options, out);
  if (st == TSR_OK && used != NULL) *used = reader.offset;
  return st;
}
