/* Temporary memory of one call. */
#include "core/check.h"
#include "core/clear.h"

#include <string.h>

static tsr_status from_context(tsr_ctx *ctx, const char *op, size_t bytes, tsr__scratch *scratch) {
  const size_t used = ctx->scratch_used, left = ctx->scratch_bytes - used;
  uint8_t *const next = (uint8_t *)ctx->scratch + used;
  const size_t pad = (size_t)(-(uintptr_t)next & (TSR_DATA_ALIGN - 1));
  if (pad > left || bytes > left - pad)
    return TSR__FAIL(ctx, TSR_ESCRATCH, op, "scratch", "has %z bytes, the call needs %z", ctx->scratch_bytes,
                     used + bytes + (TSR_DATA_ALIGN - 1));
  ctx->scratch_used = used + pad + bytes;
  scratch->data = next + pad;
  scratch->ctx = ctx;
  scratch->used = used;
  return TSR_OK;
}

tsr_status tsr__scratch_get(tsr_ctx *ctx, const char *op, size_t bytes, tsr__scratch *scratch) {
  static const uint8_t nothing; /* an address, so that callers may count from it; no byte of it is theirs */
  tsr__clear(scratch, sizeof *scratch);
  scratch->bytes = bytes;
  scratch->data = (void *)(uintptr_t)&nothing;
  if (bytes == 0) return TSR_OK;
  if (ctx != NULL && ctx->scratch != NULL) return from_context(ctx, op, bytes, scratch);
  const tsr_allocator *const allocator = tsr__allocator(ctx);
  scratch->data = allocator->alloc(allocator->self, bytes, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (scratch->data == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for %z temporary bytes", bytes);
  scratch->allocator = allocator;
  return TSR_OK;
}

void tsr__scratch_put(tsr__scratch *scratch) {
  if (scratch->allocator != NULL) scratch->allocator->free(scratch->allocator->self, scratch->data, scratch->bytes);
  if (scratch->ctx != NULL) scratch->ctx->scratch_used = scratch->used;
  tsr__clear(scratch, sizeof *scratch);
}

tsr_status tsr__scratch_grow(tsr_ctx *ctx, const char *op, size_t bytes, size_t used, tsr__scratch *scratch) {
  if (scratch->ctx != NULL) { /* the last of the context's scratch: it begins at the same byte again */
    tsr__scratch_put(scratch);
    return tsr__scratch_get(ctx, op, bytes, scratch);
  }
  tsr__scratch larger;
  const tsr_status st = tsr__scratch_get(ctx, op, bytes, &larger);
  if (st != TSR_OK) return st;
  if (used > 0) memcpy(larger.data, scratch->data, used);
  tsr__scratch_put(scratch);
  *scratch = larger;
  return TSR_OK;
}
