#include "io/bytes/input.h"
#include "core/table.h"
#include "io/bytes/swap.h"

#include <tessera/mmap.h>

#include <string.h>

tsr_status tsr__input_of_reader(tsr_ctx *ctx, const char *op, const tsr_reader *reader, tsr__input *in) {
  const tsr_status st = tsr__check_reader(ctx, op, reader);
  if (st == TSR_OK) *in = (tsr__input){.ctx = ctx, .op = op, .where = "", .reader = reader, .size = reader->bytes};
  return st;
}

tsr_status tsr__input_of_bytes(tsr_ctx *ctx, const char *op, const void *bytes, size_t n, tsr__input *in) {
  static const uint8_t nothing[1] = {0};
  if (bytes == NULL && n > 0) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  *in = (tsr__input){.ctx = ctx, .op = op, .where = "", .bytes = bytes != NULL ? bytes : nothing, .size = n};
  return TSR_OK;
}

tsr_status tsr__input_check_options(const tsr__input *in, int access, const size_t *reserved, size_t words) {
  if (access < TSR_ACCESS_READ || access > TSR_ACCESS_COPY)
    return TSR__FAIL(in->ctx, TSR_EARG, in->op, "options", "access %d is not one", access);
  return tsr__check_reserved(in->ctx, in->op, reserved, words);
}

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

bool tsr__input_fits(const tsr__input *in, uint64_t offset, int access, const tsr_storage *map, const tsr_tensor *t) {
  const tsr_dtype_info *const info = tsr_dtype_describe(t->dtype);
  if (in->bytes == NULL || access == TSR_ACCESS_COPY || (map == NULL && access != TSR_ACCESS_READ)) return false;
  if (!TSR__LITTLE_HOST && info->bytes > 1) return false;
  return ((uintptr_t)in->bytes + (size_t)offset) % info->align == 0;
}

tsr_status tsr__input_view(const tsr__input *in, uint64_t offset, int access, tsr_storage *map, tsr_tensor *t) {
  const tsr_tensor described = *t;
  if (map == NULL) {
    t->data = (void *)(uintptr_t)(in->bytes + (size_t)offset);
  } else {
    *t = (tsr_tensor){0};
    const tsr_status st =
        tsr_from_storage(in->ctx, map, (size_t)offset, described.dtype, described.ndim, described.shape, NULL, t);
    if (st != TSR_OK) return st;
    t->layout = described.layout;
  }
  if (access == TSR_ACCESS_READ) t->flags |= TSR_READONLY;
  return TSR_OK;
}
