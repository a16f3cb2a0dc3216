#include "io/slurp.h"

#include <string.h>
#include <tessera/memory.h>

enum { FIRST_STEP = 1 << 16 };
#define DEFAULT_LIMIT ((size_t)1 << 30)

void tsr__slurp_release(tsr__slurped *s) {
  if (s->bytes != NULL) s->allocator->free(s->allocator->self, s->bytes, s->capacity);
  *s = (tsr__slurped){0};
}

static bool grow(tsr__slurped *s) {
  const size_t capacity = s->capacity > 0 ? 2 * s->capacity : FIRST_STEP;
  uint8_t *bytes = s->allocator->alloc(s->allocator->self, capacity, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (bytes == NULL) return false;
  if (s->bytes != NULL) {
    memcpy(bytes, s->bytes, s->n);
    s->allocator->free(s->allocator->self, s->bytes, s->capacity);
  }
  s->bytes = bytes;
  s->capacity = capacity;
  return true;
}

static tsr_status fill(tsr_ctx *ctx, const char *op, const char *where, const tsr_source *source, size_t limit,
                       tsr__slurped *s) {
  for (size_t got = 1; got > 0; s->n += got) {
    if (s->n > limit) return TSR__FAIL(ctx, TSR_EFORMAT, op, NULL, "%smore than the limit of %z bytes", where, limit);
    if (s->n == s->capacity && !grow(s))
      return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "%sno memory after %z bytes", where, s->n);
    got = 0;
    const tsr_status st = source->read(source->self, s->bytes + s->n, s->capacity - s->n, &got);
    if (st != TSR_OK) return TSR__FAIL(ctx, st, op, NULL, "%sthe source failed at byte %z", where, s->n);
    if (got > s->capacity - s->n)
      return TSR__FAIL(ctx, TSR_EIO, op, NULL, "%sthe source gave more bytes than it was asked for", where);
  }
  return TSR_OK;
}

tsr_status tsr__slurp(tsr_ctx *ctx, const char *op, const char *where, const tsr_source *source, size_t limit,
                      tsr__slurped *out) {
  *out = (tsr__slurped){.allocator = tsr__allocator(ctx)};
  if (limit == 0 || limit > PTRDIFF_MAX / 4) limit = limit == 0 ? DEFAULT_LIMIT : PTRDIFF_MAX / 4;
  const tsr_status st = fill(ctx, op, where, source, limit, out);
  if (st != TSR_OK) tsr__slurp_release(out);
  return st;
}
