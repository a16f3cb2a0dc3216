/* Saving: to a temporary name beside the file, to the disk, then over the old one. */
#include "io/posix.h"

#include "io/file.h"

#if TSR_HAVE_STDIO

#include "core/text.h"
#include "io/disk.h"
#include "io/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#if TSR__POSIX
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

/* ---- the bytes ---- */

static tsr_status write_stream(void *self, const void *bytes, size_t n) {
  tsr__file *f = self;
  f->error = tsr__disk_steps.write(f->stream, bytes, n);
  return f->error == 0 ? TSR_OK : TSR_EIO;
}

/* Writes and closes the stream. */
static tsr_status write_and_close(const save *s, FILE *stream) {
  tsr__file f = {.stream = stream};
  const tsr_sink sink = {.write = write_stream, .self = &f};
  const tsr_status st = s->write(s->ctx, s->user, &sink);
  if (f.error == 0 && st == TSR_OK) f.error = tsr__disk_steps.flush(stream);
  if (f.error == 0 && st == TSR_OK) f.error = tsr__disk_steps.sync(stream);
  const int closed = tsr__disk_steps.close(stream);
  if (f.error == 0) f.error = closed;
  if (f.error != 0) return fail(s, "writing failed", f.error);
  return st == TSR_OK ? TSR_OK : tsr__fail_as(s->ctx, st, s->op);
}

/* ---- a file beside the old one ---- */

enum { SUFFIX = 40, ATTEMPTS = 100 };

/* A new file; its name goes to name. */
static int make_beside(const char *path, char *name, size_t capacity, FILE **stream) {
#if TSR__POSIX
  const int64_t process = (int64_t)getpid();
#else
  const int64_t process = 0;
#endif
  int error = EEXIST;
  for (int attempt = 0; attempt < ATTEMPTS && error == EEXIST; attempt++) {
    tsr__text text;
    tsr__text_init(&text, name, capacity);
    tsr__text_format(&text, "%s.tmp~%l-%d", path, process, attempt);
    error = tsr__disk_steps.make(name, true, stream);
  }
  return error;
}

/* The folder that path is in, to folder, which has room for path. */
static void folder_of(const char *path, char *folder) {
  const char *const slash = strrchr(path, '/');
  const size_t length = slash == NULL || slash == path ? 1 : (size_t)(slash - path);
  memcpy(folder, slash == NULL ? "." : path, length);
  folder[length] = '\0';
}

/* Closes the stream on every path. */
static tsr_status fill(const save *s, FILE *stream) {
  const int error = tsr__disk_steps.mode(stream, s->path); /* before there is anything in it */
  if (error == 0) return write_and_close(s, stream);
  (void)tsr__disk_steps.close(stream);
  return fail(s, "its mode cannot be kept", error);
}

/* The file called name is whole, and on the disk. The name's memory has room for path. */
static tsr_status put_in_place(const save *s, char *name) {
  int error = tsr__disk_steps.replace(name, s->path);
  if (error != 0) {
    (void)tsr__disk_steps.forget(name);
    return fail(s, "cannot be replaced", error);
  }
  folder_of(s->path, name);
  error = tsr__disk_steps.folder(name);
  return error == 0 ? TSR_OK : fail(s, "is the new file, but its folder may not be on the disk", error);
}

static tsr_status save_by_rename(const save *s) {
  const size_t capacity = strlen(s->path) + SUFFIX;
  tsr__scratch scratch;
  FILE *stream = NULL;
  tsr_status st = tsr__scratch_get(s->ctx, s->op, capacity, &scratch);
  if (st != TSR_OK) return st;
  char *name = scratch.data;
  const int error = make_beside(s->path, name, capacity, &stream);
  if (error != 0) {
    st = fail(s, "no file can be made beside it", error);
  } else {
    st = fill(s, stream);
    if (st == TSR_OK) {
      st = put_in_place(s, name);
    } else {
      (void)tsr__disk_steps.forget(name);
    }
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
  FILE *stream = NULL;
  const int error = tsr__disk_steps.make(s->path, false, &stream);
  return error == 0 ? write_and_close(s, stream) : fail(s, "cannot be opened", error);
}

tsr_status tsr__file_save(tsr_ctx *ctx, const char *op, const char *path, tsr_index n, const tsr_tensor *tensors,
                          tsr__file_writer *write, void *user) {
  const tsr_status there = tensors != NULL ? tsr__map_check_all(ctx, op, n, tensors) : TSR_OK;
  if (there != TSR_OK) return there;
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
