/* Reading files by their path. */
#include "io/file/posix.h"

#include "io/file/file.h"

#if TSR_HAVE_STDIO

#include "core/text.h"
#include "cpu/parallel.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#if TSR__POSIX
#include <sys/stat.h>
#include <unistd.h>
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
#if TSR__POSIX
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

static bool seek(FILE *stream, uint64_t offset) {
#if TSR__POSIX
  return offset <= INT64_MAX && (off_t)offset >= 0 && (uint64_t)(off_t)offset == offset &&
         fseeko(stream, (off_t)offset, SEEK_SET) == 0;
#else
  return offset <= LONG_MAX && fseek(stream, (long)offset, SEEK_SET) == 0;
#endif
}

/* ---- large parts ---- */

/* Most of the time goes into the first touch of fresh pages and the system's copy: threads share both. */
enum { LARGE_BYTES = 16 << 20, PART_BYTES = 4 << 20 };

#if TSR__POSIX
typedef struct large {
  int descriptor;
  uint64_t start;
  char *to;
  int error;
} large;

static void read_part(void *arg, tsr_index begin, tsr_index end, int worker) {
  large *l = arg;
  (void)worker;
  while (begin < end) {
    const ssize_t some =
        pread(l->descriptor, l->to + begin, (size_t)(end - begin), (off_t)(l->start + (uint64_t)begin));
    if (some > 0) {
      begin += (tsr_index)some;
    } else if (some == 0 || errno != EINTR) {
      __atomic_store_n(&l->error, some == 0 ? EIO : errno, __ATOMIC_RELAXED); /* 0: the file has become shorter */
      return;
    }
  }
}
#endif

/* All n bytes from where the stream is, by several threads; false when it is not that kind of file, or too little. */
static bool read_large(tsr__file *f, void *bytes, size_t n) {
#if TSR__POSIX
  if (!f->plain || n < LARGE_BYTES) return false;
  const off_t start = ftello(f->stream);
  if (start < 0) return false;
  large l = {.descriptor = fileno(f->stream), .start = (uint64_t)start, .to = bytes};
  tsr__parallel_for(f->ctx, (tsr_index)n, PART_BYTES, read_part, &l);
  if (l.error == 0 && !seek(f->stream, l.start + n)) l.error = errno != 0 ? errno : EIO;
  f->error = l.error;
  return true;
#else
  (void)f, (void)bytes, (void)n;
  return false;
#endif
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
