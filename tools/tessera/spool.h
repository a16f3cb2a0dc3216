/* Pipes as files, standard input and output among them: formats are read by content and written by a rename, which
 * pipes cannot do. */
#ifndef TESSERA_SPOOL_H
#define TESSERA_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

enum { SPOOL_PATH = 1024 };

/* Standard input has not been read yet. */
void spool_start(void);

/* A file in a folder of its own with everything that comes out of a pipe: a file "stdin" for "-", standard input, which
 * can be read once; else "pipe". False: reported. */
bool spool_pipe(const char *file, char *path);

/* The name of a file in a folder of its own, to be written to; false: reported. */
bool spool_new(const char *name, char *path);

/* Copies a file to standard output; false: reported. */
bool spool_to_stdout(const char *path);

/* Removes the file, if there is one, and its folder. */
void spool_remove(char *path);

#endif
