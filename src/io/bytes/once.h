/* Bytes of a file that are read once, into memory of the call's own. What stands behind an input may change while it is
 * read: a mapped file that another process writes to, a reader that answers differently the next time. So no parser
 * looks at an input twice: it takes its header from here, where what was checked is what is used. */
#ifndef TSR_IO_BYTES_ONCE_H
#define TSR_IO_BYTES_ONCE_H

#include "io/bytes/input.h"

typedef struct tsr__once {
  const uint8_t *bytes; /* n of them */
  size_t n;
  uint64_t start; /* where they begin in the file */
  size_t most;    /* no more than these are ever read */
  tsr__scratch memory;
} tsr__once;

/* Nothing is read yet. start + most lies in the file. */
static inline tsr__once tsr__once_start(uint64_t start, size_t most) {
  return (tsr__once){.start = start, .most = most};
}

/* Sees to it that the first n <= most bytes are there; *bytes may move. Memory grows by doubling, so that what is asked
 * for is at most twice what has come, or a first step. It is the last temporary memory taken while it grows. */
tsr_status tsr__once_need(tsr__once *once, const tsr__input *in, size_t n);

void tsr__once_end(tsr__once *once);

#endif
