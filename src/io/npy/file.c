/* .npy files by their path. */
#include "io/file/file.h"

#if TSR_HAVE_STDIO

#include "io/bytes/elements.h"
#include "io/npy/npy.h"

tsr_status tsr_npy_load(tsr_ctx *ctx, const char *path, tsr_tensor *out) {
  static const char op[] = "npy_load";
  tsr__file_source f;
  if (path != NULL && out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const tsr_status st = tsr__file_source_open(ctx, op, path, &f);
  if (st != TSR_OK) return st;
  tsr__npy_reader reader = {.ctx = ctx, .op = op, .where = f.where, .source = &f.source, .bounded = f.bounded};
  f.file.plain = f.bounded;
  reader.left = f.size < SIZE_MAX ? (size_t)f.size : SIZE_MAX;
  return tsr__file_source_close(&f, tsr__npy_read_array(&reader, NULL, out));
}

/* ---- saving ---- */

static tsr_status write_array(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink) {
  return tsr__npy_write(ctx, what->tensor, what->producer, sink);
}

tsr_status tsr__npy_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t, const tsr_producer *producer) {
  const tsr__saving what = {.op = "npy_save", .path = path, .write = write_array, .tensor = t, .producer = producer};
  const tsr_status st = path != NULL ? tsr__elements_check(ctx, what.op, "t", t, producer) : TSR_OK;
  return st == TSR_OK ? tsr__file_save(ctx, &what) : st;
}

tsr_status tsr_npy_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t) {
  return tsr__npy_save(ctx, path, t, NULL);
}

#endif
