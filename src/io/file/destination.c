/* Links, followed one by one: the system does so only where they lead to something. */
#include "io/file/destination.h"

#if TSR_HAVE_STDIO

#include <errno.h>
#include <string.h>

enum { MOST_LINKS = 40 }; /* as Linux has it */

/* Where the link leads, to text: from its own folder, or from the root. *more: it was one. The path may be in text itself; the system has
 * read it before it writes there. */
static int follow(tsr__destination *target, bool *more) {
  const char *const slash = strrchr(target->path, '/');
  const size_t folder = slash == NULL ? 0 : (size_t)(slash - target->path) + 1;
  const size_t room = folder < sizeof target->text ? sizeof target->text - folder : 0;
  size_t n = 0;
  *more = false;
  const int error = tsr__system_link(target->path, target->text + (sizeof target->text - room), room, &n);
  if (error != 0 || n == 0) return error;
  target->text[folder + n] = '\0';
  if (target->text[folder] == '/') {
    memmove(target->text, target->text + folder, n + 1);
  } else if (target->path != target->text) {
    memcpy(target->text, target->path, folder);
  }
  target->path = target->text;
  *more = true;
  return 0;
}

int tsr__destination_find(const char *path, tsr__destination *target) {
  target->path = path;
  target->kind = tsr__system_kind(path);
  if (target->kind == TSR__FILE_SPECIAL || target->kind == TSR__FILE_FOLDER) return 0;
  bool more = true;
  for (int links = 0; more; links++) {
    const int error = links <= MOST_LINKS ? follow(target, &more) : ELOOP;
    if (error != 0) return error;
  }
  return 0;
}

#else
typedef int tsr__destination_none; /* a file has to declare something */
#endif
