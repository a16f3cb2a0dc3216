/* What a save asks of the system. */
#ifndef TSR_IO_FILE_DISK_H
#define TSR_IO_FILE_DISK_H

#include <tessera/io.h>

#if TSR_HAVE_STDIO

/* How a file is opened. A fresh one never is a file that exists, whoever made it, nor where a link leads. */
typedef enum tsr__make {
  TSR__MAKE_OVER,   /* one that may exist: pipes and devices */
  TSR__MAKE_FRESH,  /* with the rights that new files have */
  TSR__MAKE_PRIVATE /* nobody else may open it, from its first instant on */
} tsr__make;

/* The steps of a save, in their order. Each returns 0 or an errno. */
typedef struct tsr__disk {
  int (*make)(const char *name, tsr__make how, FILE **stream);
  int (*write)(FILE *stream, const void *bytes, size_t n);
  int (*flush)(FILE *stream);
  int (*mode)(FILE *stream,
              const char *path); /* the file is whole: whoever may open path may open it, if that is there */
  int (*sync)(FILE *stream);     /* to the disk, not only to the system: a rename may arrive there before the data */
  int (*close)(FILE *stream);    /* it is closed either way */
  int (*replace)(const char *name, const char *path);
  int (*folder)(const char *folder); /* to the disk as well: the new name is in it */
  int (*forget)(const char *name);   /* the file of a save that failed */
} tsr__disk;

/* The system's. A table that is not const, so that a test can let each step fail, or end the process there; nobody else
 * writes to it. */
extern tsr__disk tsr__disk_steps;

#endif

#endif
