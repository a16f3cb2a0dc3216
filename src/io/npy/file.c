/* .npy files by their path. */
#include "io/file/file.h"

#if TSR_HAVE_STDIO

#include "io/bytes/elements.h"
#include "io/npy/npy.h"

#include <errno.h>

static tsr_status load_stream(tsr_ctx *ctx, const char *path, FILE *stream, tsr_tensor *out) {
  char where[TSR_TEXT_BYTES];
  uint64_t bytes = 0;
  tsr__file f = {.stream = stream, .ctx = ctx};
  const tsr_source source = {.size = sizeof(tsr_source), .read = tsr__file_read, .self = &f};
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

/* ---- saving ---- */

typedef struct contents {
  const tsr_tensor *t;
  const tsr_producer *producer;
} contents;

static tsr_status write_contents(tsr_ctx *ctx, void *user, const tsr_sink *sink) {
  const contents *c = user;
  return tsr__npy_write(ctx, c->t, c->producer, sink);
}

tsr_status tsr__npy_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t, const tsr_producer *producer) {
  static const char op[] = "npy_save";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  const tsr_status st = tsr__elements_check(ctx, op, "t", t, producer);
  if (st != TSR_OK) return st;
  contents c = {.t = t, .producer = producer};
  return tsr__file_save(ctx, op, path, 1, t, write_contents, &c);
}

tsr_status tsr_npy_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t) {
  return tsr__npy_save(ctx, path, t, NULL);
}

#endif
