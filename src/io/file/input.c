/* Files by their path, as bytes that are read in any order. */
#include "io/file/input.h"

#if TSR_HAVE_STDIO

#include "io/file/map.h"
#include "io/file/system.h"

#include <errno.h>
#include <string.h>

/* ---- opening ---- */

#if TSR_HAVE_MMAP
static tsr_status open_mapped(tsr_ctx *ctx, const char *op, const char *path, int access, tsr__input_file *file) {
  const tsr_status st = tsr__map_open(ctx, op, path, access, &file->map);
  if (st == TSR_OK) file->size = tsr_storage_bytes(file->map);
  return st;
}
#endif

static tsr_status open_stream(tsr_ctx *ctx, const char *op, const char *path, tsr__input_file *file) {
  file->stream = tsr__system_open(path, "rb");
  if (file->stream == NULL) return tsr__file_fail(ctx, op, path, "cannot be opened", errno);
  if (tsr__system_size(file->stream, &file->size)) return TSR_OK;
  tsr__input_file_close(file);
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, NULL, "%s: not a plain file: it cannot be read in any order",
                   tsr__file_short(path));
}

tsr_status tsr__input_file_open(tsr_ctx *ctx, const char *op, const char *path, int access, tsr__input_file *file) {
  file->map = NULL;
  file->stream = NULL;
  tsr__file_where(path, file->where);
#if TSR_HAVE_MMAP
  const tsr_status known = tsr__map_check_access(ctx, op, access, true);
  if (known != TSR_OK) return known;
  if (access != TSR_ACCESS_COPY) return open_mapped(ctx, op, path, access, file);
#else
  (void)access;
#endif
  return open_stream(ctx, op, path, file);
}

void tsr__input_file_close(tsr__input_file *file) {
  if (file->stream != NULL) (void)fclose(file->stream);
  tsr_storage_release(file->map);
  file->stream = NULL;
  file->map = NULL;
}

/* ---- a call ---- */

tsr_status tsr__input_call_start(tsr_ctx *ctx, const char *op, const tsr__input_file *file, tsr__input_call *call) {
  static const uint8_t nothing[1] = {0};
  call->file = (tsr__file){.stream = file->stream, .ctx = ctx, .plain = true};
  call->in = (tsr__input){.ctx = ctx, .op = op, .where = file->where, .size = file->size};
  if (file->map != NULL) {
    call->in.bytes = file->size > 0 ? tsr_storage_data(file->map) : nothing;
    return tsr__map_check(ctx, op, file->where, file->map);
  }
  call->reader =
      (tsr_reader){.size = sizeof(tsr_reader), .read = tsr__file_read_at, .self = &call->file, .bytes = file->size};
  call->in.reader = &call->reader;
  return TSR_OK;
}

tsr_status tsr__input_call_end(const tsr__input_call *call, tsr_status st) {
  if (call->file.error == 0) return st;
  return TSR__FAIL(call->in.ctx, TSR_EIO, call->in.op, NULL, "%sreading failed: %s", call->in.where,
                   strerror(call->file.error));
}

/* ---- both ---- */

tsr_status tsr__input_open(tsr_ctx *ctx, const char *op, const char *path, int access, tsr__input_use *use,
                           void *user) {
  tsr__input_file file;
  tsr__input_call call;
  tsr_status st = tsr__input_file_open(ctx, op, path, access, &file);
  if (st != TSR_OK) return st;
  st = tsr__input_call_start(ctx, op, &file, &call);
  if (st == TSR_OK) st = tsr__input_call_end(&call, use(user, &call.in, file.map));
  tsr__input_file_close(&file);
  return st;
}

#endif
