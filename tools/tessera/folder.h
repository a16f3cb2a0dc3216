/* The files of a folder. */
#ifndef TESSERA_FOLDER_H
#define TESSERA_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Paths in the order of their names; `{0}` is an empty list. */
typedef struct folder {
  char **paths; /* owned */
  size_t count, capacity;
} folder;

/* Whether a path is one. */
bool folder_is(const char *path);

/* The plain files in it, without those whose names begin with a dot; false: reported. */
bool folder_read(const char *path, folder *out);
void folder_release(folder *f);

#endif
