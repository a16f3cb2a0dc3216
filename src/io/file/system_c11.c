/* Files where nothing is known but C11: what the standard has is used, and what it lacks is not done. */
#include "io/file/system.h"

#if TSR_HAVE_STDIO && !defined(__unix__) && !defined(__APPLE__) && !defined(_WIN32)

#include <errno.h>
#include <limits.h>
#include <time.h>

static int last_error(void) { return errno != 0 ? errno : EIO; }

FILE *tsr__system_open(const char *path, const char *mode) { return fopen(path, mode); }

int tsr__system_make(const char *path, bool is_private, FILE **stream) {
  (void)is_private;
  errno = 0;
  *stream = fopen(path, "wbx");
  return *stream != NULL ? 0 : last_error();
}

bool tsr__system_tell(FILE *stream, uint64_t *offset) {
  const long at = ftell(stream);
  if (at >= 0) *offset = (uint64_t)at;
  return at >= 0;
}

bool tsr__system_seek(FILE *stream, uint64_t offset) {
  return offset <= LONG_MAX && fseek(stream, (long)offset, SEEK_SET) == 0;
}

bool tsr__system_size(FILE *stream, uint64_t *bytes) {
  return fseek(stream, 0, SEEK_END) == 0 && tsr__system_tell(stream, bytes) && fseek(stream, 0, SEEK_SET) == 0;
}

int tsr__system_read_at(FILE *stream, uint64_t offset, void *bytes, size_t n) {
  (void)stream, (void)offset, (void)bytes, (void)n;
  return ENOTSUP;
}

int tsr__system_keep_mode(FILE *stream, const char *path) {
  (void)stream, (void)path;
  return 0;
}

int tsr__system_sync(FILE *stream) {
  (void)stream;
  return 0;
}

int tsr__system_sync_folder(const char *folder) {
  (void)folder;
  return 0;
}

int tsr__system_replace(const char *name, const char *path) {
  if (rename(name, path) == 0) return 0;
  (void)remove(path); /* rename need not replace */
  return rename(name, path) == 0 ? 0 : last_error();
}

int tsr__system_remove(const char *path) { return remove(path) == 0 ? 0 : last_error(); }

tsr__file_kind tsr__system_kind(const char *path) {
  (void)path;
  return TSR__FILE_NONE;
}

int tsr__system_link(const char *path, char *text, size_t room, size_t *n) {
  (void)path, (void)text, (void)room;
  *n = 0;
  return 0;
}

uint64_t tsr__system_noise(void) {
  struct timespec now = {0};
  (void)timespec_get(&now, TIME_UTC);
  return (uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec;
}

long tsr__system_process(void) { return 0; }

#else
typedef int tsr__system_c11_none; /* a file has to declare something */
#endif
