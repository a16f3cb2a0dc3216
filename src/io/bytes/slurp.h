/* The whole of a source in memory. */
#ifndef TSR_IO_BYTES_SLURP_H
#define TSR_IO_BYTES_SLURP_H

#include <tessera/io.h>
#include "core/check.h"

typedef struct tsr__slurped {
  uint8_t *bytes; /* NULL when there are none */
  size_t n, capacity;
  const tsr_allocator *allocator;
} tsr__slurped;

/* Reads to the end, or the first most bytes: a file of known bytes at once, 0 of them (as a pipe says) in steps, in room for
 * twice what has come. TSR_ELIMIT when that is more than the context's total, of a known file before anything is read. */
tsr_status tsr__slurp(tsr_ctx *ctx, const char *op, const char *where, const tsr_source *source, size_t most,
                      uint64_t known, tsr__slurped *out);
void tsr__slurp_release(tsr__slurped *s);

#endif
