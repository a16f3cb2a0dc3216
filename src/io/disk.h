/* What a save asks of the system. */
#ifndef TSR_IO_DISK_H
#define TSR_IO_DISK_H

#include <tessera/io.h>

#if TSR_HAVE_STDIO

/* The steps of a save, in their order. Each returns 0 or an errno. */
typedef struct tsr__disk {
  int (*make)(const char *name, bool fresh, FILE **stream); /* fresh: never a file that exists, whoever made it */
  int (*mode)(FILE *stream, const char *path); /* may be read by whom path may be, if that is there; by nobody else */
  int (*write)(FILE *stream, const void *bytes, size_t n);
  int (*flush)(FILE *stream);
  int (*sync)(FILE *stream);  /* to the disk, not only to the system: a rename may arrive there before the data */
  int (*close)(FILE *stream); /* it is closed either way */
  int (*replace)(const char *name, const char *path);
  int (*folder)(const char *folder); /* to the disk as well: the new name is in it */
  int (*forget)(const char *name);   /* the file of a save that failed */
} tsr__disk;

/* The system's. A table that is not const, so that a test can let each step fail, or end the process there; nobody else
 * writes to it. */
extern tsr__disk tsr__disk_steps;

#endif

#endif
