#include "io/bytes/once.h"

enum { FIRST_STEP = 1 << 16 };

static size_t next_capacity(const tsr__once *once, size_t n) {
  size_t capacity = 2 * once->memory.bytes; /* at most most, which is at most PTRDIFF_MAX: it cannot wrap */
  if (capacity < FIRST_STEP) capacity = FIRST_STEP;
  if (capacity < n) capacity = n;
  return capacity < once->most ? capacity : once->most;
}

tsr_status tsr__once_need(tsr__once *once, const tsr__input *in, size_t n) {
  if (n <= once->n) return TSR_OK;
  if (!TSR_HAVE_MMAP && in->bytes != NULL) { /* no file stands behind memory here: what is in flash stays as it is */
    once->bytes = in->bytes + once->start;
    once->n = once->most;
    return TSR_OK;
  }
  const size_t capacity = next_capacity(once, n);
  tsr_status st = tsr__scratch_grow(in->ctx, in->op, capacity, once->n, &once->memory);
  if (st != TSR_OK) return st;
  uint8_t *const bytes = once->memory.data;
  once->bytes = bytes;
  st = tsr__input_get(in, once->start + once->n, bytes + once->n, capacity - once->n);
  if (st == TSR_OK) once->n = capacity;
  return st;
}

void tsr__once_end(tsr__once *once) {
  tsr__scratch_put(&once->memory);
  *once = (tsr__once){0};
}
