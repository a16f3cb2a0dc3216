/* Files by their path, as bytes that are read in any order. */
#include "io/file/input.h"

#if TSR_HAVE_STDIO

#include "io/file/file.h"
#include "io/file/map.h"

#include <errno.h>

#if TSR_HAVE_MMAP
static tsr_status open_mapped(tsr__input *in, const char *path, int access, tsr__input_use *use, void *user) {
  static const uint8_t nothing[1] = {0};
  tsr_storage *map = NULL;
  tsr_status st = tsr__map_open(in->ctx, in->op, path, access, &map);
  if (st != TSR_OK) return st;
  in->size = tsr_storage_bytes(map);
  in->bytes = in->size > 0 ? tsr_storage_data(map) : nothing;
  st = use(user, in, map);
  tsr_storage_release(map);
  return st;
}
#endif

static tsr_status open_stream(tsr__input *in, const char *path, tsr__input_use *use, void *user) {
  tsr__file f = {.stream = fopen(path, "rb"), .ctx = in->ctx, .plain = true};
  if (f.stream == NULL) return tsr__file_fail(in->ctx, in->op, path, "cannot be opened", errno);
  tsr_reader reader = {.size = sizeof(tsr_reader), .read = tsr__file_read_at, .self = &f};
  tsr_status st;
  if (tsr__file_size(f.stream, &reader.bytes)) {
    in->reader = &reader;
    in->size = reader.bytes;
    st = use(user, in, NULL);
    in->reader = NULL; /* it ends here */
    if (f.error != 0) st = tsr__file_fail(in->ctx, in->op, path, "reading failed", f.error);
  } else {
    st = TSR__FAIL(in->ctx, TSR_EUNSUPPORTED, in->op, NULL, "%s: not a plain file: it cannot be read in any order",
                   tsr__file_short(path));
  }
  (void)fclose(f.stream);
  return st;
}

tsr_status tsr__input_open(tsr_ctx *ctx, const char *op, const char *path, int access, tsr__input_use *use,
                           void *user) {
  char where[TSR_TEXT_BYTES];
  tsr__input in = {.ctx = ctx, .op = op, .where = where};
  tsr__file_where(path, where);
#if TSR_HAVE_MMAP
  const tsr_status known = tsr__map_check_access(ctx, op, access, true);
  if (known != TSR_OK) return known;
  if (access != TSR_ACCESS_COPY) return open_mapped(&in, path, access, use, user);
#else
  (void)access;
#endif
  return open_stream(&in, path, use, user);
}

#endif
