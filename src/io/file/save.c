/* Saving: to a temporary name beside the file, to the disk, then over the old one. */
#include "io/file/file.h"

#if TSR_HAVE_STDIO

#include "io/file/destination.h"
#include "io/file/disk.h"
#include "io/file/input.h"
#include "io/file/map.h"
#include "io/file/temporary.h"

#include <errno.h>
#include <string.h>

/* One save. */
typedef struct save {
  tsr_ctx *ctx;
  const char *op;
  const char *path; /* of the file, no link */
  bool replaces;    /* one is there */
  const tsr__saving *what;
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

/* What follows the last byte: 0 or an errno, and what it was that failed. */
static int complete(const save *s, FILE *stream, bool beside, const char **what) {
  int error = tsr__disk_steps.flush(stream);
  if (error == 0 && beside) {
    error = tsr__disk_steps.mode(stream, s->path);
    if (error != 0) *what = "its mode cannot be kept";
  }
  return error == 0 ? tsr__disk_steps.sync(stream) : error;
}

/* Writes and closes the stream, of a file beside the old one or of that itself. */
static tsr_status write_and_close(const save *s, FILE *stream, bool beside) {
  tsr__file f = {.stream = stream};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = write_stream, .self = &f};
  const char *what = "writing failed";
  const tsr_status st = s->what->write(s->ctx, s->what, &sink);
  if (f.error == 0 && st == TSR_OK) f.error = complete(s, stream, beside, &what);
  const int closed = tsr__disk_steps.close(stream);
  if (f.error == 0) f.error = closed;
  if (f.error != 0) return fail(s, what, f.error);
  return st == TSR_OK ? TSR_OK : tsr__fail_as(s->ctx, st, s->op);
}

/* ---- a file beside the old one ---- */

/* The file beside the old one, while it is written. */
typedef struct beside {
  char *name;
  tsr__temporary listed;
  FILE *stream;
} beside;

/* A new file. Its name is listed before there is one: a signal may come in between. */
static int make_beside(const save *s, beside *b) {
  enum { ATTEMPTS = 100 };
  int error = EEXIST;
  for (int attempt = 0; attempt < ATTEMPTS && error == EEXIST; attempt++) {
    tsr__temporary_name(s->path, b->name);
    b->listed = tsr__temporary_begin(b->name);
    error = tsr__disk_steps.make(b->name, s->replaces ? TSR__MAKE_PRIVATE : TSR__MAKE_FRESH, &b->stream);
    if (error != 0) tsr__temporary_end(&b->listed);
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

/* The file called name is whole, and on the disk. The name's memory has room for path. */
static tsr_status put_in_place(const save *s, char *name) {
  if (s->what->source != NULL) tsr__input_file_close(s->what->source);
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
  tsr__scratch scratch;
  tsr_status st = tsr__scratch_get(s->ctx, s->op, strlen(s->path) + TSR__TEMPORARY_SUFFIX, &scratch);
  if (st != TSR_OK) return st;
  beside b = {.name = scratch.data};
  const int error = make_beside(s, &b);
  if (error != 0) {
    st = fail(s, "no file can be made beside it", error);
  } else {
    st = write_and_close(s, b.stream, true);
    if (st == TSR_OK) {
      st = put_in_place(s, b.name);
    } else {
      (void)tsr__disk_steps.forget(b.name);
    }
    tsr__temporary_end(&b.listed);
  }
  tsr__scratch_put(&scratch);
  return st;
}

/* ---- in place ---- */

/* Pipes and devices cannot be replaced by a file: they are written to. */
static tsr_status save_in_place(const save *s) {
  FILE *stream = NULL;
  const int error = tsr__disk_steps.make(s->path, TSR__MAKE_OVER, &stream);
  return error == 0 ? write_and_close(s, stream, false) : fail(s, "cannot be opened", error);
}

/* A link stays one: the file that it names is written, and made where it is not there. */
static tsr_status save_to_target(save *s) {
  tsr__destination target;
  const int error = tsr__destination_find(s->path, &target);
  if (error != 0) return fail(s, "its links lead nowhere", error);
  if (target.kind == TSR__FILE_FOLDER) return fail(s, "cannot be replaced", EISDIR);
  if (target.kind == TSR__FILE_SPECIAL) return save_in_place(s);
  s->path = target.path;
  s->replaces = target.kind == TSR__FILE_PLAIN;
  return save_by_rename(s);
}

static tsr_status save_all(tsr_ctx *ctx, const tsr__saving *what, tsr_index n, const tsr_tensor *tensors) {
  if (what->path == NULL) return TSR__FAIL(ctx, TSR_EARG, what->op, "path", "is NULL");
  const tsr_status there = tsr__map_check_all(ctx, what->op, n, tensors);
  save s = {.ctx = ctx, .op = what->op, .path = what->path, .what = what};
  return there == TSR_OK ? save_to_target(&s) : there;
}

tsr_status tsr__file_save(tsr_ctx *ctx, const tsr__saving *what) {
  return save_all(ctx, what, what->tensor != NULL, what->tensor);
}

tsr_status tsr__file_save_bundle(tsr_ctx *ctx, const tsr__saving *what) {
  const tsr_bundle *const bundle = what->bundle;
  if (bundle == NULL && what->path != NULL) return TSR__FAIL(ctx, TSR_EARG, what->op, "bundle", "is NULL");
  return save_all(ctx, what, bundle != NULL ? bundle->count : 0, bundle != NULL ? bundle->tensors : NULL);
}

#endif
