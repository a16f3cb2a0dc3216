/* Reading one .npy array from memory. */
#include "io/npy.h"

#include <string.h>

tsr_status tsr__npy_read_memory(void *self, void *bytes, size_t n, size_t *got) {
  tsr__npy_memory *memory = self;
  *got = n < memory->left ? n : memory->left;
  if (*got > 0) {
    memcpy(bytes, memory->at, *got);
    memory->at += *got;
    memory->left -= *got;
  }
  return TSR_OK;
}

tsr_status tsr_npy_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_npy_options *options, size_t *used,
                          tsr_tensor *out) {
  if (bytes == NULL && n > 0) return TSR__FAIL(ctx, TSR_EARG, "npy_decode", "bytes", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, "npy_decode", "out", "is NULL");
  tsr__npy_memory memory = {.at = bytes, .left = n};
  const tsr_source source = {.size = sizeof(tsr_source), .read = tsr__npy_read_memory, .self = &memory};
  tsr__npy_reader reader = {.ctx = ctx, .op = "npy_decode", .where = "", .source = &source, .bounded = true, .left = n};
  const tsr_status st = tsr__npy_read_array(&reader, options, out);
  if (st == TSR_OK && used != NULL) *used = reader.offset;
  return st;
}
