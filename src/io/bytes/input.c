#include "io/bytes/input.h"

#include <string.h>

tsr_status tsr__input_get(const tsr__input *in, uint64_t offset, void *to, size_t n) {
  if (n == 0) return TSR_OK;
  if (in->bytes != NULL) {
    memcpy(to, in->bytes + (size_t)offset, n);
    return TSR_OK;
  }
  const tsr_status st = in->reader->read(in->reader->self, offset, to, n);
  if (st == TSR_OK) return TSR_OK;
  return TSR__FAIL(in->ctx, st, in->op, NULL, "%sthe reader failed at byte %l", in->where, (int64_t)offset);
}
