/* .npy files by their path. */
#if defined(__unix__) || defined(__APPLE__)
#define _XOPEN_SOURCE 700 /* fileno, fsync, fstat, realpath */
#define HAVE_POSIX 1
#else
#define HAVE_POSIX 0
#endif

#include <tessera/io.h>

#if TSR_HAVE_STDIO

#include "core/text.h"
#include "io/npy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#if HAVE_POSIX
#include <sys/stat.h>
#include <unistd.h>
#endif

/* A stream that remembers why it failed: errno is gone by the time that the message is written. */
typedef struct file {
  FILE *stream;
  int error;
} file;

/* The end of a long path, so that what is wrong with the file still fits the message. */
static const char *short_path(const char *path) {
  const size_t length = strlen(path), most = TSR_TEXT_BYTES / 3;
  return length > most ? path + (length - most) : path;
}

static tsr_status fail(tsr_ctx *ctx, const char *op, const char *path, const char *what, int error) {
  return TSR__FAIL(ctx, TSR_EIO, op, NULL, "%s: %s: %s", short_path(path), what, strerror(error));
}

/* ---- loading ---- */

static tsr_status read_file(void *self, void *bytes, size_t n, size_t *got) {
  file *f = self;
  errno = 0;
  *got = fread(bytes, 1, n, f->stream);
  if (*got == n || !ferror(f->stream)) return TSR_OK;
  f->error = errno;
  return TSR_EIO;
}

/* The bytes of a file that has an end; false for pipes and devices. */
static bool file_size(FILE *stream, size_t *bytes) {
#if HAVE_POSIX
  struct stat info;
  if (fstat(fileno(stream), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < 0) return false;
  *bytes = (uintmax_t)info.st_size <= SIZE_MAX ? (size_t)info.st_size : SIZE_MAX;
  return true;
#else
  if (fseek(stream, 0, SEEK_END) != 0) return false;
  const long end = ftell(stream);
  if (fseek(stream, 0, SEEK_SET) != 0 || end < 0) return false;
  *bytes = (size_t)end;
  return true;
#endif
}

static tsr_status load_stream(tsr_ctx *ctx, const char *path, FILE *stream, tsr_tensor *out) {
  char where[TSR_TEXT_BYTES];
  tsr__text text;
  file f = {.stream = stream};
  const tsr_source source = {.read = read_file, .self = &f};
  tsr__npy_reader reader = {.ctx = ctx, .op = "npy_load", .where = where, .source = &source};
  tsr__text_init(&text, where, sizeof where);
  tsr__text_string(&text, short_path(path));
  tsr__text_string(&text, ": ");
  reader.bounded = file_size(stream, &reader.left);
  const tsr_status st = tsr__npy_read_array(&reader, NULL, out);
  return f.error != 0 ? fail(ctx, "npy_load", path, "reading failed", f.error) : st;
}

tsr_status tsr_npy_load(tsr_ctx *ctx, const char *path, tsr_tensor *out) {
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, "npy_load", "path", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, "npy_load", "out", "is NULL");
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) return fail(ctx, "npy_load", path, "cannot be opened", errno);
  const tsr_status st = load_stream(ctx, path, stream, out);
  (void)fclose(stream); /* nothing was written: closing cannot lose anything */
  return st;
}

/* ---- saving ---- */

static tsr_status write_file(void *self, const void *bytes, size_t n) {
  file *f = self;
  errno = 0;
  if (n == 0 || fwrite(bytes, 1, n, f->stream) == n) return TSR_OK;
  f->error = errno != 0 ? errno : EIO;
  return TSR_EIO;
}

/* Hands the bytes to the disk, not only to the system: a rename may reach the disk before the data does. Streams that
 * cannot be synchronised (pipes) say EINVAL. */
static int flush_to_disk(FILE *stream) {
  if (fflush(stream) != 0) return errno;
#if HAVE_POSIX
  if (fsync(fileno(stream)) != 0 && errno != EINVAL && errno != ENOTSUP) return errno;
#endif
  return 0;
}

/* Writes and closes the stream. */
static tsr_status write_and_close(tsr_ctx *ctx, const char *path, FILE *stream, const tsr_tensor *t) {
  file f = {.stream = stream};
  const tsr_sink sink = {.write = write_file, .self = &f};
  const tsr_status st = tsr_npy_write(ctx, t, &sink);
  if (f.error == 0 && st == TSR_OK) f.error = flush_to_disk(stream);
  if (fclose(stream) != 0 && f.error == 0) f.error = errno;
  return f.error != 0 ? fail(ctx, "npy_save", path, "writing failed", f.error) : st;
}

/* A new file beside path; its name goes to name. "x": never one that exists, whoever made it. */
static FILE *open_beside(const char *path, char *name, size_t capacity) {
#if HAVE_POSIX
  const uint64_t process = (uint64_t)getpid();
#else
  const uint64_t process = 0;
#endif
  for (int attempt = 0; attempt < 100; attempt++) {
    tsr__text text;
    tsr__text_init(&text, name, capacity);
    tsr__text_format(&text, "%s.tmp~%l-%d", path, (int64_t)process, attempt);
    FILE *stream = fopen(name, "wbx");
    if (stream != NULL || errno != EEXIST) return stream;
  }
  return NULL;
}

/* The new file may be read by whom the old one could, and by nobody else: before there is anything in it. */
static bool keep_mode(const char *path, FILE *stream) {
#if HAVE_POSIX
  struct stat info;
  return stat(path, &info) != 0 || fchmod(fileno(stream), info.st_mode & 0777) == 0;
#else
  (void)path;
  (void)stream;
  return true;
#endif
}

static int replace_file(const char *name, const char *path) {
#if !HAVE_POSIX
  (void)remove(path); /* there, rename does not replace */
#endif
  return rename(name, path) == 0 ? 0 : errno;
}

/* Closes the stream on every path. */
static tsr_status fill_and_replace(tsr_ctx *ctx, const char *path, const char *name, FILE *stream,
                                   const tsr_tensor *t) {
  if (!keep_mode(path, stream)) {
    const int error = errno;
    (void)fclose(stream);
    return fail(ctx, "npy_save", path, "its mode cannot be kept", error);
  }
  const tsr_status st = write_and_close(ctx, path, stream, t);
  if (st != TSR_OK) return st;
  const int error = replace_file(name, path);
  return error != 0 ? fail(ctx, "npy_save", path, "cannot be replaced", error) : TSR_OK;
}

static tsr_status save_by_rename(tsr_ctx *ctx, const char *path, const tsr_tensor *t) {
  enum { SUFFIX = 40 };
  const size_t capacity = strlen(path) + SUFFIX;
  tsr__scratch scratch;
  tsr_status st = tsr__scratch_get(ctx, "npy_save", capacity, &scratch);
  if (st != TSR_OK) return st;
  char *name = scratch.data;
  FILE *stream = open_beside(path, name, capacity);
  if (stream == NULL) {
    st = fail(ctx, "npy_save", path, "no file can be made beside it", errno);
  } else {
    st = fill_and_replace(ctx, path, name, stream, t);
    if (st != TSR_OK) (void)remove(name);
  }
  tsr__scratch_put(&scratch);
  return st;
}

/* Pipes and devices cannot be replaced by a file: they are written to. */
static bool is_special(const char *path) {
#if HAVE_POSIX
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
#else
  (void)path;
  return false;
#endif
}

static tsr_status save_in_place(tsr_ctx *ctx, const char *path, const tsr_tensor *t) {
  FILE *stream = fopen(path, "wb");
  if (stream == NULL) return fail(ctx, "npy_save", path, "cannot be opened", errno);
  return write_and_close(ctx, path, stream, t);
}

tsr_status tsr_npy_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t) {
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, "npy_save", "path", "is NULL");
  tsr_status st = tsr__check_input(ctx, "npy_save", "t", t);
  if (st != TSR_OK) return st;
  if (is_special(path)) return save_in_place(ctx, path, t);
#if HAVE_POSIX
  char *target = realpath(path, NULL); /* a link stays one: the file that it names is replaced */
  st = save_by_rename(ctx, target != NULL ? target : path, t);
  free(target);
  return st;
#else
  return save_by_rename(ctx, path, t);
#endif
}

#endif
