/* Files of a POSIX system. */
#if defined(__unix__) || defined(__APPLE__)
#define _XOPEN_SOURCE 700 /* fileno, fsync, fstat, fseeko, pread, readlink, mmap */
#endif
#include "io/file/system.h"

#if TSR_HAVE_STDIO && (defined(__unix__) || defined(__APPLE__))

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if TSR_HAVE_MMAP
#include <sys/mman.h>
#endif
#if defined(__linux__) && defined(__has_include)
#if __has_include(<sys/random.h>)
#include <sys/random.h>
#define HAVE_RANDOM 1
#endif
#endif

/* Some systems leave it at 0 when a stream fails. */
static int last_error(void) { return errno != 0 ? errno : EIO; }

/* ---- streams ---- */

FILE *tsr__system_open(const char *path, const char *mode) { return fopen(path, mode); }

/* The system takes the umask away from the rights of a new file: to ask for it, one would have to change it. */
int tsr__system_make(const char *path, bool is_private, FILE **stream) {
  const mode_t rights = is_private ? 0600 : 0666;
  const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, rights);
  if (descriptor < 0) return last_error();
  *stream = fdopen(descriptor, "wb");
  if (*stream != NULL) return 0;
  const int error = last_error();
  (void)close(descriptor);
  (void)unlink(path);
  return error;
}

bool tsr__system_size(FILE *stream, uint64_t *bytes) {
  struct stat info;
  if (fstat(fileno(stream), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < 0) return false;
  *bytes = (uint64_t)info.st_size;
  return true;
}

bool tsr__system_tell(FILE *stream, uint64_t *offset) {
  const off_t at = ftello(stream);
  if (at >= 0) *offset = (uint64_t)at;
  return at >= 0;
}

static bool is_offset(uint64_t offset) {
  return offset <= INT64_MAX && (off_t)offset >= 0 && (uint64_t)(off_t)offset == offset;
}

bool tsr__system_seek(FILE *stream, uint64_t offset) {
  return is_offset(offset) && fseeko(stream, (off_t)offset, SEEK_SET) == 0;
}

int tsr__system_read_at(FILE *stream, uint64_t offset, void *bytes, size_t n) {
  if (offset + n < offset || !is_offset(offset + n)) return EINVAL;
  for (size_t done = 0; done < n;) {
    const ssize_t some = pread(fileno(stream), (char *)bytes + done, n - done, (off_t)(offset + done));
    if (some == 0) return EIO;
    if (some < 0 && errno != EINTR) return errno;
    if (some > 0) done += (size_t)some;
  }
  return 0;
}

int tsr__system_keep_mode(FILE *stream, const char *path) {
  struct stat info;
  return stat(path, &info) != 0 || fchmod(fileno(stream), info.st_mode & 0777) == 0 ? 0 : errno;
}

/* Pipes, and folders of some file systems, cannot be synchronised and say EINVAL. */
static int sync_descriptor(int descriptor) {
  int result;
  do result = fsync(descriptor);
  while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

int tsr__system_sync(FILE *stream) { return sync_descriptor(fileno(stream)); }

int tsr__system_sync_folder(const char *folder) {
  const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES ? 0 : errno; /* files may be made in some that cannot be read */
  const int error = sync_descriptor(descriptor);
  (void)close(descriptor);
  return error;
}

int tsr__system_replace(const char *name, const char *path) { return rename(name, path) == 0 ? 0 : errno; }
int tsr__system_remove(const char *path) { return unlink(path) == 0 ? 0 : last_error(); }

/* ---- what is there ---- */

static tsr__file_kind kind_of(const struct stat *info) {
  if (S_ISREG(info->st_mode)) return TSR__FILE_PLAIN;
  return S_ISDIR(info->st_mode) ? TSR__FILE_FOLDER : TSR__FILE_SPECIAL;
}

tsr__file_kind tsr__system_kind(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 ? kind_of(&info) : TSR__FILE_NONE;
}

int tsr__system_link(const char *path, char *text, size_t room, size_t *n) {
  struct stat info;
  *n = 0;
  if (lstat(path, &info) != 0 || !S_ISLNK(info.st_mode)) return 0;
  if (room == 0) return ENAMETOOLONG;
  const ssize_t got = readlink(path, text, room);
  if (got < 0) return errno;
  if ((size_t)got == room) return ENAMETOOLONG;
  *n = (size_t)got;
  return 0;
}

uint64_t tsr__system_noise(void) {
  struct timespec now = {0};
  uint64_t bits = 0;
#if HAVE_RANDOM
  if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) < 0) bits = 0; /* no entropy yet */
#endif
  (void)clock_gettime(CLOCK_REALTIME, &now);
  return bits ^ ((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec);
}

long tsr__system_process(void) { return (long)getpid(); }

/* ---- maps ---- */

#if TSR_HAVE_MMAP

int tsr__system_map_open(const char *path, tsr__map_file *file) {
  *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  return *file >= 0 ? 0 : errno;
}

int tsr__system_map_look(tsr__map_file file, tsr__file_kind *kind, uint64_t *bytes) {
  struct stat info;
  if (fstat((int)file, &info) != 0) return errno;
  *kind = kind_of(&info);
  *bytes = info.st_size > 0 ? (uint64_t)info.st_size : 0;
  return 0;
}

int tsr__system_map(tsr__map_file file, size_t bytes, bool writable, void **data) {
  void *const map = mmap(NULL, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_PRIVATE, (int)file, 0);
  if (map == MAP_FAILED) return errno;
  *data = map;
  return 0;
}

void tsr__system_unmap(tsr__map_file file, void *data, size_t bytes) {
  if (bytes > 0) (void)munmap(data, bytes);
  (void)close((int)file);
}

#endif

#else
typedef int tsr__system_posix_none; /* a file has to declare something */
#endif
