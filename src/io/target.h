/* The file that a path stands for. */
#ifndef TSR_IO_TARGET_H
#define TSR_IO_TARGET_H

#include <stdbool.h>
#include <stddef.h>

enum { TSR__TARGET_PATH = 4096 };

typedef enum tsr__target_kind {
  TSR__TARGET_NONE,   /* nothing is there yet */
  TSR__TARGET_FILE,   /* a file, which can be replaced */
  TSR__TARGET_FOLDER, /* cannot */
  TSR__TARGET_SPECIAL /* a pipe or a device, which is written to as it is */
} tsr__target_kind;

typedef struct tsr__target {
  tsr__target_kind kind;
  const char *path;            /* the caller's, or text */
  char text[TSR__TARGET_PATH]; /* where the links lead */
} tsr__target;

/* Follows the links of a path's last part, to a file that need not be there. The system follows those of its folders.
 * Returns 0 or an errno: ELOOP, ENAMETOOLONG. */
int tsr__target_find(const char *path, tsr__target *target);

#endif
