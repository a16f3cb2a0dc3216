/* The file that a path stands for. */
#ifndef TSR_IO_FILE_DESTINATION_H
#define TSR_IO_FILE_DESTINATION_H

#include <stdbool.h>
#include <stddef.h>

enum { TSR__DESTINATION_PATH = 4096 };

typedef enum tsr__destination_kind {
  TSR__DESTINATION_NONE,   /* nothing is there yet */
  TSR__DESTINATION_FILE,   /* a file, which can be replaced */
  TSR__DESTINATION_FOLDER, /* cannot */
  TSR__DESTINATION_SPECIAL /* a pipe or a device, which is written to as it is */
} tsr__destination_kind;

typedef struct tsr__destination {
  tsr__destination_kind kind;
  const char *path;                 /* the caller's, or text */
  char text[TSR__DESTINATION_PATH]; /* where the links lead */
} tsr__destination;

/* Follows the links of a path's last part, to a file that need not be there. The system follows those of its folders.
 * Returns 0 or an errno: ELOOP, ENAMETOOLONG. */
int tsr__destination_find(const char *path, tsr__destination *target);

#endif
