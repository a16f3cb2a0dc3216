/* Reading files by their path. */
#if defined(__unix__) || defined(__APPLE__)
#define _XOPEN_SOURCE 700 /* fileno, fstat, fseeko */
#define HAVE_POSIX 1
#else
#define HAVE_POSIX 0
#endif

#include "io/file.h"

#if TSR_HAVE_STDIO

#include "core/text.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#if HAVE_POSIX
#include <sys/stat.h>
#endif

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

bool tsr__file_size(FILE *stream, uint64_t *bytes) {
#if HAVE_POSIX
  struct stat info;
  if (fstat(fileno(stream), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < 0) return false;
  *bytes = (uint64_t)info.st_size;
  return true;
#else
  if (fseek(stream, 0, SEEK_END) != 0) return false;
  const long end = ftell(stream);
  if (fseek(stream, 0, SEEK_SET) != 0 || end < 0) return false;
  *bytes = (uint64_t)end;
  return true;
#endif
}

tsr_status tsr__file_read(void *self, void *bytes, size_t n, size_t *got) {
  tsr__file *f = self;
  errno = 0;
  *got = fread(bytes, 1, n, f->stream);
  if (*got == n || !ferror(f->stream)) return TSR_OK;
  f->error = errno;
  return TSR_EIO;
}

static bool seek(FILE *stream, uint64_t offset) {
#if HAVE_POSIX
  return offset <= INT64_MAX && (off_t)offset >= 0 && (uint64_t)(off_t)offset == offset &&
         fseeko(stream, (off_t)offset, SEEK_SET) == 0;
#else
  return offset <= LONG_MAX && fseek(stream, (long)offset, SEEK_SET) == 0;
#endif
}

tsr_status tsr__file_read_at(void *self, uint64_t offset, void *bytes, size_t n) {
  tsr__file *f = self;
  size_t got = 0;
  errno = 0;
  if (!seek(f->stream, offset)) {
    f->error = errno != 0 ? errno : EINVAL;
    return TSR_EIO;
  }
  const tsr_status st = tsr__file_read(f, bytes, n, &got);
  if (st == TSR_OK && got < n) f->error = EIO; /* the file has become shorter */
  return f->error != 0 ? TSR_EIO : TSR_OK;
}

#endif
