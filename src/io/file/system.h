/* What files need of the system beyond C11, the same for all of them: system_posix.c, system_windows.c, and system_c11.c for those that
 * have nothing more. Paths are UTF-8 everywhere. Functions that return an int return 0 or an errno. */
#ifndef TSR_IO_FILE_SYSTEM_H
#define TSR_IO_FILE_SYSTEM_H

#include <tessera/config.h>

#if TSR_HAVE_STDIO

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- streams ---- */

/* fopen: NULL, and errno. */
FILE *tsr__system_open(const char *path, const char *mode);

/* A new file for writing: never one that exists, whoever made it, nor where a link leads. is_private: nobody else may open it, from its
 * first instant on. */
int tsr__system_make(const char *path, bool is_private, FILE **stream);

/* The bytes of a plain file; false for pipes and devices. */
bool tsr__system_size(FILE *stream, uint64_t *bytes);

bool tsr__system_tell(FILE *stream, uint64_t *offset);
bool tsr__system_seek(FILE *stream, uint64_t offset);

/* All n bytes of a plain file from offset on, wherever the stream is: several threads may. EIO when the file has become shorter, ENOTSUP
 * where the system has no such call. */
int tsr__system_read_at(FILE *stream, uint64_t offset, void *bytes, size_t n);

/* Whoever may open path may open the file of the stream, if that is there. */
int tsr__system_keep_mode(FILE *stream, const char *path);

/* To the disk, not only to the system. */
int tsr__system_sync(FILE *stream);
int tsr__system_sync_folder(const char *folder);

/* The file called name takes the place of path, in one step where the system has one. */
int tsr__system_replace(const char *name, const char *path);
int tsr__system_remove(const char *path);

/* ---- what is there ---- */

typedef enum tsr__file_kind {
  TSR__FILE_NONE,   /* nothing */
  TSR__FILE_PLAIN,  /* a file with an end, which can be replaced */
  TSR__FILE_FOLDER, /* cannot */
  TSR__FILE_SPECIAL /* a pipe or a device */
} tsr__file_kind;

/* Where links lead. */
tsr__file_kind tsr__system_kind(const char *path);

/* The link at path, as it was made, to text; *n is 0 where path is no link. ENAMETOOLONG where it does not fit. */
int tsr__system_link(const char *path, char *text, size_t room, size_t *n);

/* Bits that are others in every process and at every call, as far as the system has such. */
uint64_t tsr__system_noise(void);
long tsr__system_process(void);

/* ---- maps ---- */

#if TSR_HAVE_MMAP

/* An open file that can be mapped; tsr__system_unmap closes it. */
typedef intptr_t tsr__map_file;

/* A pipe is opened too, and not waited for. */
int tsr__system_map_open(const char *path, tsr__map_file *file);

/* What it is, and how many bytes it has now. */
int tsr__system_map_look(tsr__map_file file, tsr__file_kind *kind, uint64_t *bytes);

/* bytes > 0. writable: to the process alone, never to the file. */
int tsr__system_map(tsr__map_file file, size_t bytes, bool writable, void **data);

/* bytes 0: there is no map. */
void tsr__system_unmap(tsr__map_file file, void *data, size_t bytes);

#endif

#endif

#endif
