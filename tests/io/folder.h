/* A folder on the disk for one test, and what is in it. POSIX: the includer defines _XOPEN_SOURCE. */
#ifndef TSR_TEST_FOLDER_H
#define TSR_TEST_FOLDER_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static inline bool folder_make(void) {
  strcpy(folder, "/tmp/tessera_test_XXXXXX");
  return mkdtemp(folder) != NULL;
}

/* The last two answers stay. */
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

static inline int folder_count(void) { return folder_files("", false); }

/* Removes the folder with the files in it. */
static inline bool folder_end(void) {
  (void)folder_files("", true);
  return rmdir(folder) == 0;
}

#endif
