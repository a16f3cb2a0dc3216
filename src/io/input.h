/* Bytes that are read in any order: in memory, or behind a reader. */
#ifndef TSR_IO_INPUT_H
#define TSR_IO_INPUT_H

#include <tessera/io.h>
#include "core/check.h"

typedef struct tsr__input {
  tsr_ctx *ctx;
  const char *op;
  const char *where;    /* begins every message: "" or "x.npz: " */
  const uint8_t *bytes; /* NULL: the reader has them */
  const tsr_reader *reader;
  uint64_t size;
} tsr__input;

/* n bytes from offset on; they are known to be there. */
tsr_status tsr__input_get(const tsr__input *in, uint64_t offset, void *to, size_t n);

#if TSR_HAVE_STDIO
/* Opens a file and hands its bytes to use: mapped, with the storage that they lie in, or with TSR_ACCESS_COPY and where
 * there are no maps behind a reader, with NULL. Both end with the call, but for counts that use took of the storage. */
typedef tsr_status tsr__input_use(void *user, const tsr__input *in, tsr_storage *map);
tsr_status tsr__input_open(tsr_ctx *ctx, const char *op, const char *path, int access, tsr__input_use *use, void *user);
#endif

#endif
