/* .npy files by their path. */
#include "io/file.h"

#if TSR_HAVE_STDIO

#include "io/npy.h"

#include <errno.h>

static tsr_status load_stream(tsr_ctx *ctx, const char *path, FILE *stream, tsr_tensor *out) {
  char where[TSR_TEXT_BYTES];
  uint64_t bytes = 0;
  tsr__file f = {.stream = stream, .ctx = ctx};
  const tsr_source source = {.read = tsr__file_read, .self = &f};
  tsr__npy_reader reader = {.ctx = ctx, .op = "npy_load", .where = where, .source = &source};
  tsr__file_where(path, where);
  reader.bounded = tsr__file_size(stream, &bytes);
  f.plain = reader.bounded;
  reader.left = bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
  const tsr_status st = tsr__npy_read_array(&reader, NULL, out);
  return f.error != 0 ? tsr__file_fail(ctx, "npy_load", path, "reading failed", f.error) : st;
}

tsr_status tsr_npy_load(tsr_ctx *ctx, const char *path, tsr_tensor *out) {
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, "npy_load", "path", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, "npy_load", "out", "is NULL");
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) return tsr__file_fail(ctx, "npy_load", path, "cannot be opened", errno);
  const tsr_status st = load_stream(ctx, path, stream, out);
  (void)fclose(stream); /* nothing was written: closing cannot lose anything */
  return st;
}

static tsr_status write_array(tsr_ctx *ctx, void *user, const tsr_sink *sink) {
  return tsr_npy_write(ctx, (const tsr_tensor *)user, sink);
}

tsr_status tsr_npy_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t) {
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, "npy_save", "path", "is NULL");
  const tsr_status st = tsr__check_input(ctx, "npy_save", "t", t);
  if (st != TSR_OK) return st;
  tsr_tensor copy = *t; /* a borrow: the writer takes a pointer that is not const */
  copy.flags &= (uint8_t)~TSR_OWNS;
  return tsr__file_save(ctx, "npy_save", path, 1, t, write_array, &copy);
}

#endif
