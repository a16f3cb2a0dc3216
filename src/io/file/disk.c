/* The steps of a save, as the system does them. */
#include "io/file/posix.h"

#include "io/file/disk.h"

#if TSR_HAVE_STDIO

#include <errno.h>
#if TSR__POSIX
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

/* Some systems leave it at 0 when a stream fails. */
static int last_error(void) { return errno != 0 ? errno : EIO; }

#if TSR__POSIX
/* The system takes the umask away from the rights of a fresh file: to ask for it, one would have to change it. */
static int make_fresh(const char *name, mode_t rights, FILE **stream) {
  const int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, rights);
  if (descriptor < 0) return last_error();
  *stream = fdopen(descriptor, "wb");
  if (*stream != NULL) return 0;
  const int error = last_error();
  (void)close(descriptor);
  (void)unlink(name);
  return error;
}
#endif

static int make_file(const char *name, tsr__make how, FILE **stream) {
  errno = 0;
#if TSR__POSIX
  if (how != TSR__MAKE_OVER) return make_fresh(name, how == TSR__MAKE_PRIVATE ? 0600 : 0666, stream);
#endif
  *stream = fopen(name, how == TSR__MAKE_OVER ? "wb" : "wbx");
  return *stream != NULL ? 0 : last_error();
}

/* In parts: the system handles a signal between two of them, and gigabytes in one would take it seconds. */
static int write_bytes(FILE *stream, const void *bytes, size_t n) {
  enum { PART = 4 << 20 };
  errno = 0;
  for (const char *at = bytes; n > 0;) {
    const size_t part = n < PART ? n : PART;
    if (fwrite(at, 1, part, stream) != part) return last_error();
    at += part;
    n -= part;
  }
  return 0;
}

static int flush_stream(FILE *stream) {
  errno = 0;
  return fflush(stream) == 0 ? 0 : last_error();
}

static int keep_mode(FILE *stream, const char *path) {
#if TSR__POSIX
  struct stat info;
  return stat(path, &info) != 0 || fchmod(fileno(stream), info.st_mode & 0777) == 0 ? 0 : errno;
#else
  (void)stream, (void)path;
  return 0;
#endif
}

static int close_stream(FILE *stream) {
  errno = 0;
  return fclose(stream) == 0 ? 0 : last_error();
}

#if TSR__POSIX
/* Pipes, and folders of some file systems, cannot be synchronised and say EINVAL. */
static int sync_descriptor(int descriptor) {
  int result;
  do result = fsync(descriptor);
  while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}
#endif

static int sync_stream(FILE *stream) {
#if TSR__POSIX
  return sync_descriptor(fileno(stream));
#else
  (void)stream;
  return 0;
#endif
}

static int replace_file(const char *name, const char *path) {
  if (rename(name, path) == 0) return 0;
#if TSR__POSIX
  return errno;
#else
  (void)remove(path); /* there, rename does not replace */
  return rename(name, path) == 0 ? 0 : last_error();
#endif
}

static int sync_folder(const char *folder) {
#if TSR__POSIX
  const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES ? 0 : errno; /* files may be made in some that cannot be read */
  const int error = sync_descriptor(descriptor);
  (void)close(descriptor);
  return error;
#else
  (void)folder;
  return 0;
#endif
}

static int forget_file(const char *name) { return remove(name) == 0 ? 0 : last_error(); }

tsr__disk tsr__disk_steps = {.make = make_file,
                             .write = write_bytes,
                             .flush = flush_stream,
                             .mode = keep_mode,
                             .sync = sync_stream,
                             .close = close_stream,
                             .replace = replace_file,
                             .folder = sync_folder,
                             .forget = forget_file};

#endif
