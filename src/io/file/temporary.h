/* Files beside those that are saved, until they take their place. */
#ifndef TSR_IO_FILE_TEMPORARY_H
#define TSR_IO_FILE_TEMPORARY_H

#include <tessera/io.h>

#if TSR_HAVE_STDIO

enum { TSR__TEMPORARY_SUFFIX = 22 }; /* ".tmp~", 16 digits and the zero: what name needs beyond path */

/* A name in the folder of path that is another one at each call, in this process and in others, whatever their ids. The
 * last part of path is cut where the two together would be longer than file systems take. */
void tsr__temporary_name(const char *path, char *name);

/* A name that tsr_temporaries_remove removes; -1: there were too many, or it is too long. */
typedef struct tsr__temporary {
  int slot;
  uint32_t state;
} tsr__temporary;

tsr__temporary tsr__temporary_begin(const char *name);
void tsr__temporary_end(const tsr__temporary *t);

#endif

#endif
