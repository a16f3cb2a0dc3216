#include "io/bytes/slurp.h"

#include "io/call/limits.h"

#include <string.h>
#include <tessera/memory.h>

enum { FIRST_STEP = 1 << 16 };

void tsr__slurp_release(tsr__slurped *s) {
  if (s->bytes != NULL) s->allocator->free(s->allocator->self, s->bytes, s->capacity);
  *s = (tsr__slurped){0};
}

/* Twice as much, or all that is known to come; never more than the limit and one byte, which shows that more came. */
static bool grow(tsr__slurped *s, uint64_t known, uint64_t limit) {
  uint64_t room = s->capacity > 0 ? 2 * (uint64_t)s->capacity : FIRST_STEP;
  if (s->capacity == 0 && known > room && known < limit) room = known + 1;
  if (room > limit) room = limit + 1;
  const size_t capacity = (size_t)room;
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

/* The next piece; *got is 0 at the end. */
static tsr_status slurp_step(const tsr__limit_call *call, const tsr_source *source, size_t most, tsr__slurped *s,
                             size_t *got) {
  const size_t room = s->capacity - s->n, want = most - s->n < room ? most - s->n : room;
  *got = 0;
  const tsr_status st = source->read(source->self, s->bytes + s->n, want, got);
  if (st != TSR_OK)
    return TSR__FAIL(call->ctx, st, call->op, NULL, "%sthe source failed at byte %z", call->where, s->n);
  if (*got > want)
    return TSR__FAIL(call->ctx, TSR_EIO, call->op, NULL, "%sthe source gave more bytes than it was asked for",
                     call->where);
  s->n += *got;
  return TSR_OK;
}

static tsr_status fill(const tsr__limit_call *call, const tsr_source *source, size_t most, uint64_t known,
                       tsr__slurped *s) {
  uint64_t limit = tsr__limit(call->ctx, TSR__LIMIT_TOTAL, TSR__DEFAULT_STREAMED);
  if (limit > PTRDIFF_MAX / 4) limit = PTRDIFF_MAX / 4;
  const uint64_t all = known < most ? known : most;
  tsr_status st = known > 0 ? tsr__limit_check(call, TSR__LIMIT_TOTAL, "its file takes", "bytes", all, limit) : TSR_OK;
  for (size_t got = 1; got > 0 && s->n < most && st == TSR_OK;) {
    if (s->n == s->capacity && !grow(s, all, limit))
      st = TSR__FAIL(call->ctx, TSR_ENOMEM, call->op, NULL, "%sno memory after %z bytes", call->where, s->n);
    if (st == TSR_OK) st = slurp_step(call, source, most, s, &got);
    if (st == TSR_OK) st = tsr__limit_check(call, TSR__LIMIT_TOTAL, "its file takes at least", "bytes", s->n, limit);
  }
  return st;
}

tsr_status tsr__slurp(tsr_ctx *ctx, const char *op, const char *where, const tsr_source *source, size_t most,
                      uint64_t known, tsr__slurped *out) {
  const tsr__limit_call call = {.ctx = ctx, .op = op, .where = where};
  *out = (tsr__slurped){.allocator = tsr__allocator(ctx)};
  const tsr_status st = fill(&call, source, most, known, out);
  if (st != TSR_OK) tsr__slurp_release(out);
  return st;
}
