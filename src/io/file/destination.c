/* Links, followed one by one: the system does so only where they lead to something. */
#include "io/file/posix.h"

#include "io/file/destination.h"

#include <tessera/config.h>

#if TSR_HAVE_STDIO

#include <errno.h>
#include <string.h>
#if TSR__POSIX
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* as Linux has it */

static tsr__destination_kind kind_of(const struct stat *info) {
  if (S_ISREG(info->st_mode)) return TSR__DESTINATION_FILE;
  return S_ISDIR(info->st_mode) ? TSR__DESTINATION_FOLDER : TSR__DESTINATION_SPECIAL;
}

/* Where the link leads, to text: from its own folder, or from the root. The path may be in text itself; the system has
 * read it before it writes there. */
static int follow(tsr__destination *target) {
  const char *const slash = strrchr(target->path, '/');
  const size_t folder = slash == NULL ? 0 : (size_t)(slash - target->path) + 1;
  if (folder >= sizeof target->text) return ENAMETOOLONG;
  const size_t room = sizeof target->text - folder;
  const ssize_t n = readlink(target->path, target->text + folder, room);
  if (n < 0) return errno;
  if ((size_t)n == room) return ENAMETOOLONG;
  target->text[folder + (size_t)n] = '\0';
  if (target->text[folder] == '/') {
    memmove(target->text, target->text + folder, (size_t)n + 1);
  } else if (target->path != target->text) {
    memcpy(target->text, target->path, folder);
  }
  target->path = target->text;
  return 0;
}

int tsr__destination_find(const char *path, tsr__destination *target) {
  struct stat info;
  target->path = path;
  target->kind = stat(path, &info) == 0 ? kind_of(&info) : TSR__DESTINATION_NONE;
  if (target->kind == TSR__DESTINATION_SPECIAL || target->kind == TSR__DESTINATION_FOLDER) return 0;
  for (int links = 0; lstat(target->path, &info) == 0 && S_ISLNK(info.st_mode); links++) {
    const int error = links < MOST_LINKS ? follow(target) : ELOOP;
    if (error != 0) return error;
  }
  return 0;
}

#else

int tsr__destination_find(const char *path, tsr__destination *target) {
  target->path = path;
  target->kind = TSR__DESTINATION_NONE;
  return 0;
}

#endif

#endif
