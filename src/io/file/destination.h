/* The file that a path stands for. */
#ifndef TSR_IO_FILE_DESTINATION_H
#define TSR_IO_FILE_DESTINATION_H

#include "io/file/system.h"

#if TSR_HAVE_STDIO

enum { TSR__DESTINATION_PATH = 4096 };

typedef struct tsr__destination {
  tsr__file_kind kind;
  const char *path;                 /* the caller's, or text */
  char text[TSR__DESTINATION_PATH]; /* where the links lead */
} tsr__destination;

/* Follows the links of a path's last part, to a file that need not be there. The system follows those of its folders.
 * Returns 0 or an errno: ELOOP, ENAMETOOLONG. */
int tsr__destination_find(const char *path, tsr__destination *target);

#endif

#endif
