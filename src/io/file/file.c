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
/* All n bytes from offset on, wherever the stream is. 0 or an errno: EIO when the file has become shorter. */
static int read_fully(int descriptor, uint64_t offset, char *to, size_t n) {
  for (size_t done = 0; done < n;) {
    const ssize_t some = pread(descriptor, to + done, n - done, (off_t)(offset + done));
    if (some == 0) return EIO;
    if (some < 0 && errno != EINTR) return errno;
    if (some > 0) done += (size_t)some;
  }
  return 0;
}

typedef struct large {
  int descriptor;
  uint64_t start;
  char *to;
  int error;
} large;

static void read_part(void *arg, tsr_index begin, tsr_index end, int worker) {
  large *l = arg;
  (void)worker;
  const int error = read_fully(l->descriptor, l->start + (uint64_t)begin, l->to + begin, (size_t)(end - begin));
  if (error != 0) __atomic_store_n(&l->error, error, __ATOMIC_RELAXED);
}

/* The same, by several threads where it is much. */
static int read_parts(tsr_ctx *ctx, int descriptor, uint64_t offset, void *to, size_t n) {
  if (n < LARGE_BYTES) return read_fully(descriptor, offset, to, n);
  large l = {.descriptor = descriptor, .start = offset, .to = to};
  tsr__parallel_for(ctx, (tsr_index)n, PART_BYTES, read_part, &l);
  return l.error;
}
#endif

/* All n bytes from where the stream is, by several threads; false when it is not that kind of file, or too little. */
static bool read_large(tsr__file *f, void *bytes, size_t n) {
#if TSR__POSIX
  if (!f->plain || n < LARGE_BYTES) return false;
  const off_t start = ftello(f->stream);
  if (start < 0) return false;
  f->error = read_parts(f->ctx, fileno(f->stream), (uint64_t)start, bytes, n);
  if (f->error == 0 && !seek(f->stream, (uint64_t)start + n)) f->error = errno != 0 ? errno : EIO;
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
#if TSR__POSIX
  const uint64_t end = offset + n;
  const bool fits = end >= offset && end <= INT64_MAX && (off_t)end >= 0 && (uint64_t)(off_t)end == end;
  const int error = fits ? read_parts(f->ctx, fileno(f->stream), offset, bytes, n) : EINVAL;
  if (error != 0) f->error = error;
#else
  size_t got = 0;
  errno = 0;
  if (!seek(f->stream, offset))
    f->error = errno != 0 ? errno : EINVAL;
  else if (tsr__file_read(f, bytes, n, &got) == TSR_OK && got < n)
    f->error = EIO; /* the file has become shorter */
#endif
  return f->error != 0 ? TSR_EIO : TSR_OK;
}

/* ---- from the start to the end ---- */

tsr_status tsr__file_source_open(tsr_ctx *ctx, const char *op, const char *path, tsr__file_source *f) {
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  *f = (tsr__file_source){.file = {.stream = fopen(path, "rb"), .ctx = ctx}, .op = op, .path = path};
  if (f->file.stream == NULL) return tsr__file_fail(ctx, op, path, "cannot be opened", errno);
  f->source = (tsr_source){.size = sizeof(tsr_source), .read = tsr__file_read, .self = &f->file};
  f->bounded = tsr__file_size(f->file.stream, &f->size);
  tsr__file_where(path, f->where);
  return TSR_OK;
}

tsr_status tsr__file_source_close(tsr__file_source *f, tsr_status st) {
  (void)fclose(f->file.stream); /* nothing was written: closing cannot lose anything */
  return f->file.error != 0 ? tsr__file_fail(f->file.ctx, f->op, f->path, "reading failed", f->file.error) : st;
}

#endif
