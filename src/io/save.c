/* Saving: to a temporary name beside the file, to the disk, then over the old one. */
#include "io/posix.h" /* first */

#include "io/file.h"

#if TSR_HAVE_STDIO

#include "core/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#if TSR__POSIX
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

/* One save. */
typedef struct save {
  tsr_ctx *ctx;
  const char *op;
  const char *path;
  tsr__file_writer *write;
  void *user;
} save;

static tsr_status fail(const save *s, const char *what, int error) {
  return tsr__file_fail(s->ctx, s->op, s->path, what, error);
}

/* ---- the steps ---- */

/* Hands the bytes to the disk, not only to the system: a rename may reach the disk before the data does. Streams that
 * cannot be synchronised (pipes) say EINVAL. */
static int sync_stream(FILE *stream) {
#if TSR__POSIX
  if (fsync(fileno(stream)) != 0 && errno != EINVAL && errno != ENOTSUP) return errno;
#else
  (void)stream;
#endif
  return 0;
}

/* A name reaches the disk with its folder. What cannot be done about it is not: the new file is there, and whole. */
static void sync_folder(const char *path) {
#if TSR__POSIX
  char folder[1024] = ".";
  const char *slash = strrchr(path, '/');
  const size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
  if (length >= sizeof folder) return;
  if (length > 0) memcpy(folder, path, length);
  if (length > 0) folder[length] = '\0';
  const int descriptor = open(folder, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)fsync(descriptor);
  (void)close(descriptor);
#else
  (void)path;
#endif
}

static int replace_file(const char *name, const char *path) {
#if !TSR__POSIX
  (void)remove(path); /* there, rename does not replace */
#endif
  if (rename(name, path) != 0) return errno;
  sync_folder(path);
  return 0;
}

tsr__file_steps tsr__file_saving = {.sync = sync_stream, .replace = replace_file};

static tsr_status write_stream(void *self, const void *bytes, size_t n) {
  tsr__file *f = self;
  errno = 0;
  if (n == 0 || fwrite(bytes, 1, n, f->stream) == n) return TSR_OK;
  f->error = errno != 0 ? errno : EIO;
  return TSR_EIO;
}

/* Writes and closes the stream. */
static tsr_status write_and_close(const save *s, FILE *stream) {
  tsr__file f = {.stream = stream};
  const tsr_sink sink = {.write = write_stream, .self = &f};
  const tsr_status st = s->write(s->ctx, s->user, &sink);
  if (f.error == 0 && st == TSR_OK && fflush(stream) != 0) f.error = errno;
  if (f.error == 0 && st == TSR_OK) f.error = tsr__file_saving.sync(stream);
  if (fclose(stream) != 0 && f.error == 0) f.error = errno;
  return f.error != 0 ? fail(s, "writing failed", f.error) : st;
}

/* ---- a file beside the old one ---- */

/* A new file; its name goes to name. "x": never one that exists, whoever made it. */
static FILE *open_beside(const char *path, char *name, size_t capacity) {
#if TSR__POSIX
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
#if TSR__POSIX
  struct stat info;
  return stat(path, &info) != 0 || fchmod(fileno(stream), info.st_mode & 0777) == 0;
#else
  (void)path;
  (void)stream;
  return true;
#endif
}

/* Closes the stream on every path. */
static tsr_status fill_and_replace(const save *s, const char *name, FILE *stream) {
  if (!keep_mode(s->path, stream)) {
    const int error = errno;
    (void)fclose(stream);
    return fail(s, "its mode cannot be kept", error);
  }
  const tsr_status st = write_and_close(s, stream);
  if (st != TSR_OK) return st;
  const int error = tsr__file_saving.replace(name, s->path);
  return error != 0 ? fail(s, "cannot be replaced", error) : TSR_OK;
}

static tsr_status save_by_rename(const save *s) {
  enum { SUFFIX = 40 };
  const size_t capacity = strlen(s->path) + SUFFIX;
  tsr__scratch scratch;
  tsr_status st = tsr__scratch_get(s->ctx, s->op, capacity, &scratch);
  if (st != TSR_OK) return st;
  char *name = scratch.data;
  FILE *stream = open_beside(s->path, name, capacity);
  if (stream == NULL) {
    st = fail(s, "no file can be made beside it", errno);
  } else {
    st = fill_and_replace(s, name, stream);
    if (st != TSR_OK) (void)remove(name);
  }
  tsr__scratch_put(&scratch);
  return st;
}

/* ---- in place ---- */

/* Pipes and devices cannot be replaced by a file: they are written to. */
static bool is_special(const char *path) {
#if TSR__POSIX
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
#else
  (void)path;
  return false;
#endif
}

static tsr_status save_in_place(const save *s) {
  FILE *stream = fopen(s->path, "wb");
  if (stream == NULL) return fail(s, "cannot be opened", errno);
  return write_and_close(s, stream);
}

tsr_status tsr__file_save(tsr_ctx *ctx, const char *op, const char *path, tsr__file_writer *write, void *user) {
  save s = {.ctx = ctx, .op = op, .path = path, .write = write, .user = user};
  if (is_special(path)) return save_in_place(&s);
#if TSR__POSIX
  char *target = realpath(path, NULL); /* a link stays one: the file that it names is replaced */
  if (target != NULL) s.path = target;
  const tsr_status st = save_by_rename(&s);
  free(target);
  return st;
#else
  return save_by_rename(&s);
#endif
}

#endif
