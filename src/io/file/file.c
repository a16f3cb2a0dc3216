/* Reading files by their path. */
#include "io/file/file.h"

#if TSR_HAVE_STDIO

#include "core/text.h"
#include "cpu/parallel.h"
#include "io/file/system.h"

#include <errno.h>
#include <string.h>

const char *tsr__file_short(const char *path) {
  const size_t length = strlen(path), most = TSR_TEXT_BYTES / 3;
  return length > most ? path + (length - most) : path;
}

void tsr__file_where(const char *path, char where[TSR_TEXT_BYTES]) {
  tsr__text text;
  tsr__text_init(&text, where, TSR_TEXT_BYTES);
  tsr__text_string(&text, tsr__file_short(path));
  tsr__text_string(&text, ": ");
}

tsr_status tsr__file_fail(tsr_ctx *ctx, const char *op, const char *path, const char *what, int error) {
  return TSR__FAIL(ctx, TSR_EIO, op, NULL, "%s: %s: %s", tsr__file_short(path), what, strerror(error));
}

/* ---- large parts ---- */

/* Most of the time goes into the first touch of fresh pages and the system's copy: threads share both. */
enum { LARGE_BYTES = 16 << 20, PART_BYTES = 4 << 20 };

typedef struct large {
  FILE *stream;
  uint64_t start;
  char *to;
  int error;
} large;

static void read_part(void *arg, tsr_index begin, tsr_index end, int worker) {
  large *l = arg;
  (void)worker;
  const int error = tsr__system_read_at(l->stream, l->start + (uint64_t)begin, l->to + begin, (size_t)(end - begin));
  if (error != 0) __atomic_store_n(&l->error, error, __ATOMIC_RELAXED);
}

/* All n bytes from offset on, wherever the stream is, by several threads where it is much. */
static int read_parts(tsr_ctx *ctx, FILE *stream, uint64_t offset, void *to, size_t n) {
  if (n < LARGE_BYTES) return tsr__system_read_at(stream, offset, to, n);
  large l = {.stream = stream, .start = offset, .to = to};
  tsr__parallel_for(ctx, (tsr_index)n, PART_BYTES, read_part, &l);
  return l.error;
}

/* All n bytes from where the stream is, by several threads; false when it is not that kind of file, or too little. */
static bool read_large(tsr__file *f, void *bytes, size_t n) {
  uint64_t start = 0;
  if (!f->plain || n < LARGE_BYTES || !tsr__system_tell(f->stream, &start)) return false;
  const int error = read_parts(f->ctx, f->stream, start, bytes, n);
  if (error == ENOTSUP) return false;
  f->error = error;
  if (error == 0 && !tsr__system_seek(f->stream, start + n)) f->error = errno != 0 ? errno : EIO;
  return true;
}

tsr_status tsr__file_read(void *self, void *bytes, size_t n, size_t *got) {
  tsr__file *f = self;
  *got = n;
  if (read_large(f, bytes, n)) return f->error == 0 ? TSR_OK : TSR_EIO;
  errno = 0;
  *got = fread(bytes, 1, n, f->stream);
  if (*got == n || !ferror(f->stream)) return TSR_OK;
  f->error = errno;
  return TSR_EIO;
}

/* Where the system reads from streams alone: there, and then on. */
static int seek_and_read(tsr__file *f, uint64_t offset, void *bytes, size_t n) {
  size_t got = 0;
  errno = 0;
  if (!tsr__system_seek(f->stream, offset)) return errno != 0 ? errno : EINVAL;
  if (tsr__file_read(f, bytes, n, &got) != TSR_OK) return f->error;
  return got == n ? 0 : EIO; /* the file has become shorter */
}

tsr_status tsr__file_read_at(void *self, uint64_t offset, void *bytes, size_t n) {
  tsr__file *f = self;
  int error = offset + n >= offset ? read_parts(f->ctx, f->stream, offset, bytes, n) : EINVAL;
  if (error == ENOTSUP) error = seek_and_read(f, offset, bytes, n);
  if (error != 0) f->error = error;
  return f->error != 0 ? TSR_EIO : TSR_OK;
}

/* ---- from the start to the end ---- */

tsr_status tsr__file_source_open(tsr_ctx *ctx, const char *op, const char *path, tsr__file_source *f) {
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  *f = (tsr__file_source){.file = {.stream = tsr__system_open(path, "rb"), .ctx = ctx}, .op = op, .path = path};
  if (f->file.stream == NULL) return tsr__file_fail(ctx, op, path, "cannot be opened", errno);
  f->source = (tsr_source){.size = sizeof(tsr_source), .read = tsr__file_read, .self = &f->file};
  f->bounded = tsr__system_size(f->file.stream, &f->size);
  tsr__file_where(path, f->where);
  return TSR_OK;
}

tsr_status tsr__file_source_close(tsr__file_source *f, tsr_status st) {
  (void)fclose(f->file.stream); /* nothing was written: closing cannot lose anything */
  return f->file.error != 0 ? tsr__file_fail(f->file.ctx, f->op, f->path, "reading failed", f->file.error) : st;
}

#endif
