#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report.h"

bool folder_is(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The path is given up. */
static bool keep(folder *f, char *path) {
  if (f->count == f->capacity) {
    const size_t capacity = f->capacity > 0 ? 2 * f->capacity : 64;
    char **paths = realloc(f->paths, capacity * sizeof *paths);
    if (paths == NULL) return free(path), false;
    f->paths = paths;
    f->capacity = capacity;
  }
  f->paths[f->count++] = path;
  return true;
}

static bool add(folder *f, const char *path, const char *name) {
  struct stat info;
  const size_t length = strlen(path), size = length + strlen(name) + 2;
  char *full = malloc(size);
  if (full == NULL) return false;
  (void)snprintf(full, size, length > 0 && path[length - 1] == '/' ? "%s%s" : "%s/%s", path, name);
  if (stat(full, &info) == 0 && S_ISREG(info.st_mode)) return keep(f, full);
  free(full);
  return true;
}

bool folder_read(const char *path, folder *out) {
  *out = (folder){0};
  DIR *d = opendir(path);
  if (d == NULL) return report("%s: cannot be opened: %s", path, strerror(errno)), false;
  bool ok = true;
  for (const struct dirent *e = readdir(d); e != NULL && ok; e = readdir(d))
    if (e->d_name[0] != '.') ok = add(out, path, e->d_name);
  (void)closedir(d);
  if (ok && out->count > 1) qsort(out->paths, out->count, sizeof *out->paths, by_name);
  if (!ok) folder_release(out);
  return ok || (report("out of memory"), false);
}

void folder_release(folder *f) {
  for (size_t i = 0; i < f->count; i++) free(f->paths[i]);
  free(f->paths);
  *f = (folder){0};
}
