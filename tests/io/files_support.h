/* What tests of files share: a folder of their own, with what tests of bytes share. Include it first. */
#ifndef TSR_TEST_FILES_SUPPORT_H
#define TSR_TEST_FILES_SUPPORT_H

#if (defined(__unix__) || defined(__APPLE__)) && !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700
#endif
#include "npy_support.h"

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[64];

static inline bool folder_make(void) {
  const char *const temporary = getenv("TMPDIR");
  const bool usable = temporary != NULL && temporary[0] != '\0' && strlen(temporary) < 40;
  (void)snprintf(folder, sizeof folder, "%s/tessera_test_XXXXXX", usable ? temporary : "/tmp");
  return mkdtemp(folder) != NULL;
}

static inline const char *in_folder(const char *name) {
  static char path[2][128];
  static int turn;
  turn = !turn;
  (void)snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
  return path[turn];
}

/* How many files there are whose name holds part; each is removed when remove_them. */
static inline int folder_files(const char *part, bool remove_them) {
  int count = 0;
  DIR *dir = opendir(folder);
  if (dir == NULL) return -1;
  for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
    char path[512];
    if (entry->d_name[0] == '.' || strstr(entry->d_name, part) == NULL) continue;
    count++;
    (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (remove_them) (void)remove(path);
  }
  (void)closedir(dir);
  return count;
}

static inline int folder_count(bool remove_all) { return folder_files("", remove_all); }

static inline void folder_end(void) {
  (void)folder_count(true);
  CHECK(rmdir(folder) == 0);
}

#endif

#endif
